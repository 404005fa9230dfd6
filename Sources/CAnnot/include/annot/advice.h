/// Advice on join points, in C: before, around and after.
///
/// Advice names its target and applies to every join point of that name, those of images loaded later
/// included, from their first call on. All functions are thread-safe, and may be called from advice.
///
/// At one join point, advice of higher precedence encloses advice of lower precedence. Among equals, before
/// advice runs first in the order of registration, around advice nests in that order, the first outermost,
/// and after advice of all three kinds runs last, in reverse order. A call keeps the advice it started with.
///
/// An exception reaches the caller as it is. Where join points were compiled with exceptions, after advice runs on
/// its way, around advice may catch it from annot_invocation_proceed, and advice may throw.
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
  ANNOT_AFTER = 3,   ///< after it, whether or not it ran, returned or threw ("finally")
  ANNOT_AFTER_RETURNING = 4,  ///< after it, unless it threw
  /// After it threw. Runs at join points whose code was compiled with exceptions: C++, and C by -fexceptions.
  ANNOT_AFTER_THROWING = 5,
} annot_position;

/// One call of an advised join point, as its advice sees it; valid until that advice returns.
typedef struct annot_invocation annot_invocation;

/// A call set aside: it owns copies of its arguments and may proceed later, once, on any thread.
typedef struct annot_deferred annot_deferred;

/// annot_advice.options: the advice runs for one call and is then removed.
#define ANNOT_ADVICE_ONCE 1u
/// annot_advice.options: the bits that mean nothing here and are a language binding's own.
#define ANNOT_ADVICE_BINDING_MASK 0xff000000u
/// annot_advice.options: `*` in the names is a character like any other.
#define ANNOT_ADVICE_EXACT 4u
/// annot_advice.options: the advice may wait for images whose calls a shim (ANNOT_SHIM) can catch. Without it, advice
/// on shims alone that catches no call of the images now loaded is refused.
#define ANNOT_ADVICE_MAY_WAIT 256u

/// What to run, where and when. Members that an initialiser leaves out are 0 and mean what is usual.
typedef struct annot_advice {
  const char *module;  ///< null for any; `*` in it, as in cls and sel, stands for any text
  const char *cls;
  const char *sel;  ///< any spelling that annot_selector_matches_pattern takes
  annot_position position;
  int32_t precedence;  ///< higher encloses lower; 0 is usual
  uint32_t options;    ///< ANNOT_ADVICE_ flags
  void (*function)(annot_invocation *invocation, void *context);
  void *context;  ///< handed to `function`
  /// Called with `context` once the advice is removed and its last call has ended; may be null.
  void (*release)(void *context);
  /// A name for it, by which annot_advice_find finds it; null for none. Only one registration at a time may
  /// have it.
  const char *identifier;
  /// Null for calls on any object. Else the advice runs for those calls only whose first argument is this
  /// pointer or a C++ reference to what is here; it does not apply to C join points whose first parameter is
  /// neither. The object is not kept alive: remove the advice when it ends.
  const void *instance;
  const char *file;  ///< where it was added, for messages and annot_advice_each; null for nowhere
  uint32_t line;
  /// Its place among equals: as if it had been registered with this number. 0 for the registration's own.
  uint64_t order;
  /// The description of the one join point that the advice is for, whatever its name; null for all of the name.
  const annot_joinpoint_info *only;
} annot_advice;

/// In an initialiser of annot_advice: this place, as `file` and `line`.
#ifdef ANNOT_NO_SOURCE
#define ANNOT_HERE .file = 0, .line = 0
#else
#define ANNOT_HERE .file = __FILE__, .line = __LINE__
#endif

/// Names one registration; 0 names none. Later registrations have higher numbers.
typedef uint64_t annot_advice_id;

/// Adds advice.
///
/// - advice: copied, strings included.
/// - error: says why 0 was returned; may be null. Then `release` has not been called and never will be.
///   ANNOT_ERROR_UNSUPPORTED: something in `advice` is missing or not known, or another copy of the runtime is
///   in charge. ANNOT_ERROR_DUPLICATE: its identifier is in use. ANNOT_ERROR_MEMORY.
///   ANNOT_ERROR_UNREACHABLE: it is on shims that catch no call, see ANNOT_ADVICE_MAY_WAIT.
/// - Returns the registration's id. A join point need not exist yet: see annot_advice_reach. What it catches of the
///   calls of a shim's function tells annot_advice_shim_report (annot/shim_report.h).
ANNOT_API annot_advice_id annot_advise(const annot_advice *advice, annot_error *error);

/// Adds several advices, all or none.
///
/// All are looked at before the first takes effect. A call that runs meanwhile finds, at its join point, either
/// none of them or all that apply there.
///
/// - advice: `count` of them, copied.
/// - ids: set to the registrations' ids, in the same order, or to 0 when none was made; may be null.
/// - error: says why false was returned, with the codes of annot_advise, and which entry it is about; may be
///   null. Then no `release` has been called nor ever will be.
ANNOT_API bool annot_advise_all(
    const annot_advice *advice, size_t count, annot_advice_id *ids, annot_error *error);

/// Takes the next registration number without a registration, for annot_advice.order of later ones.
ANNOT_API uint64_t annot_advice_reserve_order(void);

/// Removes advice.
///
/// Calls that run now end with it. Ends the process when memory runs out. Returns false when it was removed
/// before, or never was.
ANNOT_API bool annot_unadvise(annot_advice_id id);

/// Removes all advice of the process, a language binding's too. Returns how many registrations that were.
ANNOT_API size_t annot_unadvise_all(void);

/// Lets advice rest: calls that begin from now on do not meet it, and a join point that has no other costs what
/// it costs without advice. Calls that run now end with it. It keeps its id, identifier and place in the order.
///
/// Ends the process when memory runs out, as annot_unadvise does. Returns false when it rests already, was removed, or never was.
ANNOT_API bool annot_advice_pause(annot_advice_id id);

/// Ends the rest of annot_advice_pause.
///
/// Returns false when it does not rest, was removed, or never was; and when memory runs out, then it rests on.
ANNOT_API bool annot_advice_resume(annot_advice_id id);

/// The registration that has this identifier, 0 when there is none.
ANNOT_API annot_advice_id annot_advice_find(const char *identifier);

/// Whether the registration is there: neither removed, nor gone with the one join point it was for.
ANNOT_API bool annot_advice_is_present(annot_advice_id id);

/// How many join points of the loaded images the advice applies to; 0 while it waits for one.
ANNOT_API size_t annot_advice_reach(annot_advice_id id);

/// What is known of one registration.
typedef struct annot_advice_info {
  annot_advice_id id;
  const char *identifier;  ///< null when it has none
  const char *module;      ///< null for any
  const char *cls;
  const char *sel;
  annot_position position;
  int32_t precedence;
  uint32_t options;      ///< ANNOT_ADVICE_ flags
  bool is_paused;
  const void *instance;  ///< null for calls on any object
  size_t reach;          ///< see annot_advice_reach
  const char *file;      ///< null when it was not told
  uint32_t line;
} annot_advice_info;

/// Tells of all advice as it was at one moment, oldest first.
///
/// - visit: called once a registration, with no lock held; it may do anything, add and remove advice too. What
///   it is handed is valid until it returns.
/// - context: handed to `visit`.
/// - Returns false, having told nothing, when memory runs out.
ANNOT_API bool annot_advice_each(
    void (*visit)(const annot_advice_info *advice, void *context), void *context);

/// What is known of the invocation's join point; never null.
ANNOT_API const annot_joinpoint_info *annot_invocation_info(const annot_invocation *invocation);

/// The address of argument `index`, to read or replace; null when there is no such argument.
ANNOT_API void *annot_invocation_argument(annot_invocation *invocation, size_t index);

/// The address of the result, to read or replace; null when the join point returns nothing.
///
/// Its bytes are zero until the original code or an advice sets it. A C++ object or reference
/// (ANNOT_TYPE_NONTRIVIAL, ANNOT_TYPE_REFERENCE) does not exist before the original code has run: advice that
/// does not proceed must construct one there; in after advice it is null where an exception kept it from being
/// made.
ANNOT_API void *annot_invocation_result(annot_invocation *invocation);

/// Runs what this around advice encloses: further advice, then the original code.
///
/// May be called any number of times. Returns false, and does nothing, outside around advice.
ANNOT_API bool annot_invocation_proceed(annot_invocation *invocation);

/// In after advice: whether an exception ended what it follows. In C++, std::current_exception then gives it.
ANNOT_API bool annot_invocation_threw(const annot_invocation *invocation);

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
