#define _GNU_SOURCE
#include "registration.h"

#include "annot/binding.h"

#include <stdlib.h>
#include <string.h>

static annot_text text_of(const char *string) {
  return (annot_text){.bytes = string, .length = string ? strlen(string) : 0};
}

static bool copy_string(const char **place) {
  if (!*place) return true;
  char *copy = strdup(*place);
  *place = copy;
  return copy != NULL;
}

registration *registration_make(const annot_advice *advice, annot_advice_id id) {
  registration *it = calloc(1, sizeof *it);
  if (!it) return NULL;
  atomic_init(&it->references, 1);
  atomic_init(&it->fired, false);
  it->id = id;
  it->advice = *advice;
  // All three are tried, so that a failure leaves no pointer to the caller's own strings behind.
  bool module = copy_string(&it->advice.module);
  bool cls = copy_string(&it->advice.cls);
  bool sel = copy_string(&it->advice.sel);
  if (!module || !cls || !sel) {
    registration_discard(it);
    return NULL;
  }
  it->target = (annot_target){.module = text_of(it->advice.module),
                              .cls = text_of(it->advice.cls),
                              .sel = text_of(it->advice.sel)};
  return it;
}

void registration_discard(registration *it) {
  free((void *)(uintptr_t)it->advice.module);
  free((void *)(uintptr_t)it->advice.cls);
  free((void *)(uintptr_t)it->advice.sel);
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

bool registration_matches(const registration *it, const annot_joinpoint_info *info) {
  if (it->advice.only) return it->advice.only == info;
  if (info->flags & ANNOT_JOINPOINT_SWIFT) return false;
  const annot_target actual = joinpoint_target(info);
  return annot_target_matches(&it->target, &actual);
}
