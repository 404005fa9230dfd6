// The registry of advice, and the writers that bring it to the join points.
//
// Lock order: the loader's lock (held while annot_joinpoint_walk visits) comes before the registry's. Under
// the registry's lock nothing is allocated, freed or called that is not our own, so it is a leaf: a join
// point may be settled from any place where code of its image runs. Memory is made ready beforehand; a pass
// that found too little is repeated, and a pass changes only what is not yet as it should be.

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annot/binding.h"
#include "annot/runtime.h"
#include "calls.h"
#include "charge.h"
#include "hazard.h"
#include "interpose.h"
#include "observers.h"
#include "registry_shims.h"
#include "resolve.h"
#include "shim_list.h"
#include "shim_reach.h"
#include "spares.h"

/// Keeps the runtime's note in a program that takes the runtime from an archive.
__attribute__((used)) static annot_resolve_function const noted_entry = annot_runtime_entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// All below is guarded by the lock.
static registration *registrations;  // newest first
static annot_advice_id last_id;
static uint64_t last_walk;

static _Atomic(annot_settle_function) settle_function;

void annot_set_settle_function(annot_settle_function function) {
  atomic_store_explicit(&settle_function, function, memory_order_release);
}

static void take_lock(void) { pthread_mutex_lock(&lock); }
static void give_lock(void) { pthread_mutex_unlock(&lock); }
static void after_fork_in_child(void) {
  give_lock();
  hazard_after_fork();
}

// Before the handler of loader.c, for the sake of the lock order.
__attribute__((constructor(101))) static void prepare_for_fork(void) {
  pthread_atfork(take_lock, give_lock, after_fork_in_child);
}

/// What a pass does to the join points, and what it leaves to be freed afterwards.
typedef struct pass {
  registration *it;
  uint64_t walk;  // its number, 0 when no walk is under way
  spares spare;
  annot_advice_list *retired;
  hook *dead;
} pass;

static void retire(pass *work, annot_advice_list *list) {
  if (!list) return;
  list->next = work->retired;
  work->retired = list;
}

static void bury(pass *work, hook *it) {
  retire(work, atomic_exchange_explicit(&it->list, NULL, memory_order_seq_cst));
  it->next = work->dead;
  work->dead = it;
}

/// Frees what passes took out. Unlocked: releasing advice may call anything.
static void clean_up(pass *work) {
  advice_list_retire(work->retired);
  hook_free_chain(work->dead);
  spares_free(&work->spare);
}

static size_t count_matches(const annot_joinpoint_info *info) {
  size_t count = 0;
  for (registration *it = registrations; it; it = it->next) count += registration_matches(it, info);
  return count;
}

/// Replaces a hook's list, null for none, and leads the slot accordingly.
static void publish(pass *work, hook *it, annot_advice_list *list) {
  retire(work, atomic_exchange_explicit(&it->list, list, memory_order_seq_cst));
  joinpoint_set_state(it->joinpoint, list ? (uintptr_t)&it->base : ANNOT_HOOK_IDLE);
}

/// The slot's hook; one left by an image that was at the same address before is taken out.
static hook *current_hook(pass *work, annot_joinpoint *joinpoint) {
  hook *it = hook_table_find(joinpoint);
  if (!it || it->permanent || joinpoint_state(joinpoint) != ANNOT_HOOK_UNRESOLVED) return it;
  hook_table_remove(it);
  bury(work, it);
  return NULL;
}

/// Gives a slot without a hook all the advice that names it. Returns false when memory is short.
static bool settle(pass *work, annot_joinpoint *joinpoint, const annot_joinpoint_info *info) {
  const size_t count = count_matches(info);
  if (count == 0) {
    joinpoint_set_state(joinpoint, ANNOT_HOOK_IDLE);
    return true;
  }
  if (!spares_have(&work->spare, true, count)) return false;
  hook *it = spares_take_hook(&work->spare);
  annot_advice_list *list = spares_take_list(&work->spare);
  for (registration *each = registrations; each; each = each->next)
    if (registration_matches(each, info)) advice_list_insert(list, each);
  hook_table_add(it, joinpoint, info);
  // A walk that began meanwhile may have passed this slot before its hook was made.
  it->seen = work->walk ? last_walk : 0;
  publish(work, it, list);
  return true;
}

static void add_to_hook(pass *work, hook *it) {
  annot_advice_list *old = atomic_load_explicit(&it->list, memory_order_relaxed);
  if (advice_list_has(old, work->it)) return;
  const size_t count = old ? old->count : 0;
  if (!spares_have(&work->spare, false, count + 1)) return;
  annot_advice_list *list = spares_take_list(&work->spare);
  advice_list_copy(list, old, NULL);
  advice_list_insert(list, work->it);
  publish(work, it, list);
}

static void remove_from_hook(pass *work, hook *it) {
  annot_advice_list *old = atomic_load_explicit(&it->list, memory_order_relaxed);
  if (!advice_list_has(old, work->it)) return;
  if (old->count == 1) {
    publish(work, it, NULL);
    return;
  }
  if (!spares_have(&work->spare, false, old->count - 1)) return;
  annot_advice_list *list = spares_take_list(&work->spare);
  advice_list_copy(list, old, work->it);
  publish(work, it, list);
}

static void change_hook(pass *work, hook *it) {
  if (!registration_matches(work->it, it->info)) return;
  // An addition that was overtaken by the removal of the same advice removes, too.
  if (work->it->removed)
    remove_from_hook(work, it);
  else
    add_to_hook(work, it);
}

static void visit_joinpoint(annot_joinpoint *joinpoint, walked_image *image, void *context) {
  pass *work = context;
  (void)image;
  // Nobody has called it yet, and its image may just be in loading: glibc lists an image before it relocates it,
  // so no pointer in it can be followed. Its first call gets all the advice there is.
  if (joinpoint_state(joinpoint) == ANNOT_HOOK_UNRESOLVED) return;
  const annot_joinpoint_info *info = joinpoint->info();
  take_lock();
  hook *it = current_hook(work, joinpoint);
  if (it) {
    if (it->seen < work->walk) it->seen = work->walk;
    change_hook(work, it);
  } else if (!work->it->removed && registration_matches(work->it, info)) {
    settle(work, joinpoint, info);
  }
  give_lock();
}

static void change_permanent(hook *it, void *context) {
  if (it->permanent) change_hook(context, it);
}

/// Brings one registration to, or takes it from, every join point. Returns false when memory runs out.
static bool apply(pass *work) {
  do {
    if (!spares_restock(&work->spare)) return false;
    take_lock();
    work->walk = ++last_walk;
    give_lock();
    annot_joinpoint_walk(visit_joinpoint, work);
    take_lock();
    hook_table_each(change_permanent, work);
    for (hook *gone = hook_table_take_unseen(work->walk), *next; gone; gone = next) {
      next = gone->next;
      bury(work, gone);
    }
    give_lock();
  } while (spares_short(&work->spare));
  return true;
}

/// A pass over the shims that nobody has settled.
typedef struct shim_pass {
  pass work;
  bool settles;   // else they are only listed
  bool complete;  // no image was just being loaded
  const annot_joinpoint_info **infos;
  size_t capacity;
  size_t count;
} shim_pass;

static void visit_shim(annot_joinpoint *joinpoint, walked_image *image, void *context) {
  shim_pass *it = context;
  if (joinpoint_state(joinpoint) != ANNOT_HOOK_UNRESOLVED) return;
  const annot_joinpoint_info *info = joinpoint_shim_info(joinpoint, image);
  it->complete &= image->state != IMAGE_LOADING;
  if (!info) return;
  if (it->settles) {
    take_lock();
    if (!current_hook(&it->work, joinpoint)) settle(&it->work, joinpoint, info);
    give_lock();
    return;
  }
  if (it->count < it->capacity) it->infos[it->count] = info;
  it->count++;
}

static bool list_shims(shim_pass *it) {
  for (;;) {
    it->count = 0;
    annot_joinpoint_walk(visit_shim, it);
    if (it->count <= it->capacity) return true;
    // Room for some that are loaded meanwhile.
    it->capacity = it->count + 16;
    free(it->infos);
    it->infos = call_allocate(it->capacity * sizeof *it->infos);
    if (!it->infos) return false;
  }
}

static bool settle_listed(shim_pass *it) {
  const annot_settle_function before_settling = atomic_load_explicit(&settle_function, memory_order_acquire);
  for (size_t i = 0; before_settling && i < it->count; i++) before_settling(it->infos[i]);
  it->settles = true;
  do {
    if (!spares_restock(&it->work.spare)) return false;
    annot_joinpoint_walk(visit_shim, it);
  } while (spares_short(&it->work.spare));
  return true;
}

bool registry_settle_shims(bool *complete) {
  // The settle function may add advice, and so come here again.
  static _Thread_local bool is_settling;
  *complete = false;
  if (is_settling) return true;
  shim_pass it = {.complete = true};
  is_settling = true;
  const bool done = list_shims(&it) && (it.count == 0 || settle_listed(&it));
  is_settling = false;
  clean_up(&it.work);
  free(it.infos);
  *complete = done && it.complete;
  return done;
}

bool registry_names(annot_advice_id id, const annot_joinpoint_info *info) {
  take_lock();
  registration *it = registrations;
  while (it && it->id != id) it = it->next;
  const bool is_named = it && registration_matches(it, info);
  give_lock();
  return is_named;
}

static registration *unlink_registration(annot_advice_id id) {
  take_lock();
  registration **place = &registrations;
  while (*place && (*place)->id != id) place = &(*place)->next;
  registration *it = *place;
  if (it) {
    *place = it->next;
    it->removed = true;
  }
  give_lock();
  return it;
}

/// Takes `it`, no longer in the registry, from all join points and gives the registry's reference back.
static void withdraw(registration *it) {
  pass work = {.it = it};
  if (!apply(&work)) {
    fputs("annot: no memory to remove advice\n", stderr);
    abort();
  }
  clean_up(&work);
  registration_release(it);
}

static annot_advice_id refuse(annot_error *error, annot_error_code code, const char *detail) {
  if (error) {
    *error = (annot_error){.code = code};
    snprintf(error->detail, sizeof error->detail, "%s", detail);
  }
  return 0;
}

/// Removes advice that was added and is refused after all: its context stays the caller's.
static void take_back(registration *it, annot_advice_id id) {
  it->advice.release = NULL;
  annot_unadvise(id);
  registration_release(it);
}

annot_advice_id annot_advise(const annot_advice *advice, annot_error *error) {
  if (!advice->cls || !advice->sel || !advice->function)
    return refuse(error, ANNOT_ERROR_UNSUPPORTED, "advice needs cls, sel and function");
  if (advice->position < ANNOT_BEFORE || advice->position > ANNOT_AFTER)
    return refuse(
        error, ANNOT_ERROR_UNSUPPORTED, "position is none of ANNOT_BEFORE, ANNOT_AROUND, ANNOT_AFTER");
  if (charge_elsewhere())
    return refuse(error, ANNOT_ERROR_UNSUPPORTED,
                  "another copy of the runtime in this process is in charge: link both against one shared "
                  "library");
  registration *it = registration_make(advice, 0);
  if (!it) return refuse(error, ANNOT_ERROR_MEMORY, "no memory to add advice");
  registration_retain(it);  // this function's own: another thread may remove the advice at once
  take_lock();
  const annot_advice_id id = it->id = ++last_id;
  it->next = registrations;
  registrations = it;
  give_lock();
  pass work = {.it = it};
  const bool done = apply(&work);
  clean_up(&work);
  if (!done || !interpose_update(true)) {
    take_back(it, id);
    return refuse(error, ANNOT_ERROR_MEMORY, "no memory to add advice");
  }
  if (!(advice->options & ANNOT_ADVICE_MAY_WAIT) && !shims_reached(id, error)) {
    take_back(it, id);
    return 0;
  }
  registration_release(it);
  return id;
}

bool annot_unadvise(annot_advice_id id) {
  registration *it = unlink_registration(id);
  if (!it) return false;
  withdraw(it);
  // Within a call, as once-only advice is removed, nothing may wait for another thread's dlopen.
  interpose_update(!hazard_own || hazard_own->depth == 0);
  return true;
}

typedef struct reach_count {
  const registration *it;
  const annot_snapshot *snapshot;
  size_t reach;
} reach_count;

static annot_target target_of(const annot_record_fields *fields) {
  return (annot_target){
      .module = fields->module, .cls = fields->cls, .sel = fields->sel, .is_static = fields->is_static};
}

static bool is_joinpoint(const annot_record *record) {
  static const char kind[] = "joinpoint";
  const annot_text actual = record->fields.kind;
  return actual.length == sizeof kind - 1 && !memcmp(actual.bytes, kind, sizeof kind - 1);
}

/// How many records declare a join point that the target names.
static size_t count_records(const annot_snapshot *snapshot, const annot_target *wanted) {
  size_t count = 0;
  for (size_t i = 0; i < annot_snapshot_record_count(snapshot); i++) {
    const annot_record record = annot_snapshot_record(snapshot, i);
    const annot_target actual = target_of(&record.fields);
    count += is_joinpoint(&record) && annot_target_matches(wanted, &actual);
  }
  return count;
}

/// Counts join points that their owners registered and that no record declares.
static void count_permanent(hook *it, void *context) {
  reach_count *count = context;
  if (!it->permanent || !registration_matches(count->it, it->info)) return;
  const annot_target own = joinpoint_target(it->info);
  count->reach += count_records(count->snapshot, &own) == 0;
}

bool annot_joinpoint_settle_shims(void) { return interpose_update(true); }

size_t annot_advice_reach(annot_advice_id id) {
  annot_snapshot *snapshot = annot_snapshot_take();
  if (!snapshot) return 0;
  take_lock();
  registration *it = registrations;
  while (it && it->id != id) it = it->next;
  if (it) registration_retain(it);
  reach_count count = {.it = it, .snapshot = snapshot};
  if (it) hook_table_each(count_permanent, &count);
  give_lock();
  if (it) {
    count.reach += count_records(snapshot, &it->target);
    registration_release(it);
  }
  annot_snapshot_free(snapshot);
  return count.reach;
}

/// One attempt at annot_runtime_resolve. Returns false when memory was short.
static bool try_to_resolve(pass *work, annot_joinpoint *joinpoint, const annot_joinpoint_info *info) {
  take_lock();
  const bool done = joinpoint_state(joinpoint) != ANNOT_HOOK_UNRESOLVED ||
                    (!current_hook(work, joinpoint) && settle(work, joinpoint, info));
  give_lock();
  return done;
}

const annot_hook *annot_runtime_resolve(annot_joinpoint *joinpoint) {
  const annot_resolve_function elsewhere = charge_elsewhere();
  if (elsewhere) return elsewhere(joinpoint);
  // The join point's image may be new. Another thread's constructor may be waiting for this call.
  const bool was_forbidden = interpose_forbid_waiting(true);
  observers_notice();
  interpose_notice(false, false);
  const annot_joinpoint_info *info = joinpoint->info();
  const annot_settle_function before_settling = atomic_load_explicit(&settle_function, memory_order_acquire);
  if (before_settling) before_settling(info);
  interpose_forbid_waiting(was_forbidden);
  pass work = {0};
  while (!try_to_resolve(&work, joinpoint, info)) {
    if (spares_restock(&work.spare)) continue;
    fprintf(stderr, "annot: no memory to settle the advice of %s %s\n", info->cls, info->sel);
    abort();
  }
  clean_up(&work);
  return (const annot_hook *)joinpoint_state(joinpoint);
}

bool annot_joinpoint_register(annot_joinpoint *joinpoint, const annot_joinpoint_info *info) {
  const annot_settle_function before_settling = atomic_load_explicit(&settle_function, memory_order_acquire);
  if (before_settling) before_settling(info);
  pass work = {0};
  hook *it = hook_make();
  if (!it) return false;
  bool done = false;
  while (!done) {
    take_lock();
    const size_t count = count_matches(info);
    if (count == 0 || spares_have(&work.spare, false, count)) {
      annot_advice_list *list = count ? spares_take_list(&work.spare) : NULL;
      for (registration *each = registrations; each; each = each->next)
        if (registration_matches(each, info)) advice_list_insert(list, each);
      hook_table_add(it, joinpoint, info);
      it->permanent = true;
      publish(&work, it, list);
      done = true;
    }
    give_lock();
    if (!done && !spares_restock(&work.spare)) {
      spares_free(&work.spare);
      hook_free_chain(it);
      return false;
    }
  }
  clean_up(&work);
  return true;
}
