#include <string.h>

#include "collect.h"
#include "record_scanner.h"

// One pass, no recursion and no allocation: the open arrays and objects are bits of one word, and the names
// of the open objects' members a short stack that is searched pairwise. A record with more names open than
// fit there, or with escapes in a name, is looked through once more, by annot_json_has_duplicates.

static inline void skip_space(scanner *s) {
  while (s->cursor < s->end) {
    char c = *s->cursor;
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return;
    s->printable &= c == ' ';
    s->cursor++;
  }
}

/// The fault of a byte that no JSON text has at this place.
static annot_fault unexpected(const scanner *s) {
  if (s->cursor == s->end) return ANNOT_FAULT_NOT_JSON;
  size_t length = annot_utf8_sequence((const unsigned char *)s->cursor, (const unsigned char *)s->end);
  return length ? ANNOT_FAULT_NOT_JSON : ANNOT_FAULT_NOT_UTF8;
}

static field field_named(const annot_json_string *name) {
  if (!name->escaped) return plain_field(name->text);
  char decoded[6];
  size_t length = annot_text_unescape(name->text, decoded, sizeof decoded);
  return length <= sizeof decoded ? plain_field((annot_text){decoded, length}) : FIELD_NONE;
}

static void set_line(scanner *s, const char *digits) {
  uint64_t value = 0;
  // Up to nineteen digits always fit.
  bool can_overflow = s->cursor - digits > 19;
  for (const char *at = digits; at < s->cursor; at++) {
    uint64_t digit = (uint64_t)(*at - '0');
    if (*at < '0' || *at > '9') return;
    if (can_overflow && value > (UINT64_MAX - digit) / 10) return;
    value = value * 10 + digit;
  }
  s->record->line = value;
}

/// Notes a member's name; returns false when its object has one of that name already.
static bool add_member(scanner *s, const annot_json_string *name) {
  if (s->field != FIELD_NONE && !name->escaped) return add_field(s, s->field);
  uint32_t tag;
  if (is_known(s, name->text, &tag)) return false;
  if (ANNOT_UNLIKELY(name->escaped || s->member_count == members_kept)) {
    s->overflowed = true;
    return true;
  }
  keep_member(s, name->text, tag);
  return true;
}

/// Scans `"name":` and the space around it.
static annot_fault scan_name(scanner *s) {
  if (s->cursor == s->end || *s->cursor != '"') return unexpected(s);
  const char *quote = s->cursor;
  annot_json_string name;
  annot_fault fault = annot_json_scan_string(&s->text, &s->cursor, &name);
  if (fault) return fault;
  s->printable &= !name.odd;
  s->field = s->depth == 1 ? field_named(&name) : FIELD_NONE;
  if (!s->overflowed && !add_member(s, &name)) {
    s->cursor = quote;
    return ANNOT_FAULT_DUPLICATE_MEMBER;
  }
  skip_space(s);
  if (s->cursor == s->end || *s->cursor != ':') return unexpected(s);
  s->cursor++;
  skip_space(s);
  return ANNOT_FAULT_NONE;
}

static bool skip_digits(scanner *s) {
  const char *first = s->cursor;
  while (s->cursor < s->end && *s->cursor >= '0' && *s->cursor <= '9') s->cursor++;
  return s->cursor > first;
}

static bool skip_byte(scanner *s, char a, char b) {
  if (s->cursor == s->end || (*s->cursor != a && *s->cursor != b)) return false;
  s->cursor++;
  return true;
}

/// A number, as RFC 8259 section 6 has it.
static annot_fault scan_number(scanner *s) {
  const char *first = s->cursor;
  skip_byte(s, '-', '-');
  if (!skip_byte(s, '0', '0') && !skip_digits(s)) return unexpected(s);
  if (skip_byte(s, '.', '.') && !skip_digits(s)) return unexpected(s);
  if (skip_byte(s, 'e', 'E')) {
    skip_byte(s, '+', '-');
    if (!skip_digits(s)) return unexpected(s);
  }
  if (s->field == LINE) set_line(s, first);
  return ANNOT_FAULT_NONE;
}

static annot_fault scan_word(scanner *s, const char *word, size_t length) {
  for (size_t i = 0; i < length; i++, s->cursor++)
    if (s->cursor == s->end || *s->cursor != word[i]) return unexpected(s);
  return ANNOT_FAULT_NONE;
}

static annot_fault scan_scalar(scanner *s) {
  if (s->cursor == s->end) return ANNOT_FAULT_NOT_JSON;
  annot_json_string string;
  annot_fault fault;
  switch (*s->cursor) {
    case '"':
      fault = annot_json_scan_string(&s->text, &s->cursor, &string);
      if (fault) return fault;
      set_text(s->record, s->field, s->start, string.text);
      s->printable &= !string.odd;
      return ANNOT_FAULT_NONE;
    case '-': case '0': case '1': case '2': case '3': case '4':
    case '5': case '6': case '7': case '8': case '9':
      return scan_number(s);
    case 't':
      if (s->field == STATIC) s->record->is_static = true;
      return scan_word(s, "true", 4);
    case 'f': return scan_word(s, "false", 5);
    case 'n': return scan_word(s, "null", 4);
    default: return unexpected(s);
  }
}

/// Opens an array or object and scans what must follow; `*done` tells that it was empty and is closed.
static annot_fault open_container(scanner *s, bool *done) {
  if (s->depth == s->limits->depth)
    return s->depth == ANNOT_RECORD_MAX_DEPTH ? ANNOT_FAULT_TOO_DEEP : ANNOT_FAULT_OVER_DEPTH_LIMIT;
  bool is_object = *s->cursor == '{';
  uint32_t bit = UINT32_C(1) << s->depth;
  s->objects = is_object ? s->objects | bit : s->objects & ~bit;
  s->first_member[s->depth++] = s->member_count;
  s->field = FIELD_NONE;
  s->cursor++;
  skip_space(s);
  *done = s->cursor < s->end && *s->cursor == (is_object ? '}' : ']');
  if (*done) {
    s->cursor++;
    s->depth--;
    return ANNOT_FAULT_NONE;
  }
  return is_object ? scan_name(s) : ANNOT_FAULT_NONE;
}

/// Scans what follows a value, up to where the next one begins; `depth` is 0 when there is none.
static annot_fault scan_to_next_value(scanner *s) {
  while (s->depth) {
    bool in_object = s->objects >> (s->depth - 1) & 1;
    skip_space(s);
    if (s->cursor == s->end) return ANNOT_FAULT_NOT_JSON;
    if (*s->cursor == ',') {
      s->cursor++;
      skip_space(s);
      s->field = FIELD_NONE;
      return in_object ? scan_name(s) : ANNOT_FAULT_NONE;
    }
    if (*s->cursor != (in_object ? '}' : ']')) return unexpected(s);
    s->cursor++;
    s->member_count = s->first_member[--s->depth];
  }
  return ANNOT_FAULT_NONE;
}

/// Scans one JSON text, from where the scan of plain members stopped; the cursor is left behind it or at the fault.
static annot_fault scan_text(scanner *s) {
  bool is_begun = s->cursor != s->start;
  skip_space(s);
  if (s->depth) {
    annot_fault fault = scan_name(s);
    if (fault) return fault;
  }
  while (s->depth || !is_begun) {
    annot_fault fault;
    bool done = true;
    is_begun = true;
    if (s->cursor < s->end && (*s->cursor == '{' || *s->cursor == '[')) fault = open_container(s, &done);
    else fault = scan_scalar(s);
    if (fault == ANNOT_FAULT_NONE && done) fault = scan_to_next_value(s);
    if (fault) return fault;
  }
  skip_space(s);
  return s->cursor == s->end ? ANNOT_FAULT_NONE : unexpected(s);
}

/// Scans a record whose end is known, from where the scan of plain members stopped.
static annot_fault scan_record(scanner *s) {
  const size_t length = (size_t)(s->end - s->start);
  if (length > s->limits->length) {
    s->cursor = s->start + s->limits->length;
    return length > ANNOT_RECORD_MAX_LENGTH ? ANNOT_FAULT_TOO_LONG : ANNOT_FAULT_OVER_LENGTH_LIMIT;
  }
  annot_fault fault = scan_text(s);
  if (fault) return fault;
  size_t where;
  if (s->overflowed && annot_json_has_duplicates(s->start, length, &where)) {
    s->cursor = s->start + where;
    return ANNOT_FAULT_DUPLICATE_MEMBER;
  }
  s->cursor = s->start;
  skip_space(s);
  if (*s->cursor != '{') return ANNOT_FAULT_NOT_OBJECT;
  return s->record->text_length[ANNOT_TEXT_KIND] ? ANNOT_FAULT_NONE : ANNOT_FAULT_NO_KIND;
}

/// Begins with a record that ends at `end` or before, and scans its plain members.
static void begin(
    scanner *s, const char *bytes, const char *end, annot_json_text *ahead, const annot_record_limits *limits,
    annot_found_record *record) {
  memset(record, 0, sizeof *record);
  s->start = s->cursor = bytes;
  s->end = end;
  s->record = record;
  s->limits = limits;
  s->depth = s->objects = s->seen = 0;
  s->field = FIELD_NONE;
  s->printable = true;
  s->overflowed = false;
  s->member_count = 0;
  annot_scan_plain_members(s, ahead);
}

/// Ends with a record whose end is known by now.
static annot_fault finish(scanner *s, size_t *where) {
  annot_found_record *record = s->record;
  const size_t length = (size_t)(s->end - s->start);
  s->text = annot_json_text_begin(s->start, length);
  annot_fault fault = scan_record(s);
  *where = fault ? (size_t)(s->cursor - s->start) : 0;
  record->bytes = s->start;
  record->length = (uint32_t)length;
  record->canonical = length > 9 && memcmp(s->start, "{\"kind\":\"", 9) == 0;
  record->printable = s->printable;
  return fault;
}

annot_fault annot_examine(
    annot_json_text *section, const char *bytes, const annot_record_limits *limits, annot_found_record *record,
    size_t *length, size_t *where) {
  scanner s;
  begin(&s, bytes, section->end, section, limits, record);
  // Mostly the scan went up to it.
  const bool is_there = s.cursor < s.end && *s.cursor == '\0';
  const char *nul = is_there ? s.cursor : memchr(s.cursor, '\0', (size_t)(s.end - s.cursor));
  *length = *where = (size_t)((nul ? nul : s.end) - bytes);
  if (!nul) return ANNOT_FAULT_CUT_OFF;
  s.end = nul;
  return finish(&s, where);
}

annot_fault annot_validate(
    const char *bytes, size_t length, annot_record_fields *fields, size_t *where) {
  static const annot_record_limits limits = {ANNOT_RECORD_MAX_LENGTH, ANNOT_RECORD_MAX_DEPTH};
  annot_json_text text = annot_json_text_begin(bytes, length);
  annot_found_record record;
  scanner s;
  size_t unused;
  begin(&s, bytes, text.end, &text, &limits, &record);
  annot_fault fault = finish(&s, where ? where : &unused);
  if (fields) *fields = fault ? (annot_record_fields){.line = 0} : annot_found_fields(&record);
  return fault;
}

const char *annot_fault_text(annot_fault fault) {
  switch (fault) {
    case ANNOT_FAULT_NONE: return "sound";
    case ANNOT_FAULT_CUT_OFF: return "cut off: the section ends before the record's NUL";
    case ANNOT_FAULT_TOO_LONG: return "longer than 64 KiB";
    case ANNOT_FAULT_NOT_UTF8: return "not UTF-8";
    case ANNOT_FAULT_NOT_JSON: return "not valid JSON";
    case ANNOT_FAULT_NOT_OBJECT: return "not a JSON object";
    case ANNOT_FAULT_TOO_DEEP: return "nested deeper than 32 levels";
    case ANNOT_FAULT_DUPLICATE_MEMBER: return "two members have one name";
    case ANNOT_FAULT_NO_KIND: return "no member \"kind\" that is a non-empty string";
    case ANNOT_FAULT_OVER_LENGTH_LIMIT: return "longer than the limit that was set";
    case ANNOT_FAULT_OVER_DEPTH_LIMIT: return "nested deeper than the limit that was set";
  }
  return "unknown fault";
}
