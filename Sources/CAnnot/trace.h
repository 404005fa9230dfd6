/// Tells on request (ANNOT_LOG) what was found in each image, by which route, and in how long.
#ifndef ANNOT_TRACE_H
#define ANNOT_TRACE_H

#include <stdint.h>

#include "snapshot.h"

#pragma GCC visibility push(hidden)

/// The time in nanoseconds when tracing is on, else 0.
uint64_t trace_time(void);
/// Tells of an image that was read since `start`.
void trace_image(const known_image *it, uint64_t start);
/// Tells of a collection that began at `start`.
void trace_collection(const annot_snapshot *made, uint64_t start);

#pragma GCC visibility pop

#endif
