// Looks for the records in copies of a loaded library's file in which fields of the ELF header, the program
// headers and the section headers have edge values; for use under AddressSanitizer.
//
//   mutated LIBRARY COPY    COPY is a copy of LIBRARY, written to; prints how many files were seen as what

#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../Sources/CAnnot/quick_file.h"

static int copy;
static uint64_t size;
static const gathered_image *image;
static size_t outcomes[3];

static void look(uint64_t file_size) {
  annot_file_section section;
  outcomes[quick_file_find(copy, file_size, image, &section)]++;
}

/// Gives each half-word of a part of the file edge values, alone and with the word and double word it begins.
static void mutate(uint64_t start, uint64_t length) {
  static const uint64_t values[] = {0, 1, 2, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0xfffffff0, 0xffffffff,
                                    0x7fffffffffffffff, 0xfffffffffffffff8, 0xffffffffffffffff};
  for (uint64_t at = start; at < start + length; at += 2) {
    for (size_t width = 2; width <= 8; width *= 2) {
      char kept[8];
      if (at % width || pread(copy, kept, width, (off_t)at) != (ssize_t)width) continue;
      for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (pwrite(copy, &values[i], width, (off_t)at) != (ssize_t)width) exit(4);
        look(size);
      }
      if (pwrite(copy, kept, width, (off_t)at) != (ssize_t)width) exit(4);
    }
  }
}

int main(int count, char **words) {
  if (count < 3 || !dlopen(words[1], RTLD_NOW)) return 2;
  gathering gathered;
  if (!gather(&gathered, NULL, false)) return 2;
  for (size_t i = 0; i < gathered.count; i++)
    if (!strcmp(gathered.images[i].name, words[1])) image = &gathered.images[i];
  copy = open(words[2], O_RDWR | O_CLOEXEC);
  if (!image || copy < 0) return 2;
  size = (uint64_t)lseek(copy, 0, SEEK_END);
  look(size);
  if (outcomes[QUICK_FOUND] != 1) return 5;
  ElfW(Ehdr) head;
  if (pread(copy, &head, sizeof head, 0) != sizeof head) return 4;
  mutate(0, sizeof head + head.e_phnum * sizeof(ElfW(Phdr)));
  mutate(head.e_shoff, head.e_shnum * sizeof(ElfW(Shdr)));
  // Cut off anywhere, as told by its size and as found by reading.
  for (uint64_t length = 0; length < size; length += 61) look(length);
  for (uint64_t length = size; length > 61; length -= 61) {
    if (ftruncate(copy, (off_t)length)) return 4;
    look(size);
  }
  gathering_close(&gathered);
  printf("none %zu found %zu odd %zu\n", outcomes[QUICK_NONE], outcomes[QUICK_FOUND], outcomes[QUICK_ODD]);
  return 0;
}
