/// The records of one image, read once and shared by all snapshots that know it.
#ifndef ANNOT_KNOWN_IMAGE_H
#define ANNOT_KNOWN_IMAGE_H

#include <stdatomic.h>

#include "annot/collect.h"
#include "annot/runtime.h"
#include "gather.h"
#include "image_file.h"

#pragma GCC visibility push(hidden)

/// One block of memory: what its pointers lead to follows the struct, but for what is too large to be copied into it.
typedef struct known_image {
  atomic_size_t references;
  annot_image image;  ///< its indices are not used here
  const char *name;   ///< as the loader has it
  bool has_runtime;
  const annot_text *sections;  ///< the bytes of its records, one run a section
  const uint64_t *addresses;   ///< where the sections are, in addresses of the file; null by the note
  size_t section_count;
  const annot_found_record *records;  ///< in the readers' order
  size_t record_count;
  const annot_found_fault *faults;
  size_t fault_count;
  size_t unkept_faults;      ///< how many more there were
  const char *faults_left;   ///< says so; null when there were none
  const annot_error *error;  ///< why the image's records could not be read; null if they could
  // What tells it from another image at the same address:
  uint64_t headers_hash;
  size_t header_count;
  const file_stamp *stamp;  ///< of its file; null when that was not read
  // What was taken over as it was read, when there are many records:
  annot_collection taken;  ///< else empty
  bool owns_sections;      ///< whether the sections' bytes are each in memory of their own
  size_t mapped_size;      ///< of the mapping that the only section is in; 0 when they are allocated
} known_image;

/// Reads the records of a gathered image, from its memory or by its file; null when memory runs out. What is in a
/// mapping of its own may be taken over from the gathering.
known_image *known_image_read(gathered_image *gathered);
/// Whether the gathered image, which has no build-id, is the one known: by its bytes or by its file.
bool known_image_is(const known_image *known, const gathered_image *gathered);
/// Whether reading it failed for a reason outside the image.
bool known_image_failed(const known_image *known);
void known_image_retain(known_image *it);
void known_image_release(known_image *it);

#pragma GCC visibility pop

#endif
