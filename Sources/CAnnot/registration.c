#define _GNU_SOURCE
#include "registration.h"

#include <stdlib.h>
#include <string.h>

#include "annot/binding.h"
#include "calls.h"

static annot_text text_of(const char *string) {
  return (annot_text){.bytes = string, .length = string ? strlen(string) : 0};
}

static bool copy_string(const char **place) {
  if (!*place) return true;
  const size_t size = strlen(*place) + 1;
  char *copy = call_allocate(size);
  if (copy) memcpy(copy, *place, size);
  *place = copy;
  return copy != NULL;
}

/// Makes the strings the object's own. All are tried, so that none of the caller's own is left on failure.
static bool copy_strings(annot_advice *advice) {
  const char **places[] = {&advice->module, &advice->cls, &advice->sel, &advice->identifier, &advice->file};
  bool done = true;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) done &= copy_string(places[i]);
  return done;
}

registration *registration_make(const annot_advice *advice) {
  registration *it = call_allocate(sizeof *it);
  if (!it) return NULL;
  atomic_init(&it->references, 1);
  atomic_init(&it->fired, false);
  it->advice = *advice;
  it->is_conditional = (advice->options & ANNOT_ADVICE_ONCE) || advice->instance ||
                       advice->position == ANNOT_AFTER_THROWING;
  if (!copy_strings(&it->advice)) {
    registration_discard(it);
    return NULL;
  }
  it->target = (annot_target){.module = text_of(it->advice.module),
                              .cls = text_of(it->advice.cls),
                              .sel = text_of(it->advice.sel)};
  return it;
}

void registration_discard(registration *it) {
  const char *strings[] = {it->advice.module, it->advice.cls, it->advice.sel, it->advice.identifier,
                           it->advice.file};
  for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) free((void *)(uintptr_t)strings[i]);
  free(it);
}

void registration_retain(registration *it) {
  atomic_fetch_add_explicit(&it->references, 1, memory_order_relaxed);
}

void registration_release(registration *it) {
  if (atomic_fetch_sub_explicit(&it->references, 1, memory_order_acq_rel) != 1) return;
  if (it->advice.release) it->advice.release(it->advice.context);
  registration_discard(it);
}

annot_target joinpoint_target(const annot_joinpoint_info *info) {
  return (annot_target){.module = text_of(info->module),
                        .cls = text_of(info->cls),
                        .sel = text_of(info->sel),
                        .is_static = (info->flags & ANNOT_JOINPOINT_STATIC) != 0};
}

bool registration_names(const registration *it, const annot_target *actual) {
  return it->advice.options & ANNOT_ADVICE_EXACT ? annot_target_matches(&it->target, actual)
                                                 : annot_target_matches_pattern(&it->target, actual);
}

/// Whether a call of the join point has an object that advice for one can be compared with.
static bool has_instance(const annot_joinpoint_info *info) {
  if (info->parameter_count == 0) return false;
  const uint16_t kind = info->parameters[0].type.kind;
  return kind == ANNOT_TYPE_POINTER || kind == ANNOT_TYPE_REFERENCE;
}

bool registration_matches(const registration *it, const annot_joinpoint_info *info) {
  if (it->advice.only) return it->advice.only == info;
  if (info->flags & ANNOT_JOINPOINT_SWIFT) return false;
  if (it->advice.instance && !has_instance(info)) return false;
  const annot_target actual = joinpoint_target(info);
  return registration_names(it, &actual);
}
