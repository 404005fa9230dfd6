// What advice can ask of and do with its invocation.

#include "dispatch.h"

const annot_joinpoint_info *annot_invocation_info(const annot_invocation *invocation) {
  return invocation->info;
}

void *annot_invocation_argument(annot_invocation *invocation, size_t index) {
  return index < invocation->info->parameter_count ? invocation->arguments[index] : NULL;
}

void *annot_invocation_result(annot_invocation *invocation) {
  const uint16_t kind = invocation->info->result.kind;
  if (kind == ANNOT_TYPE_VOID) return NULL;
  // After an exception nobody gets what advice would make there.
  if (invocation->threw && kind >= ANNOT_TYPE_NONTRIVIAL && !invocation->has_object) return NULL;
  invocation->has_result = true;
  return invocation->result;
}

/// An around advice's call of proceed, and what that changes in the invocation until it returns.
typedef struct protected_proceed {
  annot_invocation *invocation;
  dispatch_place place;
} protected_proceed;

static void run_proceed(void *context) {
  const protected_proceed *it = context;
  dispatch_proceed(it->invocation, it->place);
}

static void restore_invocation(void *context) {
  const protected_proceed *it = context;
  it->invocation->place = it->place;
  it->invocation->may_proceed = true;
  it->invocation->threw = false;
}

bool annot_invocation_proceed(annot_invocation *invocation) {
  if (!invocation->may_proceed) return false;
  if (__builtin_expect(invocation->protect != NULL, 0)) {
    // The advice may catch what is thrown and proceed once more.
    protected_proceed it = {.invocation = invocation, .place = invocation->place};
    invocation->protect(run_proceed, restore_invocation, &it);
  } else {
    dispatch_proceed(invocation, invocation->place);
  }
  return true;
}

void **annot_invocation_spare(const annot_invocation *invocation) {
  return invocation->thread ? &invocation->thread->spare : NULL;
}

bool annot_invocation_threw(const annot_invocation *invocation) { return invocation->threw; }
