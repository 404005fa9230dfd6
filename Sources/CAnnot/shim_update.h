/// One attempt at leading calls to shims: which shims take part, what their originals are, which entries lead to them.
#ifndef ANNOT_SHIM_UPDATE_H
#define ANNOT_SHIM_UPDATE_H

#include "interposition.h"

#pragma GCC visibility push(hidden)

/// All that is led, and the images that are kept for it. Guarded by the updates' lock.
typedef struct shim_state {
  interposition *interpositions;
  image_pin *pins;
} shim_state;

/// The interposition of a symbol; null when there never was one.
interposition *shim_state_find(const shim_state *state, const char *symbol);
/// Takes out the pins that are no longer needed.
image_pin *shim_state_take_unused_pins(shim_state *state);

/// One attempt at an update.
typedef struct update {
  shim_state *state;
  arena memory;
  listed_shim *shims;
  pin_request *wanted;  ///< images that must be pinned before all can be done
  bool may_wait;
  bool is_again;
  bool is_short;    ///< of memory
  bool is_pending;  ///< images are to be pinned that could not be without waiting
} update;

/// Lists the shims. Returns false, with nothing to close, when memory runs out; else the arena is to be closed.
bool update_open(update *work);
/// Leads and restores what can be, and notes which images are to be pinned before more can.
void update_bring_about(update *work);

#pragma GCC visibility pop

#endif
