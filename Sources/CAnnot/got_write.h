/// Writes entries of images' global offset tables, in dl_iterate_phdr callbacks.
#ifndef ANNOT_GOT_WRITE_H
#define ANNOT_GOT_WRITE_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/// Whether the dynamic linker is done with the image's relocations.
///
/// It makes the pages of PT_GNU_RELRO read-only as its last step. Until then their protection is not to be touched
/// and what is in them not to be followed. Of an image without such pages nothing is known: true.
bool image_is_relocated(const struct dl_phdr_info *info);

typedef enum got_outcome {
  GOT_WRITTEN,
  GOT_CHANGED,    ///< it no longer held what was expected, and stays as it is
  GOT_PROTECTED,  ///< its page cannot be made writable
} got_outcome;

/// Replaces what an entry of a relocated image holds, atomically. A read-only page is made writable for the store and
/// read-only again: one thread at a time, which the caller sees to.
got_outcome got_replace(uintptr_t *place, uintptr_t expected, uintptr_t value);

#pragma GCC visibility pop

#endif
