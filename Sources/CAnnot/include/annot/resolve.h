/// Finds the runtime from an image that links nothing of ours, and settles a join point's first call.
///
/// The runtime, if there is one in the process, carries an ELF note (ANNOT_NOTE_RUNTIME) that leads to its
/// entry. Nothing found is remembered here: the runtime may come and go with dlopen and dlclose. A first
/// call takes the loader's lock, as any dl_iterate_phdr does, so it must not come from a signal handler.
///
/// ELF structures are declared here because <link.h> shows its own only to _GNU_SOURCE; the layouts are
/// those of the System V ABI, chapter 5 (program header, note section).
#ifndef ANNOT_RESOLVE_H
#define ANNOT_RESOLVE_H

#include <stddef.h>
#include <stdint.h>

#include "annot/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Elf32_Phdr or Elf64_Phdr, whichever the pointer size tells (x32 has the former).
typedef struct annot_segment_ {
  uint32_t type;
#if UINTPTR_MAX > 0xffffffffu
  uint32_t flags;
#endif
  uintptr_t offset;
  uintptr_t address;
  uintptr_t physical_address;
  uintptr_t file_size;
  uintptr_t memory_size;
#if UINTPTR_MAX <= 0xffffffffu
  uint32_t flags;
#endif
  uintptr_t alignment;
} annot_segment_;

/// The start of dl_phdr_info.
typedef struct annot_loaded_image_ {
  uintptr_t base;
  const char *path;
  const annot_segment_ *segments;
  uint16_t segment_count;
} annot_loaded_image_;

#define ANNOT_SEGMENT_LOAD_ 1u
#define ANNOT_SEGMENT_NOTE_ 4u
#define ANNOT_SEGMENT_EXECUTABLE_ 1u
#define ANNOT_SEGMENT_READABLE_ 4u

/// dl_iterate_phdr under a name of our own, so that it can be declared whatever <link.h> says.
extern int annot_iterate_images_(
    int (*visit)(annot_loaded_image_ *image, size_t size, void *context), void *context)
    __asm__("dl_iterate_phdr");

/// Whether the bytes lie in one loaded segment of the image that has all the flags.
__attribute__((unused, cold)) static __inline__ int annot_image_holds_(
    const annot_loaded_image_ *image, uintptr_t address, uintptr_t size, uint32_t flags) {
  for (uint16_t i = 0; i < image->segment_count; i++) {
    const annot_segment_ *segment = &image->segments[i];
    uintptr_t start = image->base + segment->address;
    if (segment->type == ANNOT_SEGMENT_LOAD_ && (segment->flags & flags) == flags && address >= start &&
        address - start <= segment->memory_size && size <= segment->memory_size - (address - start)) {
      return 1;
    }
  }
  return 0;
}

/// Finds the runtime's note among a segment's notes; null when it is not there.
__attribute__((unused, cold)) static __inline__ const char *annot_find_note_(
    const char *notes, uintptr_t size, uintptr_t alignment) {
  uintptr_t position = 0;
  // Notes are padded to 4 bytes, in segments aligned to 8 to 8; other alignments mean 4 (gABI, Linux).
  alignment = alignment == 8 ? 8 : 4;
  while (size >= 12 && position <= size - 12) {
    uint32_t header[3];  // length of the name, length of the description, type
    uintptr_t name = position + 12;
    uintptr_t description, end;
    __builtin_memcpy(header, notes + position, sizeof header);
    if (header[0] > size - name) {
      return 0;
    }
    description = (name + header[0] + alignment - 1) & ~(alignment - 1);
    if (description > size || header[1] > size - description) {
      return 0;
    }
    end = (description + header[1] + alignment - 1) & ~(alignment - 1);
    if (header[2] == ANNOT_NOTE_RUNTIME && header[0] == sizeof ANNOT_NOTE_OWNER && header[1] >= 4 &&
        __builtin_memcmp(notes + name, ANNOT_NOTE_OWNER, sizeof ANNOT_NOTE_OWNER) == 0) {
      return notes + description;
    }
    position = end;
  }
  return 0;
}

/// Stores the runtime's entry in `context` when this image is the runtime.
__attribute__((unused, cold)) static __inline__ int annot_visit_image_(
    annot_loaded_image_ *image, size_t size, void *context) {
  (void)size;
  for (uint16_t i = 0; i < image->segment_count; i++) {
    const annot_segment_ *segment = &image->segments[i];
    uintptr_t start = image->base + segment->address;
    const char *note;
    int32_t distance;
    uintptr_t entry;
    if (segment->type != ANNOT_SEGMENT_NOTE_ ||
        !annot_image_holds_(image, start, segment->memory_size, ANNOT_SEGMENT_READABLE_)) {
      continue;
    }
    note = annot_find_note_((const char *)start, segment->memory_size, segment->alignment);
    if (note == 0) {
      continue;
    }
    __builtin_memcpy(&distance, note, sizeof distance);
    entry = (uintptr_t)note + (uintptr_t)(intptr_t)distance;
    if (annot_image_holds_(image, entry, 1, ANNOT_SEGMENT_EXECUTABLE_)) {
      *(uintptr_t *)context = entry;
      return 1;
    }
  }
  return 0;
}

/// Settles a join point that nobody has asked about: by the runtime, or to idle when there is none.
/// Returns its hook, null for idle.
__attribute__((unused, cold)) static __inline__ const annot_hook *annot_resolve_(
    annot_joinpoint *joinpoint) {
  uintptr_t entry = 0;
  uintptr_t hook = ANNOT_HOOK_UNRESOLVED;
  annot_iterate_images_(annot_visit_image_, &entry);
  if (entry != 0) {
    return ((annot_resolve_function)entry)(joinpoint);
  }
  // A runtime that was loaded meanwhile may have written the slot: what it wrote then stays.
  if (__atomic_compare_exchange_n(
          &joinpoint->hook, &hook, ANNOT_HOOK_IDLE, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return 0;
  }
  return (const annot_hook *)hook;
}

/// Runs a call whose fast path found its slot not idle: reads the slot again, then runs its advice or, when
/// nothing advises it any more, the original code.
__attribute__((unused, cold)) static __inline__ void annot_run_(
    annot_joinpoint *joinpoint, void *const *arguments, void *result) {
  uintptr_t word = __atomic_load_n(&joinpoint->hook, __ATOMIC_ACQUIRE);
  const annot_hook *hook =
      word == ANNOT_HOOK_UNRESOLVED ? annot_resolve_(joinpoint) : (const annot_hook *)word;
  if (hook != 0) {
    hook->dispatch(hook, arguments, result);
  } else {
    joinpoint->info()->invoke(arguments, result);
  }
}

#ifdef __cplusplus
}
#endif

#endif
