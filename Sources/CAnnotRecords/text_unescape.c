#include <string.h>

#include "internal.h"

/// The value of four hexadecimal digits, or UINT32_MAX when there are no four.
static uint32_t hex4(const char *cursor, const char *end) {
  if (end - cursor < 4) return UINT32_MAX;
  uint32_t value = 0;
  for (int i = 0; i < 4; i++) {
    char c = cursor[i];
    uint32_t digit;
    if (c >= '0' && c <= '9') digit = (uint32_t)(c - '0');
    else if (c >= 'a' && c <= 'f') digit = (uint32_t)(c - 'a') + 10;
    else if (c >= 'A' && c <= 'F') digit = (uint32_t)(c - 'A') + 10;
    else return UINT32_MAX;
    value = value << 4 | digit;
  }
  return value;
}

/// Decodes `\uXXXX`, or two of them that are a surrogate pair; the cursor is behind the `u`.
static uint32_t unicode_escape(const char **cursor, const char *end) {
  uint32_t unit = hex4(*cursor, end);
  if (unit == UINT32_MAX) return 0xFFFD;
  *cursor += 4;
  if (unit < 0xD800 || unit > 0xDBFF || end - *cursor < 6) return unit;
  if ((*cursor)[0] != '\\' || (*cursor)[1] != 'u') return unit;
  uint32_t low = hex4(*cursor + 2, end);
  if (low < 0xDC00 || low > 0xDFFF) return unit;
  *cursor += 6;
  return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

static uint32_t escape(const char **cursor, const char *end) {
  if (*cursor == end) return '\\';
  char c = *(*cursor)++;
  switch (c) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'u': return unicode_escape(cursor, end);
    default: return (unsigned char)c;
  }
}

static uint32_t utf8_character(const char **cursor, const char *end) {
  const unsigned char *at = (const unsigned char *)*cursor;
  size_t length = annot_utf8_sequence(at, (const unsigned char *)end);
  if (length == 0) {
    *cursor += 1;
    return 0xFFFD;
  }
  *cursor += length;
  if (length == 1) return at[0];
  uint32_t value = at[0] & (0x7Fu >> length);
  for (size_t i = 1; i < length; i++) value = value << 6 | (at[i] & 0x3Fu);
  return value;
}

uint32_t annot_json_next_character(const char **cursor, const char *end) {
  if (**cursor == '\\') {
    *cursor += 1;
    return escape(cursor, end);
  }
  return utf8_character(cursor, end);
}

bool annot_json_names_equal(annot_text a, annot_text b) {
  const char *x = a.bytes, *x_end = a.bytes + a.length;
  const char *y = b.bytes, *y_end = b.bytes + b.length;
  while (x < x_end && y < y_end)
    if (annot_json_next_character(&x, x_end) != annot_json_next_character(&y, y_end)) return false;
  return x == x_end && y == y_end;
}

/// Writes a code point as UTF-8; returns the length, 1 to 4.
static size_t encode_utf8(uint32_t c, char out[4]) {
  if (c < 0x80) {
    out[0] = (char)c;
    return 1;
  }
  if (c < 0x800) {
    out[0] = (char)(0xC0 | c >> 6);
    out[1] = (char)(0x80 | (c & 0x3F));
    return 2;
  }
  if (c < 0x10000) {
    out[0] = (char)(0xE0 | c >> 12);
    out[1] = (char)(0x80 | (c >> 6 & 0x3F));
    out[2] = (char)(0x80 | (c & 0x3F));
    return 3;
  }
  out[0] = (char)(0xF0 | c >> 18);
  out[1] = (char)(0x80 | (c >> 12 & 0x3F));
  out[2] = (char)(0x80 | (c >> 6 & 0x3F));
  out[3] = (char)(0x80 | (c & 0x3F));
  return 4;
}

size_t annot_text_unescape(annot_text text, char *out, size_t capacity) {
  const char *cursor = text.bytes, *end = text.bytes ? text.bytes + text.length : NULL;
  size_t total = 0;
  while (cursor < end) {
    if (*cursor != '\\') {
      // Bytes that are not escapes are copied as they are, sound or not.
      const char *next = memchr(cursor, '\\', (size_t)(end - cursor));
      size_t run = (size_t)((next ? next : end) - cursor);
      if (total < capacity) memcpy(out + total, cursor, run < capacity - total ? run : capacity - total);
      total += run;
      cursor += run;
      continue;
    }
    uint32_t c = annot_json_next_character(&cursor, end);
    if (c >= 0xD800 && c <= 0xDFFF) c = 0xFFFD;
    char encoded[4];
    size_t length = encode_utf8(c, encoded);
    for (size_t i = 0; i < length && total + i < capacity; i++) out[total + i] = encoded[i];
    total += length;
  }
  return total;
}
