// One thread opens a library, calls its join point and closes it, over and over, while two add and remove advice
// everywhere: a library that is just being loaded must not be touched. Its very first call must meet the advice.
//
//   advice_loading LIBRARY ROUNDS    the library exports `int plug_run(int)`, join point `Plug run`, which returns
//                                    its argument
#include <annot/advice.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_bool is_done;
static atomic_long met;

static void count(annot_invocation *invocation, void *context) {
  (void)invocation;
  atomic_fetch_add((atomic_long *)context, 1);
}

static void nothing(annot_invocation *invocation, void *context) {
  (void)invocation;
  (void)context;
}

static void *change(void *unused) {
  (void)unused;
  while (!atomic_load(&is_done)) {
    const annot_advice advice = {.cls = "Plug", .sel = "run", .position = ANNOT_BEFORE, .function = nothing};
    annot_unadvise(annot_advise(&advice, NULL));
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const long rounds = atol(argv[2]);
  const annot_advice advice = {
      .cls = "Plug", .sel = "run", .position = ANNOT_BEFORE, .function = count, .context = &met};
  if (!annot_advise(&advice, NULL)) return 2;
  pthread_t changer[2];
  for (int i = 0; i < 2; i++) pthread_create(&changer[i], NULL, change, NULL);
  long wrong = 0;
  for (long i = 0; i < rounds; i++) {
    void *library = dlopen(argv[1], RTLD_NOW);
    int (*run)(int) = library ? (int (*)(int))(uintptr_t)dlsym(library, "plug_run") : NULL;
    if (!run || run((int)i) != (int)i || atomic_load(&met) != i + 1) wrong++;
    if (library) dlclose(library);
  }
  atomic_store(&is_done, true);
  for (int i = 0; i < 2; i++) pthread_join(changer[i], NULL);
  printf("%ld rounds, %ld wrong\n", rounds, wrong);
  return wrong ? 1 : 0;
}
