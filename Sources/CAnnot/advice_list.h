/// The immutable advice list of one join point, and its safe exchange under running calls.
///
/// A call reads the list's address, announces it in its thread's hazard slot, checks that it still is the
/// current one, takes a reference and clears the slot. A writer that took a list out of a hook waits until no
/// hazard slot holds it, which is a matter of a few instructions of the reader, and gives its own reference
/// back. So calls never lock, advice may block or remove itself, and nothing is freed under a running call.
#ifndef ANNOT_ADVICE_LIST_H
#define ANNOT_ADVICE_LIST_H

#include "annot/binding.h"
#include "registration.h"

#pragma GCC visibility push(hidden)

struct annot_advice_list {
  atomic_size_t references;
  struct annot_advice_list *next;  // on a writer's chain of spare or retired lists
  size_t capacity;
  size_t count;
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
/// Fills the empty list `to` with the entries of `from`, which may be null, but for `without`.
void advice_list_copy(annot_advice_list *to, const annot_advice_list *from, const registration *without);

/// Takes the current list of a slot, null when empty. Lock-free.
annot_advice_list *advice_list_acquire(advice_list_slot *slot);
/// Frees a chain of lists that have been taken out of their slots. May wait for readers; call it unlocked.
void advice_list_retire(annot_advice_list *chain);

#pragma GCC visibility pop

#endif
