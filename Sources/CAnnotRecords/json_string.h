/// Scanning of JSON strings: nearly all bytes of a record are inside one, so this decides how fast
/// validation is.
#ifndef ANNOT_JSON_STRING_H
#define ANNOT_JSON_STRING_H

#include <string.h>

#include "internal.h"

#pragma GCC visibility push(hidden)

/// A JSON string as it stands in the text.
typedef struct annot_json_string {
  annot_text text;  ///< without the quotes, escapes not decoded
  bool escaped;     ///< has escapes
} annot_json_string;

#define ANNOT_REPEATED(byte) (UINT64_C(0x0101010101010101) * (byte))

/// The high bit of each byte that ends a run of plain text: a quote, a backslash, a control character or
/// anything outside ASCII. Bits above the lowest one set may be wrong, as borrows run upwards.
static inline uint64_t annot_json_special_bytes(uint64_t eight) {
  uint64_t quote = eight ^ ANNOT_REPEATED('"');
  uint64_t backslash = eight ^ ANNOT_REPEATED('\\');
  uint64_t found = (quote - ANNOT_REPEATED(1)) & ~quote;
  found |= (backslash - ANNOT_REPEATED(1)) & ~backslash;
  found |= (eight - ANNOT_REPEATED(0x20)) & ~eight;
  found |= eight;
  return found & ANNOT_REPEATED(0x80);
}

static inline bool annot_json_is_plain(unsigned char byte) {
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/// Moves past the bytes that stand for themselves, eight at a time.
static inline const char *annot_json_skip_plain(const char *cursor, const char *end) {
  while (end - cursor >= 8) {
    uint64_t eight;
    memcpy(&eight, cursor, 8);
    uint64_t special = annot_json_special_bytes(eight);
    if (special == 0) {
      cursor += 8;
      continue;
    }
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return cursor + (__builtin_ctzll(special) >> 3);
#else
    break;
#endif
  }
  while (cursor < end && annot_json_is_plain((unsigned char)*cursor)) cursor++;
  return cursor;
}

/// Scans a string that is not plain throughout; see annot_json_scan_string.
annot_fault annot_json_scan_odd_string(const char **cursor, const char *end, annot_json_string *string);

/// Scans the string that begins with the quote at `cursor`.
///
/// - cursor: moves behind the closing quote, or to the place of the fault.
/// - Returns ANNOT_FAULT_NONE, ANNOT_FAULT_NOT_JSON or ANNOT_FAULT_NOT_UTF8.
static inline annot_fault annot_json_scan_string(
    const char **cursor, const char *end, annot_json_string *string) {
  const char *first = *cursor + 1;
  const char *at = annot_json_skip_plain(first, end);
  if (ANNOT_UNLIKELY(at == end || *at != '"')) return annot_json_scan_odd_string(cursor, end, string);
  string->text = (annot_text){first, (size_t)(at - first)};
  string->escaped = false;
  *cursor = at + 1;
  return ANNOT_FAULT_NONE;
}

#pragma GCC visibility pop

#endif
