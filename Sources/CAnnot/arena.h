/// Memory for use inside dl_iterate_phdr callbacks, where a user's malloc must not be called.
///
/// malloc may itself call dl_iterate_phdr, or be held up by a thread that waits for the loader. An arena is
/// mapped beforehand; a pass that finds it too small says so and is repeated with a larger one.
#ifndef ANNOT_ARENA_H
#define ANNOT_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

typedef struct arena {
  char *base;
  size_t size;
  size_t wanted;  // by all requests so far, met or not
} arena;

/// Maps an empty arena; false when memory runs out.
bool arena_open(arena *it, size_t size);
/// Room for `size` bytes, aligned for anything; null when the arena is too small.
void *arena_take(arena *it, size_t size);
/// A copy of bytes; null when the arena is too small.
void *arena_copy(arena *it, const void *bytes, size_t size);
/// Whether all requests were met.
bool arena_sufficed(const arena *it);
void arena_close(arena *it);

#pragma GCC visibility pop

#endif
