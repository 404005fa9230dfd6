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

/// The file of an image and its sections of records.
typedef struct image_file {
  file_stamp stamp;
  size_t section_count;
  annot_file *read;           ///< read by the file reader; null when the quick way sufficed
  annot_file_section quick;   ///< by the quick way, the only section; without its contents
  int descriptor;             ///< of the file, for its contents
} image_file;

/// Opens the image's file and reads its sections.
///
/// - path: the image's path as people know it.
/// - error: says why false was returned.
/// - Returns false when no file could be read that has the build-id and the program headers of the image.
bool image_file_open(image_file *it, const gathered_image *image, const char *path, annot_error *error);
/// The section at `index`, below section_count, perhaps without its contents; lives as long as the file.
const annot_file_section *image_file_section(const image_file *it, size_t index);
/// Says how the file's section at `index` differs from these bytes, which are as many; null when it does not.
const char *image_file_difference(const image_file *it, size_t index, const char *bytes);
/// The first thing about the file that kept records from being read; null when there is none.
const annot_file_note *image_file_trouble(const image_file *it);
void image_file_close(image_file *it);

/// Whether the file at the image's path is the one that left the stamp.
bool image_file_is(const char *path, const file_stamp *stamp);

#pragma GCC visibility pop

#endif
