#define _GNU_SOURCE
#include "known_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "calls.h"
#include "trace.h"

/// Says why the image's records were not read; the first reason stays.
static void explain(known_image *it, annot_error_code code, const char *text) {
  if (it->error.code != ANNOT_ERROR_NONE) return;
  it->error.code = code;
  snprintf(it->error.detail, sizeof it->error.detail, "%s", text);
}

static void *copy_of(const void *bytes, size_t size) {
  void *copy = call_allocate(size);
  if (copy && size) memcpy(copy, bytes, size);
  return copy;
}

/// Makes room for the bytes of `count` sections.
static bool make_sections(known_image *it, size_t count, bool by_file) {
  it->sections = call_allocate(count * sizeof *it->sections);
  it->addresses = by_file ? call_allocate(count * sizeof *it->addresses) : NULL;
  return it->sections && (!by_file || it->addresses);
}

static const char cut_off[] = "its records are gone: its file was made shorter while it was loaded";

static bool read_by_note(known_image *it, const gathered_image *gathered) {
  if (gathered->note == NOTE_OUTSIDE)
    explain(it, ANNOT_ERROR_MALFORMED, "its bounds note leads outside it: it is damaged or badly linked");
  if (gathered->note == NOTE_UNREADABLE)
    explain(it, ANNOT_ERROR_SYSTEM, cut_off);
  if (gathered->note != NOTE_SOUND || !gathered->records_size) return true;
  it->image.route = ANNOT_ROUTE_NOTE;
  if (!make_sections(it, 1, false)) return false;
  const char *bytes = copy_of(gathered->records, gathered->records_size);
  if (!bytes) return false;
  it->sections[it->section_count++] = (annot_text){bytes, gathered->records_size};
  return true;
}

/// Says what came of copying a section; null when it is what the file has.
static const char *trouble_of(copy_outcome outcome, const char *copy, const annot_file_section *section) {
  switch (outcome) {
    case COPY_GONE:
      return "it was unloaded while it was read";
    case COPY_OUTSIDE:
      return "the section 'annot' of its file is not among what is loaded, where a linker would have put it";
    case COPY_UNREADABLE:
      return cut_off;
    case COPY_DONE:
      break;
  }
  return memcmp(copy, section->bytes, section->size) ? "its file was changed since it was loaded" : NULL;
}

/// Copies the file's section from the image's memory, which must hold the same bytes.
static bool copy_section(known_image *it, const gathered_image *gathered, const annot_file_section *section) {
  if (!section->size || !section->bytes) return true;
  char *copy = call_allocate(section->size);
  if (!copy) return false;
  const copy_outcome outcome = copy_from_image(gathered, section->address, section->size, copy);
  const char *trouble = trouble_of(outcome, copy, section);
  if (trouble) {
    explain(it, ANNOT_ERROR_MALFORMED, trouble);
    free(copy);
    return true;
  }
  it->image.route = ANNOT_ROUTE_FILE;
  it->addresses[it->section_count] = section->address;
  it->sections[it->section_count++] = (annot_text){copy, section->size};
  return true;
}

/// Finds the records by the section headers of the image's file. Returns false when memory runs out.
static bool read_by_file(known_image *it, const gathered_image *gathered) {
  annot_file *file = image_file_open(gathered, it->image.path, &it->stamp, &it->error);
  if (!file) return it->error.code != ANNOT_ERROR_MEMORY;
  it->has_stamp = true;
  for (size_t i = 0; i < annot_file_note_count(file); i++) {
    const annot_file_note *note = annot_file_note_at(file, i);
    if (note->code != ANNOT_ERROR_NONE) explain(it, note->code, note->text);
  }
  const size_t count = annot_file_section_count(file);
  bool done = count == 0 || make_sections(it, count, true);
  for (size_t i = 0; i < count && done; i++)
    done = copy_section(it, gathered, annot_file_section_at(file, i));
  annot_file_close(file);
  return done;
}

/// The path by which people know the image.
static const char *path_of(const gathered_image *gathered) {
  if (!gathered->is_main) return gathered->name;
  const char *path = (const char *)getauxval(AT_EXECFN);
  return path && *path ? path : "/proc/self/exe";
}

/// Fills in what the loader knows. Returns false when memory runs out.
static bool describe(known_image *it, const gathered_image *gathered) {
  static atomic_uint_fast64_t last_identity;
  it->image.identity = atomic_fetch_add_explicit(&last_identity, 1, memory_order_relaxed) + 1;
  it->image.base = gathered->base;
  it->image.is_main = gathered->is_main;
  it->has_runtime = gathered->has_runtime;
  it->image.build_id_length = gathered->build_id_length;
  it->header_count = gathered->header_count;
  const char *path = path_of(gathered);
  it->name = copy_of(gathered->name, strlen(gathered->name) + 1);
  it->image.path = copy_of(path, strlen(path) + 1);
  it->headers = copy_of(gathered->headers, gathered->header_count * sizeof *it->headers);
  if (gathered->build_id_length) it->image.build_id = copy_of(gathered->build_id, gathered->build_id_length);
  return it->name && it->image.path && it->headers && (it->image.build_id || !gathered->build_id_length);
}

static bool collect(known_image *it) {
  if (it->section_count == 0) return true;
  if (!annot_collect(it->sections, it->section_count, &it->found)) return false;
  const size_t left = it->found.unkept_faults;
  if (left) snprintf(it->faults_left, sizeof it->faults_left, "%zu more runs of bytes are no records", left);
  return true;
}

known_image *known_image_read(const gathered_image *gathered) {
  known_image *it = call_allocate(sizeof *it);
  if (!it) return NULL;
  const uint64_t start = trace_time();
  atomic_init(&it->references, 1);
  bool done = describe(it, gathered);
  if (done && gathered->note != NOTE_ABSENT) done = read_by_note(it, gathered);
  // The vdso is no file, and its name could be that of one in the working directory.
  if (done && gathered->note == NOTE_ABSENT && !gathered->is_vdso) done = read_by_file(it, gathered);
  if (done && collect(it)) {
    trace_image(it, start);
    return it;
  }
  known_image_release(it);
  return NULL;
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
    if (!known->section_count) return gathered->records_size == 0 && known->error.code == ANNOT_ERROR_NONE;
    return !known->addresses && same_bytes(known->sections[0], gathered->records, gathered->records_size);
  }
  if (gathered->note != NOTE_ABSENT) return false;
  // Its file may have been replaced though it is still the image that was read: its bytes tell then.
  return known->has_stamp &&
         (image_file_is(known->image.path, &known->stamp) || still_there(known, gathered));
}

bool known_image_failed(const known_image *known) { return known->error.code != ANNOT_ERROR_NONE; }

void known_image_retain(known_image *it) {
  atomic_fetch_add_explicit(&it->references, 1, memory_order_relaxed);
}

/// Frees memory of ours that is shown to others as constant.
static void free_constant(const void *memory) { free((void *)(uintptr_t)memory); }

void known_image_release(known_image *it) {
  if (atomic_fetch_sub_explicit(&it->references, 1, memory_order_acq_rel) != 1) return;
  annot_collection_free(&it->found);
  for (size_t i = 0; i < it->section_count; i++) free_constant(it->sections[i].bytes);
  free_constant(it->image.path);
  free_constant(it->image.build_id);
  free_constant(it->name);
  free(it->sections);
  free(it->addresses);
  free(it->headers);
  free(it);
}
