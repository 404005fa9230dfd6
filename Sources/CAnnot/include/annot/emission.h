/// How a record's bytes get into section `annot`, and how the runtime finds that section.
///
/// A record is written as a constant array (C) or by the assembler (C++, where the array form is dropped in
/// templates and clashes in inline functions and lambdas). ANNOT_USE_ATTRIBUTE or ANNOT_USE_ASM, defined
/// before the first inclusion, force one form: the assembler's is right in C too, when records stand in a
/// precompiled header. With each record goes the translation unit's bounds note (ANNOT_NOTE_RECORDS).
#ifndef ANNOT_EMISSION_H
#define ANNOT_EMISSION_H

#include "annot/members.h"

#if defined(ANNOT_USE_ATTRIBUTE) && defined(ANNOT_USE_ASM)
#error "annot: define one of ANNOT_USE_ATTRIBUTE and ANNOT_USE_ASM, not both"
#endif

/// The module of the code itself; define it before the first inclusion.
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

// Swift's importer reads headers only for their declarations.
#if defined(ANNOT_DISABLE) || defined(__swift__)
#define ANNOT_RECORD_(kind, count, members) ANNOT_ASSERT_(1, "")
#define ANNOT_CHECK_KIND_(kind)
#else
/// Asserts that a user's kind can be one; stands before the record.
#define ANNOT_CHECK_KIND_(kind) ANNOT_CHECK_NAME_(kind);
/// Emits a record. `kind` is a string literal; `members` a parenthesised list of `count` tuples, each made
/// by a member macro. Ends without `;`.
#define ANNOT_RECORD_(kind, count, members) \
  ANNOT_CHECKS_(count, members) ANNOT_ONLY_AT_FILE_OR_FUNCTION_SCOPE_(kind, count, members)
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
