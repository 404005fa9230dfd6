#define _GNU_SOURCE
#include "benchmark_calls.h"

#include <annot/advice.h>
#include <annot/joinpoint.h>
#include <dlfcn.h>
#include <stddef.h>
#include <time.h>

__attribute__((noinline)) int64_t baseline_plain(int64_t a, int64_t b) {
  __asm__ volatile("");
  return a ^ b;
}

static int64_t (*volatile pointer)(int64_t, int64_t) = baseline_plain;
__attribute__((noinline)) int64_t baseline_pointer(int64_t a, int64_t b) { return pointer(a, b); }

ANNOT_METHOD_NAMED(int64_t, baseline_joinpoint, Bench, add, (int64_t, a), (int64_t, b)) {
  __asm__ volatile("");
  return a ^ b;
}

int64_t baseline_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t baseline_time(int64_t (*function)(int64_t, int64_t), int64_t count) {
  const int64_t start = baseline_now();
  for (int64_t i = 0; i < count; i++) function(i, count);
  return baseline_now() - start;
}

static void proceed(annot_invocation *invocation, void *context) {
  (void)context;
  annot_invocation_proceed(invocation);
}
static void nothing(annot_invocation *invocation, void *context) {
  (void)invocation;
  (void)context;
}

uint64_t baseline_advise(int position) {
  const annot_advice advice = {.cls = "Bench",
                               .sel = "add",
                               .position = (annot_position)position,
                               .function = position == ANNOT_AROUND ? proceed : nothing};
  return annot_advise(&advice, NULL);
}

#if __has_include(<ffi.h>)
#include <ffi.h>

// libffi is looked up when the benchmark runs, so that nothing else needs it.
static ffi_type *argument_types[2];
static ffi_cif interface;
static int64_t (*closure)(int64_t, int64_t);
static void (*call)(ffi_cif *, void (*)(void), void *, void **);
static int64_t counted;

static void count_and_call(ffi_cif *cif, void *result, void **arguments, void *context) {
  (void)context;
  counted++;
  call(cif, (void (*)(void))baseline_plain, result, arguments);
}

bool baseline_make_closure(void) {
  void *library = dlopen("libffi.so.8", RTLD_NOW);
  if (!library) library = dlopen("libffi.so.7", RTLD_NOW);
  if (!library) return false;
  ffi_type *number = dlsym(library, "ffi_type_sint64");
  ffi_status (*prepare)(ffi_cif *, ffi_abi, unsigned, ffi_type *, ffi_type **);
  void *(*allocate)(size_t, void **);
  ffi_status (*prepare_closure)(
      ffi_closure *, ffi_cif *, void (*)(ffi_cif *, void *, void **, void *), void *, void *);
  *(void **)&prepare = dlsym(library, "ffi_prep_cif");
  *(void **)&allocate = dlsym(library, "ffi_closure_alloc");
  *(void **)&prepare_closure = dlsym(library, "ffi_prep_closure_loc");
  *(void **)&call = dlsym(library, "ffi_call");
  if (!number || !prepare || !allocate || !prepare_closure || !call) return false;
  argument_types[0] = argument_types[1] = number;
  if (prepare(&interface, FFI_DEFAULT_ABI, 2, number, argument_types) != FFI_OK) return false;
  void *code;
  ffi_closure *made = allocate(sizeof *made, &code);
  if (!made || prepare_closure(made, &interface, count_and_call, NULL, code) != FFI_OK) return false;
  *(void **)&closure = code;
  return true;
}

__attribute__((noinline)) int64_t baseline_closure(int64_t a, int64_t b) { return closure(a, b); }
#else
bool baseline_make_closure(void) { return false; }
int64_t baseline_closure(int64_t a, int64_t b) { return a ^ b; }
#endif
