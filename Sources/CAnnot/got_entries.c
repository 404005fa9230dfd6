#define _GNU_SOURCE
#include "got_entries.h"

#include <string.h>

#include "loaded_image.h"

// Relocation types by machine, from its ELF supplement: JUMP_SLOT, GLOB_DAT. RISC-V fills the global offset table
// and pointers in data by one type, R_RISCV_64, so that only its JUMP_SLOT can be told to be an entry.
#if defined(__x86_64__) && !defined(__ILP32__)
enum { type_slot = R_X86_64_JUMP_SLOT, type_global = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__) && !defined(__ILP32__)
enum { type_slot = R_AARCH64_JUMP_SLOT, type_global = R_AARCH64_GLOB_DAT };
#elif defined(__i386__)
enum { type_slot = R_386_JMP_SLOT, type_global = R_386_GLOB_DAT };
#elif defined(__s390x__)
enum { type_slot = R_390_JMP_SLOT, type_global = R_390_GLOB_DAT };
#elif defined(__riscv)
enum { type_slot = R_RISCV_JUMP_SLOT, type_global = -1 };
#else
enum { type_slot = -1, type_global = -1 };
#endif

#if UINTPTR_MAX > 0xffffffffu
#define RELOCATION_SYMBOL(info) ELF64_R_SYM(info)
#define RELOCATION_TYPE(info) ELF64_R_TYPE(info)
#else
#define RELOCATION_SYMBOL(info) ELF32_R_SYM(info)
#define RELOCATION_TYPE(info) ELF32_R_TYPE(info)
#endif

bool got_is_supported(void) { return type_slot != -1; }

#if defined(__x86_64__) || defined(__i386__)
/// Whether code pushes a number, as an entry of the linkage table does for the dynamic linker when it is not bound:
/// the relocation's index, or on i386 its offset; perhaps behind an endbr.
static bool pushes(const struct dl_phdr_info *info, uintptr_t code, uint32_t number) {
  static const unsigned char endbr[2][4] = {{0xf3, 0x0f, 0x1e, 0xfa}, {0xf3, 0x0f, 0x1e, 0xfb}};
  unsigned char bytes[9];
  if (!image_has_range(info, (memory_range){code, sizeof bytes}, PF_R | PF_X)) return false;
  memcpy(bytes, (const void *)code, sizeof bytes);
  const size_t at = !memcmp(bytes, endbr[0], 4) || !memcmp(bytes, endbr[1], 4) ? 4 : 0;
  return bytes[at] == 0x68 && !memcmp(bytes + at + 1, &number, sizeof number);
}
#endif

/// Whether the slot waits for its first call, which lets the dynamic linker look the symbol up.
static bool is_unbound(
    const struct dl_phdr_info *info, const dynamic_section *section, uintptr_t value, size_t number,
    const ElfW(Sym) *symbol) {
  if (section->is_bound_at_load) return false;
#if defined(__x86_64__)
  (void)symbol;
  return pushes(info, value, (uint32_t)number);
#elif defined(__i386__)
  (void)symbol;
  return pushes(info, value, (uint32_t)(number * sizeof(ElfW(Rel))));
#else
  // Elsewhere it leads into the image's own code, and not to its own function of that name.
  (void)number;
  const bool is_own = symbol->st_shndx != SHN_UNDEF && value == info->dlpi_addr + symbol->st_value;
  return !is_own && image_has_range(info, (memory_range){value, 1}, PF_X);
#endif
}

/// What is passed along in a visit.
typedef struct visit_of {
  const struct dl_phdr_info *info;
  const dynamic_section *section;
  const char *symbol;
  void (*visit)(const got_entry *entry, void *context);
  void *context;
} visit_of;

static void visit_relocation(const visit_of *it, const ElfW(Rel) *relocation, size_t number, bool is_plt) {
  const size_t index = RELOCATION_SYMBOL(relocation->r_info);
  if (index == STN_UNDEF || index >= it->section->symbol_limit) return;
  const ElfW(Sym) *symbol = &it->section->symbols[index];
  if (strcmp(dynamic_string(it->section, symbol->st_name), it->symbol)) return;
  const int type = (int)RELOCATION_TYPE(relocation->r_info);
  got_entry entry = {.kind = GOT_OTHER, .symbol = index};
  const uintptr_t place = it->info->dlpi_addr + relocation->r_offset;
  const memory_range range = {place, sizeof(uintptr_t)};
  const bool is_entry = type == type_slot || type == type_global;
  if (is_entry && place % sizeof(uintptr_t) == 0 && image_has_range(it->info, range, PF_R | PF_W)) {
    entry.kind = type == type_slot ? GOT_SLOT : GOT_GLOBAL;
    entry.place = (uintptr_t *)place;
    const uintptr_t value = __atomic_load_n(entry.place, __ATOMIC_ACQUIRE);
    entry.is_unbound = is_plt && type == type_slot && is_unbound(it->info, it->section, value, number, symbol);
  }
  it->visit(&entry, it->context);
}

void got_each_entry(
    const struct dl_phdr_info *info, const dynamic_section *section, const char *symbol,
    void (*visit)(const got_entry *entry, void *context), void *context) {
  const visit_of it = {info, section, symbol, visit, context};
  for (size_t i = 0; i < 3; i++) {
    const relocation_table *table = &section->tables[i];
    const size_t size = table->has_addends ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
    // ElfW(Rela) begins with the members of ElfW(Rel).
    for (size_t number = 0; number < table->size / size; number++)
      visit_relocation(&it, (const ElfW(Rel) *)(table->start + number * size), number, table->is_plt);
  }
}
