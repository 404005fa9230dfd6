// The process's current snapshot, and the constructor that makes the first one.
//
// A refresh holds no lock while it gathers and reads: two threads may do the same work at once, and the one that
// gathered later wins. The lock below guards only the exchange of the current snapshot.

#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static annot_snapshot *current;      // guarded by the lock
static uint64_t last_generation;     // guarded by the lock

static void take_lock(void) { pthread_mutex_lock(&lock); }
static void give_lock(void) { pthread_mutex_unlock(&lock); }

/// Whether ANNOT_DISABLE=1 asks the runtime to collect nothing.
static bool is_disabled(void) {
  const char *value = getenv("ANNOT_DISABLE");
  return value && !strcmp(value, "1");
}

static annot_snapshot *take_current(void) {
  take_lock();
  annot_snapshot *it = current;
  if (it) snapshot_retain(it);
  give_lock();
  return it;
}

/// Whether `a` was gathered after `b`: the loader's counters only grow.
static bool is_later(const annot_snapshot *a, const annot_snapshot *b) {
  return a->adds + a->subs >= b->adds + b->subs;
}

/// Makes `made` the current snapshot unless a later one is; returns the one that is, for the caller to free.
static annot_snapshot *publish(annot_snapshot *made) {
  annot_snapshot *old = NULL;
  take_lock();
  if (!current || is_later(made, current)) {
    old = current;
    made->generation = ++last_generation;
    current = made;
    snapshot_retain(made);
  }
  give_lock();
  annot_snapshot_free(old);
  return made;
}

/// A new current snapshot; null when memory runs out.
static annot_snapshot *renew(const annot_snapshot *last, bool retry) {
  gathering gathered;
  if (!gather(&gathered)) return NULL;
  annot_snapshot *made = snapshot_make(&gathered, last, retry);
  gathering_close(&gathered);
  return made ? publish(made) : NULL;
}

static bool is_current(const annot_snapshot *it) {
  unsigned long long adds, subs;
  loader_counters(&adds, &subs);
  return it->adds == adds && it->subs == subs;
}

annot_snapshot *annot_snapshot_take(void) {
  if (is_disabled()) return snapshot_make_empty();
  annot_snapshot *known = take_current();
  if (known && is_current(known)) return known;
  annot_snapshot *made = renew(known, false);
  if (!made) return known;
  annot_snapshot_free(known);
  return made;
}

bool annot_refresh(void) {
  if (is_disabled()) return true;
  annot_snapshot *known = take_current();
  annot_snapshot *made = renew(known, true);
  annot_snapshot_free(known);
  annot_snapshot_free(made);
  return made != NULL;
}

__attribute__((constructor)) static void collect_at_start(void) {
  pthread_atfork(take_lock, give_lock, give_lock);
  annot_snapshot_free(annot_snapshot_take());
}
