/// The code and data that ANNOT_METHOD makes of a function.
///
/// For `int A_f(int x) { body }` it writes, in this order: the prototype; static assertions; the prototype of
/// an inner function that is always inlined; `invoke`, which calls it with unpacked arguments; the join
/// point's constant description and its slot (annot/layout.h); `advised`, out of line and cold, so that the
/// addresses it takes do not burden the fast path; the function itself; the `joinpoint` record; and the inner
/// function's head, which the user's body follows.
#ifndef ANNOT_DEFINITION_H
#define ANNOT_DEFINITION_H

#include <stddef.h>
#include <stdint.h>

#include "annot/emission.h"
#include "annot/layout.h"
#include "annot/parameters.h"
#include "annot/protect.h"
#include "annot/resolve.h"
#include "annot/type_description.h"

// How a function whose name was given or put together is checked.
#define ANNOT_GIVEN_NAME_(sel)
#define ANNOT_DEFAULT_NAME_(sel) \
  ANNOT_ASSERT_(!ANNOT_HAS_(sel, ":", ':') && !ANNOT_HAS_(sel, "(", '('), \
      "annot: a selector with colons makes no C function name; give one: " \
      "ANNOT_METHOD_NAMED(ret, function, cls, sel, (type, name)...)");

#define ANNOT_DECLARE_(ret, function, count, list) \
  ANNOT_CAT_(ANNOT_DECLARE_, ANNOT_JUDGE_(count, list))(ret, function, count, list)
#define ANNOT_DECLARE_good(ret, function, count, list) ret function(ANNOT_DECLARED_(count, list))
#define ANNOT_DECLARE_bad(ret, function, count, list) \
  struct function##_annot; \
  ANNOT_BAD_PARAMETERS_
#define ANNOT_DECLARE_many(ret, function, count, list) \
  struct function##_annot; \
  ANNOT_MANY_PARAMETERS_

#define ANNOT_BAD_PARAMETERS_ \
  ANNOT_ASSERT_(0, "annot: write each parameter as (type, name), with a typedef for a type that is a " \
      "function pointer or has a comma; in place of `...` take (va_list, arguments), " \
      "and call this method from a variadic function")
#define ANNOT_MANY_PARAMETERS_ \
  ANNOT_ASSERT_(0, "annot: a method takes at most 16 parameters; pass a struct, (type, name), for more")

#define ANNOT_DEFINE_(naming, ret, function, cls, sel, is_static, count, list) \
  ANNOT_CAT_(ANNOT_DEFINE_, ANNOT_JUDGE_(count, list)) \
  (naming, ret, function, cls, sel, is_static, count, list)

// After a bad parameter list the body still needs a head, and the prefix in front something to be about.
#define ANNOT_DEFINE_bad(naming, ret, function, cls, sel, is_static, count, list) \
  void function(void); \
  ANNOT_BAD_PARAMETERS_; \
  void function(void)
#define ANNOT_DEFINE_many(naming, ret, function, cls, sel, is_static, count, list) \
  void function(void); \
  ANNOT_MANY_PARAMETERS_; \
  void function(void)

#ifdef ANNOT_DISABLE

#define ANNOT_DEFINE_good(naming, ret, function, cls, sel, is_static, count, list) \
  ret function(ANNOT_DECLARED_(count, list)); \
  ret function(ANNOT_DECLARED_(count, list))

#else

#define ANNOT_DEFINE_good(naming, ret, function, cls, sel, is_static, count, list) \
  ANNOT_DEFINE2_(naming, ret, function, cls, sel, is_static, count, list, ANNOT_IS_VOID_(ret), \
      ANNOT_UNIQUE_, ANNOT_SPELL_(ANNOT_MODULE_NAME))

#define ANNOT_DEFINE2_(...) ANNOT_DEFINE3_(__VA_ARGS__)
#define ANNOT_DEFINE3_(naming, ret, function, cls, sel, is_static, count, list, is_void, id, module) \
  ANNOT_DEFINE4_(naming, ret, function, cls, sel, is_static, count, list, is_void, module, \
      annot_impl_##id##_##function, annot_invoke_##id##_##function, annot_info_##id##_##function, \
      annot_slot_##id##_##function, annot_advised_##id##_##function)

#define ANNOT_DEFINE4_(naming, ret, function, cls, sel, is_static, count, list, is_void, module, \
    impl, invoke, info, slot, advised) \
  ret function(ANNOT_DECLARED_(count, list)); \
  naming(sel) \
  static __inline__ __attribute__((always_inline)) ret impl(ANNOT_DECLARED_(count, list)); \
  static void invoke(void *const *annot_arguments, void *annot_result) { \
    (void)annot_arguments; \
    (void)annot_result; \
    ANNOT_CAT_(ANNOT_PUT_, is_void)(ret, impl(ANNOT_UNPACKED_(count, list))); \
  } \
  static const annot_joinpoint_info *info(void) { \
    static const annot_parameter annot_parameters[] = {ANNOT_DESCRIPTIONS_(count, list)}; \
    static const annot_joinpoint_info annot_info = { \
        sizeof(annot_joinpoint_info), ANNOT_CAT_(ANNOT_FLAGS_, is_static), module, cls, sel, \
        ANNOT_FILE_, ANNOT_LINE_, count, annot_parameters, \
        ANNOT_CAT_(ANNOT_RESULT_TYPE_, is_void)(#ret, ret), invoke, ANNOT_PROTECT_, \
        ANNOT_CAT_(ANNOT_DESTROY_, is_void)(ret), ANNOT_NULL_}; \
    return &annot_info; \
  } \
  static annot_joinpoint slot __attribute__((used, ANNOT_RETAIN_ section(ANNOT_JOINPOINT_SECTION), \
      aligned(sizeof(void *)))) = { \
      sizeof(annot_joinpoint), ANNOT_JOINPOINT_VERSION, ANNOT_HOOK_UNRESOLVED, info}; \
  static __attribute__((noinline, cold)) ret advised(ANNOT_DECLARED_(count, list)) { \
    ANNOT_CHECK_PARAMETERS_(count, list) \
    void *annot_arguments[] = {ANNOT_ADDRESSES_(count, list)}; \
    ANNOT_CAT_(ANNOT_RUN_, is_void)(ret, slot) \
  } \
  ret function(ANNOT_DECLARED_(count, list)) { \
    if (__builtin_expect(__atomic_load_n(&slot.hook, __ATOMIC_RELAXED) != ANNOT_HOOK_IDLE, 0)) { \
      ANNOT_CAT_(ANNOT_RETURN_, is_void)(advised(ANNOT_PASSED_(count, list))) \
    } \
    ANNOT_CAT_(ANNOT_RETURN_, is_void)(impl(ANNOT_PASSED_(count, list))) \
  } \
  ANNOT_RECORD_("joinpoint", 4, ( \
      (annot_own, "cls", cls), (annot_own, "sel", sel), (annot_own, "module", module), \
      ANNOT_CAT_(ANNOT_STATIC_MEMBER_, is_static))); \
  __asm__(ANNOT_JOINPOINTS_NOTE_); \
  static __inline__ __attribute__((always_inline)) ret impl(ANNOT_DECLARED_(count, list))

#endif

#define ANNOT_FLAGS_0 0
#define ANNOT_FLAGS_1 ANNOT_JOINPOINT_STATIC
#define ANNOT_STATIC_MEMBER_0 (annot_none, "", "")
#define ANNOT_STATIC_MEMBER_1 (annot_bool, "static", "true")

#ifdef ANNOT_NO_SOURCE
#define ANNOT_FILE_ ANNOT_NULL_
#define ANNOT_LINE_ 0
#else
#define ANNOT_FILE_ __FILE__
#define ANNOT_LINE_ __LINE__
#endif

// The forms for a result (0) and for none (1).
#define ANNOT_RETURN_0(call) return call;
#define ANNOT_RETURN_1(call) \
  call; \
  return;
#define ANNOT_RESULT_TYPE_0(text, ret) ANNOT_TYPE_(text, ret)
#define ANNOT_RESULT_TYPE_1(text, ret) {text, 0, 0, ANNOT_TYPE_VOID}
#define ANNOT_PUT_1(ret, call) call
#define ANNOT_DESTROY_1(ret) ANNOT_NULL_
#define ANNOT_RUN_1(ret, slot) annot_run_(&slot, annot_arguments, ANNOT_NULL_);
#ifdef __cplusplus
#define ANNOT_DESTROY_0(ret) ::annot_detail::result<ret>::end
#define ANNOT_PUT_0(ret, call) ::annot_detail::result<ret>::put(annot_result, call)
#define ANNOT_RUN_0(ret, slot) \
  ::annot_detail::result<ret> annot_result; \
  annot_run_(&slot, annot_arguments, annot_result.room()); \
  return annot_result.take();
#else
#define ANNOT_DESTROY_0(ret) ANNOT_NULL_
#define ANNOT_PUT_0(ret, call) *(ret *)annot_result = call
#define ANNOT_RUN_0(ret, slot) \
  ret annot_result; \
  annot_run_(&slot, annot_arguments, &annot_result); \
  return annot_result;
#endif

#if UINTPTR_MAX > 0xffffffffu
#define ANNOT_JOINPOINT_ALIGN_ "8"
#else
#define ANNOT_JOINPOINT_ALIGN_ "4"
#endif
#define ANNOT_JOINPOINTS_NOTE_ \
  ANNOT_BOUNDS_NOTE_("annot_note_joinpoints", "2", ANNOT_JOINPOINT_SECTION, \
      "\t.pushsection " ANNOT_JOINPOINT_SECTION ",\"awG" ANNOT_RETAIN_FLAG_ \
      "\",%progbits,annot_note_joinpoints,comdat\n" \
      "\t.balign " ANNOT_JOINPOINT_ALIGN_ "\n" \
      "\t.popsection\n")

#endif
