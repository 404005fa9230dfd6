#define _GNU_SOURCE
#include "gather.h"

#include <string.h>
#include <sys/auxv.h>

#include "annot/layout.h"
#include "calls.h"
#include "snapshot.h"

typedef struct pass {
  gathering *into;
  size_t capacity;
  size_t seen;
  const annot_snapshot *last;
  bool retry;
  bool is_out_of_memory;
  uintptr_t vdso;  ///< an address in it; 0 when there is none
  size_t next;  ///< where in `last` the next image is likely to be: the loader keeps its order
} pass;

static const char *name_of(const struct dl_phdr_info *info) { return info->dlpi_name ? info->dlpi_name : ""; }

/// "The first object visited by callback is the main program. For the main program, the dlpi_name field will
/// be an empty string" (dl_iterate_phdr(3)). With musl it is the program's path, and there is one namespace
/// only.
static bool is_main(const struct dl_phdr_info *info, size_t index) {
#ifdef __GLIBC__
  return index == 0 && name_of(info)[0] == '\0';
#else
  (void)info;
  return index == 0;
#endif
}

static bool same_build_id(memory_range found, const unsigned char *build_id, size_t length) {
  return found.size == length && (length == 0 || !memcmp((const void *)found.start, build_id, length));
}

static bool same_headers(const struct dl_phdr_info *info, uint64_t hash, size_t count) {
  return info->dlpi_phnum == count && headers_hash(info->dlpi_phdr, count) == hash;
}

static bool same_place(const struct dl_phdr_info *info, const known_image *known) {
  return known->image.base == info->dlpi_addr && !strcmp(known->name, name_of(info));
}

/// The image of the last snapshot at this place, under this name.
static known_image *find_known(pass *it, const struct dl_phdr_info *info) {
  const size_t count = it->last ? it->last->image_count : 0;
  for (size_t step = 0; step < count; step++) {
    const size_t index = (it->next + step) % count;
    if (!same_place(info, it->last->known[index])) continue;
    it->next = index + 1;
    return it->last->known[index];
  }
  return NULL;
}

/// Finds out whether the image was in the last snapshot. As long as none was removed, an image at its place
/// is the same; else its build-id must be. Without one it takes a look at the file, which is not for here.
/// What could not be read may be another image that can.
static void recognize(pass *it, const struct dl_phdr_info *info, gathered_image *image) {
  known_image *known = find_known(it, info);
  if (!known) return;
  const bool none_removed = it->into->state.subs == it->last->state.subs;
  if (known_image_failed(known) && (it->retry || !none_removed)) return;
  if (none_removed) {
    image->known = known;
  } else if (same_headers(info, known->headers_hash, known->header_count) &&
             same_build_id(image_read_notes(info).build_id, known->image.build_id, known->image.build_id_length)) {
    *(known->image.build_id_length ? &image->known : &image->likely) = known;
  }
}

static void gather_new(pass *it, const struct dl_phdr_info *info, gathered_image *image) {
  arena *memory = &it->into->memory;
  const char *name = name_of(info);
  const image_notes notes = image_read_notes(info);
  image->base = info->dlpi_addr;
  image->header_count = info->dlpi_phnum;
  image->headers_hash = headers_hash(info->dlpi_phdr, info->dlpi_phnum);
  image->is_vdso = it->vdso && image_has_range(info, (memory_range){it->vdso, 1}, PF_R);
  image->has_runtime = notes.has_runtime;
  image->name = arena_copy(memory, name, strlen(name) + 1);
  image->build_id_length = notes.build_id.size;
  image->build_id = arena_copy(memory, (const void *)notes.build_id.start, notes.build_id.size);
  if (!notes.has_records) return;
  image->note = notes.is_outside ? NOTE_OUTSIDE : NOTE_SOUND;
  image->records_size = notes.records.size;
  image->records_place = (const void *)notes.records.start;
  if (notes.records.size <= CALL_MAP_SHARED) {
    image->records = arena_take(memory, notes.records.size);
    return;
  }
  // In a mapping, which the image's records can stay in: to copy so much twice is most of what it costs.
  image->records = call_map(notes.records.size);
  if (image->records) image->mapped_size = notes.records.size;
  else it->is_out_of_memory = true;
}

static int gather_image(struct dl_phdr_info *info, size_t size, void *context) {
  pass *it = context;
  if (it->seen == 0) it->into->state = loader_state_of(info, size);
  const size_t index = it->seen++;
  if (index >= it->capacity) return 0;
  // Without room for the images there is another pass.
  if (!it->into->images) return 0;
  gathered_image *image = &it->into->images[it->into->count++];
  *image = (gathered_image){.is_main = is_main(info, index)};
  recognize(it, info, image);
  if (!image->known) gather_new(it, info, image);
  return 0;
}

/// Copies a few images' records; one by one when that fails, to find out whose are not there.
static void copy_records(const memory_copy *pieces, gathered_image *const *images, size_t count) {
  if (call_read_memory(pieces, count)) return;
  for (size_t i = 0; i < count; i++) {
    if (call_read_memory(&pieces[i], 1)) continue;
    images[i]->note = NOTE_UNREADABLE;
    images[i]->records_size = 0;
  }
}

static void copy_all_records(gathering *it) {
  memory_copy pieces[CALL_COPY_LIMIT];
  gathered_image *images[CALL_COPY_LIMIT];
  size_t count = 0;
  for (size_t i = 0; i < it->count; i++) {
    gathered_image *image = &it->images[i];
    if (image->known || !image->records_size) continue;
    pieces[count] = (memory_copy){image->records, image->records_place, image->records_size};
    images[count++] = image;
    if (count < CALL_COPY_LIMIT) continue;
    copy_records(pieces, images, count);
    count = 0;
  }
  if (count) copy_records(pieces, images, count);
}

/// Copies the records in a pass of its own, all at once, if the images are those that were gathered.
static int copy_if_unchanged(struct dl_phdr_info *info, size_t size, void *context) {
  gathering *it = context;
  const loader_state now = loader_state_of(info, size);
  if (now.adds != it->state.adds || now.subs != it->state.subs) return 1;
  copy_all_records(it);
  it->is_complete = true;
  return 1;
}

/// One attempt to gather. The arena may not suffice, and images may come and go between the two passes.
static bool try_to_gather(gathering *it, pass *work) {
  it->images = arena_take(&it->memory, work->capacity * sizeof *it->images);
  loader_iterate(gather_image, work);
  if (work->is_out_of_memory || !arena_sufficed(&it->memory) || work->seen > work->capacity) return false;
  loader_iterate(copy_if_unchanged, it);
  return it->is_complete;
}

/// How many images there are, and a few more, as some may be loaded meanwhile. The loader's counters tell; where it
/// has none, a guess that is mended by another pass.
static size_t expected_images(const annot_snapshot *last) {
  enum { spare = 16, guess = 512, most = 1 << 20 };
  const loader_state now = loader_state_now();
  const unsigned long long loaded = now.adds - now.subs;
  if (now.adds > now.subs && loaded < most) return (size_t)loaded + spare;
  return last ? last->image_count + spare : guess;
}

void gathering_close(gathering *it) {
  for (size_t i = 0; i < it->count; i++) {
    const gathered_image *image = &it->images[i];
    if (!image->known && image->mapped_size) call_unmap(image->records, image->mapped_size, image->mapped_size);
  }
  it->count = 0;
  arena_close(&it->memory);
}

bool gather(gathering *it, const annot_snapshot *last, bool retry) {
  size_t capacity = expected_images(last);
  size_t size = ((size_t)128 << 10) + capacity * sizeof *it->images;
  for (;;) {
    *it = (gathering){0};
    if (!arena_open(&it->memory, size)) return false;
    pass work = {.into = it, .capacity = capacity, .last = last, .retry = retry,
                 .vdso = getauxval(AT_SYSINFO_EHDR)};
    if (try_to_gather(it, &work)) return true;
    gathering_close(it);
    if (work.is_out_of_memory) return false;
    // Images may be loaded between two attempts: leave room for some.
    if (it->memory.wanted > size) size = it->memory.wanted + it->memory.wanted / 4;
    if (work.seen > capacity) {
      capacity = work.seen + work.seen / 4;
      size += capacity * (sizeof *it->images + 1024);
    }
  }
}

typedef struct copying {
  const gathered_image *image;
  uint64_t address;
  size_t size;
  char *to;
  copy_outcome outcome;
} copying;

static bool is_gathered(const struct dl_phdr_info *info, const gathered_image *image) {
  return info->dlpi_addr == image->base && !strcmp(name_of(info), image->name) &&
         same_headers(info, image->headers_hash, image->header_count) &&
         same_build_id(image_read_notes(info).build_id, image->build_id, image->build_id_length);
}

static int copy_if_same(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  copying *it = context;
  if (!is_gathered(info, it->image)) return 0;
  const memory_range range = {.start = info->dlpi_addr + (uintptr_t)it->address, .size = it->size};
  if (it->address > UINTPTR_MAX || !image_has_range(info, range, PF_R))
    it->outcome = COPY_OUTSIDE;
  else
    it->outcome = call_read_memory(&(memory_copy){it->to, (const void *)range.start, range.size}, 1)
                      ? COPY_DONE
                      : COPY_UNREADABLE;
  return 1;
}

copy_outcome copy_from_image(const gathered_image *image, uint64_t address, size_t size, char *to) {
  copying it = {.image = image, .address = address, .size = size, .to = to, .outcome = COPY_GONE};
  loader_iterate(copy_if_same, &it);
  return it.outcome;
}
