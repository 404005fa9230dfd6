#include <string.h>

#include "json_string.h"

// One pass, no recursion and no allocation: the open arrays and objects are bits of one word, and the names
// of the open objects' members a short stack that is searched pairwise. A record with more names open than
// fit there, or with escapes in a name, is looked through once more, by annot_json_has_duplicates.

enum { members_kept = 64 };

/// The members that Annot itself reads.
typedef enum field { FIELD_NONE, KIND, CLS, SEL, MODULE, FILE_NAME, LINE, STATIC } field;

/// The name of a member of an open object.
typedef struct member {
  uint32_t tag;     ///< equal for equal names, and seldom for others
  uint16_t offset;  ///< of the name, in the record
  uint16_t length;
} member;

typedef struct scanner {
  const char *start, *cursor, *end;
  annot_json_text text;
  annot_record_fields *fields;
  const annot_record_limits *limits;
  uint32_t depth;    ///< how many arrays and objects are open
  uint32_t objects;  ///< bit i: what is open at level i + 1 is an object
  field field;       ///< which member of the record the next value belongs to
  bool printable;    ///< all so far is printable ASCII
  bool overflowed;   ///< the names could not be compared here: too many were open, or one has escapes
  uint16_t member_count;
  uint16_t first_member[ANNOT_RECORD_MAX_DEPTH];  ///< of each level
  member members[members_kept];
} scanner;

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

// A macro, so that the length is known where the comparison is made, which is then no call.
#define IS(text, word) (memcmp((text).bytes, word, sizeof(word) - 1) == 0)

static inline field plain_field(annot_text name) {
  switch (name.length) {
    case 3: return IS(name, "cls") ? CLS : IS(name, "sel") ? SEL : FIELD_NONE;
    case 4: return IS(name, "kind") ? KIND : IS(name, "file") ? FILE_NAME : IS(name, "line") ? LINE : FIELD_NONE;
    case 6: return IS(name, "module") ? MODULE : IS(name, "static") ? STATIC : FIELD_NONE;
    default: return FIELD_NONE;
  }
}

static field field_named(const annot_json_string *name) {
  if (!name->escaped) return plain_field(name->text);
  char decoded[6];
  size_t length = annot_text_unescape(name->text, decoded, sizeof decoded);
  return length <= sizeof decoded ? plain_field((annot_text){decoded, length}) : FIELD_NONE;
}

static inline void set_text(scanner *s, annot_text text) {
  switch (s->field) {
    case KIND: s->fields->kind = text; break;
    case CLS: s->fields->cls = text; break;
    case SEL: s->fields->sel = text; break;
    case MODULE: s->fields->module = text; break;
    case FILE_NAME: s->fields->file = text; break;
    default: break;
  }
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
  s->fields->line = value;
}

/// Whether the innermost open object has a member of a name already, and the tag of that name.
static inline bool is_known(const scanner *s, annot_text text, uint32_t *tag_of_text) {
  uint32_t first = text.length ? (unsigned char)text.bytes[0] : 0;
  uint32_t last = text.length ? (unsigned char)text.bytes[text.length - 1] : 0;
  uint32_t tag = (uint32_t)text.length << 16 | first << 8 | last;
  *tag_of_text = tag;
  for (uint32_t i = s->first_member[s->depth - 1]; i < s->member_count; i++) {
    const member *other = &s->members[i];
    annot_text other_text = {s->start + other->offset, other->length};
    if (tag == other->tag && memcmp(text.bytes, other_text.bytes, text.length) == 0) return true;
  }
  return false;
}

static inline void keep_member(scanner *s, annot_text text, uint32_t tag) {
  s->members[s->member_count++] =
      (member){tag, (uint16_t)(text.bytes - s->start), (uint16_t)text.length};
}

/// Notes a member's name; returns false when its object has one of that name already.
static bool add_member(scanner *s, const annot_json_string *name) {
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
  if (!s->overflowed && !add_member(s, &name)) {
    s->cursor = quote;
    return ANNOT_FAULT_DUPLICATE_MEMBER;
  }
  skip_space(s);
  if (s->cursor == s->end || *s->cursor != ':') return unexpected(s);
  s->cursor++;
  skip_space(s);
  s->field = s->depth == 1 ? field_named(&name) : FIELD_NONE;
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
      if (s->field != FIELD_NONE) set_text(s, string.text);
      s->printable &= !string.odd;
      return ANNOT_FAULT_NONE;
    case '-': case '0': case '1': case '2': case '3': case '4':
    case '5': case '6': case '7': case '8': case '9':
      return scan_number(s);
    case 't':
      if (s->field == STATIC) s->fields->is_static = true;
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

/// Scans what nearly all records consist of: members whose values are strings without escapes or short whole
/// numbers, with no space between. Here the cursor is in a register, which halves the time.
///
/// Stops at the first member that is otherwise, with the object open and the cursor at the member's name; or
/// behind the object, with nothing open. With nothing open and the cursor where it was, it is no such object.
static void scan_plain_members(scanner *s) {
  annot_json_text text = s->text;
  const char *const end = s->end;
  const char *at = s->cursor;
  if (end - at < 2 || at[0] != '{' || at[1] != '"') return;
  at++;
  s->objects = 1;
  s->first_member[0] = 0;
  s->depth = 1;
  for (;;) {
    s->cursor = at;
    if (at == end || *at != '"' || s->member_count == members_kept) return;
    annot_text name = {at + 1, 0};
    at = annot_json_skip_plain(&text, name.bytes);
    name.length = (size_t)(at - name.bytes);
    // The shortest that can follow is `":0}`.
    if (end - at < 4 || at[0] != '"' || at[1] != ':') return;
    at += 2;

    annot_text value = {NULL, 0};
    uint64_t number = 0;
    if (*at == '"') {
      value.bytes = at + 1;
      at = annot_json_skip_plain(&text, value.bytes);
      value.length = (size_t)(at - value.bytes);
      if (end - at < 2 || *at != '"') return;
      at++;
    } else {
      const char *digits = at;
      if (*at == '0') return;
      for (; at < end && *at >= '0' && *at <= '9'; at++) number = number * 10 + (uint64_t)(*at - '0');
      // More digits may be more than fits; that is for scan_number to tell.
      if (at == digits || at - digits > 18 || at == end) return;
    }
    if (*at != ',' && *at != '}') return;

    uint32_t tag;
    if (is_known(s, name, &tag)) return;
    keep_member(s, name, tag);
    s->field = plain_field(name);
    if (value.bytes) set_text(s, value);
    else if (s->field == LINE) s->fields->line = number;
    if (*at++ == ',') continue;
    s->cursor = at;
    s->depth = s->member_count = 0;
    return;
  }
}

/// Scans one JSON text; the cursor is left behind it or at the fault.
static annot_fault scan_text(scanner *s) {
  skip_space(s);
  const char *first = s->cursor;
  scan_plain_members(s);
  if (s->depth) {
    annot_fault fault = scan_name(s);
    if (fault) return fault;
  }
  while (s->depth || s->cursor == first) {
    annot_fault fault;
    bool done = true;
    if (s->cursor < s->end && (*s->cursor == '{' || *s->cursor == '[')) fault = open_container(s, &done);
    else fault = scan_scalar(s);
    if (fault == ANNOT_FAULT_NONE && done) fault = scan_to_next_value(s);
    if (fault) return fault;
  }
  skip_space(s);
  return s->cursor == s->end ? ANNOT_FAULT_NONE : unexpected(s);
}

static annot_fault scan_record(scanner *s, size_t length) {
  if (length > ANNOT_RECORD_MAX_LENGTH) {
    s->cursor = s->start + ANNOT_RECORD_MAX_LENGTH;
    return ANNOT_FAULT_TOO_LONG;
  }
  if (length > s->limits->length) {
    s->cursor = s->start + s->limits->length;
    return ANNOT_FAULT_OVER_LENGTH_LIMIT;
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
  return s->fields->kind.length ? ANNOT_FAULT_NONE : ANNOT_FAULT_NO_KIND;
}

annot_fault annot_examine(
    const char *bytes, size_t length, const annot_record_limits *limits, annot_record_fields *fields,
    size_t *where, bool *printable) {
  memset(fields, 0, sizeof *fields);
  scanner s;
  s.start = s.cursor = bytes;
  s.end = bytes + length;
  s.text = annot_json_text_begin(bytes, length);
  s.fields = fields;
  s.limits = limits;
  s.depth = s.objects = 0;
  s.field = FIELD_NONE;
  s.printable = true;
  s.overflowed = false;
  s.member_count = 0;

  annot_fault fault = scan_record(&s, length);
  *where = fault ? (size_t)(s.cursor - bytes) : 0;
  *printable = s.printable;
  if (fault) memset(fields, 0, sizeof *fields);
  else fields->canonical = length > 9 && memcmp(bytes, "{\"kind\":\"", 9) == 0;
  return fault;
}

annot_fault annot_validate(
    const char *bytes, size_t length, annot_record_fields *fields, size_t *where) {
  static const annot_record_limits limits = {ANNOT_RECORD_MAX_LENGTH, ANNOT_RECORD_MAX_DEPTH};
  annot_record_fields unused_fields;
  size_t unused_where;
  bool unused;
  return annot_examine(
      bytes, length, &limits, fields ? fields : &unused_fields, where ? where : &unused_where, &unused);
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
