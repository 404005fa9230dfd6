// Threads call an advised function, at several depths, while others add and remove advice; for use under
// ThreadSanitizer and AddressSanitizer.
//
//   advice_stress [ROUNDS]    status 0 when every call saw whole lists and every context was released
#include <annot/advice.h>
#include <annot/joinpoint.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { callers = 4, writers = 2 };

static atomic_bool is_done;
static atomic_long calls, wrong, alive;
static long rounds = 2000;

ANNOT_METHOD(int, Stress, run, (int, depth)) { return depth == 0 ? 0 : 1 + Stress_run(depth - 1); }

// Adds to the argument and takes the same from the result: a call that saw half of a change returns another sum.
static void around(annot_invocation *invocation, void *context) {
  int *depth = annot_invocation_argument(invocation, 0);
  const int before = *depth;
  annot_invocation_proceed(invocation);
  if (*(int *)annot_invocation_result(invocation) != before) atomic_fetch_add(&wrong, 1);
  atomic_fetch_add((atomic_long *)context, 1);
}

static void release(void *context) {
  free(context);
  atomic_fetch_sub(&alive, 1);
}

static void *call(void *unused) {
  (void)unused;
  for (int depth = 0; !atomic_load(&is_done); depth = (depth + 1) % 12) {
    if (Stress_run(depth) != depth) atomic_fetch_add(&wrong, 1);
    atomic_fetch_add(&calls, 1);
  }
  return NULL;
}

static void *change(void *unused) {
  (void)unused;
  for (long i = 0; i < rounds; i++) {
    atomic_long *context = calloc(1, sizeof *context);
    atomic_fetch_add(&alive, 1);
    const annot_advice advice = {.cls = "Stress",
                                 .sel = "run",
                                 .position = ANNOT_AROUND,
                                 .options = i % 4 == 0 ? ANNOT_ADVICE_ONCE : 0,
                                 .function = around,
                                 .context = context,
                                 .release = release};
    const annot_advice_id id = annot_advise(&advice, NULL);
    if (!annot_unadvise(id) && i % 4 != 0) atomic_fetch_add(&wrong, 1);
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc > 1) rounds = atol(argv[1]);
  pthread_t caller[callers], writer[writers];
  for (int i = 0; i < callers; i++) pthread_create(&caller[i], NULL, call, NULL);
  for (int i = 0; i < writers; i++) pthread_create(&writer[i], NULL, change, NULL);
  for (int i = 0; i < writers; i++) pthread_join(writer[i], NULL);
  atomic_store(&is_done, true);
  for (int i = 0; i < callers; i++) pthread_join(caller[i], NULL);
  Stress_run(0);
  printf("%ld calls, %ld wrong, %ld contexts left\n", calls, wrong, alive);
  return wrong || alive ? 1 : 0;
}
