/// What a dl_iterate_phdr callback can tell of an image from its program headers alone.
///
/// Every range handed out lies inside a PT_LOAD segment of the image: an address that came from a note or a
/// file is not trusted before.
#ifndef ANNOT_LOADED_IMAGE_H
#define ANNOT_LOADED_IMAGE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/// A run of an image's memory.
typedef struct memory_range {
  uintptr_t start;
  size_t size;
} memory_range;

/// Whether the range lies inside one loaded segment that has the access flags `access` (PF_R, PF_W).
bool image_has_range(const struct dl_phdr_info *info, memory_range range, ElfW(Word) access);
/// What the image's bounds note of `type` says, checked to lie inside the image with `access`.
///
/// Returns false when there is no such note. A note that leads outside the image sets the range to {0, 0} and
/// `*outside`.
bool image_noted_range(
    const struct dl_phdr_info *info, uint32_t type, ElfW(Word) access, memory_range *range, bool *outside);
/// Finds the entry that the image's note of type ANNOT_NOTE_RUNTIME leads to, which must be code of the image.
bool image_runtime_entry(const struct dl_phdr_info *info, uintptr_t *entry);

/// What the collector wants of an image's notes, found in one pass.
typedef struct image_notes {
  memory_range build_id;  ///< a size of 0 when there is none
  bool has_records;       ///< there is a bounds note of records
  bool is_outside;        ///< it leads outside the image; `records` is {0, 0} then
  memory_range records;
  bool has_runtime;       ///< there is a note that leads to the runtime's entry
} image_notes;

image_notes image_read_notes(const struct dl_phdr_info *info);

/// A number that tells program headers apart; equal headers have equal ones, others hardly ever.
uint64_t headers_hash(const ElfW(Phdr) *headers, size_t count);

#pragma GCC visibility pop

#endif
