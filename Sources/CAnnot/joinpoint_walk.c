#define _GNU_SOURCE
#include "joinpoint_walk.h"

#include "loaded_image.h"
#include "loader.h"

typedef struct walk {
  void (*visit)(annot_joinpoint *joinpoint, void *context);
  void (*visit_image)(const struct dl_phdr_info *info, void *context);
  void *context;
} walk;

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
    if (joinpoint->version == ANNOT_JOINPOINT_VERSION) it->visit(joinpoint, it->context);
    place += stride;
  }
  return 0;
}

void annot_joinpoint_walk(void (*visit)(annot_joinpoint *joinpoint, void *context),
                          void (*visit_image)(const struct dl_phdr_info *info, void *context), void *context) {
  walk it = {.visit = visit, .visit_image = visit_image, .context = context};
  loader_iterate(walk_image, &it);
}

bool annot_image_has_slot(const struct dl_phdr_info *info, const annot_joinpoint *joinpoint) {
  const uintptr_t address = (uintptr_t)joinpoint;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    const uintptr_t start = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W) && address >= start &&
        address - start < segment->p_memsz)
      return true;
  }
  return false;
}
