/// Hazard slots: what each thread is using right now and must not be freed.
///
/// A thread announces an address in a slot of its own before it uses what is there. A writer that took
/// something out of use frees it only when no slot holds it. The announcement must be visible before the thread
/// looks whether the address still is the current one; where the kernel has membarrier, the writer sees to that
/// for all threads at once, so that a reader pays for an ordinary store (membarrier(2),
/// MEMBARRIER_CMD_PRIVATE_EXPEDITED).
#ifndef ANNOT_HAZARD_H
#define ANNOT_HAZARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/// How many nested calls of one thread are covered; deeper ones count references instead.
enum { HAZARD_SLOTS = 8 };

typedef struct hazard {
  // The last slot is for the moment in which a reference is taken.
  _Atomic(void *) slots[HAZARD_SLOTS + 1];
  unsigned depth;       // slots in use; the owner's alone
  uint64_t seen_epoch;  // of the writers' removals; the owner's alone
  void *spare;          // a binding's object that calls of the thread share; the owner's alone
  atomic_bool taken;
  struct hazard *next;  // constant once published
} hazard;

extern _Thread_local hazard *hazard_own;
/// Whether hazard_barrier orders the stores of all threads; constant once a thread has a hazard.
extern bool hazard_has_barrier;

hazard *hazard_claim(void);
/// The calling thread's slots. Ends the process when memory runs out: to go on would be to pass a gate.
static inline hazard *hazard_of_this_thread(void) {
  return __builtin_expect(hazard_own != 0, 1) ? hazard_own : hazard_claim();
}

/// Writes a slot so that what the thread reads afterwards is read after the writing.
static inline void hazard_write(_Atomic(void *) *slot, void *address) {
  if (__builtin_expect(hazard_has_barrier, 1)) {
    atomic_store_explicit(slot, address, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
  } else {
    atomic_store_explicit(slot, address, memory_order_seq_cst);
  }
}

/// For writers: whatever other threads wrote to their slots before this call is seen after it.
void hazard_barrier(void);
/// Whether a slot of any thread holds the address.
bool hazard_holds(const void *address);
/// In a child process, where only the calling thread lives on: clears the slots of the others.
void hazard_after_fork(void);

#pragma GCC visibility pop

#endif
