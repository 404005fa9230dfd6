#include "advice_list.h"

#include <stdlib.h>

#include "annot/runtime_testing.h"
#include "calls.h"

static atomic_size_t alive;

size_t annot_runtime_advice_lists(void) { return atomic_load_explicit(&alive, memory_order_relaxed); }

annot_advice_list *advice_list_make(size_t capacity) {
  annot_advice_list *list = call_allocate(sizeof *list + capacity * sizeof list->entries[0]);
  if (!list) return NULL;
  atomic_fetch_add_explicit(&alive, 1, memory_order_relaxed);
  list->view = (annot_advice_view){.entries = (const annot_advice *const *)list->entries};
  atomic_init(&list->references, 1);
  list->next = NULL;
  atomic_init(&list->is_retired, false);
  list->capacity = capacity;
  list->has_around = false;
  return list;
}

/// A position's group: the three kinds of after advice are one.
static int group_of(annot_position position) {
  return position > ANNOT_AFTER ? ANNOT_AFTER : (int)position;
}

/// Whether `a` stands before `b`: higher precedence, then earlier position, then earlier registration.
static bool stands_before(const registration *a, const registration *b) {
  if (a->advice.precedence != b->advice.precedence) return a->advice.precedence > b->advice.precedence;
  const int group = group_of(a->advice.position), other = group_of(b->advice.position);
  if (group != other) return group < other;
  if (a->advice.order != b->advice.order) return a->advice.order < b->advice.order;
  return a->id < b->id;
}

void advice_list_insert(annot_advice_list *list, registration *it) {
  size_t place = list->view.count++;
  while (place > 0 && stands_before(it, list->entries[place - 1])) {
    list->entries[place] = list->entries[place - 1];
    place--;
  }
  list->entries[place] = it;
  list->has_around |= it->advice.position == ANNOT_AROUND;
  list->view.first_level = annot_advice_list_level(list, 0);
  registration_retain(it);
}

bool advice_list_has(const annot_advice_list *list, const registration *it) {
  if (!list) return false;
  for (size_t i = 0; i < list->view.count; i++)
    if (list->entries[i] == it) return true;
  return false;
}

size_t advice_list_count_active(const annot_advice_list *list) {
  size_t count = 0;
  for (size_t i = 0; list && i < list->view.count; i++) count += registration_is_active(list->entries[i]);
  return count;
}

void advice_list_copy_active(annot_advice_list *to, const annot_advice_list *from) {
  for (size_t i = 0; from && i < from->view.count; i++)
    if (registration_is_active(from->entries[i])) advice_list_insert(to, from->entries[i]);
}

annot_advice_list *advice_list_acquire(advice_list_slot *slot) {
  hazard *mine = hazard_of_this_thread();
  _Atomic(void *) *place = &mine->slots[HAZARD_SLOTS];
  annot_advice_list *list = advice_list_announce(slot, place);
  if (list) annot_advice_list_retain(list);
  hazard_write(place, NULL);
  return list;
}

static _Atomic(annot_advice_list *) retired;
atomic_uint_fast64_t advice_list_epoch;

static void put_aside(annot_advice_list *list) {
  list->next = atomic_load_explicit(&retired, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(
      &retired, &list->next, list, memory_order_seq_cst, memory_order_relaxed)) {
  }
}

void advice_list_retire(annot_advice_list *chain) {
  if (!chain) return;
  for (annot_advice_list *next; chain; chain = next) {
    next = chain->next;
    atomic_store_explicit(&chain->is_retired, true, memory_order_relaxed);
    put_aside(chain);
  }
  // Before the barrier in collect: a call that ends too late to be seen there sees the new epoch and collects.
  atomic_fetch_add_explicit(&advice_list_epoch, 1, memory_order_seq_cst);
  advice_list_collect();
}

__attribute__((noinline)) void advice_list_collect(void) {
  annot_advice_list *chain = atomic_exchange_explicit(&retired, NULL, memory_order_seq_cst);
  if (!chain) return;
  hazard_barrier();
  for (annot_advice_list *next; chain; chain = next) {
    next = chain->next;
    if (hazard_holds(chain))
      put_aside(chain);
    else
      annot_advice_list_release(chain);
  }
}

void annot_advice_list_retain(annot_advice_list *list) {
  atomic_fetch_add_explicit(&list->references, 1, memory_order_relaxed);
}

void annot_advice_list_release(annot_advice_list *list) {
  if (atomic_fetch_sub_explicit(&list->references, 1, memory_order_acq_rel) != 1) return;
  for (size_t i = 0; i < list->view.count; i++) registration_release(list->entries[i]);
  free(list);
  atomic_fetch_sub_explicit(&alive, 1, memory_order_relaxed);
}

size_t annot_advice_list_count(const annot_advice_list *list) { return list->view.count; }

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
