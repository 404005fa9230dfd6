#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "quick_file.h"

#include <string.h>

#include "calls.h"

/// How many bytes of the file's front and end are read at once.
enum { front_size = 4096, end_size = 8192 };

/// A part of the file in memory.
typedef struct window {
  const unsigned char *bytes;
  uint64_t offset;  ///< of the first byte, in the file
  size_t size;
} window;

/// The bytes at an offset of the file; null when they are not in the window.
static const void *at(const window *it, uint64_t offset, uint64_t size) {
  if (offset < it->offset || offset - it->offset > it->size) return NULL;
  return size <= it->size - (offset - it->offset) ? it->bytes + (offset - it->offset) : NULL;
}

static bool is_own_kind(const ElfW(Ehdr) *head) {
  static const uint16_t probe = 1;
  const unsigned char order = *(const unsigned char *)&probe ? ELFDATA2LSB : ELFDATA2MSB;
  return !memcmp(head->e_ident, ELFMAG, SELFMAG) && head->e_ident[EI_DATA] == order &&
         head->e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
         (head->e_type == ET_DYN || head->e_type == ET_EXEC) && head->e_phentsize == sizeof(ElfW(Phdr)) &&
         head->e_shentsize == sizeof(ElfW(Shdr));
}

/// Whether the file has the image's build-id where the image's own program headers lead to.
static bool has_build_id(const window *front, const ElfW(Phdr) *headers, const gathered_image *image) {
  for (size_t i = 0; i < image->header_count; i++) {
    const ElfW(Phdr) *segment = &headers[i];
    if (segment->p_type != PT_NOTE) continue;
    const void *notes = at(front, segment->p_offset, segment->p_filesz);
    if (!notes) return false;
    // As if loaded where it was read to.
    ElfW(Phdr) here[2] = {{.p_type = PT_LOAD, .p_flags = PF_R, .p_memsz = segment->p_filesz}, *segment};
    here[1].p_vaddr = 0;
    here[1].p_memsz = segment->p_filesz;
    const struct dl_phdr_info info = {.dlpi_addr = (ElfW(Addr))notes, .dlpi_phdr = here, .dlpi_phnum = 2};
    const memory_range found = image_read_notes(&info).build_id;
    if (!found.size) continue;
    return found.size == image->build_id_length &&
           !memcmp((const void *)found.start, image->build_id, found.size);
  }
  return image->build_id_length == 0;
}

static bool is_the_images(const window *front, const ElfW(Ehdr) *head, const gathered_image *image) {
  // Read as they are aligned in the file, which is well enough in the buffer.
  const ElfW(Phdr) *headers = at(front, head->e_phoff, head->e_phnum * sizeof *headers);
  if (!headers || (uintptr_t)headers % _Alignof(ElfW(Phdr)) || head->e_phnum != image->header_count) return false;
  return headers_hash(headers, head->e_phnum) == image->headers_hash && has_build_id(front, headers, image);
}

/// Looks for the section among the headers, which are in the window with their names.
static quick_outcome search(const window *end, const ElfW(Ehdr) *head, annot_file_section *section) {
  const ElfW(Shdr) *headers = at(end, head->e_shoff, head->e_shnum * sizeof *headers);
  if (!headers || head->e_shstrndx == SHN_UNDEF || head->e_shstrndx >= head->e_shnum) return QUICK_ODD;
  if ((uintptr_t)headers % _Alignof(ElfW(Shdr))) return QUICK_ODD;
  const ElfW(Shdr) *names = &headers[head->e_shstrndx];
  const char *texts = at(end, names->sh_offset, names->sh_size);
  if (!texts || names->sh_type != SHT_STRTAB || !names->sh_size || texts[names->sh_size - 1]) return QUICK_ODD;
  quick_outcome outcome = QUICK_NONE;
  for (size_t i = 1; i < head->e_shnum; i++) {
    const ElfW(Shdr) *each = &headers[i];
    if (each->sh_type == SHT_NULL) continue;
    if (each->sh_name >= names->sh_size) return QUICK_ODD;
    if (strcmp(texts + each->sh_name, "annot")) continue;
    if (outcome == QUICK_FOUND || each->sh_type != SHT_PROGBITS || each->sh_flags & SHF_COMPRESSED)
      return QUICK_ODD;
    outcome = QUICK_FOUND;
    *section = (annot_file_section){.name = "annot",
                                    .size = each->sh_size,
                                    .offset = each->sh_offset,
                                    .address = each->sh_addr};
  }
  return outcome;
}

quick_outcome quick_file_find(
    int descriptor, uint64_t size, const gathered_image *image, annot_file_section *section) {
  _Alignas(ElfW(Shdr)) unsigned char bytes[end_size];
  if (size < front_size) return QUICK_ODD;
  if (call_pread(descriptor, bytes, front_size, 0) != front_size) return QUICK_ODD;
  const window front = {bytes, 0, front_size};
  ElfW(Ehdr) head;
  memcpy(&head, bytes, sizeof head);
  if (!is_own_kind(&head) || !is_the_images(&front, &head, image)) return QUICK_ODD;
  // The names stand right before the headers, and these at the end of the file.
  if (head.e_shnum == 0 || head.e_shoff > size || head.e_shoff % _Alignof(ElfW(Shdr))) return QUICK_ODD;
  const uint64_t table = head.e_shnum * sizeof(ElfW(Shdr));
  if (table > size - head.e_shoff || table > end_size / 2) return QUICK_ODD;
  uint64_t start = head.e_shoff + table - (head.e_shoff + table < end_size ? head.e_shoff + table : end_size);
  start = (start + _Alignof(ElfW(Shdr)) - 1) / _Alignof(ElfW(Shdr)) * _Alignof(ElfW(Shdr));
  const size_t length = (size_t)(head.e_shoff + table - start);
  if (call_pread(descriptor, bytes, length, (off_t)start) != (ssize_t)length) return QUICK_ODD;
  const window end = {bytes, start, length};
  return search(&end, &head, section);
}
