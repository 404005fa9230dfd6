#define _GNU_SOURCE
#include "shim_update.h"

#include <string.h>

static void want_pin(update *work, pin_request request) {
  if (!work->may_wait) {
    work->is_pending = true;
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
static image_pin *pin_of(const update *work, uintptr_t dynamic, bool is_for_good, uintptr_t asked) {
  image_pin *it = work->state->pins;
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
    it->takes_part = !*it->image_name || pin_of(work, it->image, true, 0);
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
  const image_pin *pin = image ? pin_of(work, image->dynamic, false, asked) : NULL;
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

interposition *shim_state_find(const shim_state *state, const char *symbol) {
  interposition *it = state->interpositions;
  while (it && strcmp(it->symbol, symbol)) it = it->next;
  return it;
}

static void add_interpositions(update *work) {
  for (const listed_shim *shim = work->shims; shim; shim = shim->next) {
    if (!shim->is_advised || shim_state_find(work->state, shim->symbol)) continue;
    interposition *made = interposition_make(shim->symbol);
    if (!made) {
      work->is_short = true;
      return;
    }
    made->next = work->state->interpositions;
    work->state->interpositions = made;
  }
}

void update_bring_about(update *work) {
  choose_shims(work);
  add_interpositions(work);
  for (interposition *it = work->state->interpositions; it; it = it->next) {
    const listed_shim *first = next_part(work->shims, it->symbol);
    if (first)
      lead(work, it, first);
    else
      rest(it);
  }
}

image_pin *shim_state_take_unused_pins(shim_state *state) {
  for (image_pin *pin = state->pins; pin; pin = pin->next) {
    pin->is_used = pin->handle == NULL;
    for (const interposition *it = state->interpositions; it; it = it->next)
      pin->is_used |= it->definer == pin->dynamic || (it->ifunc && it->ifunc == pin->asked);
  }
  image_pin *unused = NULL;
  for (image_pin **place = &state->pins; *place;) {
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

bool update_open(update *work) {
  size_t size = (size_t)64 << 10;
  for (;; size = work->memory.wanted * 2) {
    if (!arena_open(&work->memory, size)) return false;
    work->shims = shim_list_make(&work->memory);
    // Room for what is to be pinned: at most as many names as are listed, and the originals'.
    if (work->memory.wanted < size / 2) return true;
    arena_close(&work->memory);
  }
}
