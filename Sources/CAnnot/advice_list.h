/// The immutable advice list of one join point, and its safe exchange under running calls.
///
/// A call announces the list it reads in a hazard slot of its thread and keeps it there until it ends, so that it
/// writes no memory that other threads write. A writer that took a list out of a hook puts it aside; it is freed
/// once no slot holds it, by that writer or by the call that used it last. So calls never lock, advice may block
/// or remove itself, and nothing is freed under a running call. What outlives a call counts a reference.
#ifndef ANNOT_ADVICE_LIST_H
#define ANNOT_ADVICE_LIST_H

#include "annot/binding.h"
#include "hazard.h"
#include "registration.h"

#pragma GCC visibility push(hidden)

struct annot_advice_list {
  annot_advice_view view;  // first: bindings read it
  atomic_size_t references;
  struct annot_advice_list *next;  // on a chain of spare or retired lists
  atomic_bool is_retired;
  size_t capacity;
  bool has_around;
  registration *entries[];
};

typedef _Atomic(annot_advice_list *) advice_list_slot;

/// An empty list with room for `capacity` entries; null when memory runs out.
annot_advice_list *advice_list_make(size_t capacity);
/// Puts a registration at its place in the order; the list must have room and be the caller's alone.
void advice_list_insert(annot_advice_list *list, registration *it);
/// Whether the list holds the registration. Null is the empty list.
bool advice_list_has(const annot_advice_list *list, const registration *it);
/// How many of the entries belong on lists now. Null is the empty list. Under the registry's lock.
size_t advice_list_count_active(const annot_advice_list *list);
/// Fills the empty list `to` with those entries of `from`, which may be null.
void advice_list_copy_active(annot_advice_list *to, const annot_advice_list *from);

/// Frees a chain of lists that have been taken out of their slots as soon as no call uses them.
void advice_list_retire(annot_advice_list *chain);
/// Frees the retired lists that no call uses.
void advice_list_collect(void);

/// Counts the retirements.
extern atomic_uint_fast64_t advice_list_epoch;

/// A running call's hold on its list.
typedef struct list_hold {
  annot_advice_list *list;  // null when nothing advises
  hazard *thread;           // null when the hold is a reference
  _Atomic(void *) *place;   // its hazard slot
} list_hold;

/// Takes a reference on the current list of a slot, null when empty. Lock-free.
annot_advice_list *advice_list_acquire(advice_list_slot *slot);

/// Announces the current list of a hook's slot in a hazard slot. Returns null when there is none.
static inline annot_advice_list *advice_list_announce(advice_list_slot *slot, _Atomic(void *) *place) {
  annot_advice_list *list = atomic_load_explicit(slot, memory_order_acquire);
  for (;;) {
    hazard_write(place, list);
    annot_advice_list *now = atomic_load_explicit(slot, memory_order_seq_cst);
    if (now == list) return list;
    list = now;
  }
}

/// Begins a call. Lock-free.
static inline list_hold advice_list_enter(advice_list_slot *slot) {
  hazard *mine = hazard_of_this_thread();
  if (__builtin_expect(mine->depth == HAZARD_SLOTS, 0))
    return (list_hold){.list = advice_list_acquire(slot)};
  // The depth is raised first: a signal handler that calls a join point then uses the next slot.
  _Atomic(void *) *place = &mine->slots[mine->depth++];
  atomic_signal_fence(memory_order_seq_cst);
  annot_advice_list *list = advice_list_announce(slot, place);
  if (!list) mine->depth--;
  return (list_hold){.list = list, .thread = mine, .place = place};
}

/// Ends a call that has a list.
static inline void advice_list_leave(list_hold hold) {
  hazard *mine = hold.thread;
  if (!mine) {
    annot_advice_list_release(hold.list);
    return;
  }
  const bool is_retired = atomic_load_explicit(&hold.list->is_retired, memory_order_relaxed);
  hazard_write(hold.place, NULL);
  atomic_signal_fence(memory_order_seq_cst);
  // Calls on stacks of their own (ucontext, fibers) may end in another order than they began.
  while (mine->depth > 0 && !atomic_load_explicit(&mine->slots[mine->depth - 1], memory_order_relaxed))
    mine->depth--;
  const uint64_t epoch = atomic_load_explicit(&advice_list_epoch, memory_order_seq_cst);
  if (__builtin_expect(!is_retired && epoch == mine->seen_epoch, 1)) return;
  mine->seen_epoch = epoch;
  advice_list_collect();
}

#pragma GCC visibility pop

#endif
