// Prints the records of all sections `annot` of an ELF64 file in this machine's byte order, one a line.
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  static unsigned char bytes[64 << 20];
  size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
  if (size < sizeof *header || memcmp(bytes, ELFMAG, SELFMAG) != 0) {
    fprintf(stderr, "%s: no ELF file\n", argc == 2 ? argv[1] : "usage: records FILE");
    return 2;
  }
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(bytes + header->e_shoff);
  const char *names = (const char *)bytes + sections[header->e_shstrndx].sh_offset;
  for (int i = 0; i < header->e_shnum; i++) {
    const char *at = (const char *)bytes + sections[i].sh_offset;
    const char *end = at + sections[i].sh_size;
    if (strcmp(names + sections[i].sh_name, "annot") != 0 || sections[i].sh_type == SHT_NOBITS) {
      continue;
    }
    for (; at < end; at += strlen(at) + 1) {
      if (*at) {
        printf("%s\n", at);
      }
    }
  }
  return 0;
}
