// Calls of join points whose image tells of exceptions: their after advice runs and their list is let go of also
// when an exception passes through. It passes through the frames of this file, which have no clean-up of their own.

#include "dispatch.h"
#include "hook.h"

/// A call that learns of exceptions.
typedef struct protected_call {
  list_hold hold;
  annot_invocation invocation;
} protected_call;

static void run_call(void *context) {
  protected_call *it = context;
  dispatch_level(&it->invocation, it->hold.list->view.first_level, 0);
  if (it->hold.list->has_around) dispatch_require_result(&it->invocation);
}

static void abandon_call(void *context) {
  protected_call *it = context;
  dispatch_destroy_result(&it->invocation);
  advice_list_leave(it->hold);
}

void dispatch_protected_call(const annot_hook *base, void *const *arguments, void *result) {
  // The hook is const to callers only.
  hook *it = (hook *)(uintptr_t)base;
  const annot_joinpoint_info *info = it->info;
  protected_call call = {.hold = advice_list_enter(&it->list)};
  if (!call.hold.list) {
    info->invoke(arguments, result);
    return;
  }
  dispatch_clear_result(info, result);
  call.invocation = (annot_invocation){.info = info,
                                       .arguments = arguments,
                                       .result = result,
                                       .list = call.hold.list,
                                       .thread = call.hold.thread,
                                       .protect = joinpoint_protect(info)};
  call.invocation.protect(run_call, abandon_call, &call);
  advice_list_leave(call.hold);
}

/// A level whose after advice must run also when an exception leaves what it follows.
typedef struct protected_level {
  annot_invocation *invocation;
  annot_advice_level level;
  size_t first;
  size_t next_after;  // behind the next after advice to run
} protected_level;

static void run_protected_inside(void *context) {
  const protected_level *it = context;
  dispatch_inside(it->invocation, it->level, it->first);
}

static void run_after_advice(void *context) {
  protected_level *it = context;
  while (it->next_after > it->level.around_end) {
    const size_t index = --it->next_after;
    const annot_position position = it->invocation->list->entries[index]->advice.position;
    if (it->invocation->threw && position == ANNOT_AFTER_RETURNING) continue;
    dispatch_beside(it->invocation, index);
  }
}

/// Runs the after advice that is left, each of which encloses the one that ran before it: when one throws, the
/// others learn of that.
static void run_after_throwing(void *context) {
  protected_level *it = context;
  it->invocation->may_proceed = false;
  it->invocation->threw = true;
  it->invocation->protect(run_after_advice, run_after_throwing, it);
  it->invocation->threw = false;
}

void dispatch_protected_level(annot_invocation *invocation, annot_advice_level level, size_t first) {
  protected_level it = {
      .invocation = invocation, .level = level, .first = first, .next_after = level.end};
  invocation->protect(run_protected_inside, run_after_throwing, &it);
  invocation->protect(run_after_advice, run_after_throwing, &it);
}
