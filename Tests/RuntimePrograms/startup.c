// Measures what collecting costs an image, against a walk of the images alone and against plain libelf.
//
//   startup LIBRARY…    opens them all and prints, for each number of libraries, microseconds an image and ratios
//
// Each is done a few times in a row, so that it finds in the caches what it left there and not what the others did.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "annot/runtime_testing.h"

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  *(size_t *)context += info->dlpi_phnum;
  return 0;
}

static double walk(void) {
  const double start = now();
  size_t seen = 0;
  dl_iterate_phdr(visit, &seen);
  return now() - start;
}

/// What one would write: open the file, go through its section headers, compare the names.
static size_t find_by_libelf(const char *path) {
  size_t found = 0, names;
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  Elf *elf = elf_begin(descriptor, ELF_C_READ_MMAP, NULL);
  elf_getshdrstrndx(elf, &names);
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    gelf_getshdr(section, &header);
    const char *name = elf_strptr(elf, names, header.sh_name);
    if (name && !strcmp(name, "annot")) found += header.sh_size;
  }
  elf_end(elf);
  close(descriptor);
  return found;
}

static double loop(char **paths, size_t count) {
  const double start = now();
  size_t found = 0;
  for (size_t i = 0; i < count; i++) found += find_by_libelf(paths[i]);
  if (found < count) exit(4);
  return now() - start;
}

static double collection(const annot_snapshot *known, size_t records) {
  const double start = now();
  annot_snapshot *made = annot_runtime_collect(known);
  const double time = now() - start;
  if (annot_snapshot_record_count(made) != records) exit(5);
  annot_snapshot_free(made);
  return time;
}

static void lower(double *best, double time) {
  if (time < *best) *best = time;
}

int main(int count, char **paths) {
  elf_version(EV_CURRENT);
  annot_snapshot *before = annot_snapshot_take();
  const size_t known = annot_snapshot_record_count(before);
  static const size_t steps[] = {5, 50, 300};
  size_t opened = 0;
  paths++;
  printf("libraries  walk us  libelf us  note or file us  of libelf\n");
  for (size_t step = 0; step < 3 && steps[step] < (size_t)count; step++) {
    for (; opened < steps[step]; opened++)
      if (!dlopen(paths[opened], RTLD_NOW | RTLD_LOCAL)) return 3;
    annot_snapshot *all = annot_snapshot_take();
    const size_t records = annot_snapshot_record_count(all);
    if (records <= known) return 5;
    annot_snapshot_free(all);
    double walking = 1e9, reading = 1e9, collecting = 1e9;
    for (size_t round = 0; round < 1000 / opened + 5; round++) {
      for (int again = 0; again < 4; again++) lower(&walking, walk());
      for (int again = 0; again < 4; again++) lower(&reading, loop(paths, opened));
      for (int again = 0; again < 4; again++) lower(&collecting, collection(before, records));
    }
    const double images = (double)opened;
    printf("%9zu  %7.3f  %9.3f  %15.3f  1/%.2f\n", opened, walking / images, reading / images,
           collecting / images, reading / collecting);
  }
  annot_snapshot_free(before);
  return 0;
}
