/// Annotations for C and C++: macros that leave typed facts in the ELF section `annot`.
///
/// Includable alone; nothing of Annot need be linked. The format is specified in docs/record-format.md. All
/// macros stand where a declaration may stand and take a semicolon after them:
///
///     ANNOTATE_NEEDLOGIN(Router, open:item:, C);
///
/// Arguments are names, written without quotes: what is not a name, or not valid in a JSON string, is an error
/// at compile time. They are not macro-expanded.
///
/// Define before including: ANNOT_DISABLE to leave nothing, ANNOT_NO_SOURCE to leave out file and line,
/// ANNOT_USE_ATTRIBUTE or ANNOT_USE_ASM to choose how the bytes are emitted (by default the attribute in C and
/// inline assembly in C++, where compilers reject or drop the attribute in inline functions and templates).
#ifndef ANNOT_H
#define ANNOT_H

#if defined(ANNOT_USE_ATTRIBUTE) && defined(ANNOT_USE_ASM)
#error "annot.h: define ANNOT_USE_ATTRIBUTE or ANNOT_USE_ASM, not both"
#endif

/* ---- Preprocessor tools ---- */

#define ANNOT_PASTE_(a, b) ANNOT_PASTE_NOW_(a, b)
#define ANNOT_PASTE_NOW_(a, b) a##b
#define ANNOT_STRING_(...) ANNOT_STRING_NOW_(__VA_ARGS__)
#define ANNOT_STRING_NOW_(...) #__VA_ARGS__

#ifdef __COUNTER__
#define ANNOT_UNIQUE_(prefix) ANNOT_PASTE_(prefix, __COUNTER__)
#else
#define ANNOT_UNIQUE_(prefix) ANNOT_PASTE_(prefix, __LINE__)
#endif

#if defined(__cplusplus)
#define ANNOT_ASSERT_(condition, message) static_assert(condition, message)
#else
#define ANNOT_ASSERT_(condition, message) __extension__ _Static_assert(condition, message)
#endif

/* ---- Checks ---- */

/* A string literal made of tokens holds no quote and no backslash exactly when making a literal of that literal
   adds the two outer quotes and no escape. Its size is 1 when it is empty. */
#define ANNOT_CHECK_NAME_(literal, what)                                                        \
  ANNOT_ASSERT_(sizeof(literal) > 1, "annot: " what " is missing; give it as a name, without quotes"); \
  ANNOT_ASSERT_(sizeof(ANNOT_STRING_NOW_(literal)) == sizeof(literal) + 2,                       \
                "annot: " what " is a name: write it without quotes and backslashes")

/* ---- Emission of bytes ---- */

#if defined(__has_attribute)
#if __has_attribute(retain)
#define ANNOT_RETAIN_ retain,
#define ANNOT_SECTION_FLAGS_ "aR"
#endif
#endif
#ifndef ANNOT_RETAIN_
/* Without `retain` the linker's garbage collection may take the records: pass -Wl,--no-gc-sections. */
#define ANNOT_RETAIN_
#define ANNOT_SECTION_FLAGS_ "a"
#endif

#if defined(__cplusplus) && !defined(ANNOT_USE_ATTRIBUTE)
#ifndef ANNOT_USE_ASM
#define ANNOT_USE_ASM 1
#endif
#endif

/* A record is a run of pieces, each a string literal: ANNOT_PIECE_(literal) ANNOT_PIECE_(literal) … */
#if defined(ANNOT_DISABLE)
#define ANNOT_PIECE_(literal)
#define ANNOT_RECORD_(pieces) ANNOT_ASSERT_(1, "")
#elif defined(ANNOT_USE_ASM)
/* The assembler undoes the escapes that making a literal of the literal adds. */
#define ANNOT_PIECE_(literal) "\n.ascii " ANNOT_STRING_(literal)
#define ANNOT_RECORD_(pieces) \
  __asm__(".pushsection annot,\"" ANNOT_SECTION_FLAGS_ "\",%progbits" pieces "\n.byte 0\n.popsection")
#else
#define ANNOT_PIECE_(literal) literal
#define ANNOT_RECORD_(pieces)                                         \
  static const char ANNOT_UNIQUE_(annot_record_)[] __attribute__((used, ANNOT_RETAIN_ aligned(1), \
                                                                  section("annot"))) = pieces
#endif

#if defined(ANNOT_NO_SOURCE)
#define ANNOT_SOURCE_
#else
/* __FILE__ is a literal already: making a literal of it brings its quotes and escapes along. */
#define ANNOT_SOURCE_                                                                             \
  ANNOT_PIECE_(",\"file\":") ANNOT_PIECE_(ANNOT_STRING_(__FILE__)) ANNOT_PIECE_(",\"line\":") \
      ANNOT_PIECE_(ANNOT_STRING_(__LINE__))
#endif

/* ---- The bounds note ---- */

#if !defined(ANNOT_DISABLE)
/* One per image: see docs/record-format.md. Distances need no relocation at run time; the NUL makes the section
   exist, and with it the two symbols, which the linker defines. */
__asm__(
    ".pushsection annot,\"" ANNOT_SECTION_FLAGS_ "\",%progbits\n.byte 0\n.popsection\n"
    ".hidden __start_annot\n.hidden __stop_annot\n"
#if __SIZEOF_POINTER__ >= 4
    ".pushsection .note.annot,\"" ANNOT_SECTION_FLAGS_ "G\",%note,annot_records_note,comdat\n"
    ".balign 4\n.long 6, 8, 1\n.asciz \"annot\"\n.balign 4\n"
    ".long __start_annot - .\n.long __stop_annot - .\n"
    ".popsection\n"
#endif
);
#endif

/* ---- Kinds ---- */

/* The pieces of the members that name a target. */
#define ANNOT_TARGET_(cls, sel, module)                                                        \
  ANNOT_PIECE_(",\"cls\":\"") ANNOT_PIECE_(cls) ANNOT_PIECE_("\",\"sel\":\"") ANNOT_PIECE_(sel) \
      ANNOT_PIECE_("\",\"module\":\"") ANNOT_PIECE_(module) ANNOT_PIECE_("\"")

#define ANNOT_CHECK_TARGET_(cls, sel, module) \
  ANNOT_CHECK_NAME_(cls, "cls");              \
  ANNOT_CHECK_NAME_(sel, "sel");              \
  ANNOT_CHECK_NAME_(module, "module")

/// Says that calls of `sel` of `cls` in `module` need a login.
///
/// - cls: a C tag, a C++ qualified name, or a Swift type's name without its module.
/// - sel: the selector: `open` for any overload, `open(_:item:)` or `open:item:` for one.
/// - module: the Swift module, or `C` for C and C++.
#define ANNOTATE_NEEDLOGIN(cls, sel, module)                    \
  ANNOT_CHECK_TARGET_(#cls, #sel, #module);                     \
  ANNOT_RECORD_(ANNOT_PIECE_("{\"kind\":\"needlogin\"") ANNOT_TARGET_(#cls, #sel, #module) \
                    ANNOT_SOURCE_ ANNOT_PIECE_("}"))

/// Says that `sel` of `cls` in `module` is a join point; for Swift join points written by hand.
///
/// ANNOT_METHOD emits this record by itself. Parameters as for ANNOTATE_NEEDLOGIN.
#define ANNOTATE_JOINPOINT(cls, sel, module)                    \
  ANNOT_CHECK_TARGET_(#cls, #sel, #module);                     \
  ANNOT_RECORD_(ANNOT_PIECE_("{\"kind\":\"joinpoint\"") ANNOT_TARGET_(#cls, #sel, #module) \
                    ANNOT_SOURCE_ ANNOT_PIECE_("}"))

#endif
