// A library that brings a copy of the runtime and has it advise the program (host.c) and join points `run`.

#include <stdio.h>

#include "annot/advice.h"
#include "annot/joinpoint.h"

ANNOT_METHOD(int, Library, run, (int, value)) { return value; }

int library_run(int value) { return Library_run(value); }

static void add(annot_invocation *invocation, void *context) {
  (void)context;
  *(int *)annot_invocation_argument(invocation, 0) += 1000;
}

__attribute__((constructor)) static void start(void) {
  static const char *const classes[] = {"Host", "Library"};
  for (int i = 0; i < 2; i++) {
    const annot_advice advice = {.cls = classes[i], .sel = "run", .position = ANNOT_BEFORE, .function = add};
    annot_error error;
    if (!annot_advise(&advice, &error)) printf("refused %s\n", error.detail);
  }
}
