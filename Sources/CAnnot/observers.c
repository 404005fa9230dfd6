#define _GNU_SOURCE
#include "observers.h"

#include <pthread.h>
#include <stdlib.h>

#include "calls.h"

typedef struct observer {
  struct observer *next;
  uint64_t id;
  annot_observer function;
  void *context;
  void (*release)(void *context);
  size_t uses;  ///< by the list, and by the thread that tells
} observer;

// All guarded by the lock.
static observer *observers;  // newest first
static atomic_size_t observer_count;  // read without the lock
static uint64_t last_id;
static annot_snapshot *queue, **queue_end = &queue;
static bool is_telling;
static pthread_t teller;  // while is_telling

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void collector_lock(void) { pthread_mutex_lock(&lock); }
void collector_unlock(void) { pthread_mutex_unlock(&lock); }

static void after_fork_in_child(void) {
  // The thread that told is not in the child; what it had not told yet is still queued.
  if (is_telling && !pthread_equal(teller, pthread_self())) is_telling = false;
  collector_unlock();
}

__attribute__((constructor(101))) static void prepare_for_fork(void) {
  pthread_atfork(collector_lock, collector_unlock, after_fork_in_child);
}

void observers_queue(annot_snapshot *before, annot_snapshot *after) {
  if (!observers) return;
  after->before = annot_snapshot_retain(before);
  after->queued_next = NULL;
  *queue_end = annot_snapshot_retain(after);
  queue_end = &after->queued_next;
}

static void let_go(observer *it) {
  collector_lock();
  const bool is_last = --it->uses == 0;
  collector_unlock();
  if (!is_last) return;
  if (it->release) it->release(it->context);
  free(it);
}

/// The oldest observer younger than `id`, kept from going away; null when there is none.
static observer *next_observer(uint64_t id) {
  observer *found = NULL;
  for (observer *it = observers; it && it->id > id; it = it->next) found = it;
  if (found) found->uses++;
  return found;
}

/// Tells every observer of one change. One that was added after it may hear of it too, and learn nothing new.
static void tell(annot_snapshot *after) {
  uint64_t told = 0;
  for (;;) {
    collector_lock();
    observer *it = next_observer(told);
    collector_unlock();
    if (!it) return;
    told = it->id;
    it->function(after->before, after, it->context);
    let_go(it);
  }
}

/// The next change to tell; null, and the telling ends, when there is none.
static annot_snapshot *next_change(void) {
  collector_lock();
  annot_snapshot *it = queue;
  if (it) queue = it->queued_next;
  if (!queue) queue_end = &queue;
  is_telling = it != NULL;
  collector_unlock();
  return it;
}

void observers_tell(void) {
  collector_lock();
  const bool is_mine = queue && !is_telling;
  if (is_mine) {
    is_telling = true;
    teller = pthread_self();
  }
  collector_unlock();
  if (!is_mine) return;
  for (annot_snapshot *it; (it = next_change());) {
    tell(it);
    annot_snapshot_free(it->before);
    it->before = NULL;
    annot_snapshot_free(it);
  }
}

void observers_notice(void) {
  if (atomic_load_explicit(&observer_count, memory_order_relaxed)) annot_snapshot_free(collector_take());
}

uint64_t annot_observe(annot_observer function, void *context, void (*release)(void *context)) {
  observer *it = call_allocate(sizeof *it);
  annot_snapshot *now = it ? annot_snapshot_take() : NULL;
  if (!now) {
    free(it);
    return 0;
  }
  annot_snapshot_free(now);
  *it = (observer){.function = function, .context = context, .release = release, .uses = 1};
  collector_lock();
  const uint64_t id = it->id = ++last_id;
  it->next = observers;
  observers = it;
  atomic_fetch_add_explicit(&observer_count, 1, memory_order_relaxed);
  collector_unlock();
  return id;
}

bool annot_unobserve(uint64_t id) {
  collector_lock();
  observer **place = &observers;
  while (*place && (*place)->id != id) place = &(*place)->next;
  observer *it = *place;
  if (it) {
    *place = it->next;
    atomic_fetch_sub_explicit(&observer_count, 1, memory_order_relaxed);
  }
  collector_unlock();
  if (it) let_go(it);
  return it != NULL;
}
