/// Finds records that are about the same thing: what they repeat, and where they contradict each other.
#ifndef ANNOT_REPEAT_H
#define ANNOT_REPEAT_H

#include "annot/record.h"

ANNOT_BEGIN_DECLS

/// A sound record, as far as it is looked at here.
typedef struct annot_record_view {
  const char *bytes;  ///< the JSON text; not necessarily NUL-terminated
  size_t length;      ///< in bytes, without the NUL
  annot_text kind;    ///< as annot_validate finds it
  bool is_static;
} annot_record_view;

/// Gives the record of an index.
typedef annot_record_view annot_record_at(const void *context, size_t index);

/// A record that is about the same thing as one before it.
typedef struct annot_repeat {
  size_t first;      ///< index of the first record about the thing
  size_t second;     ///< index of one after it
  bool contradicts;  ///< it says something else, and not the same again
} annot_repeat;

/// Finds the records of built-in kinds that are about the same thing as one before them: each is paired with the
/// first. What counts as the same thing is told in docs/record-format.md, "Conflicts".
///
/// - at, context, count: the records.
/// - repeats: set to an array in the order of `second`; free it with annot_repeats_free.
/// - repeat_count: set to their number.
/// - Returns false when memory runs out. Thread-safe. Time grows as n log n with the number of records.
ANNOT_API bool annot_find_repeats(
    annot_record_at *at, const void *context, size_t count, annot_repeat **repeats, size_t *repeat_count);

/// Frees what annot_find_repeats allocated; null is allowed.
ANNOT_API void annot_repeats_free(annot_repeat *repeats);

ANNOT_END_DECLS

#endif
