// Threads call an advised function, at several depths, while others add, remove, pause and resume advice, one by one
// and in batches; for use under ThreadSanitizer and AddressSanitizer.
//
//   advice_stress [ROUNDS]    status 0 when every call saw whole lists and whole batches, every context was released
//                             and the memory of lists stayed bounded
#include <annot/advice.h>
#include <annot/joinpoint.h>
#include <annot/runtime_testing.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  callers = 8,
  depths = 12,
  // Each call may hold a list, and each writer a few at a time.
  list_limit = callers * depths + 64,
};

static atomic_bool is_done;
static atomic_long calls, wrong, alive, most_lists;
static long rounds = 2000;

ANNOT_METHOD(int, Stress, run, (int, depth)) { return depth == 0 ? 0 : 1 + Stress_run(depth - 1); }

static void check_at(int line, bool holds) {
  if (holds) return;
  if (atomic_fetch_add(&wrong, 1) < 5) printf("line %d is wrong\n", line);
}
#define check(holds) check_at(__LINE__, holds)

static void count_lists(void) {
  const long now = (long)annot_runtime_advice_lists();
  long most = atomic_load(&most_lists);
  while (now > most && !atomic_compare_exchange_weak(&most_lists, &most, now)) {
  }
}

// What advice of one writer shares; counted while it is alive.
typedef struct share {
  atomic_long runs;
  atomic_bool is_ending;
  atomic_int users;
} share;

static share *make_share(void) {
  atomic_fetch_add(&alive, 1);
  share *own = calloc(1, sizeof *own);
  atomic_init(&own->users, 1);
  return own;
}

static void release(void *context) {
  if (atomic_fetch_sub(&((share *)context)->users, 1) > 1) return;
  free(context);
  atomic_fetch_sub(&alive, 1);
}

static annot_advice advice_of(
    annot_position position, void (*function)(annot_invocation *invocation, void *context), share *own) {
  return (annot_advice){.cls = "Stress",
                        .sel = "run",
                        .position = position,
                        .function = function,
                        .context = own,
                        .release = own ? release : NULL};
}

static _Thread_local share *latest;

// Finds the result to be what the argument was: a call that saw half of a change returns another.
static void around(annot_invocation *invocation, void *context) {
  int *depth = annot_invocation_argument(invocation, 0);
  const int before = *depth;
  annot_invocation_proceed(invocation);
  check(*(int *)annot_invocation_result(invocation) == before);
  atomic_fetch_add(&((share *)context)->runs, 1);
  latest = context;
}

static void *call(void *unused) {
  (void)unused;
  for (int depth = 0; !atomic_load(&is_done); depth = (depth + 1) % depths) {
    check(Stress_run(depth) == depth);
    atomic_fetch_add(&calls, 1);
  }
  return NULL;
}

static void *add_and_remove(void *unused) {
  (void)unused;
  for (long i = 0; i < rounds; i++) {
    const bool once = i % 4 == 0;
    annot_advice advice = advice_of(ANNOT_AROUND, around, make_share());
    advice.options = once ? ANNOT_ADVICE_ONCE : 0;
    const annot_advice_id id = annot_advise(&advice, NULL);
    check(annot_unadvise(id) || once);
    count_lists();
  }
  return NULL;
}

/// Whether a call of this thread meets the advice.
static bool meets(const share *own) {
  latest = NULL;
  Stress_run(0);
  return latest == own;
}

static void *pause_and_resume(void *unused) {
  (void)unused;
  for (long i = 0; i < rounds; i++) {
    share *own = make_share();
    annot_advice advice = advice_of(ANNOT_AROUND, around, own);
    advice.precedence = 1;  // the outermost, so that it comes last
    const annot_advice_id id = annot_advise(&advice, NULL);
    check(meets(own) && annot_advice_pause(id) && !meets(own));
    check(annot_advice_resume(id) && meets(own));
    if (i % 2) check(annot_advice_pause(id));
    check(annot_unadvise(id));
    count_lists();
  }
  return NULL;
}

static void *pause_at_once(void *context) {
  const annot_advice_id id = *(annot_advice_id *)context;
  for (long i = 0; i < rounds; i++) {
    annot_advice_pause(id);
    annot_advice_resume(id);
  }
  return NULL;
}

// Of the two of a batch that stand next to each other: the one whose second is to come, unless the second was
// about to be removed, and the one whose first ran last.
static _Thread_local share *opened, *first;

static void open_pair(annot_invocation *invocation, void *context) {
  (void)invocation;
  share *own = context;
  first = own;
  if (!atomic_load(&own->is_ending)) opened = own;
}

static void close_pair(annot_invocation *invocation, void *context) {
  (void)invocation;
  check(first == context && (!opened || opened == context));
  opened = NULL;
}

// Stands behind all pairs.
static void look_for_open_pair(annot_invocation *invocation, void *context) {
  (void)invocation;
  (void)context;
  check(!opened);
  opened = NULL;
}

static void *add_batches(void *unused) {
  (void)unused;
  for (long i = 0; i < rounds; i++) {
    share *own = make_share();
    atomic_store(&own->users, 2);
    annot_advice pair[] = {advice_of(ANNOT_BEFORE, open_pair, own), advice_of(ANNOT_BEFORE, close_pair, own)};
    annot_advice_id ids[2];
    check(annot_advise_all(pair, 2, ids, NULL));
    atomic_store(&own->is_ending, true);
    check(annot_unadvise(ids[1]) && annot_unadvise(ids[0]));
    count_lists();
  }
  return NULL;
}

static void start_all(pthread_t *thread, int count, void *(*run)(void *context), void *context) {
  for (int i = 0; i < count; i++) pthread_create(&thread[i], NULL, run, context);
}

static void wait_for_all(pthread_t *thread, int count) {
  for (int i = 0; i < count; i++) pthread_join(thread[i], NULL);
}

int main(int argc, char **argv) {
  if (argc > 1) rounds = atol(argv[1]);
  annot_advice looking = advice_of(ANNOT_BEFORE, look_for_open_pair, NULL);
  looking.precedence = -1;
  annot_advise(&looking, NULL);
  share *own = make_share();
  annot_advice_id paused = annot_advise(&(annot_advice){.cls = "Stress",
                                                        .sel = "run",
                                                        .position = ANNOT_AROUND,
                                                        .precedence = 2,
                                                        .function = around,
                                                        .context = own,
                                                        .release = release},
                                        NULL);
  pthread_t caller[callers], writer[6];
  start_all(caller, callers, call, NULL);
  start_all(writer, 2, add_and_remove, NULL);
  start_all(writer + 2, 1, add_batches, NULL);
  start_all(writer + 3, 2, pause_at_once, &paused);
  wait_for_all(writer, 5);
  annot_advice_resume(paused);
  check(meets(own));
  // By itself: advice outside of its own would be noted as the latest.
  check(annot_unadvise(paused));
  start_all(writer, 1, pause_and_resume, NULL);
  wait_for_all(writer, 1);
  check(annot_unadvise_all() == 1);
  atomic_store(&is_done, true);
  wait_for_all(caller, callers);
  Stress_run(0);
  check(most_lists <= list_limit && annot_runtime_advice_lists() == 0);
  printf("%ld calls, %ld wrong, %ld contexts left\n", calls, wrong, alive);
  return wrong || alive ? 1 : 0;
}
