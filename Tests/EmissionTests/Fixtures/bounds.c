// Prints what the bounds notes of every loaded image lead to, as the runtime reads them: the records, in no
// order, and the number of join points. Opens the libraries given first.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <annot/layout.h>

#if __SIZEOF_POINTER__ == 8
typedef Elf64_Nhdr note_header;
#else
typedef Elf32_Nhdr note_header;
#endif

static int inside(const struct dl_phdr_info *image, uintptr_t start, uintptr_t end) {
  for (int i = 0; i < image->dlpi_phnum; i++) {
    uintptr_t at = image->dlpi_addr + image->dlpi_phdr[i].p_vaddr;
    if (image->dlpi_phdr[i].p_type == PT_LOAD && start >= at && end <= at + image->dlpi_phdr[i].p_memsz) {
      return 1;
    }
  }
  return 0;
}

static void show(const struct dl_phdr_info *image, uint32_t type, const char *place, uintptr_t *seen) {
  int32_t distances[2];
  uintptr_t start, end;
  memcpy(distances, place, sizeof distances);
  start = (uintptr_t)place + (uintptr_t)(intptr_t)distances[0];
  end = (uintptr_t)place + 4 + (uintptr_t)(intptr_t)distances[1];
  if (start > end || !inside(image, start, end)) {
    printf("bad range, type %u\n", type);
    return;
  }
  if (seen[type] == start) {
    return;  // link-time optimisation may leave equal notes
  }
  seen[type] = start;
  if (type == ANNOT_NOTE_JOINPOINTS) {
    long count = 0;
    for (uintptr_t at = start; at < end; at += ((const annot_joinpoint *)at)->size) {
      const annot_joinpoint *joinpoint = (const annot_joinpoint *)at;
      if (joinpoint->size != sizeof *joinpoint || joinpoint->info()->size != sizeof(annot_joinpoint_info)) {
        printf("bad join point\n");
        return;
      }
      count++;
    }
    printf("join points %ld\n", count);
    return;
  }
  for (const char *at = (const char *)start; at < (const char *)end; at += strlen(at) + 1) {
    if (*at) {
      printf("%s\n", at);
    }
  }
}

static int visit(struct dl_phdr_info *image, size_t size, void *context) {
  uintptr_t seen[3] = {0, 0, 0};
  (void)size;
  (void)context;
  for (int i = 0; i < image->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &image->dlpi_phdr[i];
    const char *at = (const char *)(image->dlpi_addr + segment->p_vaddr);
    const char *end = at + segment->p_memsz;
    uintptr_t mask = segment->p_align == 8 ? 7 : 3;
    if (segment->p_type != PT_NOTE) {
      continue;
    }
    while (at + sizeof(note_header) <= end) {
      note_header header;
      memcpy(&header, at, sizeof header);
      const char *name = at + sizeof header;
      const char *place = (const char *)(((uintptr_t)name + header.n_namesz + mask) & ~mask);
      if (header.n_namesz == sizeof ANNOT_NOTE_OWNER &&
          memcmp(name, ANNOT_NOTE_OWNER, header.n_namesz) == 0 && header.n_descsz == 8 &&
          (header.n_type == ANNOT_NOTE_RECORDS || header.n_type == ANNOT_NOTE_JOINPOINTS)) {
        show(image, header.n_type, place, seen);
      }
      at = (const char *)(((uintptr_t)place + header.n_descsz + mask) & ~mask);
    }
  }
  return 0;
}

#ifdef __cplusplus
extern "C" {
#endif
// Called when they are there: what nobody calls, link-time optimisation removes with the records inside it.
__attribute__((weak)) int every_kind(void);
__attribute__((weak)) int scopes_main(void);
#ifdef __cplusplus
}
#endif

int main(int argc, char **argv) {
#ifndef BOUNDS_STATIC
  for (int i = 1; i < argc; i++) {
    if (!dlopen(argv[i], RTLD_NOW)) {
      printf("%s\n", dlerror());
      return 2;
    }
  }
#else
  (void)argc;
  (void)argv;
#endif
  if (every_kind) {
    every_kind();
  }
  if (scopes_main) {
    scopes_main();
  }
  dl_iterate_phdr(visit, 0);
  return 0;
}
