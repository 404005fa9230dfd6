// Removing, pausing and finding advice.

#include <stdlib.h>
#include <string.h>

#include "advice_registry.h"

bool annot_unadvise(annot_advice_id id) {
  registry_lock();
  registration *it = registry_find(id);
  if (it) registry_unlink(it);
  registry_unlock();
  if (!it) return false;
  registry_apply(&(pass){0});
  registration_release(it);
  return true;
}

annot_advice_id annot_advice_find(const char *identifier) {
  registry_lock();
  const registration *it = registry_find_identifier(identifier);
  const annot_advice_id id = it ? it->id : 0;
  registry_unlock();
  return id;
}
