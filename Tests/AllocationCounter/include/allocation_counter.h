/// Counts the program's heap allocations, by standing in for the C library's allocator.
#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdint.h>

/// How many allocations the calling thread has made.
uint64_t allocation_count(void);

#endif
