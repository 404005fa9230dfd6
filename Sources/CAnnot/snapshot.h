/// Snapshots as the collector makes them.
#ifndef ANNOT_SNAPSHOT_H
#define ANNOT_SNAPSHOT_H

#include "known_image.h"

#pragma GCC visibility push(hidden)

struct annot_snapshot {
  atomic_size_t references;
  uint64_t generation;
  loader_state state;  ///< when it was gathered
  size_t image_count;
  size_t record_count;
  size_t diagnostic_count;
  known_image **known;  ///< image_count of them
  annot_image *images;
  annot_diagnostic *diagnostics;
  // For the observers' queue, guarded by the collector's lock:
  struct annot_snapshot *before;  ///< the one it took the place of; held while queued
  struct annot_snapshot *queued_next;
};

/// A snapshot without images; null when memory runs out.
annot_snapshot *snapshot_make_empty(void);
/// A snapshot of what was gathered, with the images known before taken over; null when memory runs out.
annot_snapshot *snapshot_make(gathering *gathered);
/// Whether two snapshots have the same images in the same order, read in the same way.
bool snapshot_is_alike(const annot_snapshot *a, const annot_snapshot *b);

#pragma GCC visibility pop

#endif
