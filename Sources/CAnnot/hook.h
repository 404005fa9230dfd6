/// The runtime's side of a join point that is or was advised, and the table of them by slot.
#ifndef ANNOT_HOOK_H
#define ANNOT_HOOK_H

#include "advice_list.h"
#include "annot/layout.h"

#pragma GCC visibility push(hidden)

typedef struct hook {
  annot_hook base;  // first: a slot's `hook` points here
  annot_joinpoint *joinpoint;
  const annot_joinpoint_info *info;
  advice_list_slot list;  // null when nothing advises it now
  bool is_registered;     // by its owner: no note tells of its slot
  bool is_in_image;       // its slot goes away with an image
  uint64_t seen;          // the last walk that saw its slot, 0 for none yet; guarded by the registry's lock
  struct hook *next;      // in its bucket, or on a chain of spare hooks
} hook;

/// What a slot's `hook` leads to.
static inline uintptr_t joinpoint_state(const annot_joinpoint *joinpoint) {
  return __atomic_load_n(&joinpoint->hook, __ATOMIC_ACQUIRE);
}
static inline void joinpoint_set_state(annot_joinpoint *joinpoint, uintptr_t state) {
  __atomic_store_n(&joinpoint->hook, state, __ATOMIC_RELEASE);
}

/// An unused hook; null when memory runs out.
hook *hook_make(void);
void hook_free_chain(hook *chain);

// The table. The caller holds the registry's lock.

/// The slot's hook, null when it never had one.
hook *hook_table_find(const annot_joinpoint *joinpoint);
/// Makes `spare` the slot's hook, with no advice yet.
void hook_table_add(hook *spare, annot_joinpoint *joinpoint, const annot_joinpoint_info *info);
/// Takes a hook out.
void hook_table_remove(hook *it);
/// Takes out the hooks that an earlier walk saw and walk `number` did not: their images are gone. Returns
/// them as a chain.
hook *hook_table_take_unseen(uint64_t number);
/// Calls `visit` for each hook.
void hook_table_each(void (*visit)(hook *it, void *context), void *context);

#pragma GCC visibility pop

#endif
