/// Visits the join points of all loaded images, by their notes (ANNOT_NOTE_JOINPOINTS).
#ifndef ANNOT_JOINPOINT_WALK_H
#define ANNOT_JOINPOINT_WALK_H

#include <link.h>
#include <stdbool.h>

#include "annot/layout.h"

#pragma GCC visibility push(hidden)

/// The image whose join points are visited.
typedef struct walked_image {
  const struct dl_phdr_info *info;
  enum { IMAGE_UNKNOWN, IMAGE_LOADING, IMAGE_RELOCATED } state;  ///< for walked_image_is_relocated alone
} walked_image;

/// image_is_relocated, asked once an image.
bool walked_image_is_relocated(walked_image *image);

/// Calls `visit` for each join-point slot of each image while the loader keeps the images in place.
///
/// `visit` runs inside a dl_iterate_phdr callback: it must not allocate, open or close libraries. Slots whose
/// size or version is not known are passed over, as are ranges outside the image's writable segments.
/// `visit_image`, if not null, is called for each image before its join points are visited.
void annot_joinpoint_walk(void (*visit)(annot_joinpoint *joinpoint, walked_image *image, void *context),
                          void (*visit_image)(const struct dl_phdr_info *info, void *context), void *context);

/// Whether an address lies in a segment of the image that is loaded and can be written.
bool annot_image_has_slot(const struct dl_phdr_info *info, const annot_joinpoint *joinpoint);

/// Calls `visit` for the descriptions of all join points, but for those of an image that is just being loaded and not
/// relocated yet.
void annot_joinpoint_walk_infos(
    void (*visit)(const annot_joinpoint_info *info, void *context), void *context);

#pragma GCC visibility pop

#endif
