#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "file_reader.h"

// Sources: the System V ABI's chapter "Object Files", and elf(5). libelf trusts e_shnum and its extension
// when it allocates, and ignores the entry sizes; what it is not told about is checked here, byte by byte,
// as it concerns both classes and both byte orders before anything knows which they are.

/// The members of an ELF header that the tables hang on, in the host's byte order.
typedef struct header {
  bool is_64;
  bool is_big_endian;
  uint64_t shoff;
  uint32_t shentsize;
  uint64_t shnum;
} header;

static uint64_t number(const unsigned char *bytes, unsigned size, bool is_big_endian) {
  uint64_t value = 0;
  for (unsigned i = 0; i < size; i++) value = value << 8 | bytes[is_big_endian ? i : size - 1 - i];
  return value;
}

__attribute__((format(printf, 3, 4)))
static bool malformed(annot_elf *elf, uint64_t offset, const char *format, ...) {
  char text[sizeof elf->file->error.detail];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  annot_error_set(&elf->file->error, ANNOT_ERROR_MALFORMED, "%s", text);
  elf->file->error.offset = offset;
  return false;
}

static bool read_bytes(annot_elf *elf, unsigned char *bytes, size_t size, uint64_t offset, const char *what) {
  ssize_t length = 0;
  if (offset <= elf->size && size <= elf->size - offset)
    length = annot_source_read(elf->source, bytes, size, elf->base + offset);
  if (length == (ssize_t)size) return true;
  if (length >= 0)
    return malformed(elf, offset, "the file is cut off: it ends at %llu, within %s",
                     (unsigned long long)elf->size, what);
  annot_error_set_system(&elf->file->error, "cannot be read", errno);
  return false;
}

/// Checks the identification, which says how to read the rest.
static bool check_identification(annot_elf *elf, const unsigned char *bytes, header *header) {
  if (bytes[EI_CLASS] != ELFCLASS32 && bytes[EI_CLASS] != ELFCLASS64)
    return malformed(elf, EI_CLASS, "the class is %u, not 1 (32 bit) or 2 (64 bit)", bytes[EI_CLASS]);
  if (bytes[EI_DATA] != ELFDATA2LSB && bytes[EI_DATA] != ELFDATA2MSB)
    return malformed(elf, EI_DATA, "the byte order is %u, not 1 (little) or 2 (big)", bytes[EI_DATA]);
  if (bytes[EI_VERSION] != EV_CURRENT)
    return malformed(elf, EI_VERSION, "the ELF version is %u, and only 1 is known", bytes[EI_VERSION]);
  header->is_64 = bytes[EI_CLASS] == ELFCLASS64;
  header->is_big_endian = bytes[EI_DATA] == ELFDATA2MSB;
  return true;
}

static bool read_header(annot_elf *elf, header *header) {
  unsigned char bytes[sizeof(Elf64_Ehdr)];
  if (!read_bytes(elf, bytes, EI_NIDENT, 0, "the ELF header")) return false;
  if (!check_identification(elf, bytes, header)) return false;
  size_t size = header->is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
  if (!read_bytes(elf, bytes, size, 0, "the ELF header")) return false;

  bool big = header->is_big_endian;
  if (header->is_64) {
    header->shoff = number(bytes + offsetof(Elf64_Ehdr, e_shoff), 8, big);
    header->shentsize = (uint32_t)number(bytes + offsetof(Elf64_Ehdr, e_shentsize), 2, big);
    header->shnum = number(bytes + offsetof(Elf64_Ehdr, e_shnum), 2, big);
  } else {
    header->shoff = number(bytes + offsetof(Elf32_Ehdr, e_shoff), 4, big);
    header->shentsize = (uint32_t)number(bytes + offsetof(Elf32_Ehdr, e_shentsize), 2, big);
    header->shnum = number(bytes + offsetof(Elf32_Ehdr, e_shnum), 2, big);
  }
  return true;
}

/// Reads the number of sections where it does not fit the header: the first section's size holds it.
static bool read_extended_count(annot_elf *elf, header *header) {
  unsigned char bytes[8];
  unsigned width = header->is_64 ? 8 : 4;
  uint64_t at = header->is_64 ? offsetof(Elf64_Shdr, sh_size) : offsetof(Elf32_Shdr, sh_size);
  if (header->shoff > UINT64_MAX - at) at = 0;
  if (!read_bytes(elf, bytes, width, header->shoff + at, "the section header table")) return false;
  header->shnum = number(bytes, width, header->is_big_endian);
  return true;
}

bool annot_check_header(annot_elf *elf) {
  header header = {0};
  if (!read_header(elf, &header)) return false;
  elf->is_64 = header.is_64;
  elf->is_big_endian = header.is_big_endian;
  if (header.shoff == 0) return true;

  uint32_t entry = header.is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
  if (header.shentsize != entry)
    return malformed(elf, 0, "the ELF header gives %u bytes to a section header, and they have %u",
                     header.shentsize, entry);
  if (header.shnum == 0 && !read_extended_count(elf, &header)) return false;
  if (header.shoff > elf->size || header.shnum > (elf->size - header.shoff) / entry)
    return malformed(
        elf, header.shoff, "the file is cut off: it ends at %llu, within or before the section header table",
        (unsigned long long)elf->size);
  elf->section_count = (size_t)header.shnum;
  return true;
}
