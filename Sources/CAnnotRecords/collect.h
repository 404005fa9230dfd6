/// What collecting and sorting share.
#ifndef ANNOT_COLLECT_INTERNAL_H
#define ANNOT_COLLECT_INTERNAL_H

#include "annot/collect.h"
#include "json_string.h"

#pragma GCC visibility push(hidden)

/// Checks the record at `bytes`, which is not NUL, and finds its members and its end.
///
/// - section: what it is in; the same for all of its records, in the order in which they stand.
/// - limits: with the defaults filled in, and not above those of the format.
/// - record: filled, but for its section, when the record is sound; else of no use.
/// - length: set to the record's, without the NUL that ends it or up to the section's end.
/// - where: set to the offset in the record at which a fault was noticed.
annot_fault annot_examine(
    annot_json_text *section, const char *bytes, const annot_record_limits *limits, annot_found_record *record,
    size_t *length, size_t *where);

/// A text of a found record; an absent one is empty.
static inline annot_text annot_found_text(const annot_found_record *record, int which) {
  return (annot_text){record->bytes + record->text_offset[which], record->text_length[which]};
}

/// Puts records into the readers' order and leaves one of those that are the same byte for byte, the first; false
/// without memory.
///
/// - records: allocated by sys_malloc or sys_realloc; may be replaced by another such array.
/// - count: how many there are; set to how many are left.
bool annot_sort_found(annot_found_record **records, size_t *count);

/// Makes an array larger by doubling.
///
/// - array, capacity: updated on success.
/// - element: the size of an element in bytes.
bool annot_grow(void **array, size_t *capacity, size_t element);

#pragma GCC visibility pop

#endif
