// Removing, pausing and finding advice.

#include <stdlib.h>

#include "advice_registry.h"
#include "hazard.h"
#include "interpose.h"

/// Brings join points, and what leads to shims, in step with registrations that were changed.
static void apply(pass *changes) {
  registry_apply(changes);
  // Within a call, as once-only advice is removed, nothing may wait for another thread's dlopen.
  interpose_update(!hazard_own || hazard_own->depth == 0);
}

bool annot_unadvise(annot_advice_id id) {
  registry_lock();
  registration *it = registry_find(id);
  if (it) registry_unlink(it);
  registry_unlock();
  if (!it) return false;
  apply(&(pass){0});
  registration_release(it);
  return true;
}

size_t annot_unadvise_all(void) {
  registration *removed = NULL;
  registry_lock();
  for (registration *it; (it = registry_newest());) {
    registry_unlink(it);
    it->next = removed;
    removed = it;
  }
  registry_unlock();
  apply(&(pass){0});
  size_t count = 0;
  for (registration *next; removed; removed = next, count++) {
    next = removed->next;
    registration_release(removed);
  }
  return count;
}

/// Takes a reference on the registration if it is there and paused or not, as asked; else null.
static registration *take(annot_advice_id id, bool paused) {
  registry_lock();
  registration *it = registry_find(id);
  if (it && it->paused != paused) it = NULL;
  if (it) registration_retain(it);
  registry_unlock();
  return it;
}

/// Changes the state. Returns false when it is no longer what it is changed from.
static bool set_paused(registration *it, bool paused) {
  registry_lock();
  const bool changes = !it->removed && it->paused != paused;
  if (changes) it->paused = paused;
  registry_unlock();
  return changes;
}

bool annot_advice_pause(annot_advice_id id) {
  registration *it = take(id, false);
  if (!it) return false;
  const bool done = set_paused(it, true);
  if (done) apply(&(pass){0});
  registration_release(it);
  return done;
}

bool annot_advice_resume(annot_advice_id id) {
  registration *it = take(id, true);
  if (!it) return false;
  pass changes = {.batch = &it, .batch_count = 1};
  const bool done = registry_rehearse(&changes) && set_paused(it, false);
  if (done)
    apply(&changes);
  else
    registry_abandon(&changes);
  registration_release(it);
  return done;
}

annot_advice_id annot_advice_find(const char *identifier) {
  registry_lock();
  const registration *it = registry_find_identifier(identifier);
  const annot_advice_id id = it ? it->id : 0;
  registry_unlock();
  return id;
}
