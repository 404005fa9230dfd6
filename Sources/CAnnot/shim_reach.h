/// Whether advice on shims is ever run.
#ifndef ANNOT_SHIM_REACH_H
#define ANNOT_SHIM_REACH_H

#include <stdbool.h>

#include "annot/advice.h"

#pragma GCC visibility push(hidden)

/// Whether advice that was just added catches calls, as far as it applies to shims. `error`, if not null, says why not.
bool shims_reached(annot_advice_id id, annot_error *error);

#pragma GCC visibility pop

#endif
