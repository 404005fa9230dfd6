/// Hazard slots: one per thread, the address that the thread is about to take a reference on.
#ifndef ANNOT_HAZARD_H
#define ANNOT_HAZARD_H

#include <stdatomic.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

typedef struct hazard {
  _Atomic(void *) address;
  atomic_bool taken;
  struct hazard *next;  // constant once published
} hazard;

/// The calling thread's slot. Ends the process when memory runs out: to go on would be to pass a gate.
hazard *hazard_of_this_thread(void);
/// In a child process, where only the calling thread lives on: clears the slots of the others.
void hazard_after_fork(void);
/// Waits until no thread is about to take a reference on `address`.
void hazard_wait(const void *address);

#pragma GCC visibility pop

#endif
