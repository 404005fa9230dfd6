#include <string.h>

#include "file_reader.h"

static bool elf_failed(annot_elf *elf, const char *what) {
  annot_error_set_elf(&elf->file->error, what);
  return false;
}

static bool read_parts(annot_elf *elf) {
  GElf_Ehdr header;
  if (!sys_gelf_getehdr(elf->elf, &header)) return elf_failed(elf, "the ELF header cannot be read");
  elf->is_object = header.e_type == ET_REL;
  if (header.e_type == ET_CORE) {
    annot_error_set(&elf->file->error, ANNOT_ERROR_UNSUPPORTED,
                    "this is a core file: read the program that dumped it");
    return false;
  }
  const annot_file_options *options = &elf->file->options;
  if (options->linkage && !annot_read_linkage(elf, &header)) return false;
  if (options->symbol && !annot_read_symbols(elf)) return false;
  bool found;
  return annot_read_build_id(elf) && annot_read_sections(elf, &found) &&
         (found || annot_read_by_bounds_notes(elf));
}

bool annot_read_elf(annot_elf *elf, Elf *archive) {
  if (!annot_check_header(elf)) return false;
  elf->elf = annot_source_elf(elf->source, elf->base, elf->size, archive);
  if (!elf->elf) return elf_failed(elf, "libelf cannot open it");
  bool success;
  if (sys_elf_kind(elf->elf) == ELF_K_ELF) success = read_parts(elf);
  else success = elf_failed(elf, "libelf does not take it for an ELF file");
  sys_elf_end(elf->elf);
  return success;
}
