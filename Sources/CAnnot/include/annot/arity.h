/// Counts the arguments of a variadic macro and applies a macro to each of them, for 0 to 16 arguments.
///
/// The preprocessor has no loops: each count has its own line. A macro cannot expand inside itself, so lists
/// inside lists use the second family, ANNOT_INNER_.
#ifndef ANNOT_ARITY_H
#define ANNOT_ARITY_H

#define ANNOT_CAT_(a, b) ANNOT_CAT2_(a, b)
#define ANNOT_CAT2_(a, b) a##b
#define ANNOT_CALL_(macro, arguments) macro arguments
#define ANNOT_CALL_INNER_(macro, arguments) macro arguments
#define ANNOT_UNWRAP_(...) __VA_ARGS__

// Choosing by presence: a probe expands to two arguments, anything else stays one.
#define ANNOT_SECOND_(...) ANNOT_SECOND2_(__VA_ARGS__)
#define ANNOT_SECOND2_(first, second, ...) second

/// 1 when something is in parentheses, else 0.
#define ANNOT_IS_WRAPPED_(element) ANNOT_SECOND_(ANNOT_WRAPPED_PROBE_ element, 0, ~)
#define ANNOT_WRAPPED_PROBE_(...) ~, 1

/// How many arguments follow the first: 0 to 16, or annot_many (up to 64).
#define ANNOT_COUNT_(...) ANNOT_COUNT2_(__VA_ARGS__, \
    annot_many, annot_many, annot_many, annot_many, annot_many, annot_many, \
    annot_many, annot_many, annot_many, annot_many, annot_many, annot_many, \
    annot_many, annot_many, annot_many, annot_many, annot_many, annot_many, \
    annot_many, annot_many, annot_many, annot_many, annot_many, annot_many, \
    annot_many, annot_many, annot_many, annot_many, annot_many, annot_many, \
    annot_many, annot_many, annot_many, annot_many, annot_many, annot_many, \
    annot_many, annot_many, annot_many, annot_many, annot_many, annot_many, \
    annot_many, annot_many, annot_many, annot_many, annot_many, annot_many, \
    16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, ~)
#define ANNOT_COUNT2_(self, \
    a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, \
    a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, \
    a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, \
    a36, a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, \
    a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58, a59, \
    a60, a61, a62, a63, count, ...) count

/// Expands macro(context, index, element) for each element of the list, with nothing between.
#define ANNOT_EACH_(count, macro, context, list) \
  ANNOT_CALL_(ANNOT_CAT_(ANNOT_EACH_, count), (macro, context, ANNOT_UNWRAP_ list))
/// The same, with commas between.
#define ANNOT_LIST_(count, macro, context, list) \
  ANNOT_CALL_(ANNOT_CAT_(ANNOT_LIST_, count), (macro, context, ANNOT_UNWRAP_ list))
/// ANNOT_EACH_ for use inside a macro that ANNOT_EACH_ applies.
#define ANNOT_INNER_(count, macro, context, list) \
  ANNOT_CALL_INNER_(ANNOT_CAT_(ANNOT_INNER_, count), (macro, context, ANNOT_UNWRAP_ list))

#define ANNOT_EACH_annot_many(m, x, ...)
#define ANNOT_EACH_0(m, x, ...)
#define ANNOT_EACH_1(m, x, a0) m(x, 0, a0)
#define ANNOT_EACH_2(m, x, a0, a1) \
  ANNOT_EACH_1(m, x, a0) m(x, 1, a1)
#define ANNOT_EACH_3(m, x, a0, a1, a2) \
  ANNOT_EACH_2(m, x, a0, a1) m(x, 2, a2)
#define ANNOT_EACH_4(m, x, a0, a1, a2, a3) \
  ANNOT_EACH_3(m, x, a0, a1, a2) m(x, 3, a3)
#define ANNOT_EACH_5(m, x, a0, a1, a2, a3, a4) \
  ANNOT_EACH_4(m, x, a0, a1, a2, a3) m(x, 4, a4)
#define ANNOT_EACH_6(m, x, a0, a1, a2, a3, a4, a5) \
  ANNOT_EACH_5(m, x, a0, a1, a2, a3, a4) m(x, 5, a5)
#define ANNOT_EACH_7(m, x, a0, a1, a2, a3, a4, a5, a6) \
  ANNOT_EACH_6(m, x, a0, a1, a2, a3, a4, a5) m(x, 6, a6)
#define ANNOT_EACH_8(m, x, a0, a1, a2, a3, a4, a5, a6, a7) \
  ANNOT_EACH_7(m, x, a0, a1, a2, a3, a4, a5, a6) m(x, 7, a7)
#define ANNOT_EACH_9(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8) \
  ANNOT_EACH_8(m, x, a0, a1, a2, a3, a4, a5, a6, a7) m(x, 8, a8)
#define ANNOT_EACH_10(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
  ANNOT_EACH_9(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8) m(x, 9, a9)
#define ANNOT_EACH_11(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
  ANNOT_EACH_10(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) m(x, 10, a10)
#define ANNOT_EACH_12(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
  ANNOT_EACH_11(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) m(x, 11, a11)
#define ANNOT_EACH_13(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
  ANNOT_EACH_12(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) m(x, 12, a12)
#define ANNOT_EACH_14(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13) \
  ANNOT_EACH_13(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) m(x, 13, a13)
#define ANNOT_EACH_15(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14) \
  ANNOT_EACH_14(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13) m(x, 14, a14)
#define ANNOT_EACH_16(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15) \
  ANNOT_EACH_15(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14) m(x, 15, a15)

#define ANNOT_LIST_annot_many(m, x, ...)
#define ANNOT_LIST_0(m, x, ...)
#define ANNOT_LIST_1(m, x, a0) m(x, 0, a0)
#define ANNOT_LIST_2(m, x, a0, a1) \
  ANNOT_LIST_1(m, x, a0), m(x, 1, a1)
#define ANNOT_LIST_3(m, x, a0, a1, a2) \
  ANNOT_LIST_2(m, x, a0, a1), m(x, 2, a2)
#define ANNOT_LIST_4(m, x, a0, a1, a2, a3) \
  ANNOT_LIST_3(m, x, a0, a1, a2), m(x, 3, a3)
#define ANNOT_LIST_5(m, x, a0, a1, a2, a3, a4) \
  ANNOT_LIST_4(m, x, a0, a1, a2, a3), m(x, 4, a4)
#define ANNOT_LIST_6(m, x, a0, a1, a2, a3, a4, a5) \
  ANNOT_LIST_5(m, x, a0, a1, a2, a3, a4), m(x, 5, a5)
#define ANNOT_LIST_7(m, x, a0, a1, a2, a3, a4, a5, a6) \
  ANNOT_LIST_6(m, x, a0, a1, a2, a3, a4, a5), m(x, 6, a6)
#define ANNOT_LIST_8(m, x, a0, a1, a2, a3, a4, a5, a6, a7) \
  ANNOT_LIST_7(m, x, a0, a1, a2, a3, a4, a5, a6), m(x, 7, a7)
#define ANNOT_LIST_9(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8) \
  ANNOT_LIST_8(m, x, a0, a1, a2, a3, a4, a5, a6, a7), m(x, 8, a8)
#define ANNOT_LIST_10(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
  ANNOT_LIST_9(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8), m(x, 9, a9)
#define ANNOT_LIST_11(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
  ANNOT_LIST_10(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9), m(x, 10, a10)
#define ANNOT_LIST_12(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
  ANNOT_LIST_11(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10), m(x, 11, a11)
#define ANNOT_LIST_13(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
  ANNOT_LIST_12(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11), m(x, 12, a12)
#define ANNOT_LIST_14(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13) \
  ANNOT_LIST_13(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12), m(x, 13, a13)
#define ANNOT_LIST_15(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14) \
  ANNOT_LIST_14(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13), m(x, 14, a14)
#define ANNOT_LIST_16(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15) \
  ANNOT_LIST_15(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14), m(x, 15, a15)

#define ANNOT_INNER_annot_many(m, x, ...)
#define ANNOT_INNER_0(m, x, ...)
#define ANNOT_INNER_1(m, x, a0) m(x, 0, a0)
#define ANNOT_INNER_2(m, x, a0, a1) \
  ANNOT_INNER_1(m, x, a0) m(x, 1, a1)
#define ANNOT_INNER_3(m, x, a0, a1, a2) \
  ANNOT_INNER_2(m, x, a0, a1) m(x, 2, a2)
#define ANNOT_INNER_4(m, x, a0, a1, a2, a3) \
  ANNOT_INNER_3(m, x, a0, a1, a2) m(x, 3, a3)
#define ANNOT_INNER_5(m, x, a0, a1, a2, a3, a4) \
  ANNOT_INNER_4(m, x, a0, a1, a2, a3) m(x, 4, a4)
#define ANNOT_INNER_6(m, x, a0, a1, a2, a3, a4, a5) \
  ANNOT_INNER_5(m, x, a0, a1, a2, a3, a4) m(x, 5, a5)
#define ANNOT_INNER_7(m, x, a0, a1, a2, a3, a4, a5, a6) \
  ANNOT_INNER_6(m, x, a0, a1, a2, a3, a4, a5) m(x, 6, a6)
#define ANNOT_INNER_8(m, x, a0, a1, a2, a3, a4, a5, a6, a7) \
  ANNOT_INNER_7(m, x, a0, a1, a2, a3, a4, a5, a6) m(x, 7, a7)
#define ANNOT_INNER_9(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8) \
  ANNOT_INNER_8(m, x, a0, a1, a2, a3, a4, a5, a6, a7) m(x, 8, a8)
#define ANNOT_INNER_10(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
  ANNOT_INNER_9(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8) m(x, 9, a9)
#define ANNOT_INNER_11(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
  ANNOT_INNER_10(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) m(x, 10, a10)
#define ANNOT_INNER_12(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
  ANNOT_INNER_11(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) m(x, 11, a11)
#define ANNOT_INNER_13(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
  ANNOT_INNER_12(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) m(x, 12, a12)
#define ANNOT_INNER_14(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13) \
  ANNOT_INNER_13(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) m(x, 13, a13)
#define ANNOT_INNER_15(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14) \
  ANNOT_INNER_14(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13) m(x, 14, a14)
#define ANNOT_INNER_16(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15) \
  ANNOT_INNER_15(m, x, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14) m(x, 15, a15)

/// 0 for a count of 0, else 1.
#define ANNOT_ANY_(count) ANNOT_CAT_(ANNOT_ANY_, count)
#define ANNOT_ANY_annot_many 1
#define ANNOT_ANY_0 0
#define ANNOT_ANY_1 1
#define ANNOT_ANY_2 1
#define ANNOT_ANY_3 1
#define ANNOT_ANY_4 1
#define ANNOT_ANY_5 1
#define ANNOT_ANY_6 1
#define ANNOT_ANY_7 1
#define ANNOT_ANY_8 1
#define ANNOT_ANY_9 1
#define ANNOT_ANY_10 1
#define ANNOT_ANY_11 1
#define ANNOT_ANY_12 1
#define ANNOT_ANY_13 1
#define ANNOT_ANY_14 1
#define ANNOT_ANY_15 1
#define ANNOT_ANY_16 1

#endif
