/// The file of a loaded image: found, and proven to be the one that was loaded.
#ifndef ANNOT_IMAGE_FILE_H
#define ANNOT_IMAGE_FILE_H

#include <stdint.h>

#include "annot/file.h"
#include "gather.h"

#pragma GCC visibility push(hidden)

/// What changes when a file is replaced or written to.
typedef struct file_stamp {
  uint64_t device;
  uint64_t node;
  uint64_t size;
  int64_t modified[2];  ///< seconds and nanoseconds
  int64_t changed[2];
} file_stamp;

/// Opens the image's file and reads its sections.
///
/// - path: the image's path as people know it.
/// - stamp: filled on success.
/// - error: says why null was returned.
/// - Returns null when no file could be read that has the build-id and the program headers of the image.
annot_file *image_file_open(
    const gathered_image *image, const char *path, file_stamp *stamp, annot_error *error);

/// Whether the file at the image's path is the one that left the stamp.
bool image_file_is(const char *path, const file_stamp *stamp);

#pragma GCC visibility pop

#endif
