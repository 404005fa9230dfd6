#include "record_scanner.h"

// Nearly all of collecting is spent here, so what is used at every member is in registers, and what is not is not
// inlined.

/// Whether the next two bytes, which are there, are these: one comparison.
#define ARE(at, two) (memcmp(at, two, 2) == 0)

/// Whether at `at` a member ends that another follows, or the last one.
ANNOT_ALWAYS_INLINE bool is_end_of_member(const char *at, const char *end) {
  return at < end && (*at == '}' || (end - at >= 2 && ARE(at, ",\"")));
}

/// The bits of `seen` that mean something.
enum { field_bits = (1 << FIELD_NONE) - 1 };

/// Scans a whole number of up to eighteen digits and without leading zero; null for any other.
ANNOT_ALWAYS_INLINE const char *scan_plain_number(const char *at, const char *end, uint64_t *number) {
  const char *const digits = at;
  uint64_t value = 0;
  for (; at < end && (unsigned char)(*at - '0') < 10; at++) value = value * 10 + (uint64_t)(*at - '0');
  // More digits may be more than fits; that is for the other scan to tell.
  if (at == digits || *digits == '0' || at - digits > 18) return NULL;
  *number = value;
  return at;
}

/// Notes a name that is no field; returns false when it is known, or when there is no room.
static __attribute__((noinline)) bool note_other_name(scanner *s, annot_text name) {
  uint32_t tag;
  if (s->member_count == members_kept || is_known(s, name, &tag)) return false;
  keep_member(s, name, tag);
  return true;
}

void annot_scan_plain_members(scanner *s, annot_json_text *ahead) {
  const char *const start = s->start;
  const char *const end = s->end;
  const char *at = s->cursor;
  if (end - at < 2 || !ARE(at, "{\"")) return;
  annot_found_record *const record = s->record;
  annot_json_text text = *ahead;
  uint32_t seen = 0;
  s->objects = 1;
  s->first_member[0] = 0;
  s->depth = 1;
  for (at += 2;;) {
    annot_text name = {at, 0};
    at = annot_json_skip_plain(&text, at);
    name.length = (size_t)(at - name.bytes);
    const field field = plain_field(name);
    s->cursor = name.bytes - 1;
    // What is wrong here, if it is, is for the other scan to tell. The shortest that can follow is `":0}`.
    if (end - at < 4 || !ARE(at, "\":") || seen >> field & 1) break;
    if (at[2] == '"') {
      const char *const value = at + 3;
      at = annot_json_skip_plain(&text, value);
      if (at == end || *at != '"' || !is_end_of_member(at + 1, end)) break;
      if (field == FIELD_NONE && !note_other_name(s, name)) break;
      set_text(record, field, start, (annot_text){value, (size_t)(at - value)});
      at++;
    } else {
      uint64_t number;
      if (!(at = scan_plain_number(at + 2, end, &number))) break;
      if (!is_end_of_member(at, end)) break;
      if (field == FIELD_NONE && !note_other_name(s, name)) break;
      if (field == LINE) record->line = number;
    }
    seen |= (UINT32_C(1) << field) & field_bits;
    if (*at == '}') {
      s->cursor = at + 1;
      s->depth = s->member_count = 0;
      break;
    }
    at += 2;
  }
  s->seen = seen;
  *ahead = text;
}
