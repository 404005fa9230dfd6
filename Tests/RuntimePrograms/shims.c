// A program with the runtime that advises a function of a library, for tests of shims. It is linked with a library
// that defines `int thing_add(int, int)` and `int thing_twice(int)`, which calls the first. With NO_THING it is not and
// has functions of its own under other names; with NO_SHIM it has no shim for the first; with NO_POINTER no pointer.
//
//   call A B, pointer A B    calls thing_add: by name, or by a pointer in data; prints "call RESULT"
//   twice A                  calls thing_twice
//   take A B                 takes thing_add's address, calls it and prints whether it is the same as last time
//   open PATH, close         opens a library; closes the one opened last
//   plug NAME A B            calls `int NAME(int, int)` of the library opened last
//   advise, proceed, log     before advice adds 100 to the first argument; around advice proceeds twice; before advice
//                            prints "before"; on `Thing add`, removed by `unadvise` in reverse
//   wait                     adds as `advise` does, and lets it wait
//   other SEL                before advice that prints "before", on `Thing SEL`
//   unadvise                 removes the advice added last
//   refresh                  annot_refresh
//   hook                     calls the join point Host_run, whose first call looks for changes
//   entries                  prints of each of the program's own places for thing_add "entry same" or "entry changed",
//                            compared to the first time
//   report                   prints "row PATH VERDICT PLACES TEXT" of the advice added last
//   released                 prints "released COUNT", of contexts
//   loaded PATH              prints "loaded yes" or "loaded no"
//   fork                     goes on in a child
//   fail protect N           lets the Nth next mprotect fail
//   exhaust allocate|map     adds and removes the advice of `advise` with the first, second, … call for memory failing,
//                            until none does; prints "failures COUNT"

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annot/advice.h"
#include "annot/joinpoint.h"
#include "annot/runtime.h"
#include "annot/runtime_testing.h"
#include "annot/shim_report.h"

#ifdef NO_THING
#define CALLED(name) own_##name
static int own_thing_add(int a, int b) { return a + b; }
static int own_thing_twice(int a) { return a + a; }
#else
#define CALLED(name) name
int thing_add(int a, int b);
int thing_twice(int a);
#endif

#ifndef NO_SHIM
ANNOT_SHIM(int, Thing, add, thing_add, (int, a), (int, b));
#endif
ANNOT_SHIM(int, Thing, missing, thing_that_is_nowhere, (int, a));
ANNOT_METHOD(int, Host, run, (int, value)) { return value; }

// In functions of their own: with -fno-plt, compilers read an entry once for a whole loop.
__attribute__((noinline)) static int call_add(int a, int b) { return CALLED(thing_add)(a, b); }
__attribute__((noinline)) static int call_twice(int a) { return CALLED(thing_twice)(a); }

typedef int adder(int, int);
#ifdef NO_POINTER
static adder *pointer;
#else
static adder *volatile pointer = CALLED(thing_add);
#endif

__attribute__((noinline)) static adder *take(void) {
  adder *now = CALLED(thing_add);
  __asm__ volatile("" : "+r"(now));
  return now;
}

static void add(annot_invocation *invocation, void *context) {
  (void)context;
  *(int *)annot_invocation_argument(invocation, 0) += 100;
}
static void twice(annot_invocation *invocation, void *context) {
  (void)context;
  annot_invocation_proceed(invocation);
  *(int *)annot_invocation_argument(invocation, 1) = *(int *)annot_invocation_result(invocation);
  annot_invocation_proceed(invocation);
}
static void print(annot_invocation *invocation, void *context) {
  (void)invocation;
  (void)context;
  puts("before");
}

static void release(void *context) { ++*(int *)context; }

static annot_advice_id ids[64];
static int releases;
static size_t id_count;

static void advise(const char *sel, annot_position position, uint32_t options,
                   void (*function)(annot_invocation *, void *)) {
  const annot_advice advice = {
      .cls = "Thing", .sel = sel, .position = position, .options = options, .function = function,
      .context = &releases, .release = release};
  annot_error error = {0};
  ids[id_count] = annot_advise(&advice, &error);
  if (!ids[id_count])
    printf("refused %d %s\n", error.code, error.detail);
  else
    id_count++;
}

static void report(void) {
  annot_shim_report *it = annot_advice_shim_report(id_count ? ids[id_count - 1] : 0);
  for (size_t i = 0; i < annot_shim_report_count(it); i++) {
    const annot_shim_row row = annot_shim_report_row(it, i);
    printf("row %s %d %zu %s\n", row.path, row.verdict, row.places, row.text);
  }
  printf("reached %zu\n", annot_shim_report_reached(it));
  annot_shim_report_free(it);
}

// What the program's places for thing_add held the first time, found without the runtime.
static uintptr_t values[64];
static bool has_values;

static int compare(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  const ElfW(Rela) *tables[2] = {NULL, NULL};
  size_t sizes[2] = {0, 0}, count = 0;
  const ElfW(Sym) *symbols = NULL;
  const char *strings = NULL;
  for (const ElfW(Dyn) *it = _DYNAMIC; it->d_tag; it++) {
    const uintptr_t value = it->d_un.d_ptr;
    if (it->d_tag == DT_RELA) tables[0] = (const ElfW(Rela) *)value;
    if (it->d_tag == DT_RELASZ) sizes[0] = value;
    if (it->d_tag == DT_JMPREL) tables[1] = (const ElfW(Rela) *)value;
    if (it->d_tag == DT_PLTRELSZ) sizes[1] = value;
    if (it->d_tag == DT_SYMTAB) symbols = (const ElfW(Sym) *)value;
    if (it->d_tag == DT_STRTAB) strings = (const char *)value;
  }
  for (size_t t = 0; t < 2; t++)
    for (size_t i = 0; i < sizes[t] / sizeof(ElfW(Rela)); i++) {
      const size_t index = ELF64_R_SYM(tables[t][i].r_info);
      if (strcmp(strings + symbols[index].st_name, "thing_add")) continue;
      const uintptr_t now = *(const uintptr_t *)(info->dlpi_addr + tables[t][i].r_offset);
      if (!has_values) values[count] = now;
      printf("entry %s\n", now == values[count++] ? "same" : "changed");
    }
  has_values = true;
  (void)context;
  return 1;
}

static void exhaust(annot_runtime_call call) {
  const annot_advice advice = {.cls = "Thing", .sel = "add", .position = ANNOT_BEFORE, .function = add};
  unsigned failures = 0;
  for (unsigned nth = 1;; nth++) {
    annot_error error = {0};
    annot_runtime_fail_next(call, nth, ENOMEM);
    const annot_advice_id id = annot_advise(&advice, &error);
    const bool has_failed = !annot_runtime_fail_cancel();
    if (!id && error.code != ANNOT_ERROR_MEMORY) printf("refused %d %s\n", error.code, error.detail);
    if (id) annot_unadvise(id);
    if (!has_failed) break;
    failures += !id;
  }
  printf("failures %u\n", failures);
}

static adder *function_of(void *handle, const char *name) {
  adder *function;
  void *const symbol = dlsym(handle, name);
  memcpy(&function, &symbol, sizeof function);
  return function;
}

int main(int count, char **words) {
  void *handles[16];
  size_t open = 0;
  adder *taken = NULL;
  (void)count;
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (char **word = words + 1; *word; word++) {
    if (!strcmp(*word, "call")) {
      const int a = atoi(word[1]), b = atoi(word[2]);
      printf("call %d\n", call_add(a, b));
      word += 2;
    } else if (!strcmp(*word, "pointer")) {
      printf("call %d\n", pointer(atoi(word[1]), atoi(word[2])));
      word += 2;
    } else if (!strcmp(*word, "take")) {
      adder *now = take();
      printf("call %d %s\n", now(atoi(word[1]), atoi(word[2])), now == taken ? "same" : "other");
      taken = now;
      word += 2;
    } else if (!strcmp(*word, "twice")) {
      printf("call %d\n", call_twice(atoi(*++word)));
    } else if (!strcmp(*word, "open")) {
      if (!(handles[open++] = dlopen(*++word, RTLD_LAZY | RTLD_LOCAL))) {
        fprintf(stderr, "%s\n", dlerror());
        return 3;
      }
    } else if (!strcmp(*word, "close")) {
      dlclose(handles[--open]);
    } else if (!strcmp(*word, "plug")) {
      adder *function = function_of(handles[open - 1], word[1]);
      printf("call %d\n", function(atoi(word[2]), atoi(word[3])));
      word += 3;
    } else if (!strcmp(*word, "advise")) {
      advise("add", ANNOT_BEFORE, 0, add);
    } else if (!strcmp(*word, "wait")) {
      advise("add", ANNOT_BEFORE, ANNOT_ADVICE_MAY_WAIT, add);
    } else if (!strcmp(*word, "proceed")) {
      advise("add", ANNOT_AROUND, 0, twice);
    } else if (!strcmp(*word, "log")) {
      advise("add", ANNOT_BEFORE, 0, print);
    } else if (!strcmp(*word, "other")) {
      advise(*++word, ANNOT_BEFORE, 0, print);
    } else if (!strcmp(*word, "unadvise")) {
      if (!annot_unadvise(ids[--id_count])) return 5;
    } else if (!strcmp(*word, "refresh")) {
      if (!annot_refresh()) return 6;
    } else if (!strcmp(*word, "hook")) {
      Host_run(1);
    } else if (!strcmp(*word, "entries")) {
      dl_iterate_phdr(compare, NULL);
    } else if (!strcmp(*word, "report")) {
      report();
    } else if (!strcmp(*word, "released")) {
      printf("released %d\n", releases);
    } else if (!strcmp(*word, "loaded")) {
      void *handle = dlopen(*++word, RTLD_LAZY | RTLD_NOLOAD);
      printf("loaded %s\n", handle ? "yes" : "no");
      if (handle) dlclose(handle);
    } else if (!strcmp(*word, "fail")) {
      word += 2;
      annot_runtime_fail_next(ANNOT_RUNTIME_CALL_PROTECT, (unsigned)atoi(*word), EPERM);
    } else if (!strcmp(*word, "exhaust")) {
      exhaust(strcmp(*++word, "map") ? ANNOT_RUNTIME_CALL_ALLOCATE : ANNOT_RUNTIME_CALL_MAP);
    } else if (!strcmp(*word, "fork")) {
      const pid_t child = fork();
      int status = 1;
      if (child) return waitpid(child, &status, 0) == child ? status != 0 : 4;
    } else {
      return 2;
    }
  }
  return 0;
}
