/// What the annotation macros refuse at compile time, and what they say then.
///
/// A record must be valid JSON, but the preprocessor only pastes text together. Each check here is a static
/// assertion over string literals that gcc and clang fold in every mode from C99 and C++11 on.
#ifndef ANNOT_CHECKS_H
#define ANNOT_CHECKS_H

#include "annot/arity.h"

#ifdef __cplusplus
#define ANNOT_ASSERT_(condition, message) static_assert(condition, message)
#else
#define ANNOT_ASSERT_(condition, message) __extension__ _Static_assert(condition, message)
#endif

/// Spells its arguments after macro expansion as one string literal.
#define ANNOT_SPELL_(...) ANNOT_SPELL2_(__VA_ARGS__)
#define ANNOT_SPELL2_(...) #__VA_ARGS__

// Spelling a literal again doubles its quotes and backslashes: only text without them grows by just 2.
#define ANNOT_IS_PLAIN_(spelled) (sizeof(ANNOT_SPELL_(spelled)) == sizeof(spelled) + 2)
// The search always ends at the character put behind, and the length left tells where: clang 14 folds this, but
// no comparison of what strchr returns with null.
#define ANNOT_HAS_(spelled, text, character) \
  (__builtin_strlen(__builtin_strchr(spelled text, character)) != 1)
#define ANNOT_IS_(spelled, word) (__builtin_strcmp(spelled, word) == 0)

// A name that starts like this was a macro: linux and unix become 1, NULL becomes ((void *)0), 0 or __null.
#define ANNOT_BEGINS_LIKE_A_NAME_(spelled) \
  (__builtin_strncmp(spelled, "(", 1) != 0 && \
   (__builtin_strncmp(spelled, "0", 1) < 0 || __builtin_strncmp(spelled, "9", 1) > 0))
// A type keyword names no class or method: BOOL or bool was expanded on the way.
#define ANNOT_IS_TYPE_KEYWORD_(spelled) \
  (ANNOT_IS_(spelled, "_Bool") || ANNOT_IS_(spelled, "bool") || ANNOT_IS_(spelled, "char") || \
   ANNOT_IS_(spelled, "int") || ANNOT_IS_(spelled, "long") || ANNOT_IS_(spelled, "short") || \
   ANNOT_IS_(spelled, "signed") || ANNOT_IS_(spelled, "unsigned") || ANNOT_IS_(spelled, "signed char") || \
   ANNOT_IS_(spelled, "unsigned char") || ANNOT_IS_(spelled, "float") || ANNOT_IS_(spelled, "double") || \
   ANNOT_IS_(spelled, "void") || ANNOT_IS_(spelled, "__null"))

/// Asserts that a spelled token can be a name.
#define ANNOT_CHECK_NAME_(spelled) \
  ANNOT_ASSERT_(sizeof(spelled) > 1, "annot: a name is missing: this argument is empty"); \
  ANNOT_ASSERT_(ANNOT_IS_PLAIN_(spelled), \
      "annot: a name is written as plain tokens, without quotes and backslashes; " \
      "for text use ANNOT_TEXT(key, \"text\")"); \
  ANNOT_ASSERT_(sizeof(spelled) == 1 || \
      (ANNOT_BEGINS_LIKE_A_NAME_(spelled) && !ANNOT_IS_TYPE_KEYWORD_(spelled)), \
      "annot: this is no name; if a macro of yours passed it on, it was expanded on the way: " \
      "spell it there, ANNOT_TEXT(key, #argument)"); \
  ANNOT_ASSERT_(!ANNOT_HAS_(spelled, "\n", '\n'), "annot: a name is one line")

/// Asserts that a spelled token can be a member's key and is none that every record has.
#define ANNOT_CHECK_KEY_(spelled) \
  ANNOT_CHECK_NAME_(spelled); \
  ANNOT_ASSERT_(!ANNOT_IS_(spelled, "kind") && !ANNOT_IS_(spelled, "file") && \
      !ANNOT_IS_(spelled, "line"), \
      "annot: the members kind, file and line are written by the macro; choose another key")

/// Asserts that spelled text is one unprefixed literal without escapes: two quotes, which spelling it again
/// doubles, first and last.
#define ANNOT_CHECK_TEXT_(spelled) \
  ANNOT_ASSERT_(sizeof(ANNOT_SPELL_(spelled)) == sizeof(spelled) + 4 && \
      __builtin_strncmp(spelled, "\"", 1) == 0 && \
      __builtin_memcmp(&(" " spelled)[sizeof(spelled) - 1], "\"", 1) == 0, \
      "annot: ANNOT_TEXT takes one plain string literal, or a macro that is one: no escapes, no prefix " \
      "such as L or u8, and not two literals side by side"); \
  ANNOT_ASSERT_(!ANNOT_HAS_(spelled, "\t", '\t'), "annot: ANNOT_TEXT takes no tab characters; use spaces")

/// Asserts that a spelled number is a JSON integer of 64 bits at most.
#define ANNOT_CHECK_INT_(spelled) \
  ANNOT_ASSERT_(ANNOT_IS_INT_(spelled), \
      "annot: ANNOT_INT takes one decimal integer of at most 19 digits: " \
      "no suffix, no leading 0, no 0x, no arithmetic")
/// Asserts that a spelled number is a JSON number.
#define ANNOT_CHECK_FLOAT_(spelled) \
  ANNOT_ASSERT_(ANNOT_IS_FLOAT_(spelled), \
      "annot: ANNOT_FLOAT takes one decimal number such as 0.5, -2 or 1e-3, of at most 24 characters: " \
      "digits on both sides of the point, no suffix, no arithmetic")
/// Asserts that a spelled token is true or false.
#define ANNOT_CHECK_BOOL_(spelled) \
  ANNOT_ASSERT_(ANNOT_IS_(spelled, "true") || ANNOT_IS_(spelled, "false"), \
      "annot: ANNOT_BOOL takes true or false")

/// Asserts that a list has at most 16 elements.
#define ANNOT_CHECK_COUNT_(count) \
  ANNOT_ASSERT_(!ANNOT_IS_(ANNOT_SPELL_(count), "annot_many"), "annot: at most 16 of these fit into one macro")

// The character at an index, padded with NULs so that every index below 32 exists.
#define ANNOT_AT_(spelled, index) \
  (&(spelled "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")[index])
#define ANNOT_AT_IS_(spelled, index, text) (__builtin_memcmp(ANNOT_AT_(spelled, index), text, 1) == 0)
#define ANNOT_DIGIT_(spelled, index) \
  (__builtin_memcmp(ANNOT_AT_(spelled, index), "0", 1) >= 0 && \
   __builtin_memcmp(ANNOT_AT_(spelled, index), "9", 1) <= 0)
#define ANNOT_MINUS_(spelled) ANNOT_AT_IS_(spelled, 0, "-")
// A digit first (after the sign), and no 0 before another digit.
#define ANNOT_NUMBER_BEGINS_(spelled) \
  (ANNOT_MINUS_(spelled) \
   ? ANNOT_DIGIT_(spelled, 1) && !(ANNOT_AT_IS_(spelled, 1, "0") && ANNOT_DIGIT_(spelled, 2)) \
   : ANNOT_DIGIT_(spelled, 0) && !(ANNOT_AT_IS_(spelled, 0, "0") && ANNOT_DIGIT_(spelled, 1)))
#define ANNOT_ALL_24_(test, spelled) \
  (test(spelled, 1) && test(spelled, 2) && test(spelled, 3) && test(spelled, 4) && test(spelled, 5) && \
   test(spelled, 6) && test(spelled, 7) && test(spelled, 8) && test(spelled, 9) && test(spelled, 10) && \
   test(spelled, 11) && test(spelled, 12) && test(spelled, 13) && test(spelled, 14) && \
   test(spelled, 15) && test(spelled, 16) && test(spelled, 17) && test(spelled, 18) && \
   test(spelled, 19) && test(spelled, 20) && test(spelled, 21) && test(spelled, 22) && \
   test(spelled, 23) && test(spelled, 24))

#define ANNOT_INT_AT_(spelled, index) \
  (sizeof(spelled) - 1 <= (index) || ANNOT_DIGIT_(spelled, index))
#define ANNOT_IS_INT_(spelled) \
  (sizeof(spelled) - 1 <= 19 + (ANNOT_MINUS_(spelled) ? 1 : 0) && ANNOT_NUMBER_BEGINS_(spelled) && \
   ANNOT_ALL_24_(ANNOT_INT_AT_, spelled))

// Rules about neighbours: a point stands between digits, an exponent after a digit, a sign after an exponent.
#define ANNOT_EXPONENT_(spelled, index) \
  (ANNOT_AT_IS_(spelled, index, "e") || ANNOT_AT_IS_(spelled, index, "E"))
#define ANNOT_SIGN_(spelled, index) \
  (ANNOT_AT_IS_(spelled, index, "+") || ANNOT_AT_IS_(spelled, index, "-"))
#define ANNOT_FLOAT_AT_(spelled, index) \
  (sizeof(spelled) - 1 <= (index) || ANNOT_DIGIT_(spelled, index) || \
   (ANNOT_AT_IS_(spelled, index, ".") && ANNOT_DIGIT_(spelled, (index) - 1) && \
    ANNOT_DIGIT_(spelled, (index) + 1)) || \
   (ANNOT_EXPONENT_(spelled, index) && ANNOT_DIGIT_(spelled, (index) - 1) && \
    (ANNOT_DIGIT_(spelled, (index) + 1) || \
     (ANNOT_SIGN_(spelled, (index) + 1) && ANNOT_DIGIT_(spelled, (index) + 2)))) || \
   (ANNOT_SIGN_(spelled, index) && ANNOT_EXPONENT_(spelled, (index) - 1)))
// At most one point and one exponent, the point first.
#define ANNOT_SUM_24_(test, spelled) \
  (test(spelled, 1) + test(spelled, 2) + test(spelled, 3) + test(spelled, 4) + test(spelled, 5) + \
   test(spelled, 6) + test(spelled, 7) + test(spelled, 8) + test(spelled, 9) + test(spelled, 10) + \
   test(spelled, 11) + test(spelled, 12) + test(spelled, 13) + test(spelled, 14) + test(spelled, 15) + \
   test(spelled, 16) + test(spelled, 17) + test(spelled, 18) + test(spelled, 19) + test(spelled, 20) + \
   test(spelled, 21) + test(spelled, 22) + test(spelled, 23) + test(spelled, 24))
#define ANNOT_ONE_POINT_(spelled, index) (ANNOT_AT_IS_(spelled, index, ".") ? 100 + (index) : 0)
#define ANNOT_ONE_EXPONENT_(spelled, index) (ANNOT_EXPONENT_(spelled, index) ? 100 + (index) : 0)
#define ANNOT_IS_FLOAT_(spelled) \
  (sizeof(spelled) - 1 <= 24 && ANNOT_NUMBER_BEGINS_(spelled) && \
   ANNOT_ALL_24_(ANNOT_FLOAT_AT_, spelled) && ANNOT_SUM_24_(ANNOT_ONE_POINT_, spelled) < 200 && \
   ANNOT_SUM_24_(ANNOT_ONE_EXPONENT_, spelled) < 200 && \
   (ANNOT_SUM_24_(ANNOT_ONE_EXPONENT_, spelled) == 0 || \
    ANNOT_SUM_24_(ANNOT_ONE_POINT_, spelled) < ANNOT_SUM_24_(ANNOT_ONE_EXPONENT_, spelled)))

#endif
