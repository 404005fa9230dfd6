// The process's current snapshot, and the constructor that makes the first one.
//
// A refresh holds no lock while it gathers and reads: two threads may do the same work at once, and the one
// that gathered later wins.

#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "annot/runtime_testing.h"
#include "charge.h"
#include "interpose.h"
#include "observers.h"
#include "snapshot.h"
#include "trace.h"

// Guarded by collector_lock.
static annot_snapshot *current;
static uint64_t last_generation;

static pthread_once_t decided = PTHREAD_ONCE_INIT;
static bool disabled;

/// Reads the environment once: later it may be changed while it is read.
static void decide(void) {
  const char *value = getenv("ANNOT_DISABLE");
  disabled = value && !strcmp(value, "1");
}

static bool is_disabled(void) {
  pthread_once(&decided, decide);
  return disabled;
}

static annot_snapshot *take_current(void) {
  collector_lock();
  annot_snapshot *it = current ? annot_snapshot_retain(current) : NULL;
  collector_unlock();
  return it;
}

static uint64_t moment_of(const annot_snapshot *it) { return it->state.adds + it->state.subs; }

/// Whether `made` is to take the place of `current`: it was gathered later, or at the same moment with
/// another try at what could not be read.
static bool is_better(const annot_snapshot *made, bool retried) {
  if (!current || moment_of(made) > moment_of(current)) return true;
  return retried && moment_of(made) == moment_of(current) && !snapshot_is_alike(made, current);
}

/// Makes `made`, which it takes over, the current snapshot if it is better; returns the one that is current
/// then.
static annot_snapshot *publish(annot_snapshot *made, bool retried) {
  collector_lock();
  annot_snapshot *out = made;
  if (is_better(made, retried)) {
    out = current;
    const bool is_change = !current || !snapshot_is_alike(made, current);
    if (is_change) last_generation++;
    made->generation = last_generation;
    if (is_change && current) observers_queue(current, made);
    current = made;
  }
  annot_snapshot *result = annot_snapshot_retain(current);
  collector_unlock();
  annot_snapshot_free(out);
  return result;
}

/// A snapshot of what there is now; null when memory runs out.
static annot_snapshot *collect(const annot_snapshot *last, bool retry) {
  const uint64_t start = trace_time();
  gathering gathered;
  if (!gather(&gathered, last, retry)) return NULL;
  annot_snapshot *made = snapshot_make(&gathered);
  gathering_close(&gathered);
  if (made) trace_collection(made, start);
  return made;
}

annot_snapshot *annot_runtime_collect(const annot_snapshot *last) { return collect(last, false); }

/// A current snapshot, made anew; null when memory runs out.
static annot_snapshot *renew(const annot_snapshot *last, bool retry) {
  annot_snapshot *made = collect(last, retry);
  return made ? publish(made, retry) : NULL;
}

static bool is_current(const annot_snapshot *it) {
  const loader_state now = loader_state_now();
  return it->state.adds == now.adds && it->state.subs == now.subs;
}

annot_snapshot *collector_take(void) {
  if (is_disabled()) return snapshot_make_empty();
  annot_snapshot *known = take_current();
  if (!known || !is_current(known)) {
    annot_snapshot *made = renew(known, false);
    annot_snapshot_free(known);
    known = made;
  }
  observers_tell();
  return known;
}

annot_snapshot *annot_snapshot_take(void) {
  annot_snapshot *taken = collector_take();
  interpose_notice(true, false);
  return taken;
}

bool annot_refresh(void) {
  if (is_disabled()) return true;
  annot_snapshot *known = take_current();
  annot_snapshot *made = renew(known, true);
  annot_snapshot_free(known);
  annot_snapshot_free(made);
  observers_tell();
  interpose_notice(true, true);
  return made != NULL;
}

__attribute__((constructor)) static void collect_at_start(void) {
  // A copy that is not in charge collects when it is asked, and for itself.
  if (!is_disabled() && !charge_elsewhere()) annot_snapshot_free(collector_take());
}
