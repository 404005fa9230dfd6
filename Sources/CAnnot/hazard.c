#include "hazard.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

// Slots are never freed, only handed on to later threads: their number is that of the threads that called
// advised join points at the same time.
static _Atomic(hazard *) all_hazards;
static _Thread_local hazard *own_hazard;
static pthread_key_t thread_exit_key;
static pthread_once_t thread_exit_once = PTHREAD_ONCE_INIT;
static bool thread_exit_key_made;

static void give_back(void *slot) {
  own_hazard = NULL;
  atomic_store_explicit(&((hazard *)slot)->taken, false, memory_order_release);
}

static void make_thread_exit_key(void) {
  thread_exit_key_made = pthread_key_create(&thread_exit_key, give_back) == 0;
}

static hazard *take_free_hazard(void) {
  for (hazard *slot = atomic_load_explicit(&all_hazards, memory_order_acquire); slot; slot = slot->next) {
    bool taken = false;
    if (atomic_compare_exchange_strong_explicit(
            &slot->taken, &taken, true, memory_order_acq_rel, memory_order_relaxed))
      return slot;
  }
  return NULL;
}

static hazard *add_hazard(void) {
  hazard *slot = malloc(sizeof *slot);
  if (!slot) {
    fputs("annot: no memory to call an advised function\n", stderr);
    abort();
  }
  atomic_init(&slot->address, NULL);
  atomic_init(&slot->taken, true);
  slot->next = atomic_load_explicit(&all_hazards, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(
      &all_hazards, &slot->next, slot, memory_order_seq_cst, memory_order_relaxed)) {
  }
  return slot;
}

static __attribute__((noinline, cold)) hazard *claim_hazard(void) {
  pthread_once(&thread_exit_once, make_thread_exit_key);
  hazard *slot = take_free_hazard();
  if (!slot) slot = add_hazard();
  own_hazard = slot;
  if (thread_exit_key_made) pthread_setspecific(thread_exit_key, slot);
  return slot;
}

hazard *hazard_of_this_thread(void) { return own_hazard ? own_hazard : claim_hazard(); }

void hazard_wait(const void *address) {
  for (hazard *slot = atomic_load_explicit(&all_hazards, memory_order_seq_cst); slot; slot = slot->next)
    while (atomic_load_explicit(&slot->address, memory_order_seq_cst) == address) sched_yield();
}

void hazard_after_fork(void) {
  for (hazard *slot = atomic_load_explicit(&all_hazards, memory_order_seq_cst); slot; slot = slot->next) {
    if (slot == own_hazard) continue;
    atomic_store_explicit(&slot->address, NULL, memory_order_relaxed);
    atomic_store_explicit(&slot->taken, false, memory_order_release);
  }
}
