/// What the registry of advice does for shims, whose slots are settled without a call.
#ifndef ANNOT_REGISTRY_SHIMS_H
#define ANNOT_REGISTRY_SHIMS_H

#include <stdbool.h>

#include "annot/advice.h"
#include "shim_list.h"

#pragma GCC visibility push(hidden)

/// Gives all shims that nobody has settled the advice there is. Called with no lock held.
///
/// - complete: set to whether no image was passed over because it is just being loaded.
/// - Returns false when memory runs out.
bool registry_settle_shims(bool *complete);
/// Whether the advice of that id applies to a shim; false when there is no such advice.
bool registry_names(annot_advice_id id, const listed_shim *shim);

#pragma GCC visibility pop

#endif
