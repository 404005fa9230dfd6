// Lock order: the updates' lock, then the loader's, then the registry's. dlopen and dlclose are called with none of
// them held, as they wait for other threads' constructors.

#define _GNU_SOURCE
#include "interpose.h"

#include <pthread.h>
#include <stdatomic.h>

#include "charge.h"
#include "registry_shims.h"
#include "shim_examine.h"
#include "shim_update.h"

// Updates are made one at a time.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/// Guarded by the lock.
static shim_state state;
/// Whether images are to be pinned once some call may wait.
static atomic_bool has_pending_pins;

/// Whether this thread makes an update: a function of ours may be called by what the update calls, such as malloc
/// when that is advised. The update then begins anew.
static _Thread_local bool is_inside, is_again;

static void before_fork(void) {
  if (!is_inside) pthread_mutex_lock(&lock);
}
static void after_fork(void) {
  if (!is_inside) pthread_mutex_unlock(&lock);
}
static pthread_once_t prepared = PTHREAD_ONCE_INIT;
static void prepare(void) {
  // Handlers run in reverse: this lock is taken before the loader's.
  loader_prepare_for_fork();
  pthread_atfork(before_fork, after_fork, after_fork);
}

static void enter(void) {
  pthread_once(&prepared, prepare);
  pthread_mutex_lock(&lock);
  is_inside = true;
}

static void leave(void) {
  is_inside = false;
  pthread_mutex_unlock(&lock);
}

/// Pins what an attempt found missing, with no lock held. Returns how many could be.
static size_t pin_wanted(update *work) {
  size_t count = 0;
  for (const pin_request *wanted = work->wanted; wanted; wanted = wanted->next) {
    image_pin *pin = image_pin_open(wanted, &work->is_short);
    if (!pin) continue;
    enter();
    pin->next = state.pins;
    state.pins = pin;
    leave();
    count++;
  }
  return count;
}

/// One attempt. Returns whether another is to be made.
static bool attempt(bool may_wait, bool is_last, bool *is_short) {
  update work = {.state = &state, .may_wait = may_wait && !is_last};
  enter();
  is_again = false;
  image_pin *unused = NULL;
  if (update_open(&work)) {
    update_bring_about(&work);
    if (may_wait && !work.wanted) unused = shim_state_take_unused_pins(&state);
    if (work.is_pending) atomic_store_explicit(&has_pending_pins, true, memory_order_relaxed);
  } else {
    work.is_short = true;
  }
  leave();
  const bool has_pinned = pin_wanted(&work) > 0;
  arena_close(&work.memory);
  image_pin_close_chain(unused);
  *is_short = work.is_short;
  return !is_last && !work.is_short && (has_pinned || work.is_again || is_again);
}

/// What loader_state.adds was when all shims were settled; changes before the first time.
static atomic_ullong settled_adds = UINT64_MAX;

static bool settle_new(void) {
  const unsigned long long adds = loader_state_now().adds;
  if (atomic_load_explicit(&settled_adds, memory_order_acquire) == adds) return true;
  bool complete;
  if (!registry_settle_shims(&complete)) return false;
  if (complete) atomic_store_explicit(&settled_adds, adds, memory_order_release);
  return true;
}

/// Whether there ever was advice.
static atomic_bool is_used;
static _Thread_local bool is_waiting_forbidden;

bool interpose_forbid_waiting(bool is_forbidden) {
  const bool before = is_waiting_forbidden;
  is_waiting_forbidden = is_forbidden;
  return before;
}

bool interpose_update(bool may_wait) {
  atomic_store_explicit(&is_used, true, memory_order_relaxed);
  if (is_inside) {
    is_again = true;
    return true;
  }
  if (charge_elsewhere()) return true;
  if (!settle_new()) return false;
  if (!shims_exist()) return true;
  may_wait = may_wait && !is_waiting_forbidden;
  if (may_wait) atomic_store_explicit(&has_pending_pins, false, memory_order_relaxed);
  bool is_short = false;
  // Entries that the dynamic linker binds meanwhile, and images that come and go, make another attempt needed.
  enum { most_attempts = 1000 };
  for (int number = 1; attempt(may_wait, number == most_attempts, &is_short); number++) {
  }
  return !is_short;
}

bool interpose_is_pending(void) { return atomic_load_explicit(&has_pending_pins, memory_order_relaxed); }

void interpose_notice(bool may_wait, bool is_asked) {
  if (!atomic_load_explicit(&is_used, memory_order_relaxed)) return;
  if (is_asked || (may_wait && interpose_is_pending()) ||
      atomic_load_explicit(&settled_adds, memory_order_acquire) != loader_state_now().adds)
    interpose_update(may_wait);
}

bool interpose_examine(
    bool (*wants)(const listed_shim *shim, const void *context), interpose_examiner *examine,
    void *context) {
  update work = {.state = &state};
  bool done = false;
  enter();
  if (update_open(&work)) {
    done = true;
    for (const listed_shim *shim = work.shims; shim && done; shim = shim->next) {
      const interposition *it = shim->is_advised ? shim_state_find(&state, shim->symbol) : NULL;
      survey surveyed;
      if (!it || !wants(shim, context)) continue;
      done = survey_make(&surveyed, shim->symbol);
      if (!done) break;
      const survey_known known = interposition_known(it);
      survey_judge(&surveyed, &known, shim->symbol);
      examine(shim, &surveyed, it, context);
      survey_close(&surveyed);
    }
    arena_close(&work.memory);
  }
  leave();
  return done;
}
