/// The annotation macros themselves; include annot.h.
///
/// They take any number of further members, none as well. ISO C and C++ before 2020 let compilers object to
/// an empty `...`; gcc and clang do not where the macro comes from a system header, hence the pragma and
/// this file of its own.
#ifndef ANNOT_KINDS_H
#define ANNOT_KINDS_H

#if defined(__clang__)
#pragma clang system_header
#else
#pragma GCC system_header
#endif

#include "annot/emission.h"

/// A member whose value is a name: `ANNOT_NAME(handler, openPage)` writes `"handler":"openPage"`.
#define ANNOT_NAME(key, token) (annot_name, #key, #token)
/// A member whose value is text: one plain string literal, or a macro that expands to one.
#define ANNOT_TEXT(key, literal) ANNOT_TEXT_TUPLE_(#key, literal)
/// A member whose value is a whole number: a decimal literal, or a macro that expands to one.
#define ANNOT_INT(key, number) (annot_int, #key, ANNOT_SPELL_(number))
/// A member whose value is a number: a decimal literal, or a macro that expands to one.
#define ANNOT_FLOAT(key, number) (annot_float, #key, ANNOT_SPELL_(number))
/// A member whose value is `true` or `false`.
#define ANNOT_BOOL(key, value) (annot_bool, #key, #value)

// The members every annotation of a place begins with.
#define ANNOT_TARGET_(cls, sel, module) \
  (annot_name, "cls", cls), (annot_name, "sel", sel), (annot_name, "module", module)
#define ANNOT_TEXT_TUPLE_(key, literal) (annot_text, key, #literal, literal)

/// Leaves a record of any kind: `ANNOTATE(cache, ANNOT_NAME(cls, Router), ANNOT_INT(seconds, 60));`
///
/// - kind: a token; see docs/record-format.md for the kinds that have a meaning already.
/// - ...: up to 16 members, each by ANNOT_NAME, ANNOT_TEXT, ANNOT_INT, ANNOT_FLOAT or ANNOT_BOOL.
///
/// Goes at file or namespace scope, or inside a function. The file and line are added at the end.
#define ANNOTATE(kind, ...) ANNOT_RECORD_(#kind, ANNOT_COUNT_(~, ##__VA_ARGS__), (__VA_ARGS__))

/// Says that a method may only run for a user who is logged in.
///
/// - cls: the class: a C tag, C++ qualified name or Swift type.
/// - sel: the method, in any spelling: `transfer`, `transfer:to:` or `transfer(_:to:)`.
/// - module: the Swift module, or `C`.
/// - ...: up to 13 further members.
#define ANNOTATE_NEEDLOGIN(cls, sel, module, ...) \
  ANNOT_RECORD_("needlogin", ANNOT_COUNT_(~, ~, ~, ~, ##__VA_ARGS__), \
      (ANNOT_TARGET_(#cls, #sel, #module), ##__VA_ARGS__))

/// Says that calls of a method are an event worth tracking.
///
/// - cls, sel, module: the method, as for ANNOTATE_NEEDLOGIN.
/// - event: the event's identifier, a token or several: `order.paid`.
/// - ...: the names of up to 16 parameters whose values go with the event.
#define ANNOTATE_TRACK(cls, sel, module, event, ...) \
  ANNOT_TRACK_(#cls, #sel, #module, #event, ANNOT_COUNT_(~, ##__VA_ARGS__), (__VA_ARGS__))
#define ANNOT_TRACK_(cls, sel, module, event, count, names) \
  ANNOT_RECORD_("track", 5, \
      (ANNOT_TARGET_(cls, sel, module), (annot_name, "event", event), \
       (ANNOT_CAT_(annot_names, ANNOT_ANY_(count)), "parameters", count, names)))

#endif
