#include "spares.h"

bool spares_have(spares *it, bool with_hook, size_t capacity) {
  const bool ready =
      (!with_hook || it->hook_count > 0) && it->list_count > 0 && it->capacity >= capacity;
  if (ready) return true;
  it->hooks_wanted += with_hook;
  it->lists_wanted++;
  if (capacity > it->capacity_wanted) it->capacity_wanted = capacity;
  return false;
}

hook *spares_take_hook(spares *it) {
  hook *taken = it->hooks;
  it->hooks = taken->next;
  it->hook_count--;
  return taken;
}

annot_advice_list *spares_take_list(spares *it) {
  annot_advice_list *taken = it->lists;
  it->lists = taken->next;
  it->list_count--;
  taken->next = NULL;
  return taken;
}

bool spares_short(const spares *it) { return it->lists_wanted > 0; }

static void free_lists(spares *it) {
  while (it->list_count > 0) annot_advice_list_release(spares_take_list(it));
}

bool spares_restock(spares *it) {
  if (it->capacity_wanted > it->capacity) {
    free_lists(it);
    it->capacity = it->capacity_wanted;
  }
  for (; it->hook_count < it->hooks_wanted; it->hook_count++) {
    hook *made = hook_make();
    if (!made) return false;
    made->next = it->hooks;
    it->hooks = made;
  }
  for (; it->list_count < it->lists_wanted; it->list_count++) {
    annot_advice_list *made = advice_list_make(it->capacity);
    if (!made) return false;
    made->next = it->lists;
    it->lists = made;
  }
  it->hooks_wanted = it->lists_wanted = it->capacity_wanted = 0;
  return true;
}

void spares_free(spares *it) {
  free_lists(it);
  hook_free_chain(it->hooks);
  it->hooks = NULL;
  it->hook_count = 0;
}
