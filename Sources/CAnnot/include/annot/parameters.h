/// Looks at ANNOT_METHOD's parameters, tuples (type, name), and spells them the ways a definition needs.
#ifndef ANNOT_PARAMETERS_H
#define ANNOT_PARAMETERS_H

#include "annot/arity.h"
#include "annot/checks.h"

/// 1 when a type is `void`, else 0.
#define ANNOT_IS_VOID_(type) ANNOT_SECOND_(ANNOT_VOID_PROBE_##type(), 0, ~)
#define ANNOT_VOID_PROBE_void() ~, 1

/// 1 when something is in parentheses and holds two elements, the second not empty; else 0.
#define ANNOT_IS_PAIR_(element) \
  ANNOT_CALL_PAIR_(ANNOT_CAT_(ANNOT_IS_PAIR_, ANNOT_IS_WRAPPED_(element)), (element))
#define ANNOT_CALL_PAIR_(macro, arguments) macro arguments
#define ANNOT_IS_PAIR_0(element) 0
#define ANNOT_IS_PAIR_1(element) ANNOT_CAT_(ANNOT_IS_NAMED_, ANNOT_IS_TWO_ element)(element)
#define ANNOT_IS_NAMED_0(element) 0
#define ANNOT_IS_NAMED_1(element) ANNOT_IS_NAMED_ element
#define ANNOT_IS_NAMED_(type, name) ANNOT_SECOND_(ANNOT_UNNAMED_PROBE_##name, 1, ~)
#define ANNOT_UNNAMED_PROBE_ ~, 0
#define ANNOT_IS_TWO_(...) ANNOT_IS_TWO2_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 1, 0, ~)
#define ANNOT_IS_TWO2_(a, b, c, d, e, f, g, h, two, ...) two

/// good when all parameters are pairs, bad when not, many when there are more than 16.
#define ANNOT_JUDGE_(count, list) ANNOT_CAT_(ANNOT_JUDGE_, count)(count, list)
#define ANNOT_JUDGE_0 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_1 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_2 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_3 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_4 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_5 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_6 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_7 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_8 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_9 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_10 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_11 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_12 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_13 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_14 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_15 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_16 ANNOT_JUDGE_EACH_
#define ANNOT_JUDGE_annot_many(count, list) many
#define ANNOT_JUDGE_EACH_(count, list) \
  ANNOT_SECOND_(~ ANNOT_EACH_(count, ANNOT_JUDGE_ONE_, ~, list), good, ~)
#define ANNOT_JUDGE_ONE_(context, index, parameter) \
  ANNOT_CAT_(ANNOT_JUDGE_ONE_, ANNOT_IS_PAIR_(parameter))
#define ANNOT_JUDGE_ONE_0 , bad
#define ANNOT_JUDGE_ONE_1

/// The parameters as a declaration has them: `int a, char *b`, or `void`.
#define ANNOT_DECLARED_(count, list) ANNOT_CAT_(ANNOT_DECLARED_, ANNOT_ANY_(count))(count, list)
#define ANNOT_DECLARED_0(count, list) void
#define ANNOT_DECLARED_1(count, list) ANNOT_LIST_(count, ANNOT_DECLARE_ONE_, ~, list)
#define ANNOT_DECLARE_ONE_(context, index, pair) ANNOT_DECLARE_PAIR_ pair
#define ANNOT_DECLARE_PAIR_(type, name) type name

/// The parameters as a call passes them on; C++ moves values.
#define ANNOT_PASSED_(count, list) ANNOT_LIST_(count, ANNOT_PASS_ONE_, ~, list)
#define ANNOT_PASS_ONE_(context, index, pair) ANNOT_PASS_PAIR_ pair

/// The parameters' addresses, with a null behind them so that the array is never empty.
#define ANNOT_ADDRESSES_(count, list) ANNOT_EACH_(count, ANNOT_ADDRESS_ONE_, ~, list) ANNOT_NULL_
#define ANNOT_ADDRESS_ONE_(context, index, pair) ANNOT_ADDRESS_PAIR_ pair

/// The arguments read back from `annot_arguments`.
#define ANNOT_UNPACKED_(count, list) ANNOT_LIST_(count, ANNOT_UNPACK_ONE_, ~, list)
#define ANNOT_UNPACK_ONE_(context, index, pair) \
  ANNOT_CALL_UNPACK_(ANNOT_UNPACK_PAIR_, (index, ANNOT_UNWRAP_ pair))
#define ANNOT_CALL_UNPACK_(macro, arguments) macro arguments

/// The parameters' descriptions (annot_parameter), with an empty one behind them.
#define ANNOT_DESCRIPTIONS_(count, list) \
  ANNOT_EACH_(count, ANNOT_DESCRIBE_ONE_, ~, list) { ANNOT_NULL_, {ANNOT_NULL_, 0, 0, 0} }
#define ANNOT_DESCRIBE_ONE_(context, index, pair) ANNOT_DESCRIBE_PAIR_ pair
#define ANNOT_DESCRIBE_PAIR_(type, name) {#name, ANNOT_TYPE_(#type, type)},
#define ANNOT_TYPE_(text, type) \
  { text, ANNOT_SIZE_OF_(type), ANNOT_ALIGNMENT_OF_(type), ANNOT_KIND_OF_(type) }

/// The static assertions about parameters inside their function.
#define ANNOT_CHECK_PARAMETERS_(count, list) ANNOT_EACH_(count, ANNOT_CHECK_PARAMETER_ONE_, ~, list)
#define ANNOT_CHECK_PARAMETER_ONE_(context, index, pair) ANNOT_CHECK_PARAMETER_PAIR_ pair
#define ANNOT_CHECK_PARAMETER_PAIR_(type, name) \
  ANNOT_ASSERT_(ANNOT_HAS_TYPE_(name, type), \
      "annot: a parameter's type cannot be an array's; write a pointer: (" #type " *, " #name ")");

#ifdef __cplusplus
#define ANNOT_NULL_ nullptr
#define ANNOT_PASS_PAIR_(type, name) static_cast<::annot_detail::forwarded<type>::reference>(name)
#define ANNOT_ADDRESS_PAIR_(type, name) ::annot_detail::address(name),
#define ANNOT_UNPACK_PAIR_(index, type, name) ::annot_detail::argument<type>(annot_arguments[index])
#else
#define ANNOT_NULL_ 0
#define ANNOT_PASS_PAIR_(type, name) name
#define ANNOT_ADDRESS_PAIR_(type, name) (void *)(uintptr_t)&name,
#define ANNOT_UNPACK_PAIR_(index, type, name) *(type *)annot_arguments[index]
#endif

#endif
