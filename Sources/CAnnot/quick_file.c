#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "quick_file.h"

#include <string.h>

#include "calls.h"

/// How many bytes are read at once: of the file's front, which has the program headers and the notes; of section
/// names, which mostly stand before the section headers; of these.
enum { front_size = 2048, names_size = 1024, table_size = 8192 };

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

/// The section headers and what stands before them, and the names if these are elsewhere.
typedef struct tables {
  const ElfW(Shdr) *headers;
  size_t count;
  const char *names;
  uint64_t names_size;
  _Alignas(ElfW(Shdr)) unsigned char end[names_size + table_size];
  unsigned char elsewhere[names_size];
} tables;

static bool read_names(tables *it, int descriptor, const window *end, const ElfW(Shdr) *names) {
  if (names->sh_type != SHT_STRTAB || !names->sh_size) return false;
  it->names_size = names->sh_size;
  it->names = at(end, names->sh_offset, names->sh_size);
  if (!it->names && names->sh_size <= sizeof it->elsewhere &&
      call_pread(descriptor, it->elsewhere, names->sh_size, (off_t)names->sh_offset) == (ssize_t)names->sh_size)
    it->names = (const char *)it->elsewhere;
  return it->names && it->names[names->sh_size - 1] == '\0';
}

static bool read_tables(tables *it, int descriptor, uint64_t size, const ElfW(Ehdr) *head) {
  const size_t alignment = _Alignof(ElfW(Shdr)), table = head->e_shnum * sizeof *it->headers;
  if (head->e_shnum == 0 || head->e_shstrndx == SHN_UNDEF || head->e_shstrndx >= head->e_shnum) return false;
  if (table > table_size || head->e_shoff % alignment || head->e_shoff > size || table > size - head->e_shoff)
    return false;
  const size_t before = head->e_shoff < names_size ? (size_t)head->e_shoff : names_size;
  const window end = {it->end, head->e_shoff - before, before + table};
  if (call_pread(descriptor, it->end, end.size, (off_t)end.offset) != (ssize_t)end.size) return false;
  it->headers = at(&end, head->e_shoff, table);
  it->count = head->e_shnum;
  return read_names(it, descriptor, &end, &it->headers[head->e_shstrndx]);
}

static quick_outcome search(const tables *it, annot_file_section *section) {
  quick_outcome outcome = QUICK_NONE;
  for (size_t i = 1; i < it->count; i++) {
    const ElfW(Shdr) *each = &it->headers[i];
    if (each->sh_type == SHT_NULL) continue;
    if (each->sh_name >= it->names_size) return QUICK_ODD;
    if (strcmp(it->names + each->sh_name, "annot")) continue;
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
  _Alignas(ElfW(Phdr)) unsigned char bytes[front_size];
  if (call_pread(descriptor, bytes, front_size, 0) != front_size) return QUICK_ODD;
  const window front = {bytes, 0, front_size};
  ElfW(Ehdr) head;
  memcpy(&head, bytes, sizeof head);
  if (!is_own_kind(&head) || !is_the_images(&front, &head, image)) return QUICK_ODD;
  tables found;
  return read_tables(&found, descriptor, size, &head) ? search(&found, section) : QUICK_ODD;
}
