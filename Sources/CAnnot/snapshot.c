#define _GNU_SOURCE
#include "snapshot.h"

#include <stdlib.h>

#include "calls.h"

annot_snapshot *snapshot_make_empty(void) {
  annot_snapshot *it = call_allocate(sizeof *it);
  if (it) atomic_init(&it->references, 1);
  return it;
}

/// The image as the last snapshot knows it, if it does; not retained.
static known_image *known_before(const gathered_image *image) {
  if (image->known) return image->known;
  return image->likely && known_image_is(image->likely, image) ? image->likely : NULL;
}

static known_image *take_image(gathered_image *image) {
  known_image *known = known_before(image);
  if (known) {
    known_image_retain(known);
    return known;
  }
  return known_image_read(image);
}

static bool take_images(annot_snapshot *it, gathering *gathered) {
  it->known = call_allocate(gathered->count * sizeof(known_image *));
  if (!it->known) return false;
  for (size_t i = 0; i < gathered->count; i++) {
    known_image *known = take_image(&gathered->images[i]);
    if (!known) return false;
    it->known[it->image_count++] = known;
  }
  return true;
}

static size_t diagnostics_of(const known_image *known) {
  return known->fault_count + known_image_failed(known) + (known->faults_left != NULL);
}

static bool make_room(annot_snapshot *it) {
  for (size_t i = 0; i < it->image_count; i++)
    it->diagnostic_count += diagnostics_of(it->known[i]) + it->known[i]->has_runtime;
  it->images = call_allocate(it->image_count * sizeof *it->images);
  it->diagnostics = call_allocate(it->diagnostic_count * sizeof *it->diagnostics);
  it->diagnostic_count = 0;
  return it->images && it->diagnostics;
}

static void add_diagnostic(annot_snapshot *it, annot_diagnostic diagnostic) {
  it->diagnostics[it->diagnostic_count++] = diagnostic;
}

static void list_faults(annot_snapshot *it, size_t image) {
  const known_image *known = it->known[image];
  for (size_t i = 0; i < known->fault_count; i++) {
    const annot_found_fault *fault = &known->faults[i];
    add_diagnostic(it, (annot_diagnostic){.image = image,
                                          .offset = fault->offset,
                                          .fault = fault->fault,
                                          .text = annot_fault_text(fault->fault)});
  }
  if (known->faults_left)
    add_diagnostic(
        it, (annot_diagnostic){.image = image, .error = ANNOT_ERROR_LIMIT, .text = known->faults_left});
}

static const char second_runtime[] =
    "it brings a second copy of Annot's runtime, which join points do not use: link both against one shared "
    "library";

static void list_contents(annot_snapshot *it) {
  bool has_runtime = false;
  for (size_t i = 0; i < it->image_count; i++) {
    const known_image *known = it->known[i];
    it->images[i] = known->image;
    it->images[i].first_record = it->record_count;
    it->images[i].record_count = known->record_count;
    it->record_count += known->record_count;
    if (known_image_failed(known))
      add_diagnostic(
          it, (annot_diagnostic){.image = i, .error = known->error->code, .text = known->error->detail});
    if (known->has_runtime && has_runtime)
      add_diagnostic(
          it, (annot_diagnostic){.image = i, .error = ANNOT_ERROR_UNSUPPORTED, .text = second_runtime});
    has_runtime |= known->has_runtime;
    list_faults(it, i);
  }
}

annot_snapshot *snapshot_make(gathering *gathered) {
  annot_snapshot *it = snapshot_make_empty();
  if (!it) return NULL;
  it->state = gathered->state;
  if (!take_images(it, gathered) || !make_room(it)) {
    annot_snapshot_free(it);
    return NULL;
  }
  list_contents(it);
  return it;
}

bool snapshot_is_alike(const annot_snapshot *a, const annot_snapshot *b) {
  if (a->image_count != b->image_count) return false;
  for (size_t i = 0; i < a->image_count; i++)
    if (a->known[i] != b->known[i]) return false;
  return true;
}

annot_snapshot *annot_snapshot_retain(annot_snapshot *it) {
  atomic_fetch_add_explicit(&it->references, 1, memory_order_relaxed);
  return it;
}

void annot_snapshot_free(annot_snapshot *it) {
  if (!it || atomic_fetch_sub_explicit(&it->references, 1, memory_order_acq_rel) != 1) return;
  for (size_t i = 0; i < it->image_count; i++) known_image_release(it->known[i]);
  free(it->known);
  free(it->images);
  free(it->diagnostics);
  free(it);
}
