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

#include "advice_registry.h"
#include "annot/binding.h"
#include "calls.h"
#include "charge.h"
#include "hazard.h"
#include "interpose.h"
#include "joinpoint_walk.h"
#include "observers.h"
#include "registry_shims.h"
#include "resolve.h"
#include "shim_list.h"
#include "spares.h"

/// Keeps the runtime's note in a program that takes the runtime from an archive.
__attribute__((used)) static annot_resolve_function const noted_entry = annot_runtime_entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// All below is guarded by the lock.
static registration *registrations;  // newest first
static uint64_t last_number;  // of registrations
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

void registry_lock(void) { take_lock(); }
void registry_unlock(void) { give_lock(); }
registration *registry_newest(void) { return registrations; }
uint64_t registry_next_number(void) { return ++last_number; }

registration *registry_find(annot_advice_id id) {
  registration *it = registrations;
  while (it && it->id != id) it = it->next;
  return it;
}

registration *registry_find_identifier(const char *identifier) {
  registration *it = registrations;
  while (it && !(it->advice.identifier && strcmp(it->advice.identifier, identifier) == 0)) it = it->next;
  return it;
}

void registry_link(registration *it) {
  it->id = registry_next_number();
  if (!it->advice.order) it->advice.order = it->id;
  it->next = registrations;
  registrations = it;
}

void registry_unlink(registration *it) {
  registration **place = &registrations;
  while (*place != it) place = &(*place)->next;
  *place = it->next;
  it->next = NULL;
  it->removed = true;
}

static void retire(pass *work, annot_advice_list *list) {
  if (!list) return;
  list->next = work->retired;
  work->retired = list;
}

/// Takes out the advice that was for this join point alone.
static void orphan(pass *work, const annot_joinpoint_info *info) {
  for (registration *it = registrations, *next; it; it = next) {
    next = it->next;
    if (it->advice.only != info) continue;
    registry_unlink(it);
    it->next = work->orphans;
    work->orphans = it;
  }
}

static void bury(pass *work, hook *it) {
  orphan(work, it->info);
  retire(work, atomic_exchange_explicit(&it->list, NULL, memory_order_seq_cst));
  it->next = work->dead;
  work->dead = it;
}

/// Frees what passes took out. Unlocked: releasing advice may call anything.
static void clean_up(pass *work) {
  advice_list_retire(work->retired);
  hook_free_chain(work->dead);
  spares_free(&work->spare);
  for (registration *it = work->orphans, *next; it; it = next) {
    next = it->next;
    registration_release(it);
  }
}

/// Whether the registration belongs on the join point's list now.
static bool applies(const registration *it, const annot_joinpoint_info *info) {
  return registration_is_active(it) && registration_matches(it, info);
}

static size_t count_applying(const annot_joinpoint_info *info) {
  size_t count = 0;
  for (registration *it = registrations; it; it = it->next) count += applies(it, info);
  return count;
}

static void insert_applying(annot_advice_list *list, const annot_joinpoint_info *info) {
  for (registration *it = registrations; it; it = it->next)
    if (applies(it, info)) advice_list_insert(list, it);
}

/// Replaces a hook's list, null for none, and leads the slot accordingly.
static void publish(pass *work, hook *it, annot_advice_list *list) {
  retire(work, atomic_exchange_explicit(&it->list, list, memory_order_seq_cst));
  joinpoint_set_state(it->joinpoint, list ? (uintptr_t)&it->base : ANNOT_HOOK_IDLE);
}

/// The slot's hook; one left by an image that was at the same address before is taken out.
static hook *current_hook(pass *work, annot_joinpoint *joinpoint) {
  hook *it = hook_table_find(joinpoint);
  if (!it || joinpoint_state(joinpoint) != ANNOT_HOOK_UNRESOLVED) return it;
  hook_table_remove(it);
  bury(work, it);
  return NULL;
}

/// Gives a slot without a hook all the advice that names it. Returns false when memory is short.
static bool settle(pass *work, annot_joinpoint *joinpoint, const annot_joinpoint_info *info) {
  const size_t count = count_applying(info);
  if (count == 0) {
    joinpoint_set_state(joinpoint, ANNOT_HOOK_IDLE);
    return true;
  }
  if (!spares_have(&work->spare, true, count)) return false;
  hook *it = spares_take_hook(&work->spare);
  annot_advice_list *list = spares_take_list(&work->spare);
  insert_applying(list, info);
  hook_table_add(it, joinpoint, info);
  // A walk that began meanwhile may have passed this slot before its hook was made.
  it->seen = work->walk ? last_walk : 0;
  publish(work, it, list);
  return true;
}

/// Whether a registration of the batch is still to come to a list.
static bool is_missing(
    const pass *work, const registration *it, const annot_joinpoint_info *info, const annot_advice_list *list) {
  const bool is_wanted = work->is_rehearsal || registration_is_active(it);
  return is_wanted && !advice_list_has(list, it) && registration_matches(it, info);
}

static size_t count_missing(
    const pass *work, const annot_joinpoint_info *info, const annot_advice_list *list) {
  size_t count = 0;
  for (size_t i = 0; i < work->batch_count; i++) count += is_missing(work, work->batch[i], info, list);
  return count;
}

/// Takes what is not active any more off a hook's list and puts what is missing of the batch on it, in one
/// exchange. A registration whose state changed again meanwhile is treated as that state demands: the last pass
/// to begin after the change settles it.
static void change_hook(pass *work, hook *it) {
  annot_advice_list *old = atomic_load_explicit(&it->list, memory_order_relaxed);
  const size_t kept = advice_list_count_active(old);
  const size_t missing = count_missing(work, it->info, old);
  if (missing == 0 && kept == (old ? old->view.count : 0)) return;
  if (kept + missing == 0) {
    publish(work, it, NULL);
    return;
  }
  // A rehearsal has no memory, so it ends here.
  if (!spares_have(&work->spare, false, kept + missing)) return;
  annot_advice_list *list = spares_take_list(&work->spare);
  advice_list_copy_active(list, old);
  for (size_t i = 0; i < work->batch_count; i++)
    if (is_missing(work, work->batch[i], it->info, list)) advice_list_insert(list, work->batch[i]);
  publish(work, it, list);
}

static void change_idle(pass *work, annot_joinpoint *joinpoint, const annot_joinpoint_info *info) {
  const size_t missing = count_missing(work, info, NULL);
  if (missing == 0) return;
  if (work->is_rehearsal)
    spares_have(&work->spare, true, missing);
  else
    settle(work, joinpoint, info);
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
  } else {
    change_idle(work, joinpoint, info);
  }
  give_lock();
}

/// A registered hook's turn, while its image is kept in place.
typedef struct image_turn {
  const struct dl_phdr_info *image;
  pass *work;
} image_turn;

static void change_in_image(hook *it, void *context) {
  const image_turn *turn = context;
  if (!it->is_in_image || !annot_image_has_slot(turn->image, it->joinpoint)) return;
  if (it->seen < turn->work->walk) it->seen = turn->work->walk;
  // Unresolved again: another image stands where the hook's own was.
  if (joinpoint_state(it->joinpoint) != ANNOT_HOOK_UNRESOLVED) change_hook(turn->work, it);
}

static void visit_image(const struct dl_phdr_info *image, void *context) {
  image_turn turn = {.image = image, .work = context};
  take_lock();
  hook_table_each(change_in_image, &turn);
  give_lock();
}

static void change_outside_images(hook *it, void *context) {
  if (it->is_registered && !it->is_in_image) change_hook(context, it);
}

/// Visits every join point, and takes out the hooks of those that are gone.
static void visit_all(pass *work) {
  take_lock();
  work->walk = ++last_walk;
  give_lock();
  annot_joinpoint_walk(visit_joinpoint, visit_image, work);
  take_lock();
  hook_table_each(change_outside_images, work);
  for (hook *gone = hook_table_take_unseen(work->walk), *next; gone; gone = next) {
    next = gone->next;
    bury(work, gone);
  }
  give_lock();
}

bool registry_rehearse(pass *work) {
  work->is_rehearsal = true;
  visit_all(work);
  work->is_rehearsal = false;
  return spares_restock(&work->spare);
}

void registry_abandon(pass *work) { clean_up(work); }

void registry_apply(pass *work) {
  for (visit_all(work); spares_short(&work->spare); visit_all(work))
    if (!spares_restock(&work->spare)) {
      fputs("annot: no memory to change advice\n", stderr);
      abort();
    }
  clean_up(work);
}

/// One attempt at annot_runtime_resolve. Returns false when memory was short.
static bool try_to_resolve(pass *work, annot_joinpoint *joinpoint, const annot_joinpoint_info *info) {
  take_lock();
  const bool done = joinpoint_state(joinpoint) != ANNOT_HOOK_UNRESOLVED ||
                    (!current_hook(work, joinpoint) && settle(work, joinpoint, info));
  give_lock();
  return done;
}

/// One attempt at registry_add_slot. Returns false when memory was short.
static bool try_to_add_slot(
    pass *work, hook **spare, annot_joinpoint *joinpoint, const annot_joinpoint_info *info) {
  if (joinpoint_state(joinpoint) != ANNOT_HOOK_UNRESOLVED) return true;
  const size_t count = count_applying(info);
  if (count && !spares_have(&work->spare, false, count)) return false;
  current_hook(work, joinpoint);
  annot_advice_list *list = count ? spares_take_list(&work->spare) : NULL;
  if (list) insert_applying(list, info);
  hook *it = *spare;
  *spare = NULL;
  hook_table_add(it, joinpoint, info);
  publish(work, it, list);
  return true;
}

const annot_hook *annot_runtime_resolve(annot_joinpoint *joinpoint) {
  const annot_resolve_function elsewhere = charge_elsewhere();
  if (elsewhere) return elsewhere(joinpoint);
  // The join point's image may be new. Another thread's constructor may be waiting for this call.
  const bool was_forbidden = interpose_forbid_waiting(true);
  observers_notice();
  interpose_notice(false, false);
  annot_joinpoint_prepare(joinpoint);
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
    annot_joinpoint_walk(visit_shim, NULL, it);
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
    annot_joinpoint_walk(visit_shim, NULL, it);
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

bool registry_names(annot_advice_id id, const listed_shim *shim) {
  take_lock();
  const registration *it = registry_find(id);
  // What is advised alone is told by its description's address, which the copy does not have.
  const bool is_named =
      it && (it->advice.only ? it->advice.only == shim->info : registration_matches(it, &shim->name));
  give_lock();
  return is_named;
}

bool annot_joinpoint_settle_shims(void) { return interpose_update(true); }

bool annot_advice_is_present(annot_advice_id id) {
  take_lock();
  const bool is_present = registry_find(id) != NULL;
  give_lock();
  return is_present;
}

void annot_joinpoint_prepare(annot_joinpoint *joinpoint) {
  pass work = {0};
  take_lock();
  current_hook(&work, joinpoint);
  give_lock();
  clean_up(&work);
}

bool registry_add_slot(hook **spare, annot_joinpoint *joinpoint, const annot_joinpoint_info *info) {
  pass work = {0};
  bool done;
  do {
    take_lock();
    done = try_to_add_slot(&work, spare, joinpoint, info);
    give_lock();
  } while (!done && spares_restock(&work.spare));
  clean_up(&work);
  return done;
}
