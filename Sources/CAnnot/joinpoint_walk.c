#define _GNU_SOURCE
#include "joinpoint_walk.h"

#include "loaded_image.h"
#include "loader.h"

typedef struct walk {
  void (*visit)(annot_joinpoint *joinpoint, void *context);              // either this
  void (*visit_info)(const annot_joinpoint_info *info, void *context);  // or this
  void (*visit_image)(const struct dl_phdr_info *image, void *context);  // may be null
  void *context;
} walk;

static bool image_has(
    const struct dl_phdr_info *image, const void *start, size_t size, ElfW(Word) access) {
  return image_has_range(image, (memory_range){(uintptr_t)start, size}, access);
}

/// The join point's description; null where a pointer on the way to it or in it is not relocated yet, and so
/// leads out of the image.
static const annot_joinpoint_info *readable_info(
    const struct dl_phdr_info *image, annot_joinpoint *joinpoint) {
  if (!image_has(image, (const void *)(uintptr_t)joinpoint->info, 1, PF_X)) return NULL;
  const annot_joinpoint_info *info = joinpoint->info();
  const bool is_readable =
      image_has(image, info, sizeof info->size, PF_R) && image_has(image, info, info->size, PF_R) &&
      image_has(image, info->module, 1, PF_R) && image_has(image, info->cls, 1, PF_R) &&
      image_has(image, info->sel, 1, PF_R) &&
      (info->parameter_count == 0 ||
       image_has(image, info->parameters, info->parameter_count * sizeof *info->parameters, PF_R));
  return is_readable ? info : NULL;
}

static void visit_one(const walk *it, const struct dl_phdr_info *image, annot_joinpoint *joinpoint) {
  if (it->visit) {
    it->visit(joinpoint, it->context);
    return;
  }
  const annot_joinpoint_info *info = readable_info(image, joinpoint);
  if (info) it->visit_info(info, it->context);
}

static int walk_image(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  const walk *it = context;
  if (it->visit_image) it->visit_image(info, it->context);
  memory_range range;
  bool outside;
  if (!image_noted_range(info, ANNOT_NOTE_JOINPOINTS, PF_R | PF_W, &range, &outside)) return 0;
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
    if (joinpoint->version == ANNOT_JOINPOINT_VERSION) visit_one(it, info, joinpoint);
    place += stride;
  }
  return 0;
}

void annot_joinpoint_walk(void (*visit)(annot_joinpoint *joinpoint, void *context),
                          void (*visit_image)(const struct dl_phdr_info *image, void *context), void *context) {
  walk it = {.visit = visit, .visit_image = visit_image, .context = context};
  loader_iterate(walk_image, &it);
}

bool annot_image_has_slot(const struct dl_phdr_info *image, const annot_joinpoint *joinpoint) {
  return image_has(image, joinpoint, sizeof *joinpoint, PF_W);
}

void annot_joinpoint_walk_infos(
    void (*visit)(const annot_joinpoint_info *info, void *context), void *context) {
  walk it = {.visit_info = visit, .context = context};
  loader_iterate(walk_image, &it);
}
