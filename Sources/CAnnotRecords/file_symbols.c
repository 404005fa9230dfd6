#include "file_reader.h"

static bool is_defined(const GElf_Sym *symbol) {
  switch (GELF_ST_TYPE(symbol->st_info)) {
    case STT_NOTYPE:
    case STT_OBJECT:
    case STT_FUNC:
    case STT_GNU_IFUNC: return symbol->st_shndx != SHN_UNDEF && symbol->st_name != 0;
    default: return false;
  }
}

/// Tells of the symbols of one table. A table that cannot be read is as if it was not there.
static bool visit_table(annot_elf *elf, Elf_Scn *scn, const GElf_Shdr *header) {
  const annot_file_options *options = &elf->file->options;
  if (header->sh_size > options->limit || header->sh_entsize == 0) return false;
  Elf_Data *data = sys_elf_getdata(scn);
  if (!data) return false;
  uint64_t count = header->sh_size / header->sh_entsize;
  for (uint64_t i = 1; i < count && i <= INT32_MAX; i++) {
    GElf_Sym symbol;
    if (!sys_gelf_getsym(data, (int)i, &symbol)) break;
    const char *name = is_defined(&symbol) ? sys_elf_strptr(elf->elf, header->sh_link, symbol.st_name) : NULL;
    if (name) options->symbol(name, options->symbol_context);
  }
  return true;
}

bool annot_read_symbols(annot_elf *elf) {
  bool has_table = false;
  for (size_t index = 1; index < elf->section_count; index++) {
    GElf_Shdr header;
    Elf_Scn *scn = sys_elf_getscn(elf->elf, index);
    // What is wrong with the section headers is told when the annotations are looked for.
    if (!scn || !sys_gelf_getshdr(scn, &header)) break;
    if (header.sh_type == SHT_SYMTAB) has_table |= visit_table(elf, scn, &header);
    else if (header.sh_type == SHT_DYNSYM) visit_table(elf, scn, &header);
  }
  if (!has_table) elf->file->is_stripped = true;
  return true;
}
