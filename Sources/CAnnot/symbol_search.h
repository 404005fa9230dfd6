/// Looks for a symbol in the dynamic symbol table of a loaded image, for use in dl_iterate_phdr callbacks.
#ifndef ANNOT_SYMBOL_SEARCH_H
#define ANNOT_SYMBOL_SEARCH_H

#include "dynamic_section.h"

#pragma GCC visibility push(hidden)

/// A symbol sought, with its hashes.
typedef struct sought_symbol {
  const char *name;
  uint32_t hash;      ///< of DT_HASH (gABI, "Hash Table")
  uint32_t gnu_hash;  ///< of DT_GNU_HASH
} sought_symbol;

sought_symbol symbol_to_seek(const char *name);

/// Calls `visit` with the index of each symbol of that name that the image defines: one for each version.
void symbol_each_definition(
    const struct dl_phdr_info *info, const dynamic_section *section, const sought_symbol *sought,
    void (*visit)(size_t index, void *context), void *context);

/// A symbol's version: which one it is of, and whether the linker takes it when none is asked for.
typedef struct symbol_version {
  const char *name;  ///< in the image; null when it has none
  bool is_hidden;    ///< `name@VERSION`, not `name@@VERSION`
} symbol_version;

/// The version of the symbol at an index: the one it is defined as, or the one that the image asks for.
symbol_version symbol_version_of(
    const struct dl_phdr_info *info, const dynamic_section *section, size_t index);

#pragma GCC visibility pop

#endif
