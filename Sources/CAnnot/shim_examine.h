/// Looks at what shims catch.
#ifndef ANNOT_SHIM_EXAMINE_H
#define ANNOT_SHIM_EXAMINE_H

#include "interposition.h"

#pragma GCC visibility push(hidden)

/// What interpose_examine calls: with the shims that are in effect or not, and for each symbol its survey, judged.
typedef void interpose_examiner(
    const listed_shim *shim, const survey *surveyed, const interposition *it, void *context);

/// Calls `examine` for each settled shim of the loaded images that `wants` chooses, with the runtime's locks for
/// entries held: it must not call anything that is not our own. Returns false when memory runs out.
bool interpose_examine(
    bool (*wants)(const listed_shim *shim, const void *context), interpose_examiner *examine,
    void *context);

#pragma GCC visibility pop

#endif
