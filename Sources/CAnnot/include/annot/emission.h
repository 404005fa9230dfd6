/// How a record's bytes get into section `annot`, and how the runtime finds that section.
///
/// A record is written as a constant array (C) or by the assembler (C++, where the array form is dropped in
/// templates and clashes in inline functions and lambdas). ANNOT_USE_ATTRIBUTE or ANNOT_USE_ASM, defined
/// before the first inclusion, force one form: the assembler's is right in C too, when records stand in a
/// precompiled header. With each record goes the translation unit's bounds note (ANNOT_NOTE_RECORDS).
#ifndef ANNOT_EMISSION_H
#define ANNOT_EMISSION_H

#include "annot/arity.h"
#include "annot/checks.h"

#if defined(ANNOT_USE_ATTRIBUTE) && defined(ANNOT_USE_ASM)
#error "annot: define one of ANNOT_USE_ATTRIBUTE and ANNOT_USE_ASM, not both"
#endif

#ifndef ANNOT_MODULE_NAME
#define ANNOT_MODULE_NAME C
#endif

// Without SHF_GNU_RETAIN records live only as long as the linker collects no garbage.
#if defined(__has_attribute)
#if __has_attribute(retain)
#define ANNOT_RETAIN_ retain,
#define ANNOT_RETAIN_FLAG_ "R"
#endif
#endif
#ifndef ANNOT_RETAIN_FLAG_
#define ANNOT_RETAIN_
#define ANNOT_RETAIN_FLAG_ ""
#endif

#ifdef __COUNTER__
#define ANNOT_UNIQUE_ __COUNTER__
#else
#define ANNOT_UNIQUE_ __LINE__
#endif

/// The text of a note in its own COMDAT group, once per translation unit and once per image. `marker` is an
/// assembler symbol that no object file shows; `section` makes sure that the bounds' section exists.
#define ANNOT_BOUNDS_NOTE_(group, type, name, section) \
  "\t.ifndef .L" group "\n" \
  "\t.set .L" group ", 1\n" \
  section \
  "\t.pushsection .note.annot,\"aG" ANNOT_RETAIN_FLAG_ "\",%note," group ",comdat\n" \
  "\t.balign 4\n" \
  "\t.long 6, 8, " type "\n" \
  "\t.ascii \"annot\\0\"\n" \
  "\t.balign 4\n" \
  "\t.hidden __start_" name "\n" \
  "\t.hidden __stop_" name "\n" \
  "\t.long __start_" name " - .\n" \
  "\t.long __stop_" name " - .\n" \
  "\t.popsection\n" \
  "\t.endif\n"

#define ANNOT_RECORDS_NOTE_ \
  ANNOT_BOUNDS_NOTE_("annot_note_records", "1", "annot", \
      "\t.pushsection annot,\"aG" ANNOT_RETAIN_FLAG_ "\",%progbits,annot_note_records,comdat\n" \
      "\t.byte 0\n" \
      "\t.popsection\n")

#define ANNOT_NOTHING_()
#define ANNOT_COMMA_() ,

/// The pieces of a record as string literals, with join() between them.
#define ANNOT_PIECES_(join, kind, count, members) \
  "{\"kind\":\"" join() kind join() "\"" \
  ANNOT_EACH_(count, ANNOT_MEMBER_, join, members) ANNOT_PLACE_(join) join() "}"
#define ANNOT_CALL_MEMBER_(macro, arguments) macro arguments
#define ANNOT_MEMBER_(join, index, member) \
  ANNOT_CALL_MEMBER_(ANNOT_MEMBER2_, (join, ANNOT_UNWRAP_ ANNOT_SOUND_(member)))
// A member that no member macro made.
#define ANNOT_SOUND_(member) \
  ANNOT_CALL_SOUND_(ANNOT_CAT_(ANNOT_SOUND_, ANNOT_IS_WRAPPED_(member)), (member))
#define ANNOT_CALL_SOUND_(macro, arguments) macro arguments
#define ANNOT_SOUND_0(member) (annot_bad, #member, "")
#define ANNOT_SOUND_1(member) member
#define ANNOT_MEMBER2_(...) ANNOT_MEMBER3_(__VA_ARGS__)
#define ANNOT_MEMBER3_(join, type, ...) ANNOT_MEMBER_##type(join, __VA_ARGS__)
#define ANNOT_MEMBER_annot_name(join, key, spelled) \
  join() ",\"" join() key join() "\":\"" join() spelled join() "\""
#define ANNOT_MEMBER_annot_raw(join, key, spelled) \
  join() ",\"" join() key join() "\":" join() spelled
#define ANNOT_MEMBER_annot_bad(join, key, spelled)
#define ANNOT_MEMBER_annot_text(join, key, spelled) ANNOT_MEMBER_annot_raw(join, key, spelled)
#define ANNOT_MEMBER_annot_int(join, key, spelled) ANNOT_MEMBER_annot_raw(join, key, spelled)
#define ANNOT_MEMBER_annot_float(join, key, spelled) ANNOT_MEMBER_annot_raw(join, key, spelled)
#define ANNOT_MEMBER_annot_bool(join, key, spelled) ANNOT_MEMBER_annot_raw(join, key, spelled)
#define ANNOT_MEMBER_annot_none(join, key, spelled)
#define ANNOT_MEMBER_annot_names0(join, key, count, names)
#define ANNOT_MEMBER_annot_names1(join, key, count, names) \
  join() ",\"" join() key join() "\":[" ANNOT_INNER_(count, ANNOT_MEMBER_ELEMENT_, join, names) join() "]"
#define ANNOT_MEMBER_ELEMENT_(join, index, name) \
  join() ANNOT_CAT_(ANNOT_SEPARATOR_, index) join() #name join() "\""
#define ANNOT_SEPARATOR_0 "\""
#define ANNOT_SEPARATOR_1 ",\""
#define ANNOT_SEPARATOR_2 ",\""
#define ANNOT_SEPARATOR_3 ",\""
#define ANNOT_SEPARATOR_4 ",\""
#define ANNOT_SEPARATOR_5 ",\""
#define ANNOT_SEPARATOR_6 ",\""
#define ANNOT_SEPARATOR_7 ",\""
#define ANNOT_SEPARATOR_8 ",\""
#define ANNOT_SEPARATOR_9 ",\""
#define ANNOT_SEPARATOR_10 ",\""
#define ANNOT_SEPARATOR_11 ",\""
#define ANNOT_SEPARATOR_12 ",\""
#define ANNOT_SEPARATOR_13 ",\""
#define ANNOT_SEPARATOR_14 ",\""
#define ANNOT_SEPARATOR_15 ",\""

#ifdef ANNOT_NO_SOURCE
#define ANNOT_PLACE_(join)
#else
#define ANNOT_PLACE_(join) \
  join() ",\"file\":" join() ANNOT_SPELL_(__FILE__) join() ",\"line\":" join() ANNOT_SPELL_(__LINE__)
#endif

/// The static assertions of a record's members, each followed by `;`.
#define ANNOT_CHECKS_(kind, count, members) \
  ANNOT_CHECK_COUNT_(count); \
  ANNOT_CHECK_NAME_(kind); \
  ANNOT_EACH_(count, ANNOT_CHECK_MEMBER_, (count, members), members)
#define ANNOT_CHECK_MEMBER_(list, index, member) \
  ANNOT_CALL_MEMBER_(ANNOT_CHECK_MEMBER2_, (list, ANNOT_UNWRAP_ ANNOT_SOUND_(member)))
#define ANNOT_CHECK_MEMBER2_(...) ANNOT_CHECK_MEMBER3_(__VA_ARGS__)
#define ANNOT_CHECK_MEMBER3_(list, type, ...) \
  ANNOT_CHECK_ONCE_(list, __VA_ARGS__, ~) ANNOT_CHECK_MEMBER_##type(__VA_ARGS__)
// Among the keys of all members each key occurs once.
#define ANNOT_CHECK_ONCE_(list, key, ...) \
  ANNOT_ASSERT_((0 ANNOT_CALL_ONCE_(ANNOT_COUNT_KEY_, (key, ANNOT_UNWRAP_ list))) == 1, \
      "annot: two members of this record have the same key");
#define ANNOT_CALL_ONCE_(macro, arguments) macro arguments
#define ANNOT_COUNT_KEY_(key, count, members) ANNOT_INNER_(count, ANNOT_SAME_KEY_, key, members)
#define ANNOT_SAME_KEY_(wanted, index, member) \
  ANNOT_CALL_KEY_(ANNOT_SAME_KEY2_, (wanted, ANNOT_UNWRAP_ ANNOT_SOUND_(member), ~))
#define ANNOT_CALL_KEY_(macro, arguments) macro arguments
#define ANNOT_SAME_KEY2_(...) ANNOT_SAME_KEY3_(__VA_ARGS__)
#define ANNOT_SAME_KEY3_(wanted, type, key, ...) + (ANNOT_IS_(wanted, key) ? 1 : 0)
#define ANNOT_CHECK_MEMBER_annot_name(key, spelled) ANNOT_CHECK_KEY_(key); ANNOT_CHECK_NAME_(spelled);
#define ANNOT_CHECK_MEMBER_annot_raw(key, spelled)
#define ANNOT_CHECK_MEMBER_annot_bad(key, spelled) \
  ANNOT_ASSERT_(0, "annot: each member is written as ANNOT_NAME(key, token), ANNOT_TEXT(key, \"text\"), " \
      "ANNOT_INT(key, number), ANNOT_FLOAT(key, number) or ANNOT_BOOL(key, true)");
#define ANNOT_CHECK_MEMBER_annot_text(key, spelled) ANNOT_CHECK_KEY_(key); ANNOT_CHECK_TEXT_(spelled);
#define ANNOT_CHECK_MEMBER_annot_int(key, spelled) ANNOT_CHECK_KEY_(key); ANNOT_CHECK_INT_(spelled);
#define ANNOT_CHECK_MEMBER_annot_float(key, spelled) ANNOT_CHECK_KEY_(key); ANNOT_CHECK_FLOAT_(spelled);
#define ANNOT_CHECK_MEMBER_annot_bool(key, spelled) ANNOT_CHECK_KEY_(key); ANNOT_CHECK_BOOL_(spelled);
#define ANNOT_CHECK_MEMBER_annot_none(key, spelled)
#define ANNOT_CHECK_MEMBER_annot_names0(key, count, names)
#define ANNOT_CHECK_MEMBER_annot_names1(key, count, names) \
  ANNOT_CHECK_KEY_(key); ANNOT_CHECK_COUNT_(count); ANNOT_INNER_(count, ANNOT_CHECK_ELEMENT_, ~, names)
#define ANNOT_CHECK_ELEMENT_(context, index, name) ANNOT_CHECK_NAME_(#name);

// Swift's importer reads headers only for their declarations.
#if defined(ANNOT_DISABLE) || defined(__swift__)
#define ANNOT_RECORD_(kind, count, members) ANNOT_ASSERT_(1, "")
#else
/// Emits a record. `kind` is a string literal; `members` a parenthesised list of `count` tuples, each made
/// by a member macro. Ends without `;`.
#define ANNOT_RECORD_(kind, count, members) \
  ANNOT_CHECKS_(kind, count, members) ANNOT_ONLY_AT_FILE_OR_FUNCTION_SCOPE_(kind, count, members)
#endif

// The name is what compilers show of the macro that they cannot take inside a struct or class.
#if defined(ANNOT_USE_ASM) || (defined(__cplusplus) && !defined(ANNOT_USE_ATTRIBUTE))
#define ANNOT_ONLY_AT_FILE_OR_FUNCTION_SCOPE_(kind, count, members) \
  __asm__("\t.pushsection annot,\"a" ANNOT_RETAIN_FLAG_ "\",%progbits\n" \
          "\t.ascii " ANNOT_SPELL_(ANNOT_PIECES_(ANNOT_COMMA_, kind, count, members)) ", \"\\0\"\n" \
          "\t.popsection\n" ANNOT_RECORDS_NOTE_)
#else
#define ANNOT_ONLY_AT_FILE_OR_FUNCTION_SCOPE_(kind, count, members) \
  static const char ANNOT_CAT_(annot_record_, ANNOT_UNIQUE_)[] \
      __attribute__((used, ANNOT_RETAIN_ aligned(1), section("annot"))) = \
      ANNOT_PIECES_(ANNOT_NOTHING_, kind, count, members); \
  __asm__(ANNOT_RECORDS_NOTE_)
#endif

#endif
