#define _GNU_SOURCE
#include "symbol_search.h"

#include <string.h>

#include "loaded_image.h"

sought_symbol symbol_to_seek(const char *name) {
  sought_symbol it = {.name = name, .gnu_hash = 5381};
  for (const unsigned char *byte = (const unsigned char *)name; *byte; byte++) {
    it.gnu_hash = it.gnu_hash * 33 + *byte;
    it.hash = (it.hash << 4) + *byte;
    const uint32_t high = it.hash & 0xf0000000u;
    it.hash = (it.hash ^ high >> 24) & ~high;
  }
  return it;
}

/// What is passed along in a search.
typedef struct search {
  const struct dl_phdr_info *info;
  const dynamic_section *section;
  const sought_symbol *sought;
  void (*visit)(size_t index, void *context);
  void *context;
} search;

static void try_symbol(const search *it, size_t index) {
  if (index >= it->section->symbol_limit) return;
  const ElfW(Sym) *symbol = &it->section->symbols[index];
  const unsigned type = symbol->st_info & 15, binding = symbol->st_info >> 4;
  if (symbol->st_shndx == SHN_UNDEF || symbol->st_value == 0 || binding == STB_LOCAL) return;
  if (type != STT_FUNC && type != STT_NOTYPE && type != STT_GNU_IFUNC) return;
  if (!strcmp(dynamic_string(it->section, symbol->st_name), it->sought->name)) it->visit(index, it->context);
}

/// The word at an index of a table; false outside the image.
static bool read_word(const struct dl_phdr_info *info, uintptr_t table, size_t index, uint32_t *word) {
  if (image_bytes_from(info, table) / sizeof *word <= index) return false;
  *word = ((const uint32_t *)table)[index];
  return true;
}

/// nbucket, nchain, the buckets, the chains (gABI, "Hash Table").
static void search_hash(const search *it) {
  const uintptr_t table = it->section->hash;
  uint32_t buckets, chains, index, steps = 0;
  if (!read_word(it->info, table, 0, &buckets) || !read_word(it->info, table, 1, &chains) || !buckets) return;
  if (!read_word(it->info, table, 2 + it->sought->hash % buckets, &index)) return;
  while (index != STN_UNDEF && index < chains && steps++ < chains) {
    try_symbol(it, index);
    if (!read_word(it->info, table, 2 + (size_t)buckets + index, &index)) return;
  }
}

/// nbuckets, the first symbol's index, the number and shift of the filter's words, the filter, the buckets, and a
/// word for each symbol from the first on: its hash, the lowest bit set at the end of a bucket.
static void search_gnu_hash(const search *it) {
  const uintptr_t table = it->section->gnu_hash;
  uint32_t buckets, first, filter, index, word;
  if (!read_word(it->info, table, 0, &buckets) || !read_word(it->info, table, 1, &first) ||
      !read_word(it->info, table, 2, &filter) || !buckets)
    return;
  const size_t start = 4 + (size_t)filter * (sizeof(uintptr_t) / sizeof(uint32_t));
  if (!read_word(it->info, table, start + it->sought->gnu_hash % buckets, &index) || index < first) return;
  do {
    if (!read_word(it->info, table, start + buckets + (index - first), &word)) return;
    if ((word | 1) == (it->sought->gnu_hash | 1)) try_symbol(it, index);
    index++;
  } while (!(word & 1));
}

// There DT_HASH has words of 8 bytes (z/Architecture ELF supplement); its linkers write DT_GNU_HASH as well.
#if defined(__s390x__)
enum { has_wide_hash = true };
#else
enum { has_wide_hash = false };
#endif

void symbol_each_definition(
    const struct dl_phdr_info *info, const dynamic_section *section, const sought_symbol *sought,
    void (*visit)(size_t index, void *context), void *context) {
  const search it = {info, section, sought, visit, context};
  if (section->gnu_hash)
    search_gnu_hash(&it);
  else if (section->hash && !has_wide_hash)
    search_hash(&it);
}

enum { version_mask = 0x7fff, version_hidden = 0x8000 };

/// The name of a version that the image asks for.
static const char *needed_name(const struct dl_phdr_info *info, const dynamic_section *section, unsigned number) {
  uintptr_t place = section->needed_versions;
  for (size_t left = section->needed_version_count; left; left--) {
    if (image_bytes_from(info, place) < sizeof(ElfW(Verneed))) return NULL;
    const ElfW(Verneed) *file = (const ElfW(Verneed) *)place;
    uintptr_t part = place + file->vn_aux;
    for (unsigned count = file->vn_cnt; count; count--) {
      if (image_bytes_from(info, part) < sizeof(ElfW(Vernaux))) return NULL;
      const ElfW(Vernaux) *version = (const ElfW(Vernaux) *)part;
      if ((version->vna_other & version_mask) == number) return dynamic_string(section, version->vna_name);
      part += version->vna_next;
    }
    place += file->vn_next;
  }
  return NULL;
}

/// The name of a version that the image defines.
static const char *defined_name(
    const struct dl_phdr_info *info, const dynamic_section *section, unsigned number) {
  uintptr_t place = section->defined_versions;
  for (size_t left = section->defined_version_count; left; left--) {
    if (image_bytes_from(info, place) < sizeof(ElfW(Verdef))) return NULL;
    const ElfW(Verdef) *version = (const ElfW(Verdef) *)place;
    const uintptr_t name = place + version->vd_aux;
    if ((version->vd_ndx & version_mask) == number && image_bytes_from(info, name) >= sizeof(ElfW(Verdaux)))
      return dynamic_string(section, ((const ElfW(Verdaux) *)name)->vda_name);
    place += version->vd_next;
  }
  return NULL;
}

symbol_version symbol_version_of(
    const struct dl_phdr_info *info, const dynamic_section *section, size_t index) {
  symbol_version version = {NULL, false};
  if (image_bytes_from(info, section->versions) / sizeof(ElfW(Versym)) <= index) return version;
  const ElfW(Versym) word = ((const ElfW(Versym) *)section->versions)[index];
  const unsigned number = word & version_mask;
  if (number == VER_NDX_LOCAL || number == VER_NDX_GLOBAL) return version;
  version.is_hidden = (word & version_hidden) != 0;
  const bool is_defined = section->symbols[index].st_shndx != SHN_UNDEF;
  version.name = is_defined ? defined_name(info, section, number) : needed_name(info, section, number);
  return version;
}
