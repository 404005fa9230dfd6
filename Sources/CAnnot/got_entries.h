/// The places of a loaded image that its relocations fill with a symbol's address, for use in dl_iterate_phdr
/// callbacks.
#ifndef ANNOT_GOT_ENTRIES_H
#define ANNOT_GOT_ENTRIES_H

#include "dynamic_section.h"

#pragma GCC visibility push(hidden)

/// What a place is.
typedef enum got_kind {
  GOT_SLOT,    ///< JUMP_SLOT: calls by the procedure linkage table jump where it says
  GOT_GLOBAL,  ///< GLOB_DAT: code reads it to call (-fno-plt) or to take the address
  GOT_OTHER,   ///< anything else, such as a pointer in data
} got_kind;

typedef struct got_entry {
  got_kind kind;
  uintptr_t *place;  ///< in a writable segment, aligned; not for GOT_OTHER
  size_t symbol;     ///< its index
  bool is_unbound;   ///< leads back into the image's own linkage table until its first call
} got_entry;

/// Whether the relocations of this machine are known.
bool got_is_supported(void);

/// Calls `visit` for each relocation that names the symbol.
void got_each_entry(
    const struct dl_phdr_info *info, const dynamic_section *section, const char *symbol,
    void (*visit)(const got_entry *entry, void *context), void *context);

#pragma GCC visibility pop

#endif
