#define _GNU_SOURCE
#include "image_draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "calls.h"

/// Says why the image's records were not read; the first reason stays.
static void explain(image_draft *it, annot_error_code code, const char *text) {
  if (it->error.code != ANNOT_ERROR_NONE) return;
  it->error.code = code;
  snprintf(it->error.detail, sizeof it->error.detail, "%s", text);
}

static const char cut_off[] = "its records are gone: its file was made shorter while it was loaded";

static void read_by_note(image_draft *it) {
  const gathered_image *gathered = it->gathered;
  if (gathered->note == NOTE_OUTSIDE)
    explain(it, ANNOT_ERROR_MALFORMED, "its bounds note leads outside it: it is damaged or badly linked");
  if (gathered->note == NOTE_UNREADABLE) explain(it, ANNOT_ERROR_SYSTEM, cut_off);
  if (gathered->note != NOTE_SOUND || !gathered->records_size) return;
  it->route = ANNOT_ROUTE_NOTE;
  it->noted = (annot_text){gathered->records, gathered->records_size};
  it->sections = &it->noted;
  it->section_count = 1;
}

/// Says what came of copying a section; null when it is what the file has.
static const char *trouble_of(copy_outcome outcome, const char *copy, const image_file *file, size_t index) {
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
  return image_file_difference(file, index, copy);
}

/// Copies the file's section from the image's memory, which must hold the same bytes.
static bool copy_section(image_draft *it, const image_file *file, size_t index) {
  const annot_file_section *section = image_file_section(file, index);
  if (!section->size) return true;
  char *copy = call_allocate(section->size);
  if (!copy) return false;
  const copy_outcome outcome = copy_from_image(it->gathered, section->address, section->size, copy);
  const char *trouble = trouble_of(outcome, copy, file, index);
  if (trouble) {
    explain(it, ANNOT_ERROR_MALFORMED, trouble);
    free(copy);
    return true;
  }
  it->route = ANNOT_ROUTE_FILE;
  it->addresses[it->section_count] = section->address;
  it->sections[it->section_count++] = (annot_text){copy, section->size};
  return true;
}

static bool copy_sections(image_draft *it, const image_file *file) {
  if (!file->section_count) return true;
  it->sections = call_allocate(file->section_count * sizeof *it->sections);
  it->addresses = call_allocate(file->section_count * sizeof *it->addresses);
  bool done = it->sections && it->addresses;
  for (size_t i = 0; i < file->section_count && done; i++)
    done = copy_section(it, file, i);
  return done;
}

/// Finds the records by the section headers of the image's file. Returns false when memory runs out.
static bool read_by_file(image_draft *it) {
  image_file file;
  if (!image_file_open(&file, it->gathered, it->path, &it->error)) return it->error.code != ANNOT_ERROR_MEMORY;
  it->stamp = file.stamp;
  it->has_stamp = true;
  const annot_file_note *trouble = image_file_trouble(&file);
  if (trouble) explain(it, trouble->code, trouble->text);
  const bool done = copy_sections(it, &file);
  image_file_close(&file);
  return done;
}

static const char *path_of(const gathered_image *gathered) {
  if (!gathered->is_main) return gathered->name;
  const char *path = (const char *)getauxval(AT_EXECFN);
  return path && *path ? path : "/proc/self/exe";
}

static bool read_records(image_draft *it) {
  if (it->gathered->note != NOTE_ABSENT)
    read_by_note(it);
  else if (!it->gathered->is_vdso && !read_by_file(it))
    // The vdso is no file, and its name could be that of one in the working directory.
    return false;
  return !it->section_count || annot_collect(it->sections, it->section_count, &it->found);
}

bool image_draft_read(image_draft *it, gathered_image *gathered) {
  *it = (image_draft){.gathered = gathered, .path = path_of(gathered)};
  if (read_records(it)) return true;
  image_draft_close(it);
  return false;
}

void image_draft_close(image_draft *it) {
  annot_collection_free(&it->found);
  if (it->sections == &it->noted) return;
  for (size_t i = 0; i < it->section_count; i++) free((void *)(uintptr_t)it->sections[i].bytes);
  free(it->sections);
  free(it->addresses);
}
