// Finds records of a snapshot that contradict each other: docs/record-format.md, "Conflicts".

#define _GNU_SOURCE  // struct dl_phdr_info
#include <stdlib.h>

#include "annot/repeat.h"
#include "calls.h"
#include "snapshot.h"

static annot_record_view view_of(const void *context, size_t index) {
  const annot_record record = annot_snapshot_record(context, index);
  return (annot_record_view){record.bytes, record.length, record.fields.kind, record.fields.is_static};
}

/// Those of the repeats that contradict; null when memory runs out.
static annot_conflict *contradicting(const annot_repeat *repeats, size_t repeat_count, size_t *count) {
  annot_conflict *conflicts = call_allocate((repeat_count + 1) * sizeof *conflicts);
  for (size_t i = 0; conflicts && i < repeat_count; i++)
    if (repeats[i].contradicts) conflicts[(*count)++] = (annot_conflict){repeats[i].first, repeats[i].second};
  return conflicts;
}

bool annot_snapshot_conflicts(const annot_snapshot *snapshot, annot_conflict **conflicts, size_t *count) {
  annot_repeat *repeats;
  size_t repeat_count;
  *conflicts = NULL;
  *count = 0;
  if (!annot_find_repeats(view_of, snapshot, snapshot->record_count, &repeats, &repeat_count)) return false;
  *conflicts = contradicting(repeats, repeat_count, count);
  annot_repeats_free(repeats);
  return *conflicts != NULL;
}

void annot_conflicts_free(annot_conflict *conflicts) { free(conflicts); }
