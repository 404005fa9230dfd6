/// What collecting and sorting share.
#ifndef ANNOT_COLLECT_INTERNAL_H
#define ANNOT_COLLECT_INTERNAL_H

#include "annot/collect.h"
#include "internal.h"

#pragma GCC visibility push(hidden)

/// Puts records into the readers' order, equal ones in the order they were in; false without memory.
///
/// - records: allocated by sys_malloc or sys_realloc; replaced by another such array.
bool annot_sort_found(annot_found_record **records, size_t count);

/// Makes an array larger by doubling.
///
/// - array, capacity: updated on success.
/// - element: the size of an element in bytes.
bool annot_grow(void **array, size_t *capacity, size_t element);

#pragma GCC visibility pop

#endif
