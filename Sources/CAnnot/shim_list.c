#define _GNU_SOURCE
#include "shim_list.h"

#include <stdatomic.h>
#include <string.h>

#include "dynamic_section.h"
#include "hook.h"
#include "loaded_image.h"

static atomic_bool has_met_one;

bool shims_exist(void) { return atomic_load_explicit(&has_met_one, memory_order_acquire); }

static bool holds(const walked_image *image, uintptr_t start, size_t size, ElfW(Word) access) {
  return image_has_range(image->info, (memory_range){start, size}, access);
}

static bool holds_text(const walked_image *image, const char *text) {
  const size_t room = image_bytes_from(image->info, (uintptr_t)text);
  return room && memchr(text, 0, room);
}

static bool is_shim(const walked_image *image, const annot_joinpoint_info *info) {
  const size_t least = offsetof(annot_joinpoint_info, shim) + sizeof info->shim;
  if (!holds(image, (uintptr_t)info, sizeof info->size, PF_R) || info->size < least ||
      !holds(image, (uintptr_t)info, least, PF_R) || !(info->flags & ANNOT_JOINPOINT_SHIM))
    return false;
  const annot_shim *shim = info->shim;
  return holds(image, (uintptr_t)shim, sizeof *shim, PF_R | PF_W) && shim->size >= sizeof *shim &&
         holds(image, (uintptr_t)shim->function, 1, PF_X) && holds_text(image, shim->symbol) &&
         holds_text(image, info->cls) && holds_text(image, info->sel) && holds_text(image, info->module);
}

const annot_joinpoint_info *joinpoint_shim_info(annot_joinpoint *joinpoint, walked_image *image) {
  if (joinpoint_state(joinpoint) == ANNOT_HOOK_UNRESOLVED && !walked_image_is_relocated(image)) return NULL;
  if (!holds(image, (uintptr_t)joinpoint->info, 1, PF_X)) return NULL;
  const annot_joinpoint_info *info = joinpoint->info();
  if (!is_shim(image, info)) return NULL;
  atomic_store_explicit(&has_met_one, true, memory_order_release);
  return info;
}

typedef struct listing {
  arena *memory;
  listed_shim *first, **end;
} listing;

static const char *copy_text(arena *memory, const char *text) {
  return arena_copy(memory, text, strlen(text) + 1);
}

static void list_shim(annot_joinpoint *joinpoint, walked_image *image, void *context) {
  listing *it = context;
  const uintptr_t state = joinpoint_state(joinpoint);
  if (state == ANNOT_HOOK_UNRESOLVED) return;
  const annot_joinpoint_info *info = joinpoint_shim_info(joinpoint, image);
  if (!info) return;
  listed_shim *made = arena_take(it->memory, sizeof *made);
  const listed_shim copy = {
      .info = info,
      .shim = info->shim,
      .name = {.size = sizeof copy.name,
               .flags = info->flags,
               .module = copy_text(it->memory, info->module),
               .cls = copy_text(it->memory, info->cls),
               .sel = copy_text(it->memory, info->sel)},
      .symbol = copy_text(it->memory, info->shim->symbol),
      .is_advised = state != ANNOT_HOOK_IDLE,
      .image = dynamic_section_address(image->info),
      .image_name = copy_text(it->memory, image->info->dlpi_name ? image->info->dlpi_name : "")};
  if (!arena_sufficed(it->memory)) return;
  *made = copy;
  *it->end = made;
  it->end = &made->next;
}

listed_shim *shim_list_make(arena *memory) {
  listing it = {.memory = memory, .end = &it.first};
  annot_joinpoint_walk(list_shim, NULL, &it);
  return it.first;
}
