// Lock order: the updates' lock, then the loader's, then the registry's. dlopen and dlclose are called with none of
// them held, as they wait for other threads' constructors.

#define _GNU_SOURCE
#include "interpose.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "advice_registry.h"
#include "calls.h"
#include "charge.h"

// Updates are made one at a time.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// Guarded by the lock.
static interposition *interpositions;
static image_pin *pins;

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

/// One attempt at an update.
typedef struct update {
  arena memory;
  listed_shim *shims;
  pin_request *wanted;  ///< images that must be pinned before all can be done
  bool may_wait;
  bool is_again;
  bool is_short;  ///< of memory
} update;

/// Whether images are to be pinned once some call may wait.
static atomic_bool has_pending_pins;

static void want_pin(update *work, pin_request request) {
  if (!work->may_wait) {
    atomic_store_explicit(&has_pending_pins, true, memory_order_relaxed);
    return;
  }
  pin_request *it = arena_take(&work->memory, sizeof *it);
  request.name = arena_copy(&work->memory, request.name, strlen(request.name) + 1);
  if (request.asked) {
    request.symbol = arena_copy(&work->memory, request.symbol, strlen(request.symbol) + 1);
    if (request.version)
      request.version = arena_copy(&work->memory, request.version, strlen(request.version) + 1);
  }
  if (!arena_sufficed(&work->memory)) {
    work->is_again = true;
    return;
  }
  *it = request;
  it->next = work->wanted;
  work->wanted = it;
}

/// The pin of an image: one for good, or one that has asked for an IFUNC's function, or any.
static image_pin *pin_of(uintptr_t dynamic, bool is_for_good, uintptr_t asked) {
  image_pin *it = pins;
  while (it && (it->dynamic != dynamic || (is_for_good && it->handle) || (asked && it->asked != asked)))
    it = it->next;
  return it;
}

static bool is_same_joinpoint(const annot_joinpoint_info *a, const annot_joinpoint_info *b) {
  return !strcmp(a->module, b->module) && !strcmp(a->cls, b->cls) && !strcmp(a->sel, b->sel);
}

/// Whether a shim under the same name takes part already, as one that stands in a header may be there twice.
static bool is_repeated(const update *work, const listed_shim *shim) {
  for (const listed_shim *it = work->shims; it != shim; it = it->next)
    if (it->takes_part && !strcmp(it->symbol, shim->symbol) && is_same_joinpoint(&it->name, &shim->name))
      return true;
  return false;
}

/// Finds the shims that calls are to go through: those that are advised and kept loaded, each name once.
static void choose_shims(update *work) {
  for (listed_shim *it = work->shims; it; it = it->next) {
    if (!it->is_advised || is_repeated(work, it)) continue;
    // The program stays.
    it->takes_part = !*it->image_name || pin_of(it->image, true, 0);
    if (!it->takes_part)
      want_pin(work, (pin_request){.name = it->image_name, .dynamic = it->image, .is_for_good = true});
  }
}

static const listed_shim *next_part(const listed_shim *from, const char *symbol) {
  while (from && (!from->takes_part || strcmp(from->symbol, symbol))) from = from->next;
  return from;
}

/// The function that an image's calls of the symbol run.
static survey_target target_in(const survey *surveyed, const survey_image *image, const survey_known *known) {
  for (const survey_entry *entry = image->entries; entry; entry = entry->next) {
    const survey_target target = survey_target_of(surveyed, entry, known);
    if (target.kind == TARGET_CODE || target.kind == TARGET_IFUNC) return target;
  }
  return (survey_target){.kind = TARGET_NONE};
}

/// The function that the symbol stands for: what the shim's own image calls, else what the first image that calls it
/// does.
static survey_target choose(const survey *surveyed, const survey_known *known, uintptr_t shim_image) {
  survey_target chosen = {.kind = TARGET_NONE};
  for (const survey_image *image = surveyed->images; image; image = image->next) {
    if (chosen.kind != TARGET_NONE && image->dynamic != shim_image) continue;
    const survey_target target = target_in(surveyed, image, known);
    if (target.kind != TARGET_NONE) chosen = target;
  }
  return chosen;
}

/// Finds the original. Returns whether it is known, and its image cannot go away.
static bool find_original(update *work, interposition *it, const survey *surveyed, uintptr_t shim_image) {
  if (it->original) return true;
  const survey_known known = interposition_known(it);
  const survey_target chosen = choose(surveyed, &known, shim_image);
  if (chosen.kind == TARGET_NONE) return false;
  const uintptr_t asked = chosen.kind == TARGET_IFUNC ? chosen.code : 0;
  const survey_image *image = survey_image_at(surveyed, chosen.code);
  // The program stays. Code in no image is somebody's own, such as a trampoline.
  const bool stays = !image || image->is_main;
  const image_pin *pin = image ? pin_of(image->dynamic, false, asked) : NULL;
  if (image && (asked || !stays) && !pin) {
    want_pin(work, (pin_request){.name = image->name,
                                 .dynamic = image->dynamic,
                                 .asked = asked,
                                 .symbol = it->symbol,
                                 .version = asked ? chosen.definition->version : NULL});
    return false;
  }
  it->original = asked ? (pin ? pin->answer : 0) : chosen.code;
  it->ifunc = chosen.definition && chosen.definition->is_ifunc ? chosen.definition->address : 0;
  it->definer = stays ? 0 : image->dynamic;
  return it->original != 0;
}

/// Makes each shim's original the next shim, the last one's the function itself; from the last on, so that every call
/// finds its way. Returns the first shim, 0 when memory runs out.
static uintptr_t chain_shims(interposition *it, const listed_shim *from) {
  if (!from) return it->original;
  const uintptr_t behind = chain_shims(it, next_part(from->next, it->symbol));
  const uintptr_t function = (uintptr_t)from->shim->function;
  if (!behind || !interposition_add_shim(it, function)) return 0;
  __atomic_store_n(&from->shim->original, (void (*)(void))behind, __ATOMIC_RELEASE);
  return function;
}

static void rest(interposition *it) {
  interposition_restore(it);
  it->original = it->ifunc = it->definer = 0;
}

static void lead(update *work, interposition *it, const listed_shim *first) {
  survey surveyed;
  if (!survey_make(&surveyed, it->symbol)) {
    work->is_short = true;
    return;
  }
  if (find_original(work, it, &surveyed, first->image)) {
    const survey_known known = interposition_known(it);
    survey_judge(&surveyed, &known, it->symbol);
    const uintptr_t shim = chain_shims(it, first);
    if (!shim || !interposition_lead(it, &surveyed, shim, &work->is_again)) work->is_short = true;
  }
  survey_close(&surveyed);
}

static interposition *find_interposition(const char *symbol) {
  interposition *it = interpositions;
  while (it && strcmp(it->symbol, symbol)) it = it->next;
  return it;
}

static void add_interpositions(update *work) {
  for (const listed_shim *shim = work->shims; shim; shim = shim->next) {
    if (!shim->is_advised || find_interposition(shim->symbol)) continue;
    interposition *made = interposition_make(shim->symbol);
    if (!made) {
      work->is_short = true;
      return;
    }
    made->next = interpositions;
    interpositions = made;
  }
}

static void bring_about(update *work) {
  choose_shims(work);
  add_interpositions(work);
  for (interposition *it = interpositions; it; it = it->next) {
    const listed_shim *first = next_part(work->shims, it->symbol);
    if (first)
      lead(work, it, first);
    else
      rest(it);
  }
}

/// Takes out the pins that are no longer needed.
static image_pin *unused_pins(void) {
  for (image_pin *pin = pins; pin; pin = pin->next) {
    pin->is_used = pin->handle == NULL;
    for (const interposition *it = interpositions; it; it = it->next)
      pin->is_used |= it->definer == pin->dynamic || (it->ifunc && it->ifunc == pin->asked);
  }
  image_pin *unused = NULL;
  for (image_pin **place = &pins; *place;) {
    image_pin *it = *place;
    if (it->is_used) {
      place = &it->next;
      continue;
    }
    *place = it->next;
    it->next = unused;
    unused = it;
  }
  return unused;
}

static bool list_shims(update *work) {
  size_t size = (size_t)64 << 10;
  for (;; size = work->memory.wanted * 2) {
    if (!arena_open(&work->memory, size)) return false;
    work->shims = shim_list_make(&work->memory);
    // Room for what is to be pinned: at most as many names as are listed, and the originals'.
    if (work->memory.wanted < size / 2) return true;
    arena_close(&work->memory);
  }
}

/// Pins what an attempt found missing, with no lock held. Returns how many could be.
static size_t pin_wanted(update *work) {
  size_t count = 0;
  for (const pin_request *wanted = work->wanted; wanted; wanted = wanted->next) {
    image_pin *pin = image_pin_open(wanted, &work->is_short);
    if (!pin) continue;
    enter();
    pin->next = pins;
    pins = pin;
    leave();
    count++;
  }
  return count;
}

/// One attempt. Returns whether another is to be made.
static bool attempt(bool may_wait, bool is_last, bool *is_short) {
  update work = {.may_wait = may_wait && !is_last};
  enter();
  is_again = false;
  image_pin *unused = NULL;
  if (list_shims(&work)) {
    bring_about(&work);
    if (may_wait && !work.wanted) unused = unused_pins();
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
    bool (*wants)(const annot_joinpoint_info *info, const void *context), interpose_examiner *examine,
    void *context) {
  update work = {0};
  bool done = false;
  enter();
  if (list_shims(&work)) {
    done = true;
    for (const listed_shim *shim = work.shims; shim && done; shim = shim->next) {
      const interposition *it = shim->is_advised ? find_interposition(shim->symbol) : NULL;
      survey surveyed;
      if (!it || !wants(&shim->name, context)) continue;
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
