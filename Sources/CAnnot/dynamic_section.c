#define _GNU_SOURCE
#include "dynamic_section.h"

#include <string.h>

#include "loaded_image.h"

size_t image_bytes_from(const struct dl_phdr_info *info, uintptr_t address) {
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_R)) continue;
    const uintptr_t start = info->dlpi_addr + segment->p_vaddr;
    if (address >= start && address - start < segment->p_memsz) return segment->p_memsz - (address - start);
  }
  return 0;
}

/// An address that the section holds. The GNU C library adds the base where the section is writable and leaves it
/// out elsewhere; musl never adds it.
static uintptr_t placed(const struct dl_phdr_info *info, uintptr_t value) {
  if (value == 0) return 0;
  return image_bytes_from(info, value) ? value : info->dlpi_addr + value;
}

static const ElfW(Phdr) *segment_of(const struct dl_phdr_info *info) {
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) return &info->dlpi_phdr[i];
  return NULL;
}

uintptr_t dynamic_section_address(const struct dl_phdr_info *info) {
  const ElfW(Phdr) *segment = segment_of(info);
  return segment ? info->dlpi_addr + segment->p_vaddr : 0;
}

static void take_flags(dynamic_section *it, const ElfW(Dyn) *entry) {
  if (entry->d_tag == DT_BIND_NOW) it->is_bound_at_load = true;
  if (entry->d_tag == DT_FLAGS) it->is_bound_at_load |= (entry->d_un.d_val & DF_BIND_NOW) != 0;
  if (entry->d_tag == DT_FLAGS_1) it->is_bound_at_load |= (entry->d_un.d_val & DF_1_NOW) != 0;
}

static void take_version(const struct dl_phdr_info *info, dynamic_section *it, const ElfW(Dyn) *entry) {
  switch (entry->d_tag) {
    case DT_VERSYM: it->versions = placed(info, entry->d_un.d_ptr); break;
    case DT_VERNEED: it->needed_versions = placed(info, entry->d_un.d_ptr); break;
    case DT_VERNEEDNUM: it->needed_version_count = entry->d_un.d_val; break;
    case DT_VERDEF: it->defined_versions = placed(info, entry->d_un.d_ptr); break;
    case DT_VERDEFNUM: it->defined_version_count = entry->d_un.d_val; break;
    case DT_GNU_HASH: it->gnu_hash = placed(info, entry->d_un.d_ptr); break;
    case DT_HASH: it->hash = placed(info, entry->d_un.d_ptr); break;
    default: break;
  }
}

static void take_table(const struct dl_phdr_info *info, dynamic_section *it, const ElfW(Dyn) *entry) {
  relocation_table *plain = &it->tables[0], *addends = &it->tables[1], *plt = &it->tables[2];
  switch (entry->d_tag) {
    case DT_STRTAB: it->strings = (const char *)placed(info, entry->d_un.d_ptr); break;
    case DT_SONAME: it->name = entry->d_un.d_val; break;
    case DT_STRSZ: it->strings_size = entry->d_un.d_val; break;
    case DT_SYMTAB: it->symbols = (const ElfW(Sym) *)placed(info, entry->d_un.d_ptr); break;
    case DT_REL: plain->start = placed(info, entry->d_un.d_ptr); break;
    case DT_RELSZ: plain->size = entry->d_un.d_val; break;
    case DT_RELA: addends->start = placed(info, entry->d_un.d_ptr); break;
    case DT_RELASZ: addends->size = entry->d_un.d_val; break;
    case DT_JMPREL: plt->start = placed(info, entry->d_un.d_ptr); break;
    case DT_PLTRELSZ: plt->size = entry->d_un.d_val; break;
    case DT_PLTREL: plt->has_addends = entry->d_un.d_val == DT_RELA; break;
    default: break;
  }
}

bool dynamic_section_read(const struct dl_phdr_info *info, dynamic_section *it) {
  *it = (dynamic_section){.address = dynamic_section_address(info)};
  it->tables[1].has_addends = true;
  it->tables[2].is_plt = true;
  if (!it->address) return false;
  const ElfW(Dyn) *entry = (const ElfW(Dyn) *)it->address;
  size_t left = image_bytes_from(info, it->address) / sizeof *entry;
  for (; left && entry->d_tag != DT_NULL; left--, entry++) {
    take_table(info, it, entry);
    take_version(info, it, entry);
    take_flags(it, entry);
  }
  const size_t strings_room = image_bytes_from(info, (uintptr_t)it->strings);
  it->symbol_limit = image_bytes_from(info, (uintptr_t)it->symbols) / sizeof(ElfW(Sym));
  if (it->strings_size == 0 || it->strings_size > strings_room || it->strings[it->strings_size - 1])
    return false;
  for (size_t i = 0; i < 3; i++)
    if (it->tables[i].size > image_bytes_from(info, it->tables[i].start)) it->tables[i].size = 0;
  return it->symbol_limit > 0;
}

const char *dynamic_string(const dynamic_section *it, size_t offset) {
  return offset < it->strings_size ? it->strings + offset : "";
}

bool dynamic_section_needs(const dynamic_section *it, const dynamic_section *other) {
  const char *name = dynamic_string(other, other->name);
  if (!it->address || !*name) return false;
  for (const ElfW(Dyn) *entry = (const ElfW(Dyn) *)it->address; entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_NEEDED && !strcmp(dynamic_string(it, entry->d_un.d_val), name)) return true;
  return false;
}
