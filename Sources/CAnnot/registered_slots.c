// Join points that bindings make themselves and no note tells of, and those that have been settled.

#define _GNU_SOURCE
#include <stdlib.h>

#include "advice_registry.h"
#include "annot/binding.h"
#include "calls.h"
#include "hook.h"
#include "joinpoint_walk.h"

typedef struct info_list {
  const annot_joinpoint_info **infos;
  size_t capacity;
  size_t count;
} info_list;

static void collect_info(annot_joinpoint *joinpoint, walked_image *image, void *context) {
  (void)image;
  info_list *list = context;
  if (joinpoint_state(joinpoint) == ANNOT_HOOK_UNRESOLVED) return;
  if (list->count < list->capacity) list->infos[list->count] = joinpoint->info();
  list->count++;
}

const annot_joinpoint_info **annot_joinpoint_settled(size_t *count) {
  info_list list = {0};
  for (;;) {
    list.count = 0;
    annot_joinpoint_walk(collect_info, NULL, &list);
    if (list.count <= list.capacity) break;
    // Room for some that are settled meanwhile.
    list.capacity = list.count + 16;
    free(list.infos);
    list.infos = call_allocate(list.capacity * sizeof *list.infos);
    if (!list.infos) break;
  }
  *count = list.count;
  return list.infos;
}

typedef struct image_search {
  const annot_joinpoint *joinpoint;
  bool found;
} image_search;

static void search_image(const struct dl_phdr_info *info, void *context) {
  image_search *search = context;
  search->found |= annot_image_has_slot(info, search->joinpoint);
}

static void ignore_joinpoint(annot_joinpoint *joinpoint, walked_image *image, void *context) {
  (void)image;
  (void)joinpoint;
  (void)context;
}

static bool is_in_image(const annot_joinpoint *joinpoint) {
  image_search search = {.joinpoint = joinpoint};
  annot_joinpoint_walk(ignore_joinpoint, search_image, &search);
  return search.found;
}

bool annot_joinpoint_register(annot_joinpoint *joinpoint, const annot_joinpoint_info *info) {
  hook *spare = hook_make();
  if (!spare) return false;
  spare->is_registered = true;
  spare->is_in_image = is_in_image(joinpoint);
  const bool done = registry_add_slot(&spare, joinpoint, info);
  hook_free_chain(spare);
  return done;
}
