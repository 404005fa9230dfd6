/// C functions to be called in benchmarks of calls, and other ways to stand between caller and function.
#ifndef BENCHMARK_CALLS_H
#define BENCHMARK_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/// A function that no compiler inlines.
int64_t baseline_plain(int64_t a, int64_t b);
/// The same through a pointer that no compiler sees through.
int64_t baseline_pointer(int64_t a, int64_t b);
/// The same as a join point: class Bench, selector add.
int64_t baseline_joinpoint(int64_t a, int64_t b);

/// Makes a libffi closure that counts its calls and goes on with ffi_call. Returns false where libffi is not
/// installed, or was not when this was built.
bool baseline_make_closure(void);
/// The same through that closure.
int64_t baseline_closure(int64_t a, int64_t b);

/// The nanoseconds of this thread's processor time.
int64_t baseline_now(void);

/// Calls a function `count` times, with changing arguments, and returns the nanoseconds that takes.
int64_t baseline_time(int64_t (*function)(int64_t, int64_t), int64_t count);

/// Advises the C join point with a C function that does nothing.
/// - position: an annot_position. Returns the registration's id.
uint64_t baseline_advise(int position);

#endif
