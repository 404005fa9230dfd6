#define _GNU_SOURCE
#include "arena.h"

#include <string.h>
#include <sys/mman.h>

enum { alignment = 16 };

bool arena_open(arena *it, size_t size) {
  void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *it = (arena){.base = base == MAP_FAILED ? NULL : base, .size = size};
  return it->base != NULL;
}

void *arena_take(arena *it, size_t size) {
  const size_t start = it->wanted;
  it->wanted += (size + alignment - 1) / alignment * alignment;
  return it->wanted <= it->size ? it->base + start : NULL;
}

void *arena_copy(arena *it, const void *bytes, size_t size) {
  void *copy = arena_take(it, size);
  if (copy && size) memcpy(copy, bytes, size);
  return copy;
}

bool arena_sufficed(const arena *it) { return it->wanted <= it->size; }

void arena_close(arena *it) {
  if (it->base) munmap(it->base, it->size);
  it->base = NULL;
}
