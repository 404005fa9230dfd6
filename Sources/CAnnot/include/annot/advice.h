/// Advice on join points, in C: before, around and after.
///
/// Advice names its target and applies to every join point of that name, those of images loaded later
/// included, from their first call on. All functions are thread-safe, and may be called from advice.
///
/// At one join point, advice of higher precedence encloses advice of lower precedence. Among equals, before
/// advice runs first in the order of registration, around advice nests in that order, the first outermost,
/// and after advice runs last, in reverse order. A call keeps the advice it started with.
#ifndef ANNOT_ADVICE_H
#define ANNOT_ADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "annot/error.h"
#include "annot/layout.h"

ANNOT_BEGIN_DECLS

/// When advice runs, in relation to the original code.
typedef enum annot_position {
  ANNOT_BEFORE = 1,  ///< before it
  ANNOT_AROUND = 2,  ///< in its place; may proceed to it
  ANNOT_AFTER = 3,   ///< after it, whether or not it ran
} annot_position;

/// One call of an advised join point, as its advice sees it; valid until that advice returns.
typedef struct annot_invocation annot_invocation;

/// A call set aside: it owns copies of its arguments and may proceed later, once, on any thread.
typedef struct annot_deferred annot_deferred;

/// annot_advice.options: the advice runs for one call and is then removed.
#define ANNOT_ADVICE_ONCE 1u
/// annot_advice.options: the advice may wait for images whose calls a shim (ANNOT_SHIM) can catch. Without it, advice
/// on shims alone that catches no call of the images now loaded is refused.
#define ANNOT_ADVICE_MAY_WAIT 256u

/// What to run, where and when.
typedef struct annot_advice {
  const char *module;  ///< null for any
  const char *cls;
  const char *sel;  ///< any spelling that annot_selector_matches takes
  annot_position position;
  int32_t precedence;  ///< higher encloses lower; 0 is usual
  uint32_t options;    ///< ANNOT_ADVICE_ flags
  void (*function)(annot_invocation *invocation, void *context);
  void *context;  ///< handed to `function`
  /// Called with `context` once the advice is removed and its last call has ended; may be null.
  void (*release)(void *context);
} annot_advice;

/// Names one registration; 0 names none.
typedef uint64_t annot_advice_id;

/// Adds advice.
///
/// - advice: copied, strings included.
/// - error: says why 0 was returned; may be null. Then `release` has not been called and never will be.
/// - Returns the registration's id. A join point need not exist yet: see annot_advice_reach. What it catches of the
///   calls of a shim's function tells annot_advice_shim_report (annot/shim_report.h).
/// - Refuses, with ANNOT_ERROR_UNREACHABLE, advice on shims that catch no call: see ANNOT_ADVICE_MAY_WAIT.
ANNOT_API annot_advice_id annot_advise(const annot_advice *advice, annot_error *error);

/// Removes advice.
///
/// Calls that run now end with it. Returns false when it was removed before, or never was.
ANNOT_API bool annot_unadvise(annot_advice_id id);

/// How many join points of the loaded images the advice applies to; 0 while it waits for one.
ANNOT_API size_t annot_advice_reach(annot_advice_id id);

/// What is known of the invocation's join point; never null.
ANNOT_API const annot_joinpoint_info *annot_invocation_info(const annot_invocation *invocation);

/// The address of argument `index`, to read or replace; null when there is no such argument.
ANNOT_API void *annot_invocation_argument(annot_invocation *invocation, size_t index);

/// The address of the result, to read or replace; null when the join point returns nothing.
///
/// Its bytes are zero until the original code or an advice sets it. A C++ object or reference
/// (ANNOT_TYPE_NONTRIVIAL, ANNOT_TYPE_REFERENCE) does not exist before the original code has run: advice that
/// does not proceed must construct one there.
ANNOT_API void *annot_invocation_result(annot_invocation *invocation);

/// Runs what this around advice encloses: further advice, then the original code.
///
/// May be called any number of times. Returns false, and does nothing, outside around advice.
ANNOT_API bool annot_invocation_proceed(annot_invocation *invocation);

/// Sets the call aside, to proceed later from this around advice on.
///
/// Arguments are copied by their size, and text where the parameter is declared annot_string; what another
/// pointer among them points to stays the caller's. The join
/// point's shared object stays loaded until the deferred call is freed.
/// Returns null outside around advice, when an argument cannot be copied bytewise (a C++ object with a copy
/// constructor), or when memory runs out; `error`, if not null, says which.
ANNOT_API annot_deferred *annot_invocation_defer(annot_invocation *invocation, annot_error *error);

/// What is known of the deferred call's join point; never null.
ANNOT_API const annot_joinpoint_info *annot_deferred_info(const annot_deferred *deferred);

/// The address of the deferred call's copy of argument `index`; null when there is no such argument.
ANNOT_API void *annot_deferred_argument(annot_deferred *deferred, size_t index);

/// The address of the deferred call's result, zero until it has proceeded; null when there is none.
ANNOT_API void *annot_deferred_result(annot_deferred *deferred);

/// Lets the deferred call proceed on the calling thread.
///
/// Returns false, and does nothing, when it has been told to proceed before.
ANNOT_API bool annot_deferred_proceed(annot_deferred *deferred);

/// Frees a deferred call, whether it proceeded or not; null is allowed.
ANNOT_API void annot_deferred_free(annot_deferred *deferred);

ANNOT_END_DECLS

#endif
