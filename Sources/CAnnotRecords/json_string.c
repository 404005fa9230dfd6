#include "json_string.h"

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

annot_fault annot_json_scan_odd_string(
    annot_json_text *text, const char **cursor, const char *at, annot_json_string *string) {
  const char *end = text->end;
  string->text.bytes = *cursor + 1;
  string->escaped = false;
  string->odd = true;
  for (;;) {
    at = annot_json_skip_plain(text, at);
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
