/// The runtime's entry, which images with join points find through its ELF note.
#ifndef ANNOT_RUNTIME_RESOLVE_H
#define ANNOT_RUNTIME_RESOLVE_H

#include "annot/layout.h"

#pragma GCC visibility push(hidden)

/// See annot_resolve_function.
const annot_hook *annot_runtime_resolve(annot_joinpoint *joinpoint);
/// Where the runtime's note leads: to annot_runtime_resolve.
const annot_hook *annot_runtime_entry(annot_joinpoint *joinpoint);

#pragma GCC visibility pop

#endif
