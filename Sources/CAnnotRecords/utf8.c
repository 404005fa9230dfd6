#include "internal.h"

static bool is_continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

size_t annot_utf8_sequence(const unsigned char *cursor, const unsigned char *end) {
  size_t left = (size_t)(end - cursor);
  if (left == 0) return 0;
  unsigned char lead = cursor[0];
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  if (lead < 0xE0) return left >= 2 && is_continuation(cursor[1]) ? 2 : 0;

  // Only the second byte's range depends on the lead: it is what rules out overlong forms, surrogates and
  // code points above U+10FFFF.
  unsigned char low = 0x80, high = 0xBF;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  if (left < 3 || cursor[1] < low || cursor[1] > high || !is_continuation(cursor[2])) return 0;
  if (lead < 0xF0) return 3;
  return left >= 4 && is_continuation(cursor[3]) ? 4 : 0;
}
