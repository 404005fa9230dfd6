#define _GNU_SOURCE
#include "joinpoint_walk.h"

#include "got_write.h"
#include "loaded_image.h"
#include "loader.h"

typedef struct walk {
  void (*visit)(annot_joinpoint *joinpoint, walked_image *image, void *context);
  void (*visit_image)(const struct dl_phdr_info *info, void *context);  // may be null
  void *context;
} walk;

bool walked_image_is_relocated(walked_image *image) {
  if (image->state == IMAGE_UNKNOWN)
    image->state = image_is_relocated(image->info) ? IMAGE_RELOCATED : IMAGE_LOADING;
  return image->state == IMAGE_RELOCATED;
}

static int walk_image(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  const walk *it = context;
  if (it->visit_image) it->visit_image(info, it->context);
  memory_range range;
  bool outside;
  if (!image_noted_range(info, ANNOT_NOTE_JOINPOINTS, PF_R | PF_W, &range, &outside)) return 0;
  walked_image image = {.info = info};
  const uintptr_t end = range.start + range.size;
  uintptr_t place = (range.start + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
  while (place < end && end - place >= sizeof(annot_joinpoint)) {
    annot_joinpoint *joinpoint = (annot_joinpoint *)place;
    // Linkers pad between the sections of object files with zeros.
    if (joinpoint->size == 0) {
      place += sizeof(void *);
      continue;
    }
    const size_t stride = joinpoint->size;
    if (stride < sizeof *joinpoint || stride % sizeof(void *) || stride > end - place) return 0;
    if (joinpoint->version == ANNOT_JOINPOINT_VERSION) it->visit(joinpoint, &image, it->context);
    place += stride;
  }
  return 0;
}

void annot_joinpoint_walk(void (*visit)(annot_joinpoint *joinpoint, walked_image *image, void *context),
                          void (*visit_image)(const struct dl_phdr_info *info, void *context), void *context) {
  walk it = {.visit = visit, .visit_image = visit_image, .context = context};
  loader_iterate(walk_image, &it);
}

bool annot_image_has_slot(const struct dl_phdr_info *info, const annot_joinpoint *joinpoint) {
  return image_has_range(info, (memory_range){(uintptr_t)joinpoint, sizeof *joinpoint}, PF_W);
}

typedef struct info_walk {
  void (*visit)(const annot_joinpoint_info *info, void *context);
  void *context;
} info_walk;

static void visit_info(annot_joinpoint *joinpoint, walked_image *image, void *context) {
  const info_walk *it = context;
  if (walked_image_is_relocated(image)) it->visit(joinpoint->info(), it->context);
}

void annot_joinpoint_walk_infos(
    void (*visit)(const annot_joinpoint_info *info, void *context), void *context) {
  info_walk it = {.visit = visit, .context = context};
  annot_joinpoint_walk(visit_info, NULL, &it);
}
