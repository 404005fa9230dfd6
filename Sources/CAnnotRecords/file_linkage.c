#define _POSIX_C_SOURCE 200809L  // strnlen

#include <string.h>

#include "file_reader.h"

// Source: the System V ABI, "Dynamic Section", and elf(5) for the flags. What cannot be read is as if it was
// not there: the loader would not load such a file, and its annotations are read all the same.

/// The most bytes of a dynamic section, and of its strings.
enum { table_limit = 16 << 20 };

/// The dynamic section, and the strings that its entries mean by their offsets.
typedef struct dynamic {
  Elf_Data *entries;
  int count;
  const char *strings;
  uint64_t strings_size;
} dynamic;

static Elf_Data *chunk(annot_elf *elf, uint64_t offset, uint64_t size, Elf_Type type) {
  if (size == 0 || size > table_limit) return NULL;
  return sys_elf_getdata_rawchunk(elf->elf, (int64_t)offset, (size_t)size, type);
}

/// Finds the entries and their strings; false when there are none.
static bool find_tables(annot_elf *elf, const GElf_Phdr *segment, dynamic *dynamic) {
  dynamic->entries = chunk(elf, segment->p_offset, segment->p_filesz, ELF_T_DYN);
  if (!dynamic->entries) return false;
  dynamic->count = (int)(segment->p_filesz / (elf->is_64 ? sizeof(Elf64_Dyn) : sizeof(Elf32_Dyn)));
  uint64_t address = 0, offset;
  for (int i = 0; i < dynamic->count; i++) {
    GElf_Dyn entry;
    if (!sys_gelf_getdyn(dynamic->entries, i, &entry) || entry.d_tag == DT_NULL) {
      dynamic->count = i;
      break;
    }
    if (entry.d_tag == DT_STRTAB) address = entry.d_un.d_ptr;
    if (entry.d_tag == DT_STRSZ) dynamic->strings_size = entry.d_un.d_val;
  }
  if (!annot_file_offset(elf, address, dynamic->strings_size, &offset)) return false;
  Elf_Data *strings = chunk(elf, offset, dynamic->strings_size, ELF_T_BYTE);
  dynamic->strings = strings ? strings->d_buf : NULL;
  return dynamic->strings != NULL;
}

/// A copy of a string of the dynamic section.
///
/// - copy: set to null when the offset leads nowhere.
/// - Returns false when memory runs out.
static bool copy_string(annot_elf *elf, const dynamic *dynamic, uint64_t offset, const char **copy) {
  *copy = NULL;
  if (offset >= dynamic->strings_size) return true;
  const char *text = dynamic->strings + offset;
  size_t left = (size_t)(dynamic->strings_size - offset);
  const char *end = memchr(text, 0, left);
  if (!end) return true;
  *copy = annot_file_copy(elf->file, text, (size_t)(end - text));
  return *copy != NULL;
}

static bool read_entry(annot_elf *elf, const dynamic *dynamic, const GElf_Dyn *entry, const char **needed) {
  annot_linkage *linkage = elf->file->linkage;
  const char *text;
  switch (entry->d_tag) {
    case DT_NEEDED:
      if (!copy_string(elf, dynamic, entry->d_un.d_val, &text)) return false;
      if (text) needed[linkage->needed_count++] = text;
      return true;
    case DT_SONAME: return copy_string(elf, dynamic, entry->d_un.d_val, &linkage->soname);
    case DT_RPATH: return copy_string(elf, dynamic, entry->d_un.d_val, &linkage->rpath);
    case DT_RUNPATH: return copy_string(elf, dynamic, entry->d_un.d_val, &linkage->runpath);
    case DT_FLAGS_1:
      linkage->no_default_libraries = (entry->d_un.d_val & DF_1_NODEFLIB) != 0;
      return true;
    default: return true;
  }
}

static bool read_dynamic(annot_elf *elf, const GElf_Phdr *segment) {
  dynamic dynamic = {0};
  if (!find_tables(elf, segment, &dynamic) || dynamic.count == 0) return true;
  const char **needed = annot_file_allocate(elf->file, (size_t)dynamic.count * sizeof *needed);
  if (!needed) return false;
  elf->file->linkage->needed = needed;
  elf->file->linkage->needed_count = 0;
  for (int i = 0; i < dynamic.count; i++) {
    GElf_Dyn entry;
    if (sys_gelf_getdyn(dynamic.entries, i, &entry) && !read_entry(elf, &dynamic, &entry, needed)) return false;
  }
  return true;
}

static bool read_interpreter(annot_elf *elf, const GElf_Phdr *segment) {
  enum { path_limit = 4096 };
  if (segment->p_filesz == 0 || segment->p_filesz > path_limit) return true;
  Elf_Data *data = chunk(elf, segment->p_offset, segment->p_filesz, ELF_T_BYTE);
  if (!data) return true;
  elf->file->linkage->interpreter =
      annot_file_copy(elf->file, data->d_buf, strnlen(data->d_buf, (size_t)segment->p_filesz));
  return elf->file->linkage->interpreter != NULL;
}

bool annot_read_linkage(annot_elf *elf, const GElf_Ehdr *header) {
  if (elf->member) return true;
  annot_linkage *linkage = annot_file_allocate(elf->file, sizeof *linkage);
  if (!linkage) return false;
  *linkage = (annot_linkage){
      .is_64 = elf->is_64,
      .is_big_endian = elf->is_big_endian,
      .machine = header->e_machine,
      .is_loaded = header->e_type == ET_EXEC || header->e_type == ET_DYN,
  };
  elf->file->linkage = linkage;
  size_t count;
  if (sys_elf_getphdrnum(elf->elf, &count)) return true;
  for (size_t index = 0; index < count && index <= INT32_MAX; index++) {
    GElf_Phdr segment;
    if (!sys_gelf_getphdr(elf->elf, (int)index, &segment)) return true;
    if (segment.p_type == PT_DYNAMIC && !read_dynamic(elf, &segment)) return false;
    if (segment.p_type == PT_INTERP && !read_interpreter(elf, &segment)) return false;
  }
  return true;
}
