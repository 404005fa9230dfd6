// Threads call a library's function while others add and remove advice on its shim and open and close a library that
// calls it; for use under ThreadSanitizer and AddressSanitizer.
//
//   shim_stress ROUNDS LIBRARY    the library exports `int plug_add(int, int)`, which calls thing_add; the program is
//                                 linked with one that defines `int thing_add(int, int)`
//   shim_stress ROUNDS            instead of opening a library, forks children that add and remove advice
//
// Status 0 when every call returned what it must, every context was released, and each call of a thread that had just
// added advice met it.
#include <annot/advice.h>
#include <annot/joinpoint.h>
#include <annot/runtime.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { callers = 4, writers = 2 };

int thing_add(int a, int b);
ANNOT_SHIM(int, Thing, add, thing_add, (int, a), (int, b));

static atomic_bool is_done;
static atomic_long calls, wrong, missed, alive;
static long rounds = 1000;
static const char *library;

// Moves from one argument to the other: the sum stays.
static void around(annot_invocation *invocation, void *context) {
  int *a = annot_invocation_argument(invocation, 0), *b = annot_invocation_argument(invocation, 1);
  *a += 7;
  *b -= 7;
  annot_invocation_proceed(invocation);
  atomic_fetch_add((atomic_long *)context, 1);
}

static void release(void *context) {
  free(context);
  atomic_fetch_sub(&alive, 1);
}

static void *call(void *unused) {
  (void)unused;
  for (int i = 0; !atomic_load(&is_done); i = (i + 1) % 1000) {
    if (thing_add(i, 1) != i + 1) atomic_fetch_add(&wrong, 1);
    atomic_fetch_add(&calls, 1);
  }
  return NULL;
}

static void *change(void *unused) {
  (void)unused;
  for (long i = 0; i < rounds; i++) {
    atomic_long *context = calloc(1, sizeof *context);
    atomic_fetch_add(&alive, 1);
    const annot_advice advice = {.cls = "Thing",
                                 .sel = "add",
                                 .position = ANNOT_AROUND,
                                 .function = around,
                                 .context = context,
                                 .release = release};
    const annot_advice_id id = annot_advise(&advice, NULL);
    if (!id) atomic_fetch_add(&wrong, 1);
    const long before = atomic_load(context);
    if (thing_add(1, 2) != 3) atomic_fetch_add(&wrong, 1);
    if (atomic_load(context) == before) atomic_fetch_add(&missed, 1);
    if (!annot_unadvise(id)) atomic_fetch_add(&wrong, 1);
  }
  return NULL;
}

static void *load(void *unused) {
  (void)unused;
  while (!atomic_load(&is_done)) {
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    int (*function)(int, int) = handle ? (int (*)(int, int))(uintptr_t)dlsym(handle, "plug_add") : NULL;
    for (int i = 0; i < 100; i++)
      if (!function || function(i, 1) != i + 1) atomic_fetch_add(&wrong, 1);
    annot_refresh();
    if (function && function(1, 1) != 2) atomic_fetch_add(&wrong, 1);
    if (handle) dlclose(handle);
  }
  return NULL;
}

static int in_child(void) {
  alarm(20);
  atomic_long count = 0;
  const annot_advice advice = {
      .cls = "Thing", .sel = "add", .position = ANNOT_AROUND, .function = around, .context = &count};
  const annot_advice_id id = annot_advise(&advice, NULL);
  const bool is_met = thing_add(1, 2) == 3 && atomic_load(&count) == 1;
  return id && is_met && annot_unadvise(id) && thing_add(1, 2) == 3 ? 0 : 1;
}

static void *make_children(void *unused) {
  (void)unused;
  while (!atomic_load(&is_done)) {
    const pid_t child = fork();
    if (child == 0) _exit(in_child());
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) atomic_fetch_add(&wrong, 1);
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  rounds = atol(argv[1]);
  library = argv[2];
  pthread_t caller[callers], writer[writers], loader;
  for (int i = 0; i < callers; i++) pthread_create(&caller[i], NULL, call, NULL);
  for (int i = 0; i < writers; i++) pthread_create(&writer[i], NULL, change, NULL);
  pthread_create(&loader, NULL, library ? load : make_children, NULL);
  for (int i = 0; i < writers; i++) pthread_join(writer[i], NULL);
  atomic_store(&is_done, true);
  for (int i = 0; i < callers; i++) pthread_join(caller[i], NULL);
  pthread_join(loader, NULL);
  annot_refresh();
  thing_add(0, 0);
  printf("%ld calls, %ld wrong, %ld missed, %ld contexts left\n", calls, wrong, missed, alive);
  return wrong || missed || alive ? 1 : 0;
}
