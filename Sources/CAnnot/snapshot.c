#define _GNU_SOURCE
#include "snapshot.h"

#include <stdlib.h>

annot_snapshot *snapshot_make_empty(void) {
  annot_snapshot *it = calloc(1, sizeof *it);
  if (it) atomic_init(&it->references, 1);
  return it;
}

/// The known image that a gathered one is. The loader keeps its order, so the search begins where the last ended.
static known_image *find_known(const annot_snapshot *last, const gathered_image *gathered, size_t *hint) {
  for (size_t step = 0; last && step < last->image_count; step++) {
    const size_t index = (*hint + step) % last->image_count;
    if (!known_image_is(last->known[index], gathered)) continue;
    *hint = index + 1;
    return last->known[index];
  }
  return NULL;
}

static bool take_images(annot_snapshot *it, const gathering *gathered, const annot_snapshot *last, bool retry) {
  it->known = calloc(gathered->count + 1, sizeof(known_image *));
  if (!it->known) return false;
  size_t hint = 0;
  for (size_t i = 0; i < gathered->count; i++) {
    known_image *known = find_known(last, &gathered->images[i], &hint);
    if (known && !(retry && known_image_failed(known)))
      known_image_retain(known);
    else if (!(known = known_image_read(&gathered->images[i])))
      return false;
    it->known[it->image_count++] = known;
  }
  return true;
}

static bool make_room(annot_snapshot *it) {
  for (size_t i = 0; i < it->image_count; i++) {
    const annot_collection *found = &it->known[i]->found;
    it->record_count += found->record_count;
    it->diagnostic_count += found->fault_count + known_image_failed(it->known[i]);
  }
  it->images = calloc(it->image_count + 1, sizeof *it->images);
  it->records = calloc(it->record_count + 1, sizeof *it->records);
  it->diagnostics = calloc(it->diagnostic_count + 1, sizeof *it->diagnostics);
  return it->images && it->records && it->diagnostics;
}

static annot_record record_of(const known_image *known, const annot_found_record *found, size_t image) {
  return (annot_record){.bytes = found->bytes,
                        .length = found->length,
                        .image = image,
                        .offset = (uint64_t)(found->bytes - known->bytes),
                        .fields = annot_found_fields(found)};
}

static void list_contents(annot_snapshot *it) {
  annot_record *record = it->records;
  annot_diagnostic *diagnostic = it->diagnostics;
  for (size_t i = 0; i < it->image_count; i++) {
    const known_image *known = it->known[i];
    it->images[i] = known->image;
    it->images[i].first_record = (size_t)(record - it->records);
    it->images[i].record_count = known->found.record_count;
    for (size_t j = 0; j < known->found.record_count; j++)
      *record++ = record_of(known, &known->found.records[j], i);
    if (known_image_failed(known))
      *diagnostic++ = (annot_diagnostic){.image = i, .error = known->error.code, .text = known->error.detail};
    for (size_t j = 0; j < known->found.fault_count; j++) {
      const annot_found_fault *fault = &known->found.faults[j];
      *diagnostic++ = (annot_diagnostic){
          .image = i, .offset = fault->offset, .fault = fault->fault, .text = annot_fault_text(fault->fault)};
    }
  }
}

annot_snapshot *snapshot_make(const gathering *gathered, const annot_snapshot *last, bool retry) {
  annot_snapshot *it = snapshot_make_empty();
  if (!it) return NULL;
  it->adds = gathered->adds;
  it->subs = gathered->subs;
  if (!take_images(it, gathered, last, retry) || !make_room(it)) {
    annot_snapshot_free(it);
    return NULL;
  }
  list_contents(it);
  return it;
}

void snapshot_retain(annot_snapshot *it) {
  atomic_fetch_add_explicit(&it->references, 1, memory_order_relaxed);
}

void annot_snapshot_free(annot_snapshot *it) {
  if (!it || atomic_fetch_sub_explicit(&it->references, 1, memory_order_acq_rel) != 1) return;
  for (size_t i = 0; i < it->image_count; i++) known_image_release(it->known[i]);
  free(it->known);
  free(it->images);
  free(it->records);
  free(it->diagnostics);
  free(it);
}

uint64_t annot_snapshot_generation(const annot_snapshot *it) { return it->generation; }
size_t annot_snapshot_image_count(const annot_snapshot *it) { return it->image_count; }
const annot_image *annot_snapshot_image(const annot_snapshot *it, size_t index) { return &it->images[index]; }
size_t annot_snapshot_record_count(const annot_snapshot *it) { return it->record_count; }
const annot_record *annot_snapshot_record(const annot_snapshot *it, size_t index) { return &it->records[index]; }
size_t annot_snapshot_diagnostic_count(const annot_snapshot *it) { return it->diagnostic_count; }
const annot_diagnostic *annot_snapshot_diagnostic(const annot_snapshot *it, size_t index) {
  return &it->diagnostics[index];
}
