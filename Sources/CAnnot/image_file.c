#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "image_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"

static file_stamp stamp_of(const struct stat *status) {
  return (file_stamp){
      .device = status->st_dev,
      .node = status->st_ino,
      .size = (uint64_t)status->st_size,
      .modified = {status->st_mtim.tv_sec, status->st_mtim.tv_nsec},
      .changed = {status->st_ctim.tv_sec, status->st_ctim.tv_nsec},
  };
}

static annot_file *not_opened(annot_error *error, int cause, const char *path) {
  *error = (annot_error){.code = ANNOT_ERROR_SYSTEM, .system_error = cause};
  const char *hint = path[0] == '/' ? "" : ", and its path depends on the folder it was opened from";
  snprintf(error->detail, sizeof error->detail, "its file cannot be opened: %s%s", strerror(cause), hint);
  return NULL;
}

static annot_file *not_the_same(annot_error *error, const char *what) {
  *error = (annot_error){.code = ANNOT_ERROR_MALFORMED};
  snprintf(error->detail, sizeof error->detail,
           "its file has %s: it was replaced or changed since it was loaded, so it does not tell where the "
           "records are", what);
  return NULL;
}

/// Whether the file begins with the program headers that the loader showed. A file that cannot be read here,
/// or that is no ELF file, has not.
static bool has_headers(int descriptor, const gathered_image *image) {
  ElfW(Ehdr) head;
  if (call_pread(descriptor, &head, sizeof head, 0) != (ssize_t)sizeof head) return false;
  if (memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_phentsize != sizeof(ElfW(Phdr))) return false;
  if (head.e_phnum != image->header_count) return false;
  for (size_t i = 0; i < image->header_count; i++) {
    ElfW(Phdr) here[16];
    const size_t left = image->header_count - i, many = left < 16 ? left : 16;
    const size_t size = many * sizeof *here;
    if (call_pread(descriptor, here, size, (off_t)(head.e_phoff + i * sizeof *here)) != (ssize_t)size)
      return false;
    if (memcmp(here, image->headers + i, size)) return false;
    i += many - 1;
  }
  return true;
}

static bool has_build_id(const annot_file *file, const gathered_image *image) {
  size_t length;
  const unsigned char *build_id = annot_file_build_id(file, &length);
  return length == image->build_id_length && (length == 0 || !memcmp(build_id, image->build_id, length));
}

static annot_file *read_descriptor(
    int descriptor, const gathered_image *image, file_stamp *stamp, annot_error *error) {
  struct stat status;
  if (call_fstat(descriptor, &status)) {
    *error = (annot_error){.code = ANNOT_ERROR_SYSTEM, .system_error = errno};
    snprintf(error->detail, sizeof error->detail, "its file cannot be examined: %s", strerror(errno));
    return NULL;
  }
  *stamp = stamp_of(&status);
  annot_file *file = call_open_elf(descriptor, error);
  if (!file) return NULL;
  const bool same_build = has_build_id(file, image);
  if (same_build && has_headers(descriptor, image)) return file;
  annot_file_close(file);
  return not_the_same(error, same_build ? "other program headers" : "another build-id");
}

static annot_file *read_path(
    const char *path, const gathered_image *image, file_stamp *stamp, annot_error *error) {
  const int descriptor = call_open(path);
  if (descriptor < 0) return not_opened(error, errno, path);
  annot_file *file = read_descriptor(descriptor, image, stamp, error);
  call_close(descriptor);
  return file;
}

annot_file *image_file_open(
    const gathered_image *image, const char *path, file_stamp *stamp, annot_error *error) {
  annot_file *file = read_path(path, image, stamp, error);
  if (file || !image->is_main) return file;
  // Right also when the program was renamed over or deleted since, but not the first choice: when it was
  // started as `ld.so ./program` the link names the loader.
  annot_error second;
  return read_path("/proc/self/exe", image, stamp, &second);
}

bool image_file_is(const char *path, const file_stamp *stamp) {
  struct stat status;
  if (call_stat(path, &status)) return false;
  const file_stamp now = stamp_of(&status);
  return now.device == stamp->device && now.node == stamp->node && now.size == stamp->size &&
         !memcmp(now.modified, stamp->modified, sizeof now.modified) &&
         !memcmp(now.changed, stamp->changed, sizeof now.changed);
}
