/// dl_iterate_phdr, made safe over fork.
///
/// The GNU C library's fork (2.36 and before, at least) does not give its child a fresh lock of the list of
/// images: a child forked while another thread walks the list waits for ever at its first walk. So a fork
/// waits for the walks that are made here.
#ifndef ANNOT_LOADER_H
#define ANNOT_LOADER_H

#include <link.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

/// Registers the handlers of fork, if it has not been done. Whoever holds a lock while images are iterated registers
/// its own after this, as they run in reverse.
void loader_prepare_for_fork(void);

typedef int loader_visitor(struct dl_phdr_info *info, size_t size, void *context);

/// Calls `visit` for each image, the main program first, while none can be unloaded; ends when it returns
/// non-zero. The visitor must not allocate by malloc, take a lock that is held where libraries are opened,
/// fork, or iterate.
void loader_iterate(loader_visitor *visit, void *context);

/// The loader's counters of images added and removed, dlpi_adds and dlpi_subs of dl_iterate_phdr(3). An image
/// was loaded or unloaded between two moments exactly if they differ, and both only grow.
typedef struct loader_state {
  unsigned long long adds;
  unsigned long long subs;
} loader_state;

/// The counters a visitor was shown.
loader_state loader_state_of(const struct dl_phdr_info *info, size_t size);
/// The counters now.
loader_state loader_state_now(void);

#pragma GCC visibility pop

#endif
