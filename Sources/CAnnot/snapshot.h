/// Snapshots as the collector makes them.
#ifndef ANNOT_SNAPSHOT_H
#define ANNOT_SNAPSHOT_H

#include "known_image.h"

#pragma GCC visibility push(hidden)

struct annot_snapshot {
  atomic_size_t references;
  uint64_t generation;
  unsigned long long adds;  // the loader's counters when it was gathered
  unsigned long long subs;
  size_t image_count;
  size_t record_count;
  size_t diagnostic_count;
  known_image **known;  // image_count of them
  annot_image *images;
  annot_record *records;
  annot_diagnostic *diagnostics;
};

/// A snapshot without images; null when memory runs out.
annot_snapshot *snapshot_make_empty(void);
/// A snapshot of what was gathered, with the images that `last` knows taken over; null when memory runs out.
///
/// - last: may be null.
/// - retry: whether images whose records could not be read are read again.
annot_snapshot *snapshot_make(const gathering *gathered, const annot_snapshot *last, bool retry);
void snapshot_retain(annot_snapshot *it);

#pragma GCC visibility pop

#endif
