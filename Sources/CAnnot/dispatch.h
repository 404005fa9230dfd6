/// Runs a call of an advised C join point.
#ifndef ANNOT_DISPATCH_H
#define ANNOT_DISPATCH_H

#include <string.h>

#include "advice_list.h"
#include "annot/layout.h"

#pragma GCC visibility push(hidden)

/// Where a call stands in its advice list.
typedef struct dispatch_place {
  size_t around;      // the next around advice of the level to run
  size_t around_end;  // behind the level's last around advice
  size_t next_level;  // the first entry of the level enclosed by this one
} dispatch_place;

struct annot_invocation {
  const annot_joinpoint_info *info;
  void *const *arguments;
  void *result;
  annot_advice_list *list;
  annot_protect_function protect;  // null where exceptions are not known of
  dispatch_place place;  // what proceed goes on with
  hazard *thread;        // the calling thread's, null when deferred or nested too deeply
  bool may_proceed;      // inside around advice
  bool has_result;       // the original code ran, or advice was handed the result's place
  bool has_object;       // the original code made the result
  bool threw;            // in after advice: an exception ended what it follows
};

/// The join point's protect function, null when it has none.
static inline annot_protect_function joinpoint_protect(const annot_joinpoint_info *info) {
  const size_t known = offsetof(annot_joinpoint_info, protect) + sizeof info->protect;
  return info->size >= known ? info->protect : NULL;
}
/// The function that ends the life of the join point's result, null when it has none.
static inline void (*joinpoint_destroy(const annot_joinpoint_info *info))(void *) {
  const size_t known = offsetof(annot_joinpoint_info, destroy) + sizeof info->destroy;
  return info->size >= known ? info->destroy : NULL;
}

/// annot_hook.dispatch of C join points.
void dispatch_call(const annot_hook *base, void *const *arguments, void *result);
/// The same for those that have a protect function.
void dispatch_protected_call(const annot_hook *base, void *const *arguments, void *result);
/// Runs the advice of one precedence, whose entries begin at `first`, and all that it encloses.
void dispatch_level(annot_invocation *invocation, annot_advice_level level, size_t first);
/// The same for a level with after advice, of a join point that has a protect function.
void dispatch_protected_level(annot_invocation *invocation, annot_advice_level level, size_t first);
/// Runs a level but for its after advice.
void dispatch_inside(annot_invocation *invocation, annot_advice_level level, size_t first);
/// Runs before or after advice.
void dispatch_beside(annot_invocation *invocation, size_t index);
/// Ends the process where a call would return a C++ object or reference that nobody made.
void dispatch_require_result(const annot_invocation *invocation);
/// Ends the life of a result that is to be made again or that nobody will get.
void dispatch_destroy_result(annot_invocation *invocation);
/// Zeroes the room of a result that is plain bytes.
static inline void dispatch_clear_result(const annot_joinpoint_info *info, void *result) {
  const annot_type *type = &info->result;
  if (type->kind == ANNOT_TYPE_VOID || type->kind >= ANNOT_TYPE_NONTRIVIAL) return;
  // The usual sizes without a call.
  if (type->size == sizeof(uint64_t))
    memset(result, 0, sizeof(uint64_t));
  else if (type->size == sizeof(uint32_t))
    memset(result, 0, sizeof(uint32_t));
  else
    memset(result, 0, type->size);
}

/// Goes on from a place: the remaining around advice, then the enclosed levels, then the original code.
void dispatch_proceed(annot_invocation *invocation, dispatch_place place);

#pragma GCC visibility pop

#endif
