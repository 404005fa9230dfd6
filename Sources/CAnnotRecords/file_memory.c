#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "file_reader.h"

void *annot_file_allocate(annot_file *file, size_t size) {
  // The header is one pointer, so what follows is aligned for everything that is put there.
  annot_block *block = size < SIZE_MAX - sizeof *block ? sys_malloc(sizeof *block + size) : NULL;
  if (!block) {
    annot_error_set(&file->error, ANNOT_ERROR_MEMORY, "no memory for %zu bytes", size);
    return NULL;
  }
  block->next = file->blocks;
  file->blocks = block;
  return block + 1;
}

char *annot_file_copy(annot_file *file, const char *bytes, size_t length) {
  char *copy = annot_file_allocate(file, length + 1);
  if (!copy) return NULL;
  memcpy(copy, bytes, length);
  copy[length] = '\0';
  return copy;
}

/// Makes room for one more element; null, with the error filled, when there is no memory.
static void *grown(annot_file *file, void *array, size_t count, size_t *capacity, size_t element) {
  if (count < *capacity) return array;
  size_t wanted = *capacity ? *capacity * 2 : 4;
  void *larger = sys_realloc(array, wanted * element);
  if (larger) *capacity = wanted;
  else annot_error_set(&file->error, ANNOT_ERROR_MEMORY, "no memory for a table of %zu entries", wanted);
  return larger;
}

bool annot_file_add_section(annot_file *file, const annot_file_section *section) {
  annot_file_section *sections = grown(
      file, file->sections, file->section_count, &file->section_capacity, sizeof *sections);
  if (!sections) return false;
  file->sections = sections;
  sections[file->section_count++] = *section;
  return true;
}

bool annot_file_add_note(
    annot_file *file, const char *member, annot_error_code code, uint64_t offset, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);

  const char *copy = annot_file_copy(file, text, strlen(text));
  if (!copy) return false;
  annot_file_note *notes = grown(file, file->notes, file->note_count, &file->note_capacity, sizeof *notes);
  if (!notes) return false;
  file->notes = notes;
  notes[file->note_count++] = (annot_file_note){member, code, offset, copy};
  return true;
}
