#include "arena.h"

#include <string.h>

#include "calls.h"

enum { alignment = 16 };

bool arena_open(arena *it, size_t size) {
  *it = (arena){.base = call_map(size), .size = size};
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
  if (it->base) call_unmap(it->base, it->size, it->wanted < it->size ? it->wanted : it->size);
  it->base = NULL;
}
