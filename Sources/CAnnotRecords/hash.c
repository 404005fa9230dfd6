#include <string.h>
#include <sys/auxv.h>

#include "internal.h"

uint64_t annot_hash_seed(void) {
  uint64_t seed = UINT64_C(0x9E3779B97F4A7C15);
  const void *random = (const void *)getauxval(AT_RANDOM);
  if (random) memcpy(&seed, random, sizeof seed);
  return seed | 1;
}

uint64_t annot_hash_mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0xD6E8FEB86659FD93);
  return hash ^ hash >> 32;
}

uint64_t annot_hash_text(uint64_t seed, annot_text text) {
  uint64_t hash = annot_hash_mix(seed, text.length);
  size_t at = 0;
  for (; at + 8 <= text.length; at += 8) {
    uint64_t eight;
    memcpy(&eight, text.bytes + at, 8);
    hash = annot_hash_mix(hash * seed, eight);
  }
  uint64_t rest = 0;
  if (at < text.length) memcpy(&rest, text.bytes + at, text.length - at);
  return annot_hash_mix(hash * seed, rest);
}
