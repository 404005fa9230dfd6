#define _GNU_SOURCE
#include "known_image.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "annot/file.h"

/// Says why an image has no records to show; the first reason stays.
static void explain(known_image *it, annot_error_code code, const char *text) {
  if (it->error.code != ANNOT_ERROR_NONE) return;
  it->error.code = code;
  snprintf(it->error.detail, sizeof it->error.detail, "%s", text);
}

/// Copies the file's section from the image's memory, which must hold the same bytes.
static bool copy_section(known_image *it, const gathered_image *gathered, const annot_file_section *section) {
  it->bytes = malloc(section->size);
  if (!it->bytes) return false;
  it->size = section->size;
  const copy_outcome outcome = copy_from_image(gathered, section->address, section->size, it->bytes);
  const char *trouble = NULL;
  if (outcome == COPY_GONE) trouble = "the image was unloaded while it was read";
  if (outcome == COPY_OUTSIDE)
    trouble = "the section of its file lies outside the loaded image: the file is not the one that was loaded";
  if (outcome == COPY_DONE && memcmp(it->bytes, section->bytes, section->size))
    trouble = "its file was changed since it was loaded";
  if (!trouble) {
    it->image.route = ANNOT_ROUTE_FILE;
    return true;
  }
  explain(it, ANNOT_ERROR_MALFORMED, trouble);
  free(it->bytes);
  it->bytes = NULL;
  it->size = 0;
  return true;
}

static bool is_same_build(const known_image *it, const annot_file *file) {
  size_t length;
  const unsigned char *build_id = annot_file_build_id(file, &length);
  if (!length || !it->image.build_id_length) return true;
  return length == it->image.build_id_length && !memcmp(build_id, it->image.build_id, length);
}

/// Opens the image's file. The main program's name in the loader's list is empty: the kernel's is tried, and, for
/// a program that was started by a relative path and has changed its directory, the link in /proc.
static annot_file *open_image_file(const known_image *it, annot_error *error) {
  annot_file *file = annot_file_open(it->image.path, NULL, error);
  if (!it->image.is_main || (file && is_same_build(it, file))) return file;
  annot_file *linked = annot_file_open("/proc/self/exe", NULL, NULL);
  if (!linked) return file;
  annot_file_close(file);
  return linked;
}

/// Finds the records by the section headers of the image's file. Returns false when memory runs out.
static bool read_by_file(known_image *it, const gathered_image *gathered) {
  annot_file *file = open_image_file(it, &it->error);
  if (!file) return true;
  bool done = true;
  if (!is_same_build(it, file)) {
    explain(it, ANNOT_ERROR_MALFORMED, "its file has another build-id: it was replaced since it was loaded");
  } else if (annot_file_section_count(file) > 0) {
    const annot_file_section *section = annot_file_section_at(file, 0);
    if (section->size && section->bytes) done = copy_section(it, gathered, section);
  }
  annot_file_close(file);
  return done;
}

static bool read_by_note(known_image *it, const gathered_image *gathered) {
  if (gathered->note_is_outside) {
    explain(it, ANNOT_ERROR_MALFORMED, "its bounds note leads outside the image: was it linked by a broken linker?");
    return true;
  }
  it->image.route = gathered->records_size ? ANNOT_ROUTE_NOTE : ANNOT_ROUTE_NONE;
  if (!gathered->records_size) return true;
  it->bytes = malloc(gathered->records_size);
  if (!it->bytes) return false;
  memcpy(it->bytes, gathered->records, gathered->records_size);
  it->size = gathered->records_size;
  return true;
}

static const char *program_path(void) {
  const char *path = (const char *)getauxval(AT_EXECFN);
  return path && *path ? path : "/proc/self/exe";
}

/// Fills in what the loader knows. Returns false when memory runs out.
static bool describe(known_image *it, const gathered_image *gathered) {
  it->image.base = gathered->base;
  it->image.is_main = gathered->name[0] == '\0' || !strcmp(gathered->name, "/proc/self/exe");
  it->image.path = strdup(it->image.is_main ? program_path() : gathered->name);
  it->header_count = gathered->header_count;
  it->headers = malloc(gathered->header_count * sizeof *it->headers + 1);
  unsigned char *build_id = gathered->build_id_length ? malloc(gathered->build_id_length) : NULL;
  it->image.build_id = build_id;
  if (!it->image.path || !it->headers || (gathered->build_id_length && !build_id)) return false;
  memcpy(it->headers, gathered->headers, gathered->header_count * sizeof *it->headers);
  if (build_id) memcpy(build_id, gathered->build_id, gathered->build_id_length);
  it->image.build_id_length = gathered->build_id_length;
  return true;
}

known_image *known_image_read(const gathered_image *gathered) {
  known_image *it = calloc(1, sizeof *it);
  if (!it) return NULL;
  atomic_init(&it->references, 1);
  bool done = describe(it, gathered);
  if (done && gathered->has_note) done = read_by_note(it, gathered);
  // The vdso is no file, and its name could be that of one in the working directory.
  if (done && !gathered->has_note && !gathered->is_vdso) done = read_by_file(it, gathered);
  if (done && it->bytes) {
    const annot_text section = {.bytes = it->bytes, .length = it->size};
    done = annot_collect(&section, 1, &it->found);
  }
  if (done) return it;
  known_image_release(it);
  return NULL;
}

bool known_image_is(const known_image *known, const gathered_image *gathered) {
  if (known->image.base != gathered->base || known->header_count != gathered->header_count) return false;
  if (!known->image.is_main && strcmp(known->image.path, gathered->name)) return false;
  if (memcmp(known->headers, gathered->headers, known->header_count * sizeof *known->headers)) return false;
  if (known->image.build_id_length != gathered->build_id_length) return false;
  if (gathered->build_id_length && memcmp(known->image.build_id, gathered->build_id, gathered->build_id_length))
    return false;
  if (!gathered->has_note) return true;
  return known->size == gathered->records_size &&
         (!known->size || !memcmp(known->bytes, gathered->records, known->size));
}

bool known_image_failed(const known_image *known) { return known->error.code != ANNOT_ERROR_NONE; }

void known_image_retain(known_image *it) {
  atomic_fetch_add_explicit(&it->references, 1, memory_order_relaxed);
}

void known_image_release(known_image *it) {
  if (atomic_fetch_sub_explicit(&it->references, 1, memory_order_acq_rel) != 1) return;
  annot_collection_free(&it->found);
  free((void *)(uintptr_t)it->image.path);
  free((void *)(uintptr_t)it->image.build_id);
  free(it->bytes);
  free(it->headers);
  free(it);
}
