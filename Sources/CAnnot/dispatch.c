#include "dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hook.h"

annot_advice_list *annot_hook_acquire(const annot_hook *base) {
  // The hook is const to callers only: acquiring counts a reference on its list.
  return advice_list_acquire(&((hook *)(uintptr_t)base)->list);
}

static void run_advice(annot_invocation *invocation, size_t index, dispatch_place place, bool may_proceed) {
  if (!annot_advice_list_begin(invocation->list, index)) {
    if (may_proceed) dispatch_proceed(invocation, place);
    return;
  }
  const dispatch_place outer_place = invocation->place;
  const bool outer_may_proceed = invocation->may_proceed;
  invocation->place = place;
  invocation->may_proceed = may_proceed;
  const annot_advice *advice = &invocation->list->entries[index]->advice;
  advice->function(invocation, advice->context);
  invocation->place = outer_place;
  invocation->may_proceed = outer_may_proceed;
}

/// The first entry at or behind `index` that is not of this precedence and position.
static size_t end_of_run(
    const annot_advice_list *list, size_t index, int32_t precedence, annot_position position) {
  while (index < list->count && list->entries[index]->advice.precedence == precedence &&
         list->entries[index]->advice.position == position)
    index++;
  return index;
}

annot_advice_level annot_advice_list_level(const annot_advice_list *list, size_t first) {
  const int32_t precedence = list->entries[first]->advice.precedence;
  const size_t before_end = end_of_run(list, first, precedence, ANNOT_BEFORE);
  const size_t around_end = end_of_run(list, before_end, precedence, ANNOT_AROUND);
  const size_t end = end_of_run(list, around_end, precedence, ANNOT_AFTER);
  return (annot_advice_level){.before_end = before_end, .around_end = around_end, .end = end};
}

/// Runs the advice of one precedence and all that it encloses.
static void run_level(annot_invocation *invocation, size_t first) {
  if (first == invocation->list->count) {
    invocation->info->invoke(invocation->arguments, invocation->result);
    invocation->has_result = true;
    return;
  }
  const annot_advice_level level = annot_advice_list_level(invocation->list, first);
  const dispatch_place inside = {
      .around = level.before_end, .around_end = level.around_end, .next_level = level.end};
  for (size_t i = first; i < level.before_end; i++) run_advice(invocation, i, inside, false);
  dispatch_proceed(invocation, inside);
  for (size_t i = level.end; i > level.around_end; i--) run_advice(invocation, i - 1, inside, false);
}

void dispatch_proceed(annot_invocation *invocation, dispatch_place place) {
  if (place.around == place.around_end) {
    run_level(invocation, place.next_level);
    return;
  }
  dispatch_place inside = place;
  inside.around++;
  run_advice(invocation, place.around, inside, true);
}

/// Ends the process where a call would return a C++ object or reference that nobody made.
static void require_result(const annot_invocation *invocation) {
  const annot_joinpoint_info *info = invocation->info;
  const uint16_t kind = info->result.kind;
  if (invocation->has_result || (kind != ANNOT_TYPE_NONTRIVIAL && kind != ANNOT_TYPE_REFERENCE)) return;
  fprintf(stderr,
          "annot: around advice of %s %s neither proceeded nor made a result of type %s, "
          "which is not one that can be zero\n",
          info->cls, info->sel, info->result.text);
  abort();
}

void dispatch_call(const annot_hook *base, void *const *arguments, void *result) {
  const annot_joinpoint_info *info = ((const hook *)base)->info;
  annot_advice_list *list = annot_hook_acquire(base);
  if (!list) {
    info->invoke(arguments, result);
    return;
  }
  if (list->has_around && info->result.kind != ANNOT_TYPE_VOID && info->result.kind < ANNOT_TYPE_NONTRIVIAL)
    memset(result, 0, info->result.size);
  annot_invocation invocation = {.info = info, .arguments = arguments, .result = result, .list = list};
  run_level(&invocation, 0);
  require_result(&invocation);
  annot_advice_list_release(list);
}

const annot_joinpoint_info *annot_invocation_info(const annot_invocation *invocation) {
  return invocation->info;
}

void *annot_invocation_argument(annot_invocation *invocation, size_t index) {
  return index < invocation->info->parameter_count ? invocation->arguments[index] : NULL;
}

void *annot_invocation_result(annot_invocation *invocation) {
  if (invocation->info->result.kind == ANNOT_TYPE_VOID) return NULL;
  invocation->has_result = true;
  return invocation->result;
}

bool annot_invocation_proceed(annot_invocation *invocation) {
  if (!invocation->may_proceed) return false;
  dispatch_proceed(invocation, invocation->place);
  return true;
}
