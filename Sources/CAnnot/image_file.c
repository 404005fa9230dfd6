#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "image_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "quick_file.h"

static file_stamp stamp_of(const struct stat *status) {
  return (file_stamp){
      .device = status->st_dev,
      .node = status->st_ino,
      .size = (uint64_t)status->st_size,
      .modified = {status->st_mtim.tv_sec, status->st_mtim.tv_nsec},
      .changed = {status->st_ctim.tv_sec, status->st_ctim.tv_nsec},
  };
}

static bool not_opened(annot_error *error, int cause, const char *path) {
  *error = (annot_error){.code = ANNOT_ERROR_SYSTEM, .system_error = cause};
  const char *hint = path[0] == '/' ? "" : ", and its path depends on the folder it was opened from";
  snprintf(error->detail, sizeof error->detail, "its file cannot be opened: %s%s", strerror(cause), hint);
  return false;
}

static bool not_the_same(annot_error *error, const char *what) {
  *error = (annot_error){.code = ANNOT_ERROR_MALFORMED};
  snprintf(error->detail, sizeof error->detail,
           "its file has %s: it was replaced or changed since it was loaded, so it does not tell where the "
           "records are", what);
  return false;
}

/// Whether the file begins with the program headers that the loader showed. A file that cannot be read here,
/// or that is no ELF file, has not.
static bool has_headers(int descriptor, const gathered_image *image) {
  ElfW(Ehdr) head;
  if (call_pread(descriptor, &head, sizeof head, 0) != (ssize_t)sizeof head) return false;
  if (memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_phentsize != sizeof(ElfW(Phdr))) return false;
  if (head.e_phnum != image->header_count) return false;
  const size_t size = image->header_count * sizeof(ElfW(Phdr));
  ElfW(Phdr) *headers = call_allocate(size);
  const bool same = headers && call_pread(descriptor, headers, size, (off_t)head.e_phoff) == (ssize_t)size &&
                    headers_hash(headers, image->header_count) == image->headers_hash;
  free(headers);
  return same;
}

static bool has_build_id(const annot_file *file, const gathered_image *image) {
  size_t length;
  const unsigned char *build_id = annot_file_build_id(file, &length);
  return length == image->build_id_length && (length == 0 || !memcmp(build_id, image->build_id, length));
}

/// Finds the one section by the quick way. Returns false when the file reader must see.
static bool find_quickly(image_file *it, const gathered_image *image) {
  const annot_file_section *section = &it->quick;
  const quick_outcome outcome = quick_file_find(it->descriptor, it->stamp.size, image, &it->quick);
  if (outcome != QUICK_FOUND) return outcome == QUICK_NONE;
  if (!section->size || section->offset > it->stamp.size || section->size > it->stamp.size - section->offset)
    return false;
  it->section_count = 1;
  return true;
}

static bool read_fully(image_file *it, int descriptor, const gathered_image *image, annot_error *error) {
  it->read = call_open_elf(descriptor, error);
  if (!it->read) return false;
  const bool same_build = has_build_id(it->read, image);
  if (same_build && has_headers(descriptor, image)) {
    it->section_count = annot_file_section_count(it->read);
    return true;
  }
  annot_file_close(it->read);
  return not_the_same(error, same_build ? "other program headers" : "another build-id");
}

static bool read_descriptor(image_file *it, int descriptor, const gathered_image *image, annot_error *error) {
  struct stat status;
  *it = (image_file){.descriptor = descriptor};
  if (call_fstat(descriptor, &status)) {
    *error = (annot_error){.code = ANNOT_ERROR_SYSTEM, .system_error = errno};
    snprintf(error->detail, sizeof error->detail, "its file cannot be examined: %s", strerror(errno));
    return false;
  }
  it->stamp = stamp_of(&status);
  if (S_ISREG(status.st_mode) && find_quickly(it, image)) return true;
  return read_fully(it, descriptor, image, error);
}

static bool read_path(image_file *it, const char *path, const gathered_image *image, annot_error *error) {
  const int descriptor = call_open(path);
  if (descriptor < 0) return not_opened(error, errno, path);
  if (read_descriptor(it, descriptor, image, error)) return true;
  call_close(descriptor);
  return false;
}

bool image_file_open(image_file *it, const gathered_image *image, const char *path, annot_error *error) {
  if (read_path(it, path, image, error)) return true;
  // Right also when the program was renamed over or deleted since, but not the first choice: when it was
  // started as `ld.so ./program` the link names the loader.
  annot_error second;
  if (!image->is_main || !read_path(it, "/proc/self/exe", image, &second)) return false;
  *error = (annot_error){0};
  return true;
}

const annot_file_section *image_file_section(const image_file *it, size_t index) {
  return it->read ? annot_file_section_at(it->read, index) : &it->quick;
}

const annot_file_note *image_file_trouble(const image_file *it) {
  for (size_t i = 0; it->read && i < annot_file_note_count(it->read); i++) {
    const annot_file_note *note = annot_file_note_at(it->read, i);
    if (note->code != ANNOT_ERROR_NONE) return note;
  }
  return NULL;
}

static const char changed[] = "its file was changed since it was loaded";

const char *image_file_difference(const image_file *it, size_t index, const char *bytes) {
  const annot_file_section *section = image_file_section(it, index);
  if (section->bytes) return memcmp(section->bytes, bytes, section->size) ? changed : NULL;
  // Piece by piece, as it is only looked at: reading it whole would take as much memory as the records do.
  char piece[16384];
  for (size_t done = 0, size; done < section->size; done += size) {
    const size_t left = section->size - done;
    size = left < sizeof piece ? left : sizeof piece;
    const ssize_t length = call_pread(it->descriptor, piece, size, (off_t)(section->offset + done));
    if (length < 0) return "its file cannot be read any more";
    if ((size_t)length != size || memcmp(piece, bytes + done, size)) return changed;
  }
  return NULL;
}

void image_file_close(image_file *it) {
  annot_file_close(it->read);
  call_close(it->descriptor);
}

bool image_file_is(const char *path, const file_stamp *stamp) {
  struct stat status;
  if (call_stat(path, &status)) return false;
  const file_stamp now = stamp_of(&status);
  return now.device == stamp->device && now.node == stamp->node && now.size == stamp->size &&
         !memcmp(now.modified, stamp->modified, sizeof now.modified) &&
         !memcmp(now.changed, stamp->changed, sizeof now.changed);
}
