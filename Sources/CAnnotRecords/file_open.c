#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <string.h>

#include "file_reader.h"

/// What stands at a path that is not a regular file, and what to do about it.
static const char *irregular(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory: name the files in it";
  if (S_ISFIFO(mode)) return "a pipe, and ELF files cannot be read from one: write it to a file first";
  if (S_ISSOCK(mode)) return "a socket, not a file";
  return "a device, not a file";
}

/// Reads the first bytes and whatever follows from them.
static bool read_file(annot_file *file) {
  unsigned char head[annot_head_size];
  size_t wanted = file->size < sizeof head ? (size_t)file->size : sizeof head;
  ssize_t length = sys_pread(file->descriptor, head, wanted, 0);
  if (length < 0) {
    annot_error_set_system(&file->error, "cannot be read", errno);
    return false;
  }
  if ((size_t)length < wanted) {
    annot_error_set(&file->error, ANNOT_ERROR_MALFORMED, "the file became shorter while it was read");
    return false;
  }
  const char *what = NULL;
  switch (annot_identify(head, (size_t)length, &what)) {
    case ANNOT_FORMAT_ELF: {
      annot_elf elf = {.file = file, .size = file->size};
      return annot_read_elf(&elf, NULL);
    }
    case ANNOT_FORMAT_ARCHIVE:
      return annot_read_archive(file);
    case ANNOT_FORMAT_THIN_ARCHIVE:
    case ANNOT_FORMAT_BITCODE:
      annot_error_set(&file->error, ANNOT_ERROR_UNSUPPORTED, "this is %s", what);
      return false;
    case ANNOT_FORMAT_OTHER:
      break;
  }
  annot_error_set(&file->error, ANNOT_ERROR_NOT_ELF, "not an ELF file but %s", what);
  return false;
}

static bool open_status(annot_file *file) {
  struct stat status;
  if (sys_fstat(file->descriptor, &status)) {
    annot_error_set_system(&file->error, "cannot be examined", errno);
    return false;
  }
  if (!S_ISREG(status.st_mode)) {
    annot_error_set(&file->error, ANNOT_ERROR_NOT_A_FILE, "this is %s", irregular(status.st_mode));
    return false;
  }
  if (status.st_size == 0) {
    annot_error_set(&file->error, ANNOT_ERROR_EMPTY, "the file is empty");
    return false;
  }
  file->size = (uint64_t)status.st_size;
  if (!sys_elf_version()) {
    annot_error_set_elf(&file->error, "libelf is too old");
    return false;
  }
  return read_file(file);
}

static annot_file *fail(annot_file *file, annot_error *error) {
  if (error) *error = file->error;
  annot_file_close(file);
  return NULL;
}

annot_file *annot_file_open_descriptor(
    int descriptor, const annot_file_options *options, annot_error *error) {
  annot_file *file = sys_malloc(sizeof *file);
  if (!file) {
    if (error) annot_error_set(error, ANNOT_ERROR_MEMORY, "no memory to open the file");
    return NULL;
  }
  memset(file, 0, sizeof *file);
  if (options) file->options = *options;
  const char *section = file->options.section ? file->options.section : "annot";
  file->options.section = annot_file_copy(file, section, strlen(section));
  if (!file->options.limit) file->options.limit = ANNOT_FILE_DEFAULT_LIMIT;
  file->descriptor = descriptor;
  if (!file->options.section || !open_status(file)) return fail(file, error);
  if (error) memset(error, 0, sizeof *error);
  return file;
}

annot_file *annot_file_open(const char *path, const annot_file_options *options, annot_error *error) {
  int descriptor = sys_open(path);
  if (descriptor < 0) {
    // A socket cannot be opened at all.
    int cause = errno;
    if (error) annot_error_set_system(error, "cannot be opened", cause);
    return NULL;
  }
  annot_file *file = annot_file_open_descriptor(descriptor, options, error);
  sys_close(descriptor);
  return file;
}

void annot_file_close(annot_file *file) {
  if (!file) return;
  while (file->blocks) {
    annot_block *next = file->blocks->next;
    sys_free(file->blocks);
    file->blocks = next;
  }
  sys_free(file->sections);
  sys_free(file->notes);
  sys_free(file);
}

size_t annot_file_section_count(const annot_file *file) { return file->section_count; }

const annot_file_section *annot_file_section_at(const annot_file *file, size_t index) {
  return &file->sections[index];
}

size_t annot_file_note_count(const annot_file *file) { return file->note_count; }

const annot_file_note *annot_file_note_at(const annot_file *file, size_t index) {
  return &file->notes[index];
}

const unsigned char *annot_file_build_id(const annot_file *file, size_t *length) {
  *length = file->build_id_length;
  return file->build_id;
}
