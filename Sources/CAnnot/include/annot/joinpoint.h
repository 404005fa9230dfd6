/// Join points for C and C++: functions whose calls can be advised.
///
/// Header-only: an image with join points needs no library and no symbol of Annot's. Without advice a call costs
/// one relaxed load and a branch more than a plain call. The first call of each join point asks the process's
/// runtime, if there is one, whether something advises it; so advice meets the very first call.
///
///     ANNOT_METHOD(int, Account, transfer, (const char *, to), (int, amount)) {
///       return amount;
///     }
///
/// defines `int Account_transfer(const char *to, int amount)`. A parameter is a type and a name in parentheses;
/// function-pointer and array types need a typedef. Up to 16 parameters. A prototype in a header is written as
/// usual; `static` may precede the macro. The original code is inlined, so it must not use variable
/// arguments: see ANNOT_METHOD.
#ifndef ANNOT_JOINPOINT_H
#define ANNOT_JOINPOINT_H

#include "annot.h"
#include "annot/layout.h"

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

/// The module that join points of this file belong to; define it before including to name another.
#ifndef ANNOT_MODULE_NAME
#define ANNOT_MODULE_NAME C
#endif

/* ---- The join points' bounds note; see annot.h ---- */

__asm__(
#if __SIZEOF_POINTER__ == 8
    ".pushsection annot_joinpoint,\"awR\",%progbits\n.balign 8\n.popsection\n"
#else
    ".pushsection annot_joinpoint,\"awR\",%progbits\n.balign 4\n.popsection\n"
#endif
    ".hidden __start_annot_joinpoint\n.hidden __stop_annot_joinpoint\n"
    ".pushsection .note.annot,\"aRG\",%note,annot_joinpoints_note,comdat\n"
    ".balign 4\n.long 6, 8, 2\n.asciz \"annot\"\n.balign 4\n"
    ".long __start_annot_joinpoint - .\n.long __stop_annot_joinpoint - .\n"
    ".popsection\n");

/* ---- Finding the runtime ---- */

#if __SIZEOF_POINTER__ == 8
typedef Elf64_Phdr annot_phdr_;
#else
typedef Elf32_Phdr annot_phdr_;
#endif

/* The part of struct dl_phdr_info that is the same everywhere: <link.h> declares it for _GNU_SOURCE only. */
typedef struct annot_loaded_image_ {
  uintptr_t base;
  const char *name;
  const annot_phdr_ *headers;
  uint16_t header_count;
} annot_loaded_image_;

struct dl_phdr_info;
#if defined(__cplusplus)
extern "C"
#else
extern
#endif
    int dl_iterate_phdr(int (*callback)(struct dl_phdr_info *, size_t, void *), void *data);

/* The runtime's entry, if the notes at `note` hold one. */
static inline annot_resolve_function annot_entry_in_notes_(const unsigned char *note, size_t size, size_t alignment) {
  /* gABI, "Note Section": three words, the name, the description, each padded. */
  while (size >= 12) {
    uint32_t head[3];
    __builtin_memcpy(head, note, sizeof head);
    const size_t description = (12u + head[0] + alignment - 1) / alignment * alignment;
    const size_t next = (description + head[1] + alignment - 1) / alignment * alignment;
    if (head[0] > size || head[1] > size || description + head[1] > size) return NULL;
    if (head[2] == ANNOT_NOTE_RUNTIME && head[0] == sizeof ANNOT_NOTE_OWNER && head[1] == 4 &&
        __builtin_memcmp(note + 12, ANNOT_NOTE_OWNER, sizeof ANNOT_NOTE_OWNER) == 0) {
      int32_t distance;
      __builtin_memcpy(&distance, note + description, sizeof distance);
      return __extension__(annot_resolve_function)((uintptr_t)(note + description) + (uintptr_t)(intptr_t)distance);
    }
    if (next >= size) return NULL;
    note += next;
    size -= next;
  }
  return NULL;
}

static inline int annot_look_for_entry_(struct dl_phdr_info *info, size_t size, void *found) {
  const annot_loaded_image_ *image = (const annot_loaded_image_ *)(void *)info;
  uint16_t i;
  (void)size;
  for (i = 0; i < image->header_count; i++) {
    const annot_phdr_ *header = &image->headers[i];
    annot_resolve_function entry;
    if (header->p_type != PT_NOTE) continue;
    entry = annot_entry_in_notes_((const unsigned char *)(image->base + (uintptr_t)header->p_vaddr),
                                  (size_t)header->p_memsz, header->p_align == 8 ? 8 : 4);
    if (entry) {
      *(annot_resolve_function *)found = entry;
      return 1;
    }
  }
  return 0;
}

/* Settles a slot: what it leads to now, null for idle. The runtime is called outside dl_iterate_phdr. */
static __attribute__((noinline, cold, unused)) const annot_hook *annot_settle_(annot_joinpoint *joinpoint) {
  annot_resolve_function entry = NULL;
  uintptr_t hook = ANNOT_HOOK_UNRESOLVED;
  dl_iterate_phdr(annot_look_for_entry_, &entry);
  if (entry) return entry(joinpoint);
  /* No runtime: idle, unless one came and settled the slot meanwhile. */
  if (__atomic_compare_exchange_n(&joinpoint->hook, &hook, ANNOT_HOOK_IDLE, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return NULL;
  return (const annot_hook *)hook;
}

static inline __attribute__((unused)) const annot_hook *annot_hook_of_(annot_joinpoint *joinpoint) {
  const uintptr_t hook = __atomic_load_n(&joinpoint->hook, __ATOMIC_ACQUIRE);
  return hook == ANNOT_HOOK_UNRESOLVED ? annot_settle_(joinpoint) : (const annot_hook *)hook;
}

/* ---- Types ---- */

#if defined(__cplusplus)
#include "annot/joinpoint.hpp"
#else
/* The controlling expression is an lvalue, whose conversion drops qualifiers; pointers to functions, structs and
   so on are told apart by what the compiler says of their class. */
#define ANNOT_KIND_(type)                                                                              \
  __extension__ _Generic(*(type *)0, _Bool: ANNOT_TYPE_BOOL, char: ANNOT_KIND_OF_CHAR_,                  \
                         signed char: ANNOT_TYPE_SIGNED, short: ANNOT_TYPE_SIGNED, int: ANNOT_TYPE_SIGNED, \
                         long: ANNOT_TYPE_SIGNED, long long: ANNOT_TYPE_SIGNED,                          \
                         unsigned char: ANNOT_TYPE_UNSIGNED, unsigned short: ANNOT_TYPE_UNSIGNED,        \
                         unsigned: ANNOT_TYPE_UNSIGNED, unsigned long: ANNOT_TYPE_UNSIGNED,              \
                         unsigned long long: ANNOT_TYPE_UNSIGNED, float: ANNOT_TYPE_FLOAT,               \
                         double: ANNOT_TYPE_FLOAT, long double: ANNOT_TYPE_FLOAT,                        \
                         default: ANNOT_KIND_OF_CLASS_(__builtin_classify_type(*(type *)0)))
/* GCC, typeclass.h: 1 integer, 5 pointer, 8 real. */
#define ANNOT_KIND_OF_CLASS_(class)                                                        \
  ((class) == 5 ? ANNOT_TYPE_POINTER : (class) == 1 ? ANNOT_TYPE_SIGNED : (class) == 8 ? ANNOT_TYPE_FLOAT \
                                                                             : ANNOT_TYPE_OTHER)
#if defined(__CHAR_UNSIGNED__)
#define ANNOT_KIND_OF_CHAR_ ANNOT_TYPE_UNSIGNED
#else
#define ANNOT_KIND_OF_CHAR_ ANNOT_TYPE_SIGNED
#endif
#define ANNOT_ALIGNMENT_(type) __extension__ _Alignof(type)
#endif

/* ---- Parameter lists ---- */

/* How many parameters follow the selector. */
#define ANNOT_COUNT_(...) \
  ANNOT_COUNT_PICK_(__VA_ARGS__, MANY, MANY, MANY, MANY, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, ~)
#define ANNOT_COUNT_PICK_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, count, ...) count

/* m applied to each parameter and its index, with commas between; none() if there is no parameter. */
#define ANNOT_LIST_0_(m, none, sel) none()
#define ANNOT_LIST_1_(m, none, sel, p0) m(p0, 0)
#define ANNOT_LIST_2_(m, none, sel, p0, p1) m(p0, 0), m(p1, 1)
#define ANNOT_LIST_3_(m, none, sel, p0, p1, p2) m(p0, 0), m(p1, 1), m(p2, 2)
#define ANNOT_LIST_4_(m, none, sel, p0, p1, p2, p3) m(p0, 0), m(p1, 1), m(p2, 2), m(p3, 3)
#define ANNOT_LIST_5_(m, none, sel, p0, p1, p2, p3, p4) m(p0, 0), m(p1, 1), m(p2, 2), m(p3, 3), m(p4, 4)
#define ANNOT_LIST_6_(m, none, sel, p0, p1, p2, p3, p4, p5) \
  m(p0, 0), m(p1, 1), m(p2, 2), m(p3, 3), m(p4, 4), m(p5, 5)
#define ANNOT_LIST_7_(m, none, sel, p0, p1, p2, p3, p4, p5, p6) \
  m(p0, 0), m(p1, 1), m(p2, 2), m(p3, 3), m(p4, 4), m(p5, 5), m(p6, 6)
#define ANNOT_LIST_8_(m, none, sel, p0, p1, p2, p3, p4, p5, p6, p7) \
  m(p0, 0), m(p1, 1), m(p2, 2), m(p3, 3), m(p4, 4), m(p5, 5), m(p6, 6), m(p7, 7)
#define ANNOT_LIST_9_(m, none, sel, p0, p1, p2, p3, p4, p5, p6, p7, p8) \
  m(p0, 0), m(p1, 1), m(p2, 2), m(p3, 3), m(p4, 4), m(p5, 5), m(p6, 6), m(p7, 7), m(p8, 8)
#define ANNOT_LIST_10_(m, none, sel, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9) \
  m(p0, 0), m(p1, 1), m(p2, 2), m(p3, 3), m(p4, 4), m(p5, 5), m(p6, 6), m(p7, 7), m(p8, 8), m(p9, 9)
#define ANNOT_LIST_11_(m, none, sel, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10) \
  m(p0, 0), m(p1, 1), m(p2, 2), m(p3, 3), m(p4, 4), m(p5, 5), m(p6, 6), m(p7, 7), m(p8, 8), m(p9, 9), \
  m(p10, 10)
#define ANNOT_LIST_12_(m, none, sel, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11) \
  m(p0, 0), m(p1, 1), m(p2, 2), m(p3, 3), m(p4, 4), m(p5, 5), m(p6, 6), m(p7, 7), m(p8, 8), m(p9, 9), \
  m(p10, 10), m(p11, 11)
#define ANNOT_LIST_13_(m, none, sel, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12) \
  m(p0, 0), m(p1, 1), m(p2, 2), m(p3, 3), m(p4, 4), m(p5, 5), m(p6, 6), m(p7, 7), m(p8, 8), m(p9, 9), \
  m(p10, 10), m(p11, 11), m(p12, 12)
#define ANNOT_LIST_14_(m, none, sel, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13) \
  m(p0, 0), m(p1, 1), m(p2, 2), m(p3, 3), m(p4, 4), m(p5, 5), m(p6, 6), m(p7, 7), m(p8, 8), m(p9, 9), \
  m(p10, 10), m(p11, 11), m(p12, 12), m(p13, 13)
#define ANNOT_LIST_15_(m, none, sel, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14) \
  m(p0, 0), m(p1, 1), m(p2, 2), m(p3, 3), m(p4, 4), m(p5, 5), m(p6, 6), m(p7, 7), m(p8, 8), m(p9, 9), \
  m(p10, 10), m(p11, 11), m(p12, 12), m(p13, 13), m(p14, 14)
#define ANNOT_LIST_16_(m, none, sel, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15) \
  m(p0, 0), m(p1, 1), m(p2, 2), m(p3, 3), m(p4, 4), m(p5, 5), m(p6, 6), m(p7, 7), m(p8, 8), m(p9, 9), \
  m(p10, 10), m(p11, 11), m(p12, 12), m(p13, 13), m(p14, 14), m(p15, 15)
/* The same with semicolons, for checks. */
#define ANNOT_EACH_0_(m, sel)
#define ANNOT_EACH_1_(m, sel, p0) m(p0, 0)
#define ANNOT_EACH_2_(m, sel, p0, p1) m(p0, 0) m(p1, 1)
#define ANNOT_EACH_3_(m, sel, p0, p1, p2) m(p0, 0) m(p1, 1) m(p2, 2)
#define ANNOT_EACH_4_(m, sel, p0, p1, p2, p3) m(p0, 0) m(p1, 1) m(p2, 2) m(p3, 3)
#define ANNOT_EACH_5_(m, sel, p0, p1, p2, p3, p4) m(p0, 0) m(p1, 1) m(p2, 2) m(p3, 3) m(p4, 4)
#define ANNOT_EACH_6_(m, sel, p0, p1, p2, p3, p4, p5) m(p0, 0) m(p1, 1) m(p2, 2) m(p3, 3) m(p4, 4) m(p5, 5)
#define ANNOT_EACH_7_(m, sel, p0, p1, p2, p3, p4, p5, p6) \
  m(p0, 0) m(p1, 1) m(p2, 2) m(p3, 3) m(p4, 4) m(p5, 5) m(p6, 6)
#define ANNOT_EACH_8_(m, sel, p0, p1, p2, p3, p4, p5, p6, p7) \
  m(p0, 0) m(p1, 1) m(p2, 2) m(p3, 3) m(p4, 4) m(p5, 5) m(p6, 6) m(p7, 7)
#define ANNOT_EACH_9_(m, sel, p0, p1, p2, p3, p4, p5, p6, p7, p8) \
  m(p0, 0) m(p1, 1) m(p2, 2) m(p3, 3) m(p4, 4) m(p5, 5) m(p6, 6) m(p7, 7) m(p8, 8)
#define ANNOT_EACH_10_(m, sel, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9) \
  m(p0, 0) m(p1, 1) m(p2, 2) m(p3, 3) m(p4, 4) m(p5, 5) m(p6, 6) m(p7, 7) m(p8, 8) m(p9, 9)
#define ANNOT_EACH_11_(m, sel, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10) \
  m(p0, 0) m(p1, 1) m(p2, 2) m(p3, 3) m(p4, 4) m(p5, 5) m(p6, 6) m(p7, 7) m(p8, 8) m(p9, 9) m(p10, 10)
#define ANNOT_EACH_12_(m, sel, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11) \
  m(p0, 0) m(p1, 1) m(p2, 2) m(p3, 3) m(p4, 4) m(p5, 5) m(p6, 6) m(p7, 7) m(p8, 8) m(p9, 9) m(p10, 10) \
  m(p11, 11)
#define ANNOT_EACH_13_(m, sel, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12) \
  m(p0, 0) m(p1, 1) m(p2, 2) m(p3, 3) m(p4, 4) m(p5, 5) m(p6, 6) m(p7, 7) m(p8, 8) m(p9, 9) m(p10, 10) \
  m(p11, 11) m(p12, 12)
#define ANNOT_EACH_14_(m, sel, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13) \
  m(p0, 0) m(p1, 1) m(p2, 2) m(p3, 3) m(p4, 4) m(p5, 5) m(p6, 6) m(p7, 7) m(p8, 8) m(p9, 9) m(p10, 10) \
  m(p11, 11) m(p12, 12) m(p13, 13)
#define ANNOT_EACH_15_(m, sel, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14) \
  m(p0, 0) m(p1, 1) m(p2, 2) m(p3, 3) m(p4, 4) m(p5, 5) m(p6, 6) m(p7, 7) m(p8, 8) m(p9, 9) m(p10, 10) \
  m(p11, 11) m(p12, 12) m(p13, 13) m(p14, 14)
#define ANNOT_EACH_16_(m, sel, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15) \
  m(p0, 0) m(p1, 1) m(p2, 2) m(p3, 3) m(p4, 4) m(p5, 5) m(p6, 6) m(p7, 7) m(p8, 8) m(p9, 9) m(p10, 10) \
  m(p11, 11) m(p12, 12) m(p13, 13) m(p14, 14) m(p15, 15)
/* More than 16. */
#define ANNOT_LIST_MANY_(m, none, ...) none()
#define ANNOT_EACH_MANY_(m, ...) \
  ANNOT_ASSERT_(0, "annot: at most 16 parameters; put some into a struct");

#define ANNOT_LIST_(m, none, ...) ANNOT_PASTE_(ANNOT_PASTE_(ANNOT_LIST_, ANNOT_COUNT_(__VA_ARGS__)), _)(m, none, __VA_ARGS__)
#define ANNOT_EACH_(m, ...) ANNOT_PASTE_(ANNOT_PASTE_(ANNOT_EACH_, ANNOT_COUNT_(__VA_ARGS__)), _)(m, __VA_ARGS__)

#define ANNOT_FIRST_(...) ANNOT_FIRST_NOW_(__VA_ARGS__, ~)
#define ANNOT_FIRST_NOW_(first, ...) first

#define ANNOT_PARAMETER_TYPE_(type, name) type
#define ANNOT_PARAMETER_NAME_(type, name) name
#define ANNOT_PARAMETER_DECLARE_(type, name) type name
#define ANNOT_PARAMETER_INFO_(type, name) \
  { #name, ANNOT_TYPE_INFO_VALUE_(type) }

#define ANNOT_DECLARE_(parameter, index) ANNOT_PARAMETER_DECLARE_ parameter
#define ANNOT_NAME_OF_(parameter, index) ANNOT_PARAMETER_NAME_ parameter
#define ANNOT_ADDRESS_(parameter, index) ANNOT_ADDRESS_OF_(ANNOT_PARAMETER_NAME_ parameter)
#define ANNOT_UNPACK_(parameter, index) \
  ANNOT_UNPACK_AS_(ANNOT_PARAMETER_TYPE_ parameter, annot_arguments[index])
#define ANNOT_INFO_(parameter, index) ANNOT_PARAMETER_INFO_ parameter

/* ---- What C and C++ write differently ---- */

#if defined(__cplusplus)
#define ANNOT_PASS_(parameter, index) ANNOT_PARAMETER_PASS_ parameter
#define ANNOT_PARAMETER_PASS_(type, name) static_cast<annot_forward_<type>::forwarded>(name)
#define ANNOT_ADDRESS_OF_(name) \
  const_cast<void *>(static_cast<const volatile void *>(__builtin_addressof(name)))
#define ANNOT_UNPACK_AS_(type, address) annot_unpack_<type>::from(address)
#define ANNOT_TYPE_INFO_VALUE_(type) \
  { #type, annot_type_of_<type>::size, annot_type_of_<type>::alignment, annot_type_of_<type>::kind }
#define ANNOT_RESULT_INFO_VALUE_(type)                                       \
  { #type, annot_result_type_of_<type>::size, annot_result_type_of_<type>::alignment, \
    annot_result_type_of_<type>::kind }
#define ANNOT_INVOKE_VALUE_(type, call) annot_result_<type>::put(annot_result, call)
#define ANNOT_DISPATCH_VALUE_(type)                                         \
  annot_result_<type> annot_value;                                          \
  annot_hook_now->dispatch(annot_hook_now, annot_arguments, annot_value.bytes); \
  return annot_value.take()
#define ANNOT_NO_PARAMETERS_()
#else
#define ANNOT_PASS_(parameter, index) ANNOT_PARAMETER_NAME_ parameter
#define ANNOT_ADDRESS_OF_(name) (void *)(uintptr_t)&name
#define ANNOT_UNPACK_AS_(type, address) *(type *)(address)
#define ANNOT_TYPE_INFO_VALUE_(type) \
  { #type, (uint32_t)sizeof(type), (uint16_t)ANNOT_ALIGNMENT_(type), (uint16_t)ANNOT_KIND_(type) }
#define ANNOT_RESULT_INFO_VALUE_(type) ANNOT_TYPE_INFO_VALUE_(type)
#define ANNOT_INVOKE_VALUE_(type, call) *(type *)annot_result = call
#define ANNOT_DISPATCH_VALUE_(type)                                         \
  type annot_value;                                                         \
  annot_hook_now->dispatch(annot_hook_now, annot_arguments, &annot_value);   \
  return annot_value
#define ANNOT_NO_PARAMETERS_() void
#endif

/* ---- Results: VOID for `void`, VALUE for all else ---- */

/* Pasting sees the first token of the type, and the call that follows tells `void` from `void *`. */
#define ANNOT_RESULT_(result) ANNOT_SECOND_(ANNOT_IS_##result(~), VALUE, ~)
#define ANNOT_IS_void ANNOT_IS_VOID_
#define ANNOT_IS_VOID_(x) ~, VOID
#define ANNOT_SECOND_(...) ANNOT_SECOND_NOW_(__VA_ARGS__)
#define ANNOT_SECOND_NOW_(a, b, ...) b

#define ANNOT_RETURN_VOID_(call) \
  do {                           \
    call;                        \
    return;                      \
  } while (0)
#define ANNOT_RETURN_VALUE_(call) return call
#define ANNOT_RESULT_INFO_VOID_(type) \
  { "void", 0, 0, ANNOT_TYPE_VOID }
#define ANNOT_INVOKE_VOID_(type, call) \
  (void)annot_result;                  \
  call
#define ANNOT_DISPATCH_VOID_(type) annot_hook_now->dispatch(annot_hook_now, annot_arguments, NULL)

/* ---- Join points ---- */

/* The record. `more` is `,"static":true` or nothing. */
#define ANNOT_JOINPOINT_RECORD_(cls, sel, module, more)                                              \
  ANNOT_RECORD_(ANNOT_PIECE_("{\"kind\":\"joinpoint\"") ANNOT_TARGET_(cls, sel, module) more ANNOT_SOURCE_ \
                    ANNOT_PIECE_("}"))
#define ANNOT_STATIC_MEMBER_0_
#define ANNOT_STATIC_MEMBER_1_ ANNOT_PIECE_(",\"static\":true")

/* The pieces, by their names behind the function's: _impl is the user's code, always inlined; _invoke runs it from
   packed arguments; _info describes; _slot is the runtime's; _advised is out of line, so that its taking of
   addresses does not burden the plain path. The trailing null keeps the arrays from being empty. */
#define ANNOT_DEFINE_(...) ANNOT_DEFINE_NOW_(__VA_ARGS__)
#define ANNOT_DEFINE_NOW_(shape, type, function, cls, is_static, ...)                                          \
  type function(ANNOT_LIST_(ANNOT_DECLARE_, ANNOT_NO_PARAMETERS_, __VA_ARGS__));                                 \
  ANNOT_CHECK_NAME_(cls, "cls");                                                                               \
  ANNOT_CHECK_NAME_(ANNOT_STRING_(ANNOT_FIRST_(__VA_ARGS__)), "sel");                                          \
  ANNOT_EACH_(ANNOT_NOTHING_, __VA_ARGS__)                                                                     \
  ANNOT_JOINPOINT_RECORD_(cls, ANNOT_STRING_(ANNOT_FIRST_(__VA_ARGS__)), ANNOT_STRING_(ANNOT_MODULE_NAME),     \
                          ANNOT_STATIC_MEMBER_##is_static##_);                                                 \
  static inline __attribute__((always_inline)) type function##_annot_impl(                                     \
      ANNOT_LIST_(ANNOT_DECLARE_, ANNOT_NO_PARAMETERS_, __VA_ARGS__));                                         \
  static void function##_annot_invoke(void *const *annot_arguments, void *annot_result) {                      \
    (void)annot_arguments;                                                                                     \
    ANNOT_INVOKE_##shape##_(type, function##_annot_impl(ANNOT_LIST_(ANNOT_UNPACK_, ANNOT_EMPTY_, __VA_ARGS__)));           \
  }                                                                                                            \
  static const annot_joinpoint_info *function##_annot_info(void) {                                             \
    static const annot_parameter parameters[] = {ANNOT_LIST_(ANNOT_INFO_, ANNOT_NO_PARAMETER_INFO_, __VA_ARGS__)}; \
    static const annot_joinpoint_info info = {(uint32_t)sizeof(annot_joinpoint_info),                          \
                                              (is_static) ? ANNOT_JOINPOINT_STATIC : 0u,                       \
                                              ANNOT_STRING_(ANNOT_MODULE_NAME),                                \
                                              cls,                                                             \
                                              ANNOT_STRING_(ANNOT_FIRST_(__VA_ARGS__)),                        \
                                              ANNOT_INFO_FILE_,                                                \
                                              ANNOT_INFO_LINE_,                                                \
                                              ANNOT_COUNT_(__VA_ARGS__),                                       \
                                              parameters,                                                      \
                                              ANNOT_RESULT_INFO_##shape##_(type),                                \
                                              function##_annot_invoke};                                        \
    return &info;                                                                                              \
  }                                                                                                            \
  static annot_joinpoint function##_annot_slot __attribute__((                                                 \
      used, ANNOT_RETAIN_ aligned(sizeof(void *)), section(ANNOT_JOINPOINT_SECTION))) = {                      \
      (uint32_t)sizeof(annot_joinpoint), ANNOT_JOINPOINT_VERSION, ANNOT_HOOK_UNRESOLVED, function##_annot_info}; \
  static __attribute__((noinline, cold)) type function##_annot_advised(                                        \
      ANNOT_LIST_(ANNOT_DECLARE_, ANNOT_NO_PARAMETERS_, __VA_ARGS__)) {                                        \
    void *annot_arguments[] = {ANNOT_LIST_(ANNOT_ADDRESS_, ANNOT_NULL_, __VA_ARGS__)};                                \
    const annot_hook *annot_hook_now = annot_hook_of_(&function##_annot_slot);                                 \
    if (!annot_hook_now)                                                                                       \
      ANNOT_RETURN_##shape##_(function##_annot_impl(ANNOT_LIST_(ANNOT_PASS_, ANNOT_EMPTY_, __VA_ARGS__)));                 \
    ANNOT_DISPATCH_##shape##_(type);                                                                           \
  }                                                                                                            \
  type function(ANNOT_LIST_(ANNOT_DECLARE_, ANNOT_NO_PARAMETERS_, __VA_ARGS__)) {                              \
    if (__builtin_expect(__atomic_load_n(&function##_annot_slot.hook, __ATOMIC_RELAXED) == ANNOT_HOOK_IDLE, 1)) \
      ANNOT_RETURN_##shape##_(function##_annot_impl(ANNOT_LIST_(ANNOT_PASS_, ANNOT_EMPTY_, __VA_ARGS__)));                 \
    ANNOT_RETURN_##shape##_(function##_annot_advised(ANNOT_LIST_(ANNOT_PASS_, ANNOT_EMPTY_, __VA_ARGS__)));                \
  }                                                                                                            \
  static inline type function##_annot_impl(ANNOT_LIST_(ANNOT_DECLARE_, ANNOT_NO_PARAMETERS_, __VA_ARGS__))

#define ANNOT_NOTHING_(parameter, index)
#define ANNOT_EMPTY_()
#define ANNOT_NULL_() NULL
#define ANNOT_NO_PARAMETER_INFO_() \
  { NULL, { NULL, 0, 0, ANNOT_TYPE_VOID } }
#if defined(ANNOT_NO_SOURCE)
#define ANNOT_INFO_FILE_ NULL
#define ANNOT_INFO_LINE_ 0
#else
#define ANNOT_INFO_FILE_ __FILE__
#define ANNOT_INFO_LINE_ __LINE__
#endif

/// Defines a function that is a join point; the function's body follows.
///
///     ANNOT_METHOD(result, cls, sel, (type, name)…) { body }
///
/// The function is named `cls_sel`. A selector with colons needs ANNOT_METHOD_NAMED.
#define ANNOT_METHOD(result, cls, ...) \
  ANNOT_DEFINE_(ANNOT_RESULT_(result), result, ANNOT_FIRST_(cls##_##__VA_ARGS__), #cls, 0, __VA_ARGS__)

/// Defines a function named `function` that is the join point `sel` of `cls`; see ANNOT_METHOD.
#define ANNOT_METHOD_NAMED(result, function, cls, ...) \
  ANNOT_DEFINE_(ANNOT_RESULT_(result), result, function, #cls, 0, __VA_ARGS__)

/// Like ANNOT_METHOD, for what is a static (class) method in the caller's terms.
#define ANNOT_METHOD_STATIC(result, cls, ...) \
  ANNOT_DEFINE_(ANNOT_RESULT_(result), result, ANNOT_FIRST_(cls##_##__VA_ARGS__), #cls, 1, __VA_ARGS__)

/// Like ANNOT_METHOD_NAMED, for what is a static (class) method in the caller's terms.
#define ANNOT_METHOD_STATIC_NAMED(result, function, cls, ...) \
  ANNOT_DEFINE_(ANNOT_RESULT_(result), result, function, #cls, 1, __VA_ARGS__)

#endif
