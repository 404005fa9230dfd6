/// An image's records while they are read: by its bounds note, or by its file.
#ifndef ANNOT_IMAGE_DRAFT_H
#define ANNOT_IMAGE_DRAFT_H

#include "annot/collect.h"
#include "annot/runtime.h"
#include "gather.h"
#include "image_file.h"

#pragma GCC visibility push(hidden)

typedef struct image_draft {
  gathered_image *gathered;
  const char *path;  ///< by which people know the image
  annot_route route;
  annot_text *sections;  ///< the bytes of its records, one run a section
  uint64_t *addresses;   ///< where they are, in addresses of the file
  size_t section_count;
  annot_text noted;      ///< the one section of the note route
  annot_collection found;
  annot_error error;     ///< why the records could not be read; code ANNOT_ERROR_NONE if they could
  file_stamp stamp;      ///< of its file, when that was read
  bool has_stamp;
} image_draft;

/// Reads the records of a gathered image. Returns false, with nothing to close, when memory runs out.
bool image_draft_read(image_draft *it, gathered_image *gathered);
void image_draft_close(image_draft *it);

#pragma GCC visibility pop

#endif
