#include <string.h>

#include "json_string.h"

#define REPEATED(byte) (UINT64_C(0x0101010101010101) * (byte))

/// The high bit of each byte that ends a run of plain text: a quote, a backslash, a control character or
/// anything outside ASCII. Bits above the lowest one set may be wrong, as borrows run upwards.
static uint64_t special_bytes(uint64_t eight) {
  uint64_t quote = eight ^ REPEATED('"');
  uint64_t backslash = eight ^ REPEATED('\\');
  uint64_t found = (quote - REPEATED(1)) & ~quote;
  found |= (backslash - REPEATED(1)) & ~backslash;
  found |= (eight - REPEATED(0x20)) & ~eight;
  found |= eight;
  return found & REPEATED(0x80);
}

static bool is_plain(unsigned char byte) {
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/// Moves past the bytes that stand for themselves, eight at a time.
static const char *skip_plain(const char *cursor, const char *end) {
  while (end - cursor >= 8) {
    uint64_t eight;
    memcpy(&eight, cursor, 8);
    uint64_t special = special_bytes(eight);
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
  while (cursor < end && is_plain((unsigned char)*cursor)) cursor++;
  return cursor;
}

static bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// The length of the escape that `cursor` begins with (RFC 8259, section 7), or 0 when it is none.
static size_t escape_length(const char *cursor, const char *end) {
  if (end - cursor < 2) return 0;
  switch (cursor[1]) {
    case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
      return 2;
    case 'u':
      if (end - cursor < 6) return 0;
      for (int i = 2; i < 6; i++)
        if (!is_hex(cursor[i])) return 0;
      return 6;
    default:
      return 0;
  }
}

annot_fault annot_json_scan_string(const char **cursor, const char *end, annot_json_string *string) {
  const char *at = *cursor + 1;
  string->text.bytes = at;
  string->escaped = false;
  for (;;) {
    at = skip_plain(at, end);
    *cursor = at;
    if (ANNOT_UNLIKELY(at == end)) return ANNOT_FAULT_NOT_JSON;
    if (*at == '"') break;
    if (*at == '\\') {
      size_t length = escape_length(at, end);
      if (length == 0) return ANNOT_FAULT_NOT_JSON;
      string->escaped = true;
      at += length;
      continue;
    }
    if ((unsigned char)*at < 0x20) return ANNOT_FAULT_NOT_JSON;
    size_t length = annot_utf8_sequence((const unsigned char *)at, (const unsigned char *)end);
    if (length == 0) return ANNOT_FAULT_NOT_UTF8;
    at += length;
  }
  string->text.length = (size_t)(at - string->text.bytes);
  *cursor = at + 1;
  return ANNOT_FAULT_NONE;
}
