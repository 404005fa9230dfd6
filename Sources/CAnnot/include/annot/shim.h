/// ANNOT_SHIM: a join point in front of a function of someone else's library; include annot/joinpoint.h.
///
/// For `int puts(const char *)` it writes, in this order: static assertions; the function's declaration, which
/// a header's must agree with; the shim's own declaration and its data (annot_shim); `invoke`, which calls the
/// original by the address that the runtime stored; the join point's constant description and its slot, as
/// ANNOT_METHOD does; the shim, which packs its arguments and asks the slot; and the `joinpoint` record.
/// Calls come to the shim only while it is advised, so it has no fast path.
#ifndef ANNOT_SHIM_H
#define ANNOT_SHIM_H

#if defined(__clang__)
#pragma clang system_header
#else
#pragma GCC system_header
#endif

#include "annot/definition.h"

/// Makes a function of another library a join point, as the method `sel` of the class `cls`:
///
///     ANNOT_SHIM(int, Output, print, puts, (const char *, text));
///
/// While advice applies to it, calls of `puts` from all loaded images run that advice; while none does, nothing
/// is changed, and a call costs what it always does. docs/interception.md tells which calls cannot be caught.
///
/// - ret: the result's type, or `void`.
/// - cls, sel: the names that annotations and pointcuts use; `sel` may have colons.
/// - symbol: the function, by the identifier that dynamic symbol tables have for it: a C function's name, or a
///   C++ function's mangled one. It need not be declared; where it is, the types must agree.
/// - ...: its 0 to 16 parameters, each `(type, name)`, as for ANNOT_METHOD.
///
/// Goes at file or namespace scope. The image with the shim need not link the library. A function with `...` or
/// a va_list has no shim, nor has one that returns twice (setjmp, vfork).
#define ANNOT_SHIM(ret, cls, sel, symbol, ...) \
  ANNOT_SHIM_(ret, #cls, #sel, symbol, #symbol, ANNOT_COUNT_(~, ##__VA_ARGS__), (__VA_ARGS__))

#define ANNOT_SHIM_(ret, cls, sel, symbol, text, count, list) \
  ANNOT_CAT_(ANNOT_SHIM_, ANNOT_JUDGE_(count, list))(ret, cls, sel, symbol, text, count, list)

#define ANNOT_SHIM_bad(ret, cls, sel, symbol, text, count, list) \
  ANNOT_ASSERT_(0, "annot: write each parameter as (type, name), with a typedef for a type that is a " \
      "function pointer or has a comma; a function with `...` has no shim, as its arguments cannot be " \
      "passed on")
#define ANNOT_SHIM_many(ret, cls, sel, symbol, text, count, list) \
  ANNOT_ASSERT_(0, "annot: a shim takes at most 16 parameters")

/// Asserts that a spelled symbol is an identifier.
#define ANNOT_CHECK_SYMBOL_(spelled) \
  ANNOT_ASSERT_(sizeof(spelled) > 1 && ANNOT_BEGINS_LIKE_A_NAME_(spelled) && \
      !ANNOT_HAS_(spelled, "\"", '"') && !ANNOT_HAS_(spelled, "'", '\'') && \
      !ANNOT_HAS_(spelled, " ", ' ') && !ANNOT_HAS_(spelled, ".", '.') && \
      !ANNOT_HAS_(spelled, "@", '@') && !ANNOT_HAS_(spelled, ":", ':') && \
      !ANNOT_HAS_(spelled, "(", '(') && !ANNOT_HAS_(spelled, "[", '[') && \
      !ANNOT_HAS_(spelled, "<", '<') && !ANNOT_HAS_(spelled, "-", '-') && \
      !ANNOT_HAS_(spelled, "+", '+') && !ANNOT_HAS_(spelled, "*", '*') && \
      !ANNOT_HAS_(spelled, "&", '&') && !ANNOT_HAS_(spelled, "~", '~'), \
      "annot: the symbol is an identifier, the function's name in the dynamic symbol table, without quotes " \
      "or a version: puts, or _ZN4Shop4openEi for a function of C++")

#if defined(ANNOT_DISABLE) || defined(__swift__)
#define ANNOT_SHIM_good(ret, cls, sel, symbol, text, count, list) ANNOT_ASSERT_(1, "")
#else

#define ANNOT_SHIM_good(ret, cls, sel, symbol, text, count, list) \
  ANNOT_SHIM2_(ret, cls, sel, symbol, text, count, list, ANNOT_IS_VOID_(ret), ANNOT_UNIQUE_, \
      ANNOT_SPELL_(ANNOT_MODULE_NAME))
#define ANNOT_SHIM2_(...) ANNOT_SHIM3_(__VA_ARGS__)
// Names are made of the number alone: a symbol that is no identifier is to reach its assertion.
#define ANNOT_SHIM3_(ret, cls, sel, symbol, text, count, list, is_void, id, module) \
  ANNOT_SHIM4_(ret, cls, sel, symbol, text, count, list, is_void, module, annot_shim_##id, \
      annot_shim_data_##id, annot_shim_invoke_##id, annot_shim_info_##id, annot_shim_slot_##id)

#define ANNOT_SHIM4_(ret, cls, sel, symbol, text, count, list, is_void, module, \
    shim_, data, invoke_, info_, slot) \
  ANNOT_CHECK_SYMBOL_(text); \
  ANNOT_DECLARE_ORIGINAL_(ret, symbol, count, list) \
  static ret shim_(ANNOT_DECLARED_(count, list)); \
  static annot_shim data = {sizeof(annot_shim), 0, text, (void (*)(void))shim_, ANNOT_NULL_}; \
  static void invoke_(void *const *annot_arguments, void *annot_result) { \
    typedef ret annot_original(ANNOT_DECLARED_(count, list)); \
    annot_original *annot_call = (annot_original *)__atomic_load_n(&data.original, __ATOMIC_ACQUIRE); \
    (void)annot_arguments; \
    (void)annot_result; \
    ANNOT_CAT_(ANNOT_PUT_, is_void)(ret, annot_call(ANNOT_UNPACKED_(count, list))); \
  } \
  static const annot_joinpoint_info *info_(void) { \
    static const annot_parameter annot_parameters[] = {ANNOT_DESCRIPTIONS_(count, list)}; \
    static const annot_joinpoint_info annot_info = { \
        sizeof(annot_joinpoint_info), ANNOT_JOINPOINT_SHIM, module, cls, sel, ANNOT_FILE_, ANNOT_LINE_, \
        count, annot_parameters, ANNOT_CAT_(ANNOT_RESULT_TYPE_, is_void)(#ret, ret), invoke_, \
        ANNOT_PROTECT_, ANNOT_CAT_(ANNOT_DESTROY_, is_void)(ret), &data}; \
    return &annot_info; \
  } \
  static annot_joinpoint slot __attribute__((used, ANNOT_RETAIN_ section(ANNOT_JOINPOINT_SECTION), \
      aligned(sizeof(void *)))) = { \
      sizeof(annot_joinpoint), ANNOT_JOINPOINT_VERSION, ANNOT_HOOK_UNRESOLVED, info_}; \
  static __attribute__((noinline)) ret shim_(ANNOT_DECLARED_(count, list)) { \
    ANNOT_CHECK_PARAMETERS_(count, list) \
    void *annot_arguments[] = {ANNOT_ADDRESSES_(count, list)}; \
    ANNOT_CAT_(ANNOT_RUN_, is_void)(ret, slot) \
  } \
  ANNOT_RECORD_("joinpoint", 4, ( \
      (annot_own, "cls", cls), (annot_own, "sel", sel), (annot_own, "module", module), \
      (annot_own, "symbol", text))); \
  __asm__(ANNOT_JOINPOINTS_NOTE_)

#endif

// The name in parentheses, as some functions are macros with arguments, too. That it may be declared already is
// the point, and a mangled name has only seemingly C's linkage.
#ifdef __cplusplus
#define ANNOT_DECLARE_ORIGINAL_(ret, symbol, count, list) \
  ANNOT_QUIETLY_ extern "C" ret(symbol)(ANNOT_DECLARED_(count, list)); ANNOT_ALOUD_
#else
#define ANNOT_DECLARE_ORIGINAL_(ret, symbol, count, list) \
  ANNOT_QUIETLY_ extern ret(symbol)(ANNOT_DECLARED_(count, list)); ANNOT_ALOUD_
#endif
#ifdef __clang__
#define ANNOT_QUIETLY_ \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wreturn-type-c-linkage\"")
#define ANNOT_ALOUD_ _Pragma("clang diagnostic pop")
#else
#define ANNOT_QUIETLY_ _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wredundant-decls\"")
#define ANNOT_ALOUD_ _Pragma("GCC diagnostic pop")
#endif

#endif
