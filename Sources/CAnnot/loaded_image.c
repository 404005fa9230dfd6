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

/// Finds the image's first note of an owner and type whose description has at least `least` bytes.
static bool find_note(
    const struct dl_phdr_info *info, const char *owner, uint32_t type, size_t least, note *found) {
  const size_t owner_size = strlen(owner) + 1;
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    const memory_range range = {.start = info->dlpi_addr + segment->p_vaddr, .size = segment->p_memsz};
    if (segment->p_type != PT_NOTE || !image_has_range(info, range, PF_R)) continue;
    const unsigned char *bytes = (const unsigned char *)range.start;
    size_t position = 0;
    while (next_note(bytes, range.size, segment->p_align == 8 ? 8 : 4, &position, found))
      if (found->type == type && found->name_size == owner_size && !memcmp(found->name, owner, owner_size) &&
          found->description_size >= least)
        return true;
  }
  return false;
}

/// The address that a distance from its own address leads to.
static uintptr_t led_to(const unsigned char *distance) {
  int32_t value;
  memcpy(&value, distance, sizeof value);
  return (uintptr_t)distance + (uintptr_t)(intptr_t)value;
}

bool image_noted_range(
    const struct dl_phdr_info *info, uint32_t type, ElfW(Word) access, memory_range *range, bool *outside) {
  note found;
  *range = (memory_range){0};
  *outside = false;
  if (!find_note(info, ANNOT_NOTE_OWNER, type, 2 * sizeof(int32_t), &found)) return false;
  const uintptr_t start = led_to(found.description);
  const uintptr_t end = led_to(found.description + sizeof(int32_t));
  if (start == end) return true;
  const memory_range noted = {.start = start, .size = end - start};
  if (end < start || !image_has_range(info, noted, access))
    *outside = true;
  else
    *range = noted;
  return true;
}

bool image_runtime_entry(const struct dl_phdr_info *info, uintptr_t *entry) {
  note found;
  if (!find_note(info, ANNOT_NOTE_OWNER, ANNOT_NOTE_RUNTIME, sizeof(int32_t), &found)) return false;
  *entry = led_to(found.description);
  return image_has_range(info, (memory_range){*entry, 1}, PF_X);
}

memory_range image_build_id(const struct dl_phdr_info *info) {
  note found;
  if (!find_note(info, "GNU", NT_GNU_BUILD_ID, 1, &found)) return (memory_range){0};
  return (memory_range){.start = (uintptr_t)found.description, .size = found.description_size};
}
