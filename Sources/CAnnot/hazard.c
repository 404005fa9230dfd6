#define _GNU_SOURCE
#include "hazard.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// Slots are never freed, only handed on to later threads: their number is that of the threads that called
// advised join points at the same time.
static _Atomic(hazard *) all_hazards;
_Thread_local hazard *hazard_own;
bool hazard_has_barrier;
static pthread_key_t thread_exit_key;
static pthread_once_t prepared = PTHREAD_ONCE_INIT;
static bool thread_exit_key_made;

#if defined(__SANITIZE_THREAD__)
#define ANNOT_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ANNOT_THREAD_SANITIZER 1
#endif
#endif

static bool register_barrier(void) {
#if defined(ANNOT_THREAD_SANITIZER)
  return false;  // the sanitizer knows nothing of membarrier
#else
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
#endif
}

static void give_back(void *own) {
  hazard_own = NULL;
  atomic_store_explicit(&((hazard *)own)->taken, false, memory_order_release);
}

static void prepare(void) {
  thread_exit_key_made = pthread_key_create(&thread_exit_key, give_back) == 0;
  hazard_has_barrier = register_barrier();
}

static hazard *take_free_hazard(void) {
  for (hazard *it = atomic_load_explicit(&all_hazards, memory_order_acquire); it; it = it->next) {
    bool taken = false;
    if (atomic_compare_exchange_strong_explicit(
            &it->taken, &taken, true, memory_order_acq_rel, memory_order_relaxed))
      return it;
  }
  return NULL;
}

static hazard *add_hazard(void) {
  hazard *it = calloc(1, sizeof *it);
  if (!it) {
    fputs("annot: no memory to call an advised function\n", stderr);
    abort();
  }
  atomic_init(&it->taken, true);
  it->next = atomic_load_explicit(&all_hazards, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(
      &all_hazards, &it->next, it, memory_order_seq_cst, memory_order_relaxed)) {
  }
  return it;
}

__attribute__((noinline, cold)) hazard *hazard_claim(void) {
  pthread_once(&prepared, prepare);
  hazard *it = take_free_hazard();
  if (!it) it = add_hazard();
  hazard_own = it;
  if (thread_exit_key_made) pthread_setspecific(thread_exit_key, it);
  return it;
}

void hazard_barrier(void) {
  pthread_once(&prepared, prepare);
  if (hazard_has_barrier) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  atomic_thread_fence(memory_order_seq_cst);
}

bool hazard_holds(const void *address) {
  for (hazard *it = atomic_load_explicit(&all_hazards, memory_order_seq_cst); it; it = it->next)
    for (unsigned i = 0; i <= HAZARD_SLOTS; i++)
      if (atomic_load_explicit(&it->slots[i], memory_order_seq_cst) == address) return true;
  return false;
}

void hazard_after_fork(void) {
  for (hazard *it = atomic_load_explicit(&all_hazards, memory_order_seq_cst); it; it = it->next) {
    if (it == hazard_own) continue;
    for (unsigned i = 0; i <= HAZARD_SLOTS; i++)
      atomic_store_explicit(&it->slots[i], NULL, memory_order_relaxed);
    it->depth = 0;
    atomic_store_explicit(&it->taken, false, memory_order_release);
  }
}
