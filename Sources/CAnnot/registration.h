/// One advice as registered, shared by the registry and the lists of the join points it applies to.
#ifndef ANNOT_REGISTRATION_H
#define ANNOT_REGISTRATION_H

#include <stdatomic.h>

#include "annot/advice.h"
#include "annot/target.h"

#pragma GCC visibility push(hidden)

typedef struct registration {
  annot_advice advice;  // first: a list's entries can be read as advice; its strings are this object's own
  atomic_size_t references;
  annot_advice_id id;   // constant once in the registry, like advice.order
  annot_target target;  // the advice's strings, as the matcher wants them
  bool is_conditional;  // whether a call must look further before it runs the advice
  atomic_bool fired;    // has run; read by once-only advice
  // Guarded by the registry's lock:
  bool removed;
  bool paused;
  struct registration *next;
} registration;

/// Copies `advice`; null when memory runs out. The first reference is the caller's.
registration *registration_make(const annot_advice *advice);
void registration_retain(registration *it);
/// Gives a reference back; the last one calls the advice's `release`.
void registration_release(registration *it);
/// Frees it without calling the advice's `release`, for a registration that never took effect.
void registration_discard(registration *it);
/// The join point's name, as the matcher wants it.
annot_target joinpoint_target(const annot_joinpoint_info *info);
/// Whether the advice names the target.
bool registration_names(const registration *it, const annot_target *actual);
/// Whether the advice names the join point and can run there.
bool registration_matches(const registration *it, const annot_joinpoint_info *info);
/// Whether the advice belongs on lists now. Under the registry's lock.
static inline bool registration_is_active(const registration *it) { return !it->removed && !it->paused; }

#pragma GCC visibility pop

#endif
