/// How many join points advice applies to.
#ifndef ANNOT_ADVICE_REACH_H
#define ANNOT_ADVICE_REACH_H

#include "annot/runtime.h"
#include "registration.h"

#pragma GCC visibility push(hidden)

/// The names of the join points that the loaded images declare.
typedef struct declared_joinpoints {
  annot_snapshot *snapshot;
  annot_target *names;
  size_t count;
} declared_joinpoints;

/// Finds them; false when memory runs out. End with reach_close in either case.
bool reach_open(declared_joinpoints *it);
/// How many of them, and of those that their owners registered, the advice applies to.
size_t reach_count(const declared_joinpoints *it, const registration *advice);
void reach_close(declared_joinpoints *it);

#pragma GCC visibility pop

#endif
