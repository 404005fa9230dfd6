/// What the reader's and the validator's C files share; nothing here is visible outside the image.
#ifndef ANNOT_INTERNAL_H
#define ANNOT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "annot/record.h"

#define ANNOT_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#pragma GCC visibility push(hidden)

/// Compares two texts byte for byte, the shorter first where one begins the other; absent is like empty.
int annot_text_compare(annot_text a, annot_text b);

/// Whether two texts have the same bytes; absent is like empty.
bool annot_text_equal(annot_text a, annot_text b);

/// Decodes one character of a JSON string's contents, which must be sound.
///
/// - cursor, end: the contents; the cursor moves behind the character.
/// - Returns a code point; a lone surrogate is returned as it is.
uint32_t annot_json_next_character(const char **cursor, const char *end);

/// Whether two JSON strings' contents are the same text after their escapes are decoded.
bool annot_json_names_equal(annot_text a, annot_text b);

/// Whether a sound JSON text of at most ANNOT_RECORD_MAX_LENGTH bytes has an object with two members of one
/// name; for texts with many members. Takes 64 KiB of stack and time linear in the length.
///
/// - where: set to the offset of the second member's name.
bool annot_json_has_duplicates(const char *bytes, size_t length, size_t *where);

/// The length of the UTF-8 sequence that `cursor` begins with (RFC 3629, table of section 4), or 0 when it
/// begins with none: overlong forms, surrogates and what lies above U+10FFFF are none.
size_t annot_utf8_sequence(const unsigned char *cursor, const unsigned char *end);

/// A number that an author of hostile input cannot know, so that names cannot be made to collide; the same
/// for the life of the process, and odd.
uint64_t annot_hash_seed(void);

/// One step of a hash.
uint64_t annot_hash_mix(uint64_t hash, uint64_t value);

/// The hash of a text's bytes.
uint64_t annot_hash_text(uint64_t seed, annot_text text);

#pragma GCC visibility pop

#endif
