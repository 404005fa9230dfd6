// Telling of all advice.

#include <stdlib.h>

#include "advice_reach.h"
#include "advice_registry.h"
#include "calls.h"

/// A registration and what may change of it, as it was at one moment.
typedef struct listed {
  registration *it;
  bool is_paused;
} listed;

/// Fills in as many as there is room for, oldest first; returns how many there are.
static size_t copy_registry(listed *list, size_t room) {
  size_t count = 0;
  registry_lock();
  for (registration *it = registry_newest(); it; it = it->next) count++;
  size_t place = count;
  for (registration *it = registry_newest(); it && count <= room; it = it->next) {
    registration_retain(it);
    list[--place] = (listed){.it = it, .is_paused = it->paused};
  }
  registry_unlock();
  return count;
}

/// All registrations, retained; null when memory runs out.
static listed *take_all(size_t *count) {
  listed *list = NULL;
  size_t room = 0;
  while ((*count = copy_registry(list, room)) > room || !list) {
    free(list);
    room = *count + 1;
    list = call_allocate(room * sizeof *list);
    if (!list) return NULL;
  }
  return list;
}

static annot_advice_info describe(const listed *entry, const declared_joinpoints *declared) {
  const annot_advice *advice = &entry->it->advice;
  return (annot_advice_info){.id = entry->it->id,
                             .identifier = advice->identifier,
                             .module = advice->module,
                             .cls = advice->cls,
                             .sel = advice->sel,
                             .position = advice->position,
                             .precedence = advice->precedence,
                             .options = advice->options,
                             .is_paused = entry->is_paused,
                             .instance = advice->instance,
                             .reach = reach_count(declared, entry->it),
                             .file = advice->file,
                             .line = advice->line};
}

bool annot_advice_each(void (*visit)(const annot_advice_info *advice, void *context), void *context) {
  declared_joinpoints declared;
  size_t count = 0;
  listed *list = reach_open(&declared) ? take_all(&count) : NULL;
  for (size_t i = 0; list && i < count; i++) {
    const annot_advice_info info = describe(&list[i], &declared);
    visit(&info, context);
    registration_release(list[i].it);
  }
  const bool done = list != NULL;
  free(list);
  reach_close(&declared);
  return done;
}
