// Threads that end inside an advised call of C code compiled with -fexceptions: pthread_exit and pthread_cancel
// unwind the stack, and the after advice runs.
//
//   advice_cancel    status 0, and nothing printed, when it ran once a thread and no list was kept
#include <annot/advice.h>
#include <annot/joinpoint.h>
#include <annot/runtime_testing.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

ANNOT_METHOD(void, Thread, end, (int, cancelled)) {
  if (!cancelled) pthread_exit(NULL);
  for (;;) pause();
}

static atomic_int entered, left, returned;

static void count(annot_invocation *invocation, void *context) {
  (void)invocation;
  atomic_fetch_add((atomic_int *)context, 1);
}

static void add(annot_position position, atomic_int *counter) {
  const annot_advice advice = {
      .cls = "Thread", .sel = "end", .position = position, .function = count, .context = counter};
  annot_advise(&advice, NULL);
}

static void *run(void *cancelled) {
  Thread_end(cancelled != NULL);
  return NULL;
}

int main(void) {
  add(ANNOT_BEFORE, &entered);
  add(ANNOT_AFTER, &left);
  add(ANNOT_AFTER_THROWING, &left);
  add(ANNOT_AFTER_RETURNING, &returned);
  int cancelled;
  pthread_t thread[2];
  pthread_create(&thread[0], NULL, run, NULL);
  pthread_create(&thread[1], NULL, run, &cancelled);
  while (atomic_load(&entered) < 2) usleep(1000);
  pthread_cancel(thread[1]);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  annot_unadvise_all();
  const size_t lists = annot_runtime_advice_lists();
  if (left == 4 && returned == 0 && lists == 0) return 0;
  printf("%d after advices ran, %d of them wrongly, %zu lists are left\n", left, returned, lists);
  return 1;
}
