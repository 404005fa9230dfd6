/// Runs a call of an advised C join point.
#ifndef ANNOT_DISPATCH_H
#define ANNOT_DISPATCH_H

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
  dispatch_place place;  // what proceed goes on with
  hazard *thread;        // the calling thread's, null when deferred or nested too deeply
  bool may_proceed;      // inside around advice
  bool has_result;       // the original code ran, or advice was handed the result's place
};

/// annot_hook.dispatch of every C join point.
void dispatch_call(const annot_hook *base, void *const *arguments, void *result);
/// Goes on from a place: the remaining around advice, then the enclosed levels, then the original code.
void dispatch_proceed(annot_invocation *invocation, dispatch_place place);

#pragma GCC visibility pop

#endif
