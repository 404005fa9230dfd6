#include <string.h>

#include "file_reader.h"

// A program whose section headers were stripped still has the notes that the runtime finds records by: owner
// ANNOT_NOTE_OWNER, type ANNOT_NOTE_RECORDS of annot/layout.h, two signed 32-bit distances, each from its own
// address, to the start and the end. They are spelt out here, as this target knows nothing of that header's.

static const char note_owner[] = "annot";
enum { note_records = 1, note_size = 8 };

/// The most ranges of one file; equal notes are one, and linkers leave one.
enum { range_limit = 8 };

typedef struct range {
  uint64_t start, end;
} range;

typedef struct ranges {
  range all[range_limit];
  size_t count;
} ranges;

/// The address that the distance at `bytes`, itself at `address`, leads to.
static uint64_t target(const annot_elf *elf, const char *bytes, uint64_t address) {
  uint32_t value = 0;
  for (int i = 0; i < 4; i++)
    value = value << 8 | (unsigned char)bytes[elf->is_big_endian ? i : 3 - i];
  uint64_t sum = address + (uint64_t)(int64_t)(int32_t)value;
  return elf->is_64 ? sum : sum & UINT32_MAX;
}

static bool take_range(annot_elf *elf, const annot_elf_note *note, void *context) {
  ranges *ranges = context;
  if (note->type != note_records || note->descriptor.length != note_size) return true;
  if (note->owner.length != sizeof note_owner) return true;
  if (memcmp(note->owner.bytes, note_owner, sizeof note_owner) != 0) return true;
  range found = {
      target(elf, note->descriptor.bytes, note->address),
      target(elf, note->descriptor.bytes + 4, note->address + 4),
  };
  for (size_t i = 0; i < ranges->count; i++)
    if (ranges->all[i].start == found.start && ranges->all[i].end == found.end) return true;
  ranges->all[ranges->count++] = found;
  return ranges->count < range_limit;
}

static bool read_range(annot_elf *elf, range range) {
  uint64_t offset;
  if (range.end < range.start || !annot_file_offset(elf, range.start, range.end - range.start, &offset))
    return annot_file_add_note(
        elf->file, elf->member, ANNOT_ERROR_MALFORMED, 0,
        "the note that tells where its annotations are points at %#llx to %#llx, outside what is loaded",
        (unsigned long long)range.start, (unsigned long long)range.end);
  annot_file_section section = {
      .member = elf->member,
      .name = elf->file->options.section,
      .size = (size_t)(range.end - range.start),
      .offset = offset,
      .address = range.start,
  };
  return annot_read_contents(elf, &section);
}

bool annot_read_by_bounds_notes(annot_elf *elf) {
  if (strcmp(elf->file->options.section, "annot") != 0) return true;
  ranges ranges = {.count = 0};
  annot_visit_notes(elf, take_range, &ranges);
  for (size_t i = 0; i < ranges.count; i++)
    if (ranges.all[i].start != ranges.all[i].end && !read_range(elf, ranges.all[i])) return false;
  return true;
}
