/// The registry of advice, for the functions that change it and tell about it.
#ifndef ANNOT_ADVICE_REGISTRY_H
#define ANNOT_ADVICE_REGISTRY_H

#include "registration.h"
#include "spares.h"

#pragma GCC visibility push(hidden)

/// The lock of all that follows but registry_apply. Under it nothing is allocated, freed or called that is not
/// our own, and no other lock is taken.
void registry_lock(void);
void registry_unlock(void);

/// The first of the chain of all registrations, newest first.
registration *registry_newest(void);
/// The registration of that id, null when there is none.
registration *registry_find(annot_advice_id id);
/// The registration that has the identifier, null when there is none.
registration *registry_find_identifier(const char *identifier);
/// Counts registrations, from 1.
uint64_t registry_next_number(void);
/// Numbers a registration and takes it, with its first reference, into the registry.
void registry_link(registration *it);
/// Takes a registration, with that reference, out of the registry and marks it removed.
void registry_unlink(registration *it);

/// A pass over the join points: what it brings them, and what it leaves to be freed afterwards.
typedef struct pass {
  registration *const *batch;  // retained by the caller
  size_t batch_count;
  bool is_rehearsal;
  uint64_t walk;  // its number, 0 when no walk is under way
  spares spare;
  annot_advice_list *retired;
  hook *dead;
  registration *orphans;  // advice for one join point only, which is gone
} pass;

// Without the lock, and as they take the loader's, not from where a dl_iterate_phdr callback could call.

/// Makes ready the memory that a pass will need to put the whole batch on lists, and changes none. Returns false
/// when there is not enough. What follows is registry_apply or registry_abandon.
bool registry_rehearse(pass *work);
void registry_abandon(pass *work);
/// Brings every join point in step with registrations whose state was changed under the lock: takes what is
/// removed or paused off all lists and puts what is active of the batch on those of its join points, one exchange
/// a list. Calls that begin after it see the change. Ends the process when memory runs out.
void registry_apply(pass *work);

/// Gives an unresolved slot that no note tells of the hook `*spare`, which is then null, and settles it. Does
/// nothing to a settled one. Returns false when memory runs out.
bool registry_add_slot(hook **spare, annot_joinpoint *joinpoint, const annot_joinpoint_info *info);

#pragma GCC visibility pop

#endif
