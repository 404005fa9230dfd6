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
/// before, around, after (all three kinds), then by annot_advice.order, then by registration. Whether an entry is
/// for an instance, or for a call that returned or threw, is the binding's to see to at its own join points.
typedef struct annot_advice_entry {
  annot_position position;
  int32_t precedence;
  void (*function)(annot_invocation *invocation, void *context);
  void *context;
} annot_advice_entry;

/// The entries of one precedence, which stand together: [first, before_end) run before, [before_end,
/// around_end) around and [around_end, end), in reverse, after the entries from `end` on, which they enclose.
typedef struct annot_advice_level {
  size_t before_end;
  size_t around_end;
  size_t end;
} annot_advice_level;

/// ANNOT_HOOK_UNRESOLVED for languages that see no casts in macros.
enum { ANNOT_JOINPOINT_UNRESOLVED = 1 };

/// What a slot holds: ANNOT_HOOK_IDLE, ANNOT_HOOK_UNRESOLVED or the address of its hook.
static inline uintptr_t annot_joinpoint_state(const annot_joinpoint *joinpoint) {
  return __atomic_load_n(&joinpoint->hook, __ATOMIC_RELAXED);
}

/// What a slot leads to, null for nothing; the slot must be settled.
static inline const annot_hook *annot_joinpoint_hook(const annot_joinpoint *joinpoint) {
  return (const annot_hook *)__atomic_load_n(&joinpoint->hook, __ATOMIC_ACQUIRE);
}

/// Forgets what an image that was at the slot's place before has left; for an unresolved slot, before advice is
/// added for it alone.
ANNOT_API void annot_joinpoint_prepare(annot_joinpoint *joinpoint);

/// The descriptions of the C join points that have been settled and are in loaded images.
///
/// - count: set to their number.
/// - Returns an array to be freed with free(), null when there is none or memory ran out (then `count` is not 0).
ANNOT_API const annot_joinpoint_info **annot_joinpoint_settled(size_t *count);

/// Whether any advice has been added by the binding; set by annot_binding_watch.
///
/// For join points that have to look for their slot: while there is none they need not.
ANNOT_API extern uintptr_t annot_binding_watched;
static inline bool annot_binding_is_watched(void) {
  return __atomic_load_n(&annot_binding_watched, __ATOMIC_RELAXED) != 0;
}
static inline void annot_binding_watch(bool watched) {
  __atomic_store_n(&annot_binding_watched, watched, __ATOMIC_SEQ_CST);
}

/// Makes a slot that no note tells of known to the runtime and settles it.
///
/// A slot in an image is forgotten when that is unloaded; one elsewhere must stay valid for good. Registering a
/// slot that is settled does nothing.
/// - info: must stay valid for good; the slot's own `info` function is not called. Advice for it alone
///   (annot_advice.only) is added before: see annot_joinpoint_prepare.
/// - Returns false when memory runs out.
ANNOT_API bool annot_joinpoint_register(annot_joinpoint *joinpoint, const annot_joinpoint_info *info);

/// What a call reads of its advice; the start of every annot_advice_list.
typedef struct annot_advice_view {
  size_t count;
  annot_advice_level first_level;
  /// The advice, in the order of annot_advice_entry.
  const annot_advice *const *entries;
} annot_advice_view;

/// A call under way at a join point of a binding, to be ended on the thread that began it. Two words, so that it
/// stays in registers.
typedef struct annot_call {
  const annot_advice_view *view;
  void *place;  // the runtime's own
} annot_call;

/// Begins a call and keeps its advice in place till annot_call_end. Lock-free; no memory is allocated.
///
/// - hook: what the slot leads to.
/// - Returns a call without a view when nothing advises; it needs no end.
ANNOT_API annot_call annot_call_begin(const annot_hook *hook);

/// Ends a call that annot_call_begin began.
ANNOT_API void annot_call_end(annot_call call);

/// A place of the calling thread where a binding may keep an object from call to call; a later thread inherits
/// it. Null for calls nested too deeply.
ANNOT_API void **annot_call_spare(annot_call call);

/// annot_call_spare for the call of an invocation; null in a deferred call.
ANNOT_API void **annot_invocation_spare(const annot_invocation *invocation);

/// What a call with this list reads.
ANNOT_API const annot_advice_view *annot_advice_list_view(const annot_advice_list *list);

/// The list that a view is the start of.
static inline annot_advice_list *annot_advice_list_of(const annot_advice_view *view) {
  return (annot_advice_list *)(uintptr_t)view;
}

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
