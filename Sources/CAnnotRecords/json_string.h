/// Scanning of JSON strings: nearly all bytes of a record are inside one, so this decides how fast
/// validation is.
#ifndef ANNOT_JSON_STRING_H
#define ANNOT_JSON_STRING_H

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "internal.h"

#pragma GCC visibility push(hidden)

/// A JSON string as it stands in the text.
typedef struct annot_json_string {
  annot_text text;  ///< without the quotes, escapes not decoded
  bool escaped;     ///< has escapes
  bool odd;         ///< has escapes, or bytes that are not printable ASCII
} annot_json_string;

/// Always, so that what is kept about the text is in registers.
#define ANNOT_ALWAYS_INLINE static inline __attribute__((always_inline))

/// The text being scanned. What was found about the bytes ahead is kept, so that a string, which is mostly
/// short, costs a shift and not a look at its bytes.
typedef struct annot_json_text {
  const char *start, *end;
  const char *limit;  ///< up to where `special` knows
  uint64_t special;   ///< bit 63 is about the byte before `limit`, and so on: whether it ends plain text
} annot_json_text;

static inline annot_json_text annot_json_text_begin(const char *bytes, size_t length) {
  return (annot_json_text){bytes, bytes + length, bytes, 0};
}

/// Whether a byte stands for itself in a string and can be shown as it is. DEL can stand in a string.
static inline bool annot_json_is_plain(unsigned char byte) {
  return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
}

#ifdef __SSE2__

/// Bit i: byte i of the sixteen at `bytes` ends a run of plain text.
static inline uint64_t annot_json_special_16(const char *bytes) {
  __m128i sixteen = _mm_loadu_si128((const __m128i *)(const void *)bytes);
  __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(sixteen, _mm_set1_epi8(0x1F)), sixteen);
  __m128i high = _mm_cmpeq_epi8(_mm_max_epu8(sixteen, _mm_set1_epi8(0x7F)), sixteen);
  __m128i quote = _mm_cmpeq_epi8(sixteen, _mm_set1_epi8('"'));
  __m128i backslash = _mm_cmpeq_epi8(sixteen, _mm_set1_epi8('\\'));
  __m128i special = _mm_or_si128(_mm_or_si128(control, high), _mm_or_si128(quote, backslash));
  return (uint64_t)(unsigned)_mm_movemask_epi8(special);
}

static inline uint64_t annot_json_special_64(const char *bytes) {
  return annot_json_special_16(bytes) | annot_json_special_16(bytes + 16) << 16 |
         annot_json_special_16(bytes + 32) << 32 | annot_json_special_16(bytes + 48) << 48;
}

/// Looks at the next 64 bytes, or the last 64 when fewer are left.
ANNOT_ALWAYS_INLINE void annot_json_look_ahead(annot_json_text *text, const char *cursor) {
  if (text->end - cursor >= 64) {
    text->limit = cursor + 64;
    text->special = annot_json_special_64(cursor);
    return;
  }
  text->limit = text->end;
  size_t length = (size_t)(text->end - text->start);
  if (length >= 64) {
    text->special = annot_json_special_64(text->end - 64);
    return;
  }
  char bytes[64] = {0};
  memcpy(bytes + 64 - length, text->start, length);
  text->special = annot_json_special_64(bytes);
}

/// Moves past the bytes that are plain where that takes a look at more bytes.
static __attribute__((noinline)) const char *annot_json_skip_far(annot_json_text *text, const char *cursor) {
  for (;;) {
    if (cursor < text->limit) cursor = text->limit;
    if (cursor == text->end) return cursor;
    annot_json_look_ahead(text, cursor);
    uint64_t special = text->special >> (64 - (text->limit - cursor));
    if (special) return cursor + __builtin_ctzll(special);
  }
}

/// Moves past the bytes that are plain; the cursor is nowhere before where an earlier call left it.
ANNOT_ALWAYS_INLINE const char *annot_json_skip_plain(annot_json_text *text, const char *cursor) {
  if (cursor < text->limit) {
    uint64_t special = text->special >> (64 - (text->limit - cursor));
    if (special) return cursor + __builtin_ctzll(special);
  }
  return annot_json_skip_far(text, cursor);
}

#else

#define ANNOT_REPEATED(byte) (UINT64_C(0x0101010101010101) * (byte))

/// The high bit of each byte that ends a run of plain text. Bits above the lowest one set may be wrong, as
/// borrows and carries run upwards.
static inline uint64_t annot_json_special_8(uint64_t eight) {
  uint64_t quote = eight ^ ANNOT_REPEATED('"');
  uint64_t backslash = eight ^ ANNOT_REPEATED('\\');
  uint64_t found = (quote - ANNOT_REPEATED(1)) & ~quote;
  found |= (backslash - ANNOT_REPEATED(1)) & ~backslash;
  found |= (eight - ANNOT_REPEATED(0x20)) & ~eight;
  found |= eight | (eight + ANNOT_REPEATED(1));
  return found & ANNOT_REPEATED(0x80);
}

/// Moves past the bytes that are plain, eight at a time.
ANNOT_ALWAYS_INLINE const char *annot_json_skip_plain(annot_json_text *text, const char *cursor) {
  while (text->end - cursor >= 8) {
    uint64_t eight;
    memcpy(&eight, cursor, 8);
    uint64_t special = annot_json_special_8(eight);
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
  while (cursor < text->end && annot_json_is_plain((unsigned char)*cursor)) cursor++;
  return cursor;
}

#endif

/// Scans on where a string turned out not to be plain; see annot_json_scan_string.
///
/// - at: the first byte that is not plain. What is before it must not be looked at again, as the text's look
///   ahead only moves on.
annot_fault annot_json_scan_odd_string(
    annot_json_text *text, const char **cursor, const char *at, annot_json_string *string);

/// Scans the string that begins with the quote at `cursor`.
///
/// - cursor: moves behind the closing quote, or to the place of the fault.
/// - Returns ANNOT_FAULT_NONE, ANNOT_FAULT_NOT_JSON or ANNOT_FAULT_NOT_UTF8.
static inline annot_fault annot_json_scan_string(
    annot_json_text *text, const char **cursor, annot_json_string *string) {
  const char *first = *cursor + 1;
  const char *at = annot_json_skip_plain(text, first);
  if (ANNOT_UNLIKELY(at == text->end || *at != '"')) return annot_json_scan_odd_string(text, cursor, at, string);
  string->text = (annot_text){first, (size_t)(at - first)};
  string->escaped = string->odd = false;
  *cursor = at + 1;
  return ANNOT_FAULT_NONE;
}

#pragma GCC visibility pop

#endif
