#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "archive.h"

// A thin archive holds headers alone: its members are files, named relative to it. One that was made of
// another archive names that and where in it the member's header is.

/// The path of a member's file: beside the archive, unless the name is absolute.
static const char *path_of(annot_archive *archive, const char *name) {
  const char *path = archive->file->path;
  const char *slash = name[0] == '/' ? NULL : strrchr(path, '/');
  if (!slash) return name;
  size_t directory = (size_t)(slash - path) + 1, size = strlen(name) + 1;
  char *joined = annot_file_allocate(archive->file, directory + size);
  if (!joined) return NULL;
  memcpy(joined, path, directory);
  memcpy(joined + directory, name, size);
  return joined;
}

/// Says why a member's file was not read.
static bool not_read(annot_archive *archive, const char *name, const char *path, const annot_error *error) {
  return annot_file_add_note(
      archive->file, name, error->code, 0, "%s: this is a thin archive, and the member's file is %s",
      error->detail, path);
}

/// Reads the one member of an archive that a thin archive means.
static bool visit_nested(
    annot_archive *archive, const annot_source *source, const char *name, uint64_t nested) {
  annot_archive inner = {.file = archive->file, .source = source, .prefix = name, .only = nested};
  char magic[8];
  ssize_t length = annot_source_read(source, magic, sizeof magic, 0);
  if (length != (ssize_t)sizeof magic || memcmp(magic, "!<arch>\n", sizeof magic) != 0)
    return annot_file_add_note(
        archive->file, name, ANNOT_ERROR_MALFORMED, 0,
        "a member of this file is wanted, and it is no archive any more: make the thin archive anew");
  inner.elf = sys_elf_begin(source->descriptor, NULL);
  if (!inner.elf) {
    annot_error error;
    annot_error_set_elf(&error, "libelf cannot open the archive");
    return annot_file_add_note(archive->file, name, error.code, 0, "%s", error.detail);
  }
  bool success = annot_archive_read_members(&inner);
  sys_elf_end(inner.elf);
  if (!success || inner.met) return success;
  return annot_file_add_note(
      archive->file, name, ANNOT_ERROR_MALFORMED, nested,
      "the wanted member of this file is not where it was: make the thin archive anew");
}

static bool visit_open_file(
    annot_archive *archive, const char *name, const char *path, uint64_t header, uint64_t nested,
    int descriptor) {
  annot_source source = {.descriptor = descriptor};
  annot_error error;
  if (!annot_check_regular(descriptor, &source.size, &error)) return not_read(archive, name, path, &error);
  if (nested) return visit_nested(archive, &source, name, nested);
  if (source.size == 0) return true;
  annot_archive_contents contents = {&source, header, 0, source.size};
  return annot_archive_visit(archive, &contents, name);
}

bool annot_archive_visit_file(annot_archive *archive, const char *name, uint64_t header, uint64_t nested) {
  const char *path = path_of(archive, name);
  if (!path) return false;
  int descriptor = sys_open(path);
  if (descriptor < 0) {
    annot_error error;
    annot_error_set_system(&error, "cannot be opened", errno);
    return not_read(archive, name, path, &error);
  }
  bool success = visit_open_file(archive, name, path, header, nested, descriptor);
  sys_close(descriptor);
  return success;
}
