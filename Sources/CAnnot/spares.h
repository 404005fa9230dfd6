/// Memory that a writer makes ready before it takes the registry's lock, since nothing is allocated there.
#ifndef ANNOT_SPARES_H
#define ANNOT_SPARES_H

#include "hook.h"

#pragma GCC visibility push(hidden)

typedef struct spares {
  hook *hooks;
  annot_advice_list *lists;  // all of the same capacity
  size_t hook_count;
  size_t list_count;
  size_t capacity;  // of each list
  // What a pass found missing; spares_restock makes it ready.
  size_t hooks_wanted;
  size_t lists_wanted;
  size_t capacity_wanted;
} spares;

/// Whether a hook (if `with_hook`) and a list of `capacity` are ready; if not, notes what is wanted.
bool spares_have(spares *it, bool with_hook, size_t capacity);
hook *spares_take_hook(spares *it);
annot_advice_list *spares_take_list(spares *it);
/// Whether the last pass found something missing.
bool spares_short(const spares *it);
/// Makes ready what was missing; false when memory runs out.
bool spares_restock(spares *it);
/// Frees what was not used.
void spares_free(spares *it);

#pragma GCC visibility pop

#endif
