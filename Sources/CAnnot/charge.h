/// Which copy of the runtime is in charge, when a process has several.
///
/// A library that linked the runtime statically brings a copy of its own. Join points find the copy that comes
/// first in load order, so that one is in charge; another must never write a join point's slot.
#ifndef ANNOT_CHARGE_H
#define ANNOT_CHARGE_H

#include "annot/layout.h"

#pragma GCC visibility push(hidden)

/// The entry of the copy that is in charge; null when it is this one. Takes the loader's lock at its first call.
annot_resolve_function charge_elsewhere(void);

#pragma GCC visibility pop

#endif
