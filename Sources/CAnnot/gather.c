#define _GNU_SOURCE
#include "gather.h"

#include <string.h>
#include <sys/auxv.h>

#include "annot/layout.h"

typedef struct pass {
  gathering *into;
  size_t capacity;
  size_t seen;
} pass;

static void note_counters(const struct dl_phdr_info *info, size_t size, gathering *into) {
  if (size < offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs) return;
  into->adds = info->dlpi_adds;
  into->subs = info->dlpi_subs;
}

static int gather_image(struct dl_phdr_info *info, size_t size, void *context) {
  pass *it = context;
  arena *memory = &it->into->memory;
  note_counters(info, size, it->into);
  if (it->seen++ >= it->capacity) return 0;
  const char *name = info->dlpi_name ? info->dlpi_name : "";
  const memory_range build_id = image_build_id(info);
  memory_range records;
  const uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);
  gathered_image image = {.base = info->dlpi_addr,
                          .header_count = info->dlpi_phnum,
                          .build_id_length = build_id.size,
                          .is_vdso = vdso && image_has_range(info, (memory_range){vdso, 1}, PF_R)};
  image.has_note = image_noted_range(info, ANNOT_NOTE_RECORDS, PF_R, &records, &image.note_is_outside);
  image.name = arena_copy(memory, name, strlen(name) + 1);
  image.headers = arena_copy(memory, info->dlpi_phdr, info->dlpi_phnum * sizeof *info->dlpi_phdr);
  image.build_id = arena_copy(memory, (const void *)build_id.start, build_id.size);
  image.records_size = records.size;
  image.records = arena_copy(memory, (const void *)records.start, records.size);
  if (it->into->images) it->into->images[it->into->count++] = image;
  return 0;
}

bool gather(gathering *it) {
  size_t size = (size_t)256 << 10;
  size_t capacity = 128;
  for (;;) {
    *it = (gathering){0};
    if (!arena_open(&it->memory, size)) return false;
    it->images = arena_take(&it->memory, capacity * sizeof *it->images);
    pass work = {.into = it, .capacity = capacity};
    dl_iterate_phdr(gather_image, &work);
    if (arena_sufficed(&it->memory) && work.seen <= capacity) return true;
    // Images may be loaded between two passes: leave room for some.
    size = it->memory.wanted + it->memory.wanted / 4;
    if (work.seen > capacity) {
      capacity = work.seen + work.seen / 4;
      size += capacity * (sizeof *it->images + 4096);
    }
    arena_close(&it->memory);
  }
}

void gathering_close(gathering *it) { arena_close(&it->memory); }

static int first_counters(struct dl_phdr_info *info, size_t size, void *context) {
  note_counters(info, size, context);
  return 1;
}

void loader_counters(unsigned long long *adds, unsigned long long *subs) {
  gathering counters = {0};
  dl_iterate_phdr(first_counters, &counters);
  *adds = counters.adds;
  *subs = counters.subs;
}

typedef struct copying {
  const gathered_image *image;
  uint64_t address;
  size_t size;
  char *to;
  copy_outcome outcome;
} copying;

static bool is_same_image(const struct dl_phdr_info *info, const gathered_image *image) {
  if (info->dlpi_addr != image->base || info->dlpi_phnum != image->header_count) return false;
  if (strcmp(info->dlpi_name ? info->dlpi_name : "", image->name)) return false;
  if (memcmp(info->dlpi_phdr, image->headers, image->header_count * sizeof *image->headers)) return false;
  const memory_range build_id = image_build_id(info);
  return build_id.size == image->build_id_length &&
         (build_id.size == 0 || !memcmp((const void *)build_id.start, image->build_id, build_id.size));
}

static int copy_if_same(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  copying *it = context;
  if (!is_same_image(info, it->image)) return 0;
  const memory_range range = {.start = info->dlpi_addr + (uintptr_t)it->address, .size = it->size};
  if (it->address > UINTPTR_MAX || !image_has_range(info, range, PF_R)) {
    it->outcome = COPY_OUTSIDE;
    return 1;
  }
  memcpy(it->to, (const void *)range.start, range.size);
  it->outcome = COPY_DONE;
  return 1;
}

copy_outcome copy_from_image(const gathered_image *image, uint64_t address, size_t size, char *to) {
  copying it = {.image = image, .address = address, .size = size, .to = to, .outcome = COPY_GONE};
  dl_iterate_phdr(copy_if_same, &it);
  return it.outcome;
}
