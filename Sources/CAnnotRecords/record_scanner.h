/// The state of the validator while it goes through a record, and what it notes of the members.
#ifndef ANNOT_RECORD_SCANNER_H
#define ANNOT_RECORD_SCANNER_H

#include "annot/collect.h"
#include "json_string.h"

#pragma GCC visibility push(hidden)

enum { members_kept = 64 };

/// The members that Annot itself reads; the texts first, as a found record has them.
typedef enum field {
  KIND = ANNOT_TEXT_KIND,
  CLS = ANNOT_TEXT_CLS,
  SEL = ANNOT_TEXT_SEL,
  MODULE = ANNOT_TEXT_MODULE,
  FILE_NAME = ANNOT_TEXT_FILE,
  LINE = ANNOT_TEXT_COUNT,
  STATIC,
  FIELD_NONE
} field;

/// The name of a member of an open object.
typedef struct member {
  uint32_t tag;     ///< equal for equal names, and seldom for others
  uint16_t offset;  ///< of the name, in the record
  uint16_t length;
} member;

typedef struct scanner {
  const char *start, *cursor, *end;
  annot_json_text text;  ///< the record, once its end is known
  annot_found_record *record;
  const annot_record_limits *limits;
  uint32_t depth;    ///< how many arrays and objects are open
  uint32_t objects;  ///< bit i: what is open at level i + 1 is an object
  field field;       ///< which member of the record the next value belongs to
  uint32_t seen;     ///< bit i: the record's own member of field i was met
  bool printable;    ///< all so far is printable ASCII
  bool overflowed;   ///< the names could not be compared here: too many were open, or one has escapes
  uint16_t member_count;
  uint16_t first_member[ANNOT_RECORD_MAX_DEPTH];  ///< of each level
  member members[members_kept];
} scanner;

// A macro, so that the length is known where the comparison is made, which is then no call.
#define IS(text, word) (memcmp((text).bytes, word, sizeof(word) - 1) == 0)

ANNOT_ALWAYS_INLINE field plain_field(annot_text name) {
  switch (name.length) {
    case 3: return IS(name, "cls") ? CLS : IS(name, "sel") ? SEL : FIELD_NONE;
    case 4: return IS(name, "kind") ? KIND : IS(name, "file") ? FILE_NAME : IS(name, "line") ? LINE : FIELD_NONE;
    case 6: return IS(name, "module") ? MODULE : IS(name, "static") ? STATIC : FIELD_NONE;
    default: return FIELD_NONE;
  }
}

/// The value of a field, if it is a text; what lies in a record of at most 64 KiB has an offset of 16 bits.
ANNOT_ALWAYS_INLINE void set_text(
    annot_found_record *record, field field, const char *start, annot_text text) {
  if (field >= LINE) return;
  record->text_offset[field] = (uint16_t)(text.bytes - start);
  record->text_length[field] = (uint16_t)text.length;
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

/// Notes a member of the record itself that has a field; returns false when it was met already. So most names take
/// a bit and are compared with no others.
static inline bool add_field(scanner *s, field field) {
  const uint32_t bit = UINT32_C(1) << field;
  const bool is_new = !(s->seen & bit);
  s->seen |= bit;
  return is_new;
}

/// Scans what nearly all records consist of: members whose values are strings without escapes or short whole
/// numbers, with no space between.
///
/// Stops at the first member that is otherwise, with the object open and the cursor at the member's name; or
/// behind the object, with nothing open. With nothing open and the cursor where it was, it is no such object.
///
/// - text: what the record is in, at least up to the scanner's end: what was found about the bytes ahead serves the
///   records behind it, too. A NUL ends every member, so that none is taken for a part of this record.
void annot_scan_plain_members(scanner *s, annot_json_text *text);

#pragma GCC visibility pop

#endif
