/// The join-point macros themselves; include annot/joinpoint.h. In a file of its own for the reason that
/// annot/kinds.h tells.
#ifndef ANNOT_METHOD_H
#define ANNOT_METHOD_H

#if defined(__clang__)
#pragma clang system_header
#else
#pragma GCC system_header
#endif

#include "annot/definition.h"

/// Defines a function that can be advised, as the method `sel` of the class `cls`:
///
///     ANNOT_METHOD(bool, Account, transfer, (Account *, self), (int64_t, cents)) {
///       return self->balance >= cents;
///     }
///
/// defines `bool Account_transfer(Account *self, int64_t cents)`.
///
/// - ret: the result's type, or `void`.
/// - cls, sel: the names that annotations and pointcuts use; the function is named `cls_sel`. When that is no
///   C name, as with colons in `sel`, use ANNOT_METHOD_NAMED.
/// - ...: 0 to 16 parameters, each `(type, name)`. A type that is not just words and stars in front of the
///   name (a function pointer, a C++ type with a comma) needs a typedef, as does an array's: write a pointer.
///
/// `static`, `extern "C"` or an attribute in front goes to the function. In the body, `__func__` is the name
/// of an inner function. For `...`, let a variadic function call a method with a `va_list` parameter.
/// The body is inlined in two places; one that cannot be (it calls setjmp, or takes labels' addresses) goes
/// into a function that the method calls.
#define ANNOT_METHOD(ret, cls, sel, ...) \
  ANNOT_DEFINE_(ANNOT_DEFAULT_NAME_, ret, cls##_##sel, #cls, #sel, 0, \
      ANNOT_COUNT_(~, ##__VA_ARGS__), (__VA_ARGS__))

/// ANNOT_METHOD with the function's name given:
/// `ANNOT_METHOD_NAMED(void, account_move, Account, transfer:to:, (Account *, self)) { … }`.
#define ANNOT_METHOD_NAMED(ret, function, cls, sel, ...) \
  ANNOT_DEFINE_(ANNOT_GIVEN_NAME_, ret, function, #cls, #sel, 0, \
      ANNOT_COUNT_(~, ##__VA_ARGS__), (__VA_ARGS__))

/// ANNOT_METHOD for a method of the class, not of an instance: its record says `"static":true`.
#define ANNOT_METHOD_STATIC(ret, cls, sel, ...) \
  ANNOT_DEFINE_(ANNOT_DEFAULT_NAME_, ret, cls##_##sel, #cls, #sel, 1, \
      ANNOT_COUNT_(~, ##__VA_ARGS__), (__VA_ARGS__))

/// ANNOT_METHOD_NAMED for a method of the class, not of an instance.
#define ANNOT_METHOD_STATIC_NAMED(ret, function, cls, sel, ...) \
  ANNOT_DEFINE_(ANNOT_GIVEN_NAME_, ret, function, #cls, #sel, 1, \
      ANNOT_COUNT_(~, ##__VA_ARGS__), (__VA_ARGS__))

/// Declares in a header what ANNOT_METHOD defines, without the `;`. A plain prototype does the same.
#define ANNOT_METHOD_DECLARE(ret, cls, sel, ...) \
  ANNOT_DECLARE_(ret, cls##_##sel, ANNOT_COUNT_(~, ##__VA_ARGS__), (__VA_ARGS__))

#endif
