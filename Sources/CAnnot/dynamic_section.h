/// What a loaded image's dynamic section tells of symbols and relocations, for use in dl_iterate_phdr callbacks.
///
/// Every table handed out lies inside a readable segment of the image, and nothing outside it is touched.
#ifndef ANNOT_DYNAMIC_SECTION_H
#define ANNOT_DYNAMIC_SECTION_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/// A table of relocations.
typedef struct relocation_table {
  uintptr_t start;
  size_t size;  ///< in bytes
  bool has_addends;  ///< ElfW(Rela), else ElfW(Rel)
  bool is_plt;       ///< that of DT_JMPREL
} relocation_table;

typedef struct dynamic_section {
  uintptr_t address;  ///< its own; tells the image from every other that is loaded at the same time
  const char *strings;  ///< ends with NUL
  size_t strings_size;
  const ElfW(Sym) *symbols;
  size_t symbol_limit;  ///< how many fit between their start and their segment's end
  relocation_table tables[3];
  uintptr_t gnu_hash, hash;  ///< 0 where there is none; not checked
  uintptr_t versions;        ///< DT_VERSYM; 0 where there is none; not checked
  uintptr_t needed_versions, defined_versions;  ///< DT_VERNEED, DT_VERDEF; the same
  size_t needed_version_count, defined_version_count;
  size_t name;  ///< DT_SONAME's offset in the string table; 0 for none
  bool is_bound_at_load;  ///< DF_BIND_NOW or DF_1_NOW
} dynamic_section;

/// The address of the image's dynamic section; 0 when it has none, as a program that was linked statically.
uintptr_t dynamic_section_address(const struct dl_phdr_info *info);
/// Reads the dynamic section; false when the image has none that is sound.
bool dynamic_section_read(const struct dl_phdr_info *info, dynamic_section *it);
/// How many bytes there are from `address` to the end of its readable segment; 0 outside.
size_t image_bytes_from(const struct dl_phdr_info *info, uintptr_t address);
/// The string at an offset in the string table; "" outside it.
const char *dynamic_string(const dynamic_section *it, size_t offset);
/// Whether one image needs (DT_NEEDED) another by that one's name. The section of the first must still be there.
bool dynamic_section_needs(const dynamic_section *it, const dynamic_section *other);

#pragma GCC visibility pop

#endif
