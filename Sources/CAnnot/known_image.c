#define _GNU_SOURCE
#include "known_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "image_draft.h"
#include "trace.h"

/// Lays things out in one block of memory: a first pass only adds up sizes, a second one copies.
typedef struct layout {
  char *base;  ///< null in the first pass
  size_t used;
} layout;

static void *place(layout *it, const void *bytes, size_t size, size_t alignment) {
  it->used = (it->used + alignment - 1) / alignment * alignment;
  char *to = it->base ? it->base + it->used : NULL;
  it->used += size;
  return to && size ? memcpy(to, bytes, size) : to;
}

#define PLACE_ARRAY(layout, array, count) place(layout, array, (count) * sizeof *(array), _Alignof(max_align_t))

/// From so many bytes of records on they are taken over where they are and not copied into the block.
enum { taken_size = 64 << 10 };

static bool is_large(const image_draft *draft) {
  size_t size = 0;
  for (size_t i = 0; i < draft->section_count; i++) size += draft->sections[i].length;
  return size >= taken_size;
}

/// Whether the sections' bytes are in memory of their own; by note they may be in the gathering's.
static bool owns_sections(const image_draft *draft) {
  return draft->sections != &draft->noted || draft->gathered->mapped_size;
}

static void place_sections(layout *at, known_image *it, const image_draft *draft) {
  it->section_count = draft->section_count;
  annot_text *sections = PLACE_ARRAY(at, draft->sections, draft->section_count);
  it->sections = sections;
  it->addresses = draft->addresses ? PLACE_ARRAY(at, draft->addresses, draft->section_count) : NULL;
  it->owns_sections = is_large(draft) && owns_sections(draft);
  for (size_t i = 0; i < draft->section_count && !it->owns_sections; i++) {
    const char *bytes = place(at, draft->sections[i].bytes, draft->sections[i].length, 1);
    if (sections) sections[i].bytes = bytes;
  }
}

static void place_records(layout *at, known_image *it, const image_draft *draft) {
  const annot_collection *found = &draft->found;
  const bool is_taken = is_large(draft);
  annot_found_record *records =
      is_taken ? found->records : PLACE_ARRAY(at, found->records, found->record_count);
  it->faults = is_taken ? found->faults : PLACE_ARRAY(at, found->faults, found->fault_count);
  it->records = records;
  it->record_count = found->record_count;
  it->fault_count = found->fault_count;
  it->unkept_faults = found->unkept_faults;
  // They point into the sections that were copied.
  for (size_t i = 0; at->base && !it->owns_sections && i < found->record_count; i++) {
    const uint32_t section = records[i].section;
    records[i].bytes = it->sections[section].bytes + (records[i].bytes - draft->sections[section].bytes);
  }
}

/// Takes over what was not copied.
static void take_over(known_image *it, image_draft *draft) {
  if (!is_large(draft)) return;
  it->taken = draft->found;
  draft->found = (annot_collection){0};
  if (!it->owns_sections) return;
  it->mapped_size = draft->gathered->mapped_size;
  draft->gathered->mapped_size = 0;
  for (size_t i = 0; i < draft->section_count; i++) draft->sections[i].bytes = NULL;
}

static void place_text(layout *at, known_image *it, const image_draft *draft) {
  const gathered_image *gathered = draft->gathered;
  it->name = place(at, gathered->name, strlen(gathered->name) + 1, 1);
  it->image.path =
      draft->path == gathered->name ? it->name : place(at, draft->path, strlen(draft->path) + 1, 1);
  if (gathered->build_id_length) it->image.build_id = place(at, gathered->build_id, gathered->build_id_length, 1);
  if (!draft->found.unkept_faults) return;
  char text[80];
  const int length =
      snprintf(text, sizeof text, "%zu more runs of bytes are no records", draft->found.unkept_faults);
  it->faults_left = place(at, text, (size_t)length + 1, 1);
}

/// Fills in `it` and lays out what it points to behind it.
static void lay_out(layout *at, known_image *it, const image_draft *draft) {
  const gathered_image *gathered = draft->gathered;
  at->used = sizeof *it;
  it->image.base = gathered->base;
  it->image.is_main = gathered->is_main;
  it->image.route = draft->route;
  it->image.build_id_length = gathered->build_id_length;
  it->has_runtime = gathered->has_runtime;
  it->header_count = gathered->header_count;
  it->headers_hash = gathered->headers_hash;
  if (draft->section_count) place_sections(at, it, draft);
  if (draft->section_count) place_records(at, it, draft);
  if (draft->has_stamp) it->stamp = PLACE_ARRAY(at, &draft->stamp, 1);
  if (draft->error.code != ANNOT_ERROR_NONE) it->error = PLACE_ARRAY(at, &draft->error, 1);
  place_text(at, it, draft);
}

static known_image *make(image_draft *draft) {
  static atomic_uint_fast64_t last_identity;
  layout room = {0};
  lay_out(&room, &(known_image){0}, draft);
  known_image *it = call_allocate(room.used);
  if (!it) return NULL;
  lay_out(&(layout){.base = (char *)it}, it, draft);
  take_over(it, draft);
  atomic_init(&it->references, 1);
  it->image.identity = atomic_fetch_add_explicit(&last_identity, 1, memory_order_relaxed) + 1;
  return it;
}

known_image *known_image_read(gathered_image *gathered) {
  const uint64_t start = trace_time();
  image_draft draft;
  if (!image_draft_read(&draft, gathered)) return NULL;
  known_image *it = make(&draft);
  image_draft_close(&draft);
  if (it) trace_image(it, start);
  return it;
}

static bool same_bytes(annot_text known, const char *bytes, size_t size) {
  return known.length == size && !memcmp(known.bytes, bytes, size);
}

/// Whether the records stand in the image's memory where they were found.
static bool still_there(const known_image *known, const gathered_image *gathered) {
  bool same = known->section_count > 0;
  for (size_t i = 0; i < known->section_count && same; i++) {
    const size_t size = known->sections[i].length;
    char *copy = call_allocate(size);
    same = copy && copy_from_image(gathered, known->addresses[i], size, copy) == COPY_DONE &&
           same_bytes(known->sections[i], copy, size);
    free(copy);
  }
  return same;
}

bool known_image_is(const known_image *known, const gathered_image *gathered) {
  if (gathered->is_vdso) return true;
  if (gathered->note == NOTE_SOUND) {
    if (!known->section_count) return gathered->records_size == 0 && !known->error;
    return !known->addresses && same_bytes(known->sections[0], gathered->records, gathered->records_size);
  }
  if (gathered->note != NOTE_ABSENT) return false;
  // Its file may have been replaced though it is still the image that was read: its bytes tell then.
  return known->stamp && (image_file_is(known->image.path, known->stamp) || still_there(known, gathered));
}

bool known_image_failed(const known_image *known) { return known->error != NULL; }

void known_image_retain(known_image *it) {
  atomic_fetch_add_explicit(&it->references, 1, memory_order_relaxed);
}

void known_image_release(known_image *it) {
  if (atomic_fetch_sub_explicit(&it->references, 1, memory_order_acq_rel) != 1) return;
  for (size_t i = 0; i < it->section_count && it->owns_sections; i++) {
    void *bytes = (void *)(uintptr_t)it->sections[i].bytes;
    if (it->mapped_size) call_unmap(bytes, it->mapped_size, it->mapped_size);
    else free(bytes);
  }
  annot_collection_free(&it->taken);
  free(it);
}
