// A program that opens libraries and calls join points, its own and theirs, for tests of copies of the runtime.
// Built with the runtime and RUNTIME defined, or without both.
//
//   open PATH, close      opens a library; closes the one opened last, which stays the one that `call` asks
//   run VALUE             calls the program's join point and prints the result
//   call VALUE            calls the `run` of the library opened last and prints the result
//   advise                adds 100 to the argument of every join point `run`
//   fork                  goes on in a child
//   observe               prints the paths of images that come from now on

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annot/joinpoint.h"

ANNOT_METHOD(int, Host, run, (int, value)) { return value; }

#ifdef RUNTIME
#include "annot/advice.h"
#include "annot/runtime.h"

static void add(annot_invocation *invocation, void *context) {
  (void)context;
  *(int *)annot_invocation_argument(invocation, 0) += 100;
}

static void advise(void) {
  static const char *const classes[] = {"Host", "Library"};
  for (size_t i = 0; i < 2; i++) {
    const annot_advice advice = {.cls = classes[i], .sel = "run", .position = ANNOT_BEFORE, .function = add};
    if (!annot_advise(&advice, NULL)) exit(4);
  }
}

static void print_added(annot_snapshot *before, annot_snapshot *after, void *context) {
  (void)context;
  for (size_t i = 0; i < annot_snapshot_image_count(after); i++) {
    const annot_image *image = annot_snapshot_image(after, i);
    if (!annot_snapshot_has_image(before, image->identity)) printf("added %s\n", image->path);
  }
}

static void observe(void) {
  if (!annot_observe(print_added, NULL, NULL)) exit(4);
}
#else
static void advise(void) { exit(2); }
static void observe(void) { exit(2); }
#endif

typedef int run_function(int value);

static run_function *run_of(void *handle) {
  run_function *function;
  void *const symbol = dlsym(handle, "library_run");
  memcpy(&function, &symbol, sizeof function);
  return function;
}

int main(int count, char **words) {
  void *handles[16];
  size_t open = 0;
  (void)count;
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (char **word = words + 1; *word; word++) {
    if (!strcmp(*word, "open")) {
      if (!(handles[open++] = dlopen(*++word, RTLD_NOW | RTLD_LOCAL))) {
        fprintf(stderr, "%s\n", dlerror());
        return 3;
      }
    } else if (!strcmp(*word, "close")) {
      dlclose(handles[--open]);
    } else if (!strcmp(*word, "run")) {
      printf("run %d\n", Host_run(atoi(*++word)));
    } else if (!strcmp(*word, "call")) {
      printf("call %d\n", run_of(handles[open - 1])(atoi(*++word)));
    } else if (!strcmp(*word, "fork")) {
      const pid_t child = fork();
      int status = 1;
      if (child) return waitpid(child, &status, 0) == child ? status != 0 : 4;
    } else if (!strcmp(*word, "advise")) {
      advise();
    } else if (!strcmp(*word, "observe")) {
      observe();
    } else {
      return 2;
    }
  }
  return 0;
}
