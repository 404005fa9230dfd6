#include <string.h>

#include "internal.h"

// Reached only for records with more members open at once than the scanner compares pairwise. Members of
// all objects go into one table under (object, name), so that nothing need be removed when an object ends.
// A record of 64 KiB has fewer than 11,000 members (`"ab":0,` is seven bytes), so the table never fills.

enum { slot_count = 16384 };

/// A member: the offset of its name, and of the brace of its object; the name's offset is never 0.
typedef struct slot {
  uint16_t name;
  uint16_t object;
} slot;

typedef struct walker {
  const char *start, *end;
  uint64_t seed;
  slot slots[slot_count];
} walker;

static uint64_t name_hash(const walker *walker, uint16_t object, annot_text name) {
  uint64_t hash = annot_hash_mix(walker->seed, object);
  const char *cursor = name.bytes, *end = name.bytes + name.length;
  while (cursor < end) hash = annot_hash_mix(hash * walker->seed, annot_json_next_character(&cursor, end));
  return annot_hash_mix(hash, walker->seed >> 7);
}

/// The contents of the sound string whose first byte behind the quote is `bytes`.
static annot_text string_at(const char *bytes) {
  const char *cursor = bytes;
  while (*cursor != '"') cursor += *cursor == '\\' ? 2 : 1;
  return (annot_text){bytes, (size_t)(cursor - bytes)};
}

/// Adds a member; returns false when its object has one of that name.
static bool insert(walker *walker, uint16_t object, annot_text name) {
  size_t at = name_hash(walker, object, name) % slot_count;
  for (; walker->slots[at].name; at = (at + 1) % slot_count) {
    if (walker->slots[at].object != object) continue;
    if (annot_json_names_equal(string_at(walker->start + walker->slots[at].name), name)) return false;
  }
  walker->slots[at] = (slot){(uint16_t)(name.bytes - walker->start), object};
  return true;
}

/// Whether the string that ends before `cursor` is a member's name.
static bool is_name(const char *cursor, const char *end) {
  while (cursor < end && (*cursor == ' ' || *cursor == '\t' || *cursor == '\n' || *cursor == '\r')) cursor++;
  return cursor < end && *cursor == ':';
}

__attribute__((noinline)) bool annot_json_has_duplicates(
    const char *bytes, size_t length, size_t *where) {
  walker walker;
  memset(walker.slots, 0, sizeof walker.slots);
  walker.start = bytes;
  walker.end = bytes + length;
  walker.seed = annot_hash_seed();

  // The text is sound JSON, so brackets balance and only strings can hold them.
  uint16_t open[ANNOT_RECORD_MAX_DEPTH] = {0};
  size_t depth = 0;
  for (const char *cursor = bytes; cursor < walker.end; cursor++) {
    if (*cursor == '{' || *cursor == '[') open[depth++] = (uint16_t)(cursor - bytes);
    else if (*cursor == '}' || *cursor == ']') depth--;
    if (*cursor != '"') continue;
    annot_text string = string_at(cursor + 1);
    cursor = string.bytes + string.length;
    if (!is_name(cursor + 1, walker.end)) continue;
    if (insert(&walker, open[depth - 1], string)) continue;
    *where = (size_t)(string.bytes - bytes) - 1;
    return true;
  }
  return false;
}
