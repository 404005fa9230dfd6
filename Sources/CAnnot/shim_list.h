/// The shims (ANNOT_SHIM) of all loaded images.
#ifndef ANNOT_SHIM_LIST_H
#define ANNOT_SHIM_LIST_H

#include "arena.h"
#include "joinpoint_walk.h"

#pragma GCC visibility push(hidden)

/// What the join point says of itself if it is a shim of a relocated image; else null. For a walk's visitor.
///
/// A shim, other than a method, is of interest before its first call, which the runtime brings about. Whatever leads
/// outside the image is no shim.
const annot_joinpoint_info *joinpoint_shim_info(annot_joinpoint *joinpoint, walked_image *image);

/// Whether a walk has met a shim: until then there is nothing to interpose.
bool shims_exist(void);

/// A shim that has been settled.
typedef struct listed_shim {
  struct listed_shim *next;
  const annot_joinpoint_info *info;  ///< only while the image is loaded, as is `shim`
  annot_shim *shim;
  annot_joinpoint_info name;  ///< module, cls, sel and flags alone, copies
  const char *symbol;         ///< a copy
  bool is_advised;
  bool takes_part;  ///< entries may lead to it; of the update
  uintptr_t image;         ///< its image's dynamic section
  const char *image_name;  ///< a copy; empty for the main program
} listed_shim;

/// Lists the shims in load order, in the arena; null when there are none, or the arena is too small.
///
/// Only copies may be looked at once this has returned, unless the image is kept loaded.
listed_shim *shim_list_make(arena *memory);

#pragma GCC visibility pop

#endif
