/// A symbol whose calls lead, or once led, to shims.
#ifndef ANNOT_INTERPOSITION_H
#define ANNOT_INTERPOSITION_H

#include "image_pin.h"
#include "shim_list.h"
#include "shim_survey.h"

#pragma GCC visibility push(hidden)

/// An entry that leads to a shim.
typedef struct led_entry {
  uintptr_t *place;
  uintptr_t saved;   ///< what it held before
  uintptr_t led_to;  ///< the shim
  uintptr_t image;   ///< its image's dynamic section
} led_entry;

typedef struct interposition {
  struct interposition *next;
  char *symbol;
  /// The functions of all shims of this symbol that entries were ever led to; their images stay loaded.
  uintptr_t *shims;
  size_t shim_count;
  uintptr_t original;  ///< 0 when nothing is led
  uintptr_t ifunc;     ///< see survey_known
  uintptr_t definer;   ///< the dynamic section of the image with the original; 0 for none that could go away
  led_entry *entries;
  size_t entry_count, entry_capacity;
} interposition;

/// Makes one without entries; null when memory runs out.
interposition *interposition_make(const char *symbol);
/// Whether an address is one of its shims.
bool interposition_has_shim(uintptr_t function, const void *it);
/// Notes a shim. Returns false when memory runs out.
bool interposition_add_shim(interposition *it, uintptr_t function);
/// What a survey is judged by.
survey_known interposition_known(const interposition *it);

/// Leads the judged entries of a survey to a shim, and forgets entries of images that are gone.
///
/// Returns false when memory runs out. `*again` is set when an entry changed meanwhile; entries whose page is
/// protected are judged so.
bool interposition_lead(interposition *it, survey *surveyed, uintptr_t shim, bool *again);
/// Restores all entries of images that are still there. Those that cannot be written stay listed.
void interposition_restore(interposition *it);

#pragma GCC visibility pop

#endif
