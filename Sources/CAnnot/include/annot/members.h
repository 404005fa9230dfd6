/// Turns a record's members into the text of the record, and into the assertions that the text is JSON.
///
/// A member is a tuple (type, "key", "spelled value"). Users write the types annot_name, annot_text, annot_int,
/// annot_float and annot_bool. Ours are annot_own (a name whose key needs no check), annot_word (nor does its
/// value), annot_names1 (an array of names), annot_none and annot_names0 (nothing), and annot_bad (what is no
/// member).
#ifndef ANNOT_MEMBERS_H
#define ANNOT_MEMBERS_H

#include "annot/arity.h"
#include "annot/checks.h"

// What stands between two pieces: nothing for the compiler, a comma for the assembler.
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
#define ANNOT_MEMBER_RAW_(join, key, spelled) \
  join() ",\"" join() key join() "\":" join() spelled
#define ANNOT_MEMBER_annot_bad(join, key, spelled)
#define ANNOT_MEMBER_annot_text(join, key, spelled) ANNOT_MEMBER_RAW_(join, key, spelled)
#define ANNOT_MEMBER_annot_int(join, key, spelled) ANNOT_MEMBER_RAW_(join, key, spelled)
#define ANNOT_MEMBER_annot_float(join, key, spelled) ANNOT_MEMBER_RAW_(join, key, spelled)
#define ANNOT_MEMBER_annot_bool(join, key, spelled) ANNOT_MEMBER_RAW_(join, key, spelled)
#define ANNOT_MEMBER_annot_own(join, key, spelled) ANNOT_MEMBER_annot_name(join, key, spelled)
#define ANNOT_MEMBER_annot_word(join, key, spelled) ANNOT_MEMBER_annot_name(join, key, spelled)
#define ANNOT_MEMBER_annot_none(join, key, spelled)
#define ANNOT_MEMBER_annot_names0(join, key, count, names)
#define ANNOT_MEMBER_annot_names1(join, key, count, names) \
  join() ",\"" join() key join() "\":[" ANNOT_INNER_(count, ANNOT_MEMBER_ELEMENT_, join, names) join() "]"
#define ANNOT_MEMBER_ELEMENT_(join, index, name) \
  join() ANNOT_CAT_(ANNOT_SEPARATOR_, ANNOT_ANY_(index)) join() #name join() "\""
#define ANNOT_SEPARATOR_0 "\""
#define ANNOT_SEPARATOR_1 ",\""

#ifdef ANNOT_NO_SOURCE
#define ANNOT_PLACE_(join)
#else
#define ANNOT_PLACE_(join) \
  join() ",\"file\":" join() ANNOT_SPELL_(__FILE__) join() ",\"line\":" join() ANNOT_SPELL_(__LINE__)
#endif

/// The static assertions of a record's members, each followed by `;`.
#define ANNOT_CHECKS_(count, members) \
  ANNOT_CHECK_COUNT_(count); \
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
#define ANNOT_CHECK_MEMBER_annot_bad(key, spelled) \
  ANNOT_ASSERT_(0, "annot: each member is written as ANNOT_NAME(key, token), ANNOT_TEXT(key, \"text\"), " \
      "ANNOT_INT(key, number), ANNOT_FLOAT(key, number) or ANNOT_BOOL(key, true)");
#define ANNOT_CHECK_MEMBER_annot_text(key, spelled) ANNOT_CHECK_KEY_(key); ANNOT_CHECK_TEXT_(spelled);
#define ANNOT_CHECK_MEMBER_annot_int(key, spelled) ANNOT_CHECK_KEY_(key); ANNOT_CHECK_INT_(spelled);
#define ANNOT_CHECK_MEMBER_annot_float(key, spelled) ANNOT_CHECK_KEY_(key); ANNOT_CHECK_FLOAT_(spelled);
#define ANNOT_CHECK_MEMBER_annot_bool(key, spelled) ANNOT_CHECK_KEY_(key); ANNOT_CHECK_BOOL_(spelled);
#define ANNOT_CHECK_MEMBER_annot_own(key, spelled) ANNOT_CHECK_NAME_(spelled);
#define ANNOT_CHECK_MEMBER_annot_word(key, spelled)
#define ANNOT_CHECK_MEMBER_annot_none(key, spelled)
#define ANNOT_CHECK_MEMBER_annot_names0(key, count, names)
#define ANNOT_CHECK_MEMBER_annot_names1(key, count, names) \
  ANNOT_CHECK_KEY_(key); ANNOT_CHECK_COUNT_(count); ANNOT_INNER_(count, ANNOT_CHECK_ELEMENT_, ~, names)
#define ANNOT_CHECK_ELEMENT_(context, index, name) ANNOT_CHECK_NAME_(#name);

#endif
