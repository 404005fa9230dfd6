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
#define ANNOT_TEXT(key, literal) (annot_text, #key, ANNOT_SPELL_(literal))
/// A member whose value is a whole number: a decimal literal, or a macro that expands to one.
#define ANNOT_INT(key, number) (annot_int, #key, ANNOT_SPELL_(number))
/// A member whose value is a number: a decimal literal, or a macro that expands to one.
#define ANNOT_FLOAT(key, number) (annot_float, #key, ANNOT_SPELL_(number))
/// A member whose value is `true` or `false`.
#define ANNOT_BOOL(key, value) (annot_bool, #key, #value)

// The members every annotation of a place begins with.
#define ANNOT_TARGET_(cls, sel, module) \
  (annot_own, "cls", cls), (annot_own, "sel", sel), (annot_own, "module", module)

/// Leaves a record of any kind: `ANNOTATE(cache, ANNOT_NAME(cls, Router), ANNOT_INT(seconds, 60));`
///
/// - kind: a token; see docs/record-format.md for the kinds that have a meaning already.
/// - ...: up to 16 members, each by ANNOT_NAME, ANNOT_TEXT, ANNOT_INT, ANNOT_FLOAT or ANNOT_BOOL.
///
/// Goes at file or namespace scope, or inside a function. The file and line are added at the end.
#define ANNOTATE(kind, ...) \
  ANNOT_CHECK_KIND_(#kind) ANNOT_RECORD_(#kind, ANNOT_COUNT_(~, ##__VA_ARGS__), (__VA_ARGS__))

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
      (ANNOT_TARGET_(cls, sel, module), (annot_own, "event", event), \
       (ANNOT_CAT_(annot_names, ANNOT_ANY_(count)), "parameters", count, names)))

/// Says that a C class exists and what it derives from; ANNOTATE_ROOT_CLASS for one that derives from nothing.
///
/// - cls, base: C tags of this module (ANNOT_MODULE_NAME).
/// - ...: up to 13 further members.
#define ANNOTATE_CLASS(cls, base, ...) \
  ANNOT_RECORD_("class", ANNOT_COUNT_(~, ~, ~, ~, ##__VA_ARGS__), \
      ((annot_own, "cls", #cls), (annot_own, "base", #base), ANNOT_OWN_MODULE_, ##__VA_ARGS__))
#define ANNOTATE_ROOT_CLASS(cls, ...) \
  ANNOT_RECORD_("class", ANNOT_COUNT_(~, ~, ~, ##__VA_ARGS__), \
      ((annot_own, "cls", #cls), ANNOT_OWN_MODULE_, ##__VA_ARGS__))
#define ANNOT_OWN_MODULE_ (annot_own, "module", ANNOT_SPELL_(ANNOT_MODULE_NAME))

/// Says that a class is a module of the application, to be set up when it starts.
///
/// - cls, module: the class, as for ANNOTATE_NEEDLOGIN.
/// - ...: up to 14 further members, such as ANNOT_INT(level, 1) and ANNOT_INT(priority, 10).
#define ANNOTATE_MODULE(cls, module, ...) \
  ANNOT_RECORD_("module", ANNOT_COUNT_(~, ~, ~, ##__VA_ARGS__), \
      ((annot_own, "cls", #cls), (annot_own, "module", #module), ##__VA_ARGS__))

/// Says which class implements a service.
///
/// - protocol: the service's name.
/// - implementation: the class.
/// - ...: up to 14 further members, such as ANNOT_NAME(module, Shop) and ANNOT_BOOL(singleton, true).
#define ANNOTATE_SERVICE(protocol, implementation, ...) \
  ANNOT_RECORD_("service", ANNOT_COUNT_(~, ~, ~, ##__VA_ARGS__), \
      ((annot_own, "protocol", #protocol), (annot_own, "implementation", #implementation), ##__VA_ARGS__))

/// Declares a named value that can be changed while the program runs.
///
/// - name: one or several tokens: `cart.limit`.
/// - type: `bool`, `int`, `float` or `text`.
/// - initial: its default, written as ANNOT_BOOL, ANNOT_INT, ANNOT_FLOAT and ANNOT_TEXT take it.
/// - ...: for `int` and `float`, the least and the greatest value, or nothing.
#define ANNOTATE_TWEAK(name, type, initial, ...) \
  ANNOT_TWEAK_(#name, #type, ANNOT_CAT_(ANNOT_TWEAK_##type##_, ANNOT_COUNT_(~, ##__VA_ARGS__)), \
      #initial, ANNOT_SPELL_(initial), (__VA_ARGS__))
#define ANNOT_TWEAK_(name, type, form, raw, spelled, range) \
  ANNOT_CAT_(ANNOT_TWEAK_SOUND_, ANNOT_SECOND_(ANNOT_CAT_(ANNOT_PROBE_, form), 0, ~)) \
  (name, type, form, raw, spelled, range)
#define ANNOT_TWEAK_SOUND_0(name, type, form, raw, spelled, range) \
  ANNOT_ASSERT_(0, "annot: a tweak's type is bool or text, or int or float, which may be followed by min and max")
#define ANNOT_TWEAK_SOUND_1(name, type, form, raw, spelled, range) \
  ANNOT_RECORD_("tweak", 5, \
      ((annot_own, "name", name), (annot_word, "type", type), ANNOT_CALL_(form, (raw, spelled, range))))
// A form exists for each type and number of limits; its probe says so.
#define ANNOT_PROBE_ANNOT_TWEAK_bool_0 ~, 1
#define ANNOT_TWEAK_bool_0(raw, spelled, range) (annot_bool, "default", raw), ANNOT_NO_RANGE_
#define ANNOT_PROBE_ANNOT_TWEAK_text_0 ~, 1
#define ANNOT_TWEAK_text_0(raw, spelled, range) (annot_text, "default", spelled), ANNOT_NO_RANGE_
#define ANNOT_PROBE_ANNOT_TWEAK_int_0 ~, 1
#define ANNOT_TWEAK_int_0(raw, spelled, range) (annot_int, "default", spelled), ANNOT_NO_RANGE_
#define ANNOT_PROBE_ANNOT_TWEAK_int_2 ~, 1
#define ANNOT_TWEAK_int_2(raw, spelled, range) (annot_int, "default", spelled), ANNOT_INT_RANGE_ range
#define ANNOT_PROBE_ANNOT_TWEAK_float_0 ~, 1
#define ANNOT_TWEAK_float_0(raw, spelled, range) (annot_float, "default", spelled), ANNOT_NO_RANGE_
#define ANNOT_PROBE_ANNOT_TWEAK_float_2 ~, 1
#define ANNOT_TWEAK_float_2(raw, spelled, range) (annot_float, "default", spelled), ANNOT_FLOAT_RANGE_ range
#define ANNOT_NO_RANGE_ (annot_none, "no min", ""), (annot_none, "no max", "")
#define ANNOT_INT_RANGE_(least, greatest) \
  (annot_int, "min", ANNOT_SPELL_(least)), (annot_int, "max", ANNOT_SPELL_(greatest))
#define ANNOT_FLOAT_RANGE_(least, greatest) \
  (annot_float, "min", ANNOT_SPELL_(least)), (annot_float, "max", ANNOT_SPELL_(greatest))

#endif
