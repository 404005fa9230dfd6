#include "dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hook.h"

/// Whether a call is one of the object that the advice is for.
static bool is_of_instance(const annot_invocation *invocation, const annot_advice *advice) {
  const annot_joinpoint_info *info = invocation->info;
  const void *first = invocation->arguments[0];
  if (info->parameters[0].type.kind == ANNOT_TYPE_POINTER) memcpy(&first, first, sizeof first);
  return first == advice->instance;
}

/// Looks whether conditional advice is to run now; once-only advice is for one call.
static __attribute__((noinline)) bool condition_holds(annot_invocation *invocation, size_t index) {
  const annot_advice *advice = &invocation->list->entries[index]->advice;
  if (advice->position == ANNOT_AFTER_THROWING && !invocation->threw) return false;
  if (advice->instance && !is_of_instance(invocation, advice)) return false;
  return annot_advice_list_begin(invocation->list, index);
}

static inline bool begins(annot_invocation *invocation, size_t index) {
  return !invocation->list->entries[index]->is_conditional || condition_holds(invocation, index);
}

/// Runs before or after advice, which cannot proceed: the caller sees to that.
static inline void run_beside(annot_invocation *invocation, size_t index) {
  const annot_advice *advice = &invocation->list->entries[index]->advice;
  if (begins(invocation, index)) advice->function(invocation, advice->context);
}

static void run_around(annot_invocation *invocation, size_t index, dispatch_place inside) {
  const annot_advice *advice = &invocation->list->entries[index]->advice;
  if (!begins(invocation, index)) {
    dispatch_proceed(invocation, inside);
    return;
  }
  const dispatch_place outer_place = invocation->place;
  const bool outer_may_proceed = invocation->may_proceed;
  invocation->place = inside;
  invocation->may_proceed = true;
  advice->function(invocation, advice->context);
  invocation->place = outer_place;
  invocation->may_proceed = outer_may_proceed;
}

/// The first entry at or behind `index` that is not of this precedence, or of a later position than `last`.
static size_t end_of_run(
    const annot_advice_list *list, size_t index, int32_t precedence, annot_position last) {
  while (index < list->view.count && list->entries[index]->advice.precedence == precedence &&
         list->entries[index]->advice.position <= last)
    index++;
  return index;
}

annot_advice_level annot_advice_list_level(const annot_advice_list *list, size_t first) {
  const int32_t precedence = list->entries[first]->advice.precedence;
  const size_t before_end = end_of_run(list, first, precedence, ANNOT_BEFORE);
  const size_t around_end = end_of_run(list, before_end, precedence, ANNOT_AROUND);
  const size_t end = end_of_run(list, around_end, precedence, ANNOT_AFTER_THROWING);
  return (annot_advice_level){.before_end = before_end, .around_end = around_end, .end = end};
}

__attribute__((noinline, cold)) void dispatch_destroy_result(annot_invocation *invocation) {
  void (*const destroy)(void *) = joinpoint_destroy(invocation->info);
  if (!destroy || !invocation->has_object) return;
  invocation->has_result = invocation->has_object = false;
  destroy(invocation->result);
}

/// Runs what a level encloses: the next level, or the original code.
static inline void run_enclosed(annot_invocation *invocation, size_t next_level) {
  if (next_level < invocation->list->view.count) {
    dispatch_level(invocation, annot_advice_list_level(invocation->list, next_level), next_level);
    return;
  }
  if (__builtin_expect(invocation->has_object, 0)) dispatch_destroy_result(invocation);
  invocation->info->invoke(invocation->arguments, invocation->result);
  invocation->has_result = invocation->has_object = true;
}

/// Runs a level but for its after advice.
static inline void run_inside(annot_invocation *invocation, annot_advice_level level, size_t first) {
  for (size_t i = first; i < level.before_end; i++) run_beside(invocation, i);
  if (level.before_end == level.around_end) {
    run_enclosed(invocation, level.end);
  } else {
    dispatch_proceed(invocation, (dispatch_place){.around = level.before_end,
                                                  .around_end = level.around_end,
                                                  .next_level = level.end});
  }
}

void dispatch_inside(annot_invocation *invocation, annot_advice_level level, size_t first) {
  run_inside(invocation, level, first);
}

void dispatch_beside(annot_invocation *invocation, size_t index) { run_beside(invocation, index); }

void dispatch_level(annot_invocation *invocation, annot_advice_level level, size_t first) {
  const bool outer_may_proceed = invocation->may_proceed;
  invocation->may_proceed = false;
  if (__builtin_expect(invocation->protect != NULL, 0) && level.around_end != level.end) {
    dispatch_protected_level(invocation, level, first);
  } else {
    run_inside(invocation, level, first);
    for (size_t i = level.end; i > level.around_end; i--) run_beside(invocation, i - 1);
  }
  invocation->may_proceed = outer_may_proceed;
}

void dispatch_proceed(annot_invocation *invocation, dispatch_place place) {
  if (place.around == place.around_end) {
    run_enclosed(invocation, place.next_level);
    return;
  }
  dispatch_place inside = place;
  inside.around++;
  run_around(invocation, place.around, inside);
}

void dispatch_require_result(const annot_invocation *invocation) {
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
  // The hook is const to callers only.
  hook *it = (hook *)(uintptr_t)base;
  const annot_joinpoint_info *info = it->info;
  const list_hold hold = advice_list_enter(&it->list);
  annot_advice_list *list = hold.list;
  if (!list) {
    info->invoke(arguments, result);
    return;
  }
  dispatch_clear_result(info, result);
  annot_invocation invocation = {.info = info, .arguments = arguments, .result = result, .list = list,
                                 .thread = hold.thread};
  dispatch_level(&invocation, list->view.first_level, 0);
  if (list->has_around && !invocation.has_result) dispatch_require_result(&invocation);
  advice_list_leave(hold);
}
