#define _GNU_SOURCE
#include "loaded_image.h"

#include <string.h>

#include "annot/layout.h"

bool image_has_range(const struct dl_phdr_info *info, memory_range range, ElfW(Word) access) {
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & access) != access) continue;
    const uintptr_t start = info->dlpi_addr + segment->p_vaddr;
    if (range.start < start || range.start - start > segment->p_memsz) continue;
    if (range.size <= segment->p_memsz - (range.start - start)) return true;
  }
  return false;
}

/// A note, its name and description inside the segment.
typedef struct note {
  uint32_t type;
  const unsigned char *name;
  size_t name_size;
  const unsigned char *description;
  size_t description_size;
} note;

static size_t padded(size_t size, size_t alignment) { return (size + alignment - 1) / alignment * alignment; }

/// Reads the note at `*position` of a segment and moves behind it. Three words, the name and the description,
/// each padded (gABI, "Note Section").
static bool next_note(
    const unsigned char *bytes, size_t size, size_t alignment, size_t *position, note *found) {
  ElfW(Nhdr) head;
  if (*position > size || size - *position < sizeof head) return false;
  memcpy(&head, bytes + *position, sizeof head);
  const size_t left = size - *position;
  const size_t description = padded(sizeof head + (size_t)head.n_namesz, alignment);
  if (head.n_namesz > left || description > left || head.n_descsz > left - description) return false;
  *found = (note){.type = head.n_type,
                  .name = bytes + *position + sizeof head,
                  .name_size = head.n_namesz,
                  .description = bytes + *position + description,
                  .description_size = head.n_descsz};
  *position += padded(description + head.n_descsz, alignment);
  return true;
}

/// Told of a note; ends the visit when it returns true.
typedef bool note_visitor(const struct dl_phdr_info *info, const note *found, void *context);

/// Visits the image's notes. Inlined, so that each visitor is, too: this is most of what an image costs.
static inline __attribute__((always_inline)) bool visit_notes(
    const struct dl_phdr_info *info, note_visitor *visit, void *context) {
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_NOTE) continue;
    const memory_range range = {.start = info->dlpi_addr + segment->p_vaddr, .size = segment->p_memsz};
    if (!image_has_range(info, range, PF_R)) continue;
    const unsigned char *bytes = (const unsigned char *)range.start;
    size_t position = 0;
    note found;
    while (next_note(bytes, range.size, segment->p_align == 8 ? 8 : 4, &position, &found))
      if (visit(info, &found, context)) return true;
  }
  return false;
}

static bool is_owned(const note *it, const char *owner, size_t owner_size) {
  return it->name_size == owner_size && !memcmp(it->name, owner, owner_size);
}

static bool is_ours(const note *it) { return is_owned(it, ANNOT_NOTE_OWNER, sizeof ANNOT_NOTE_OWNER); }

typedef struct sought {
  uint32_t type;
  size_t least;
  note *found;
} sought;

static bool is_sought(const struct dl_phdr_info *info, const note *it, void *context) {
  (void)info;
  const sought *wanted = context;
  if (it->type != wanted->type || it->description_size < wanted->least || !is_ours(it)) return false;
  *wanted->found = *it;
  return true;
}

/// Finds the image's first note of ours of a type whose description has at least `least` bytes.
static bool find_note(const struct dl_phdr_info *info, uint32_t type, size_t least, note *found) {
  sought wanted = {type, least, found};
  return visit_notes(info, is_sought, &wanted);
}

/// The address that a distance from its own address leads to.
static uintptr_t led_to(const unsigned char *distance) {
  int32_t value;
  memcpy(&value, distance, sizeof value);
  return (uintptr_t)distance + (uintptr_t)(intptr_t)value;
}

/// The range of a bounds note; {0, 0}, and `*outside`, when the image does not have it with `access`.
static memory_range range_of(
    const struct dl_phdr_info *info, const note *it, ElfW(Word) access, bool *outside) {
  const uintptr_t start = led_to(it->description);
  const uintptr_t end = led_to(it->description + sizeof(int32_t));
  const memory_range noted = {.start = start, .size = end - start};
  *outside = start != end && (end < start || !image_has_range(info, noted, access));
  return start == end || *outside ? (memory_range){0} : noted;
}

bool image_noted_range(
    const struct dl_phdr_info *info, uint32_t type, ElfW(Word) access, memory_range *range, bool *outside) {
  note found;
  if (!find_note(info, type, 2 * sizeof(int32_t), &found)) return false;
  *range = range_of(info, &found, access, outside);
  return true;
}

static bool entry_of(const struct dl_phdr_info *info, const note *it, uintptr_t *entry) {
  *entry = led_to(it->description);
  return image_has_range(info, (memory_range){*entry, 1}, PF_X);
}

bool image_runtime_entry(const struct dl_phdr_info *info, uintptr_t *entry) {
  note found;
  return find_note(info, ANNOT_NOTE_RUNTIME, sizeof(int32_t), &found) && entry_of(info, &found, entry);
}

static bool take_note(const struct dl_phdr_info *info, const note *it, void *context) {
  image_notes *notes = context;
  uintptr_t entry;
  // NT_GNU_BUILD_ID is 3, as is ANNOT_NOTE_RUNTIME: the owner tells.
  if (it->type == NT_GNU_BUILD_ID && !notes->build_id.size && it->description_size &&
      is_owned(it, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU)) {
    notes->build_id = (memory_range){(uintptr_t)it->description, it->description_size};
  } else if (it->type == ANNOT_NOTE_RECORDS && !notes->has_records &&
             it->description_size >= 2 * sizeof(int32_t) && is_ours(it)) {
    notes->has_records = true;
    notes->records = range_of(info, it, PF_R, &notes->is_outside);
  } else if (it->type == ANNOT_NOTE_RUNTIME && it->description_size >= sizeof(int32_t) && is_ours(it)) {
    notes->has_runtime |= entry_of(info, it, &entry);
  }
  return false;
}

image_notes image_read_notes(const struct dl_phdr_info *info) {
  image_notes notes = {0};
  visit_notes(info, take_note, &notes);
  return notes;
}

static uint64_t mixed(uint64_t sum, uint64_t word) {
  sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  return sum ^ sum >> 29;
}

uint64_t headers_hash(const ElfW(Phdr) *headers, size_t count) {
  const unsigned char *bytes = (const unsigned char *)headers;
  const size_t size = count * sizeof *headers;
  // Four sums side by side, as each step of one waits for the step before.
  uint64_t a = 1, b = 2, c = 3, d = size, words[4];
  for (size_t at = 0; at < size; at += sizeof words) {
    if (size - at < sizeof words) memset(words, 0, sizeof words);
    memcpy(words, bytes + at, size - at < sizeof words ? size - at : sizeof words);
    a = mixed(a, words[0]);
    b = mixed(b, words[1]);
    c = mixed(c, words[2]);
    d = mixed(d, words[3]);
  }
  return mixed(mixed(mixed(a, b), c), d);
}
