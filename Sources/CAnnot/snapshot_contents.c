// What a snapshot shows of itself.

#define _GNU_SOURCE
#include "snapshot.h"

uint64_t annot_snapshot_generation(const annot_snapshot *it) { return it->generation; }

size_t annot_snapshot_image_count(const annot_snapshot *it) { return it->image_count; }

const annot_image *annot_snapshot_image(const annot_snapshot *it, size_t index) { return &it->images[index]; }

bool annot_snapshot_has_image(const annot_snapshot *it, uint64_t identity) {
  for (size_t i = 0; i < it->image_count; i++)
    if (it->images[i].identity == identity) return true;
  return false;
}

annot_held_image *annot_snapshot_hold_image(const annot_snapshot *it, size_t index) {
  known_image_retain(it->known[index]);
  return (annot_held_image *)it->known[index];
}

static annot_record record_of(const known_image *known, size_t index) {
  const annot_found_record *found = &known->records[index];
  return (annot_record){.bytes = found->bytes,
                        .length = found->length,
                        .offset = (uint64_t)(found->bytes - known->sections[found->section].bytes),
                        .fields = annot_found_fields(found),
                        .found = found};
}

size_t annot_held_image_record_count(const annot_held_image *image) {
  return ((const known_image *)image)->record_count;
}

annot_record annot_held_image_record(const annot_held_image *image, size_t index) {
  return record_of((const known_image *)image, index);
}

void annot_held_image_free(annot_held_image *image) {
  if (image) known_image_release((known_image *)image);
}

size_t annot_snapshot_record_count(const annot_snapshot *it) { return it->record_count; }

/// The image whose records the index is among.
static size_t image_of(const annot_snapshot *it, size_t index) {
  size_t low = 0, high = it->image_count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (it->images[middle].first_record <= index)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// Made when asked for: records kept ready would have to be copied from snapshot to snapshot.
annot_record annot_snapshot_record(const annot_snapshot *it, size_t index) {
  const size_t image = image_of(it, index);
  annot_record record = record_of(it->known[image], index - it->images[image].first_record);
  record.image = image;
  return record;
}

size_t annot_snapshot_diagnostic_count(const annot_snapshot *it) { return it->diagnostic_count; }

const annot_diagnostic *annot_snapshot_diagnostic(const annot_snapshot *it, size_t index) {
  return &it->diagnostics[index];
}
