#include "advice_list.h"

#include <stdlib.h>

#include "hazard.h"

annot_advice_list *advice_list_make(size_t capacity) {
  annot_advice_list *list = malloc(sizeof *list + capacity * sizeof list->entries[0]);
  if (!list) return NULL;
  atomic_init(&list->references, 1);
  list->next = NULL;
  list->capacity = capacity;
  list->count = 0;
  list->has_around = false;
  return list;
}

/// Whether `a` stands before `b`: higher precedence, then earlier position, then earlier registration.
static bool stands_before(const annot_advice *a, annot_advice_id a_id, const registration *b) {
  if (a->precedence != b->advice.precedence) return a->precedence > b->advice.precedence;
  if (a->position != b->advice.position) return a->position < b->advice.position;
  return a_id < b->id;
}

void advice_list_insert(annot_advice_list *list, registration *it) {
  size_t place = list->count++;
  while (place > 0 && stands_before(&it->advice, it->id, list->entries[place - 1])) {
    list->entries[place] = list->entries[place - 1];
    place--;
  }
  list->entries[place] = it;
  list->has_around |= it->advice.position == ANNOT_AROUND;
  registration_retain(it);
}

bool advice_list_has(const annot_advice_list *list, const registration *it) {
  if (!list) return false;
  for (size_t i = 0; i < list->count; i++)
    if (list->entries[i] == it) return true;
  return false;
}

void advice_list_copy(annot_advice_list *to, const annot_advice_list *from, const registration *without) {
  if (!from) return;
  for (size_t i = 0; i < from->count; i++)
    if (from->entries[i] != without) advice_list_insert(to, from->entries[i]);
}

annot_advice_list *advice_list_acquire(advice_list_slot *slot) {
  annot_advice_list *list = atomic_load_explicit(slot, memory_order_acquire);
  if (!list) return NULL;
  hazard *mine = hazard_of_this_thread();
  for (;;) {
    if (!list) return NULL;
    atomic_store_explicit(&mine->address, list, memory_order_seq_cst);
    annot_advice_list *now = atomic_load_explicit(slot, memory_order_seq_cst);
    if (now == list) break;
    list = now;
    if (!list) atomic_store_explicit(&mine->address, NULL, memory_order_release);
  }
  annot_advice_list_retain(list);
  atomic_store_explicit(&mine->address, NULL, memory_order_release);
  return list;
}

void advice_list_retire(annot_advice_list *chain) {
  while (chain) {
    annot_advice_list *next = chain->next;
    hazard_wait(chain);
    annot_advice_list_release(chain);
    chain = next;
  }
}

void annot_advice_list_retain(annot_advice_list *list) {
  atomic_fetch_add_explicit(&list->references, 1, memory_order_relaxed);
}

void annot_advice_list_release(annot_advice_list *list) {
  if (atomic_fetch_sub_explicit(&list->references, 1, memory_order_acq_rel) != 1) return;
  for (size_t i = 0; i < list->count; i++) registration_release(list->entries[i]);
  free(list);
}

size_t annot_advice_list_count(const annot_advice_list *list) { return list->count; }

annot_advice_entry annot_advice_list_entry(const annot_advice_list *list, size_t index) {
  const annot_advice *advice = &list->entries[index]->advice;
  return (annot_advice_entry){.position = advice->position,
                              .precedence = advice->precedence,
                              .function = advice->function,
                              .context = advice->context};
}

bool annot_advice_list_begin(annot_advice_list *list, size_t index) {
  registration *it = list->entries[index];
  if (!(it->advice.options & ANNOT_ADVICE_ONCE)) return true;
  if (atomic_exchange_explicit(&it->fired, true, memory_order_acq_rel)) return false;
  annot_unadvise(it->id);
  return true;
}
