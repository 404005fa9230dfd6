#include <string.h>

#include "internal.h"

static const char *skip_space(const char *cursor, const char *end) {
  while (cursor < end && (*cursor == ' ' || *cursor == '\n' || *cursor == '\t' || *cursor == '\r')) cursor++;
  return cursor;
}

/// The end of the string whose opening quote is at `cursor`: behind its closing quote.
static const char *skip_string(const char *cursor, const char *end) {
  for (cursor++; cursor < end && *cursor != '"'; cursor++)
    if (*cursor == '\\' && cursor + 1 < end) cursor++;
  return cursor < end ? cursor + 1 : end;
}

/// The end of the value at `cursor`.
static const char *skip_value(const char *cursor, const char *end) {
  size_t depth = 0;
  while (cursor < end) {
    char c = *cursor;
    if (c == '"') {
      cursor = skip_string(cursor, end);
      if (depth == 0) return cursor;
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}' || c == ']' || c == ' ' || c == '\n' || c == '\t' || c == '\r'))
      return cursor;
    if (c == '{' || c == '[') depth++;
    if (c == '}' || c == ']') {
      if (--depth == 0) return cursor + 1;
    }
    cursor++;
  }
  return end;
}

bool annot_next_member(const char *bytes, size_t length, size_t *position, annot_member *member) {
  const char *end = bytes + length;
  const char *cursor = skip_space(bytes + *position, end);
  // The brace before the first member, the comma before the others.
  if (cursor < end && (*cursor == '{' || *cursor == ',')) cursor = skip_space(cursor + 1, end);
  if (cursor >= end || *cursor != '"') return false;

  const char *name_end = skip_string(cursor, end);
  member->name = (annot_text){cursor + 1, (size_t)(name_end - cursor) - 2};
  cursor = skip_space(name_end, end);
  if (cursor < end && *cursor == ':') cursor++;
  cursor = skip_space(cursor, end);
  const char *value_end = skip_value(cursor, end);
  member->value = (annot_text){cursor, (size_t)(value_end - cursor)};
  *position = (size_t)(value_end - bytes);
  return true;
}
