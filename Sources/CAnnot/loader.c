#define _GNU_SOURCE
#include "loader.h"

#include <pthread.h>

// Walks read-lock the guard; a fork write-locks it. Writers come first, or a few threads that read without
// pause would keep a fork waiting.
#ifdef PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
static const pthread_rwlock_t fresh_guard = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_rwlock_t guard = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#else
static const pthread_rwlock_t fresh_guard = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t guard = PTHREAD_RWLOCK_INITIALIZER;
#endif

static void before_fork(void) { pthread_rwlock_wrlock(&guard); }
static void after_fork_in_parent(void) { pthread_rwlock_unlock(&guard); }
// Not unlocked: the lock remembers its owner's thread number, and that is another one in the child.
static void after_fork_in_child(void) { guard = fresh_guard; }

// Registered after the runtime's other handlers, so that it runs before them: a walk's visitor may wait for a
// lock that those take.
static void register_handlers(void) { pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child); }

__attribute__((constructor)) void loader_prepare_for_fork(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_handlers);
}

void loader_iterate(loader_visitor *visit, void *context) {
  pthread_rwlock_rdlock(&guard);
  dl_iterate_phdr(visit, context);
  pthread_rwlock_unlock(&guard);
}

loader_state loader_state_of(const struct dl_phdr_info *info, size_t size) {
  if (size < offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs) return (loader_state){0, 0};
  return (loader_state){info->dlpi_adds, info->dlpi_subs};
}

static int first_state(struct dl_phdr_info *info, size_t size, void *context) {
  *(loader_state *)context = loader_state_of(info, size);
  return 1;
}

loader_state loader_state_now(void) {
  loader_state state = {0, 0};
  loader_iterate(first_state, &state);
  return state;
}
