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
  size_t wanted = file->source.size < sizeof head ? (size_t)file->source.size : sizeof head;
  ssize_t length = annot_source_read(&file->source, head, wanted, 0);
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
      annot_elf elf = {.file = file, .source = &file->source, .size = file->source.size};
      return annot_read_elf(&elf, NULL);
    }
    case ANNOT_FORMAT_ARCHIVE:
      return annot_read_archive(file, false);
    case ANNOT_FORMAT_THIN_ARCHIVE:
      if (file->path) return annot_read_archive(file, true);
      annot_error_set(&file->error, ANNOT_ERROR_UNSUPPORTED,
                      "this is a thin archive, which only names its members, and where it stands is not known: "
                      "read it by its path");
      return false;
    case ANNOT_FORMAT_BITCODE:
      annot_error_set(&file->error, ANNOT_ERROR_UNSUPPORTED, "this is %s", what);
      return false;
    case ANNOT_FORMAT_OTHER:
      break;
  }
  annot_error_set(&file->error, ANNOT_ERROR_NOT_ELF, "not an ELF file but %s", what);
  return false;
}

bool annot_check_regular(int descriptor, uint64_t *size, annot_error *error) {
  struct stat status;
  if (sys_fstat(descriptor, &status)) {
    annot_error_set_system(error, "cannot be examined", errno);
    return false;
  }
  if (!S_ISREG(status.st_mode)) {
    annot_error_set(error, ANNOT_ERROR_NOT_A_FILE, "this is %s", irregular(status.st_mode));
    return false;
  }
  *size = (uint64_t)status.st_size;
  return true;
}

static bool read_source(annot_file *file) {
  if (!file->source.memory &&
      !annot_check_regular(file->source.descriptor, &file->source.size, &file->error))
    return false;
  if (file->source.size == 0) {
    annot_error_set(&file->error, ANNOT_ERROR_EMPTY, "the file is empty");
    return false;
  }
  if (!sys_elf_version()) {
    annot_error_set_elf(&file->error, "libelf is too old");
    return false;
  }
  return read_file(file);
}

/// Reads what is at a source.
///
/// - path: null when it is not known.
static annot_file *open_source(
    annot_source source, const char *path, const annot_file_options *options, annot_error *error) {
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
  if (!file->options.decompression_limit) file->options.decompression_limit = file->options.limit;
  file->source = source;
  file->path = path;
  bool success = file->options.section && read_source(file);
  if (error) *error = file->error;
  if (success) {
    if (error) memset(error, 0, sizeof *error);
    // Neither outlives this call.
    file->source = (annot_source){.descriptor = -1};
    file->path = NULL;
    return file;
  }
  annot_file_close(file);
  return NULL;
}

annot_file *annot_file_open_descriptor(
    int descriptor, const annot_file_options *options, annot_error *error) {
  return open_source((annot_source){.descriptor = descriptor}, NULL, options, error);
}

annot_file *annot_file_open_memory(
    const void *bytes, size_t size, const annot_file_options *options, annot_error *error) {
  // No bytes at all may come without an address.
  annot_source source = {.descriptor = -1, .memory = size ? bytes : "", .size = size};
  return open_source(source, NULL, options, error);
}

annot_file *annot_file_open(const char *path, const annot_file_options *options, annot_error *error) {
  int descriptor = sys_open(path);
  if (descriptor < 0) {
    // A socket cannot be opened at all.
    int cause = errno;
    if (error) annot_error_set_system(error, "cannot be opened", cause);
    return NULL;
  }
  annot_file *file = open_source((annot_source){.descriptor = descriptor}, path, options, error);
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

const annot_linkage *annot_file_linkage(const annot_file *file) { return file->linkage; }

bool annot_file_has_symbol_table(const annot_file *file) { return !file->is_stripped; }

const unsigned char *annot_file_build_id(const annot_file *file, size_t *length) {
  *length = file->build_id_length;
  return file->build_id;
}
