/// What a language binding needs to dispatch its own join points: the advice list of a hook.
///
/// C code advises through annot/advice.h and declares join points through annot/joinpoint.h; it has no use
/// for this header.
#ifndef ANNOT_BINDING_H
#define ANNOT_BINDING_H

#include "annot/advice.h"

ANNOT_BEGIN_DECLS

/// The advice of a join point at one moment; immutable and reference-counted.
typedef struct annot_advice_list annot_advice_list;

/// An entry of a list. Entries stand in the order that annot/advice.h states: by falling precedence, then
/// before, around, after, then by registration.
typedef struct annot_advice_entry {
  annot_position position;
  int32_t precedence;
  void (*function)(annot_invocation *invocation, void *context);
  void *context;
} annot_advice_entry;

/// annot_advice.options: the advice is the binding's own and applies to its join points too, those with
/// ANNOT_JOINPOINT_SWIFT; other advice applies to C join points only.
#define ANNOT_ADVICE_BINDING 2u

/// What a slot leads to, null for nothing; the slot must be settled.
static inline const annot_hook *annot_joinpoint_hook(const annot_joinpoint *joinpoint) {
  return (const annot_hook *)__atomic_load_n(&joinpoint->hook, __ATOMIC_ACQUIRE);
}

/// Makes a slot outside any image known to the runtime and settles it.
///
/// - joinpoint, info: must stay valid for good; the slot's own `info` function is not called.
/// - Returns false when memory runs out.
ANNOT_API bool annot_joinpoint_register(annot_joinpoint *joinpoint, const annot_joinpoint_info *info);

/// Takes the hook's advice list, null when it is empty. Lock-free. End with annot_advice_list_release.
ANNOT_API annot_advice_list *annot_hook_acquire(const annot_hook *hook);

/// Takes the list once more; end with annot_advice_list_release.
ANNOT_API void annot_advice_list_retain(annot_advice_list *list);

/// Gives a list back; the context of advice removed meanwhile is released with the last one.
ANNOT_API void annot_advice_list_release(annot_advice_list *list);

/// The number of entries, at least 1.
ANNOT_API size_t annot_advice_list_count(const annot_advice_list *list);

/// The entry at `index`, below annot_advice_list_count.
ANNOT_API annot_advice_entry annot_advice_list_entry(const annot_advice_list *list, size_t index);

/// The entries of one precedence, which stand together: [first, before_end) run before, [before_end,
/// around_end) around and [around_end, end), in reverse, after the entries from `end` on, which they enclose.
typedef struct annot_advice_level {
  size_t before_end;
  size_t around_end;
  size_t end;
} annot_advice_level;

/// The level that begins with entry `first`, below annot_advice_list_count.
ANNOT_API annot_advice_level annot_advice_list_level(const annot_advice_list *list, size_t first);

/// Tells whether the entry is to run now: always, or once over all calls if it was registered so.
ANNOT_API bool annot_advice_list_begin(annot_advice_list *list, size_t index);

/// Called by the first call of each join point before it is settled, with no lock held: the last chance to
/// add advice that this very call must meet. Also before a shim is settled, which takes no call.
typedef void (*annot_settle_function)(const annot_joinpoint_info *info);

/// Settles the shims (ANNOT_SHIM) of images loaded since it was last called, each after a call of the settle function.
///
/// For a binding that looks for join points, before it looks. Returns false when memory runs out.
ANNOT_API bool annot_joinpoint_settle_shims(void);

/// Sets the function to call before a join point is settled; null for none. One per process.
ANNOT_API void annot_set_settle_function(annot_settle_function function);

ANNOT_END_DECLS

#endif
