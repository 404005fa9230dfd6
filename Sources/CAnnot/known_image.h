/// The records of one image, read once and shared by all snapshots that know it.
#ifndef ANNOT_KNOWN_IMAGE_H
#define ANNOT_KNOWN_IMAGE_H

#include <stdatomic.h>

#include "annot/collect.h"
#include "annot/runtime.h"
#include "gather.h"

#pragma GCC visibility push(hidden)

typedef struct known_image {
  atomic_size_t references;
  annot_image image;   // its indices are not used here
  char *bytes;         // the section, null when there is none
  size_t size;
  annot_collection found;
  annot_error error;   // why the image's records could not be read; code ANNOT_ERROR_NONE if they could
  // What tells it from another image at the same address:
  ElfW(Phdr) *headers;
  size_t header_count;
} known_image;

/// Reads the records of a gathered image, from its memory or by its file; null when memory runs out.
known_image *known_image_read(const gathered_image *gathered);
/// Whether the gathered image is the one known, its bytes included where they were gathered.
bool known_image_is(const known_image *known, const gathered_image *gathered);
/// Whether reading it failed for a reason outside the image.
bool known_image_failed(const known_image *known);
void known_image_retain(known_image *it);
void known_image_release(known_image *it);

#pragma GCC visibility pop

#endif
