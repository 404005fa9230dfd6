#include <errno.h>
#include <string.h>

#include "file_reader.h"

/// What is met while going through the sections.
typedef struct search {
  annot_elf *elf;
  size_t names;    ///< index of the section with the names
  size_t unnamed;  ///< sections whose name lies outside of it
  bool slim;       ///< holds gcc's intermediate code in place of machine code
  bool found;
} search;

static bool elf_failed(annot_elf *elf, const char *what) {
  annot_error_set_elf(&elf->file->error, what);
  return false;
}

/// Checks that the section with the names is there and of bearable size, before libelf reads it.
static bool check_names(search *search) {
  annot_elf *elf = search->elf;
  Elf_Scn *scn = sys_elf_getscn(elf->elf, search->names);
  GElf_Shdr header;
  if (!scn || !sys_gelf_getshdr(scn, &header))
    return elf_failed(elf, "the section that names the sections cannot be found");
  if (header.sh_size > elf->file->options.limit) {
    annot_error_set(&elf->file->error, ANNOT_ERROR_LIMIT,
                    "the names of its sections take %llu bytes, and the limit is %llu",
                    (unsigned long long)header.sh_size, (unsigned long long)elf->file->options.limit);
    return false;
  }
  if (!sys_elf_strptr(elf->elf, search->names, 0))
    return elf_failed(elf, "the names of its sections cannot be read");
  return true;
}

/// Whether a `.gnu.lto_.lto` section says that there is no machine code beside the intermediate code: its
/// fifth byte (struct lto_section of gcc's lto-streamer.h).
static bool says_slim(annot_elf *elf, const GElf_Shdr *header) {
  char bytes[5];
  if (header->sh_size < sizeof bytes || header->sh_offset > elf->size - sizeof bytes) return false;
  ssize_t length =
      annot_source_read(elf->source, bytes, sizeof bytes, elf->base + header->sh_offset);
  return length == (ssize_t)sizeof bytes && bytes[4] == 1;
}

static bool read_section(search *search, Elf_Scn *scn, const GElf_Shdr *header) {
  annot_elf *elf = search->elf;
  search->found = true;
  if (header->sh_type == SHT_NOBITS && header->sh_size)
    return annot_file_add_note(
        elf->file, elf->member, ANNOT_ERROR_UNSUPPORTED, 0,
        "this is a debug file, and the bytes of its section '%s' are in the program that it was split from: "
        "read that", elf->file->options.section);
  annot_file_section section = {
      .member = elf->member,
      .name = elf->file->options.section,
      .size = (size_t)header->sh_size,
      .offset = header->sh_offset,
      .address = header->sh_addr,
  };
  if (header->sh_flags & SHF_COMPRESSED) return annot_read_compressed(elf, scn, &section);
  return annot_read_contents(elf, &section);
}

static bool visit_section(search *search, size_t index) {
  annot_elf *elf = search->elf;
  GElf_Shdr header;
  Elf_Scn *scn = sys_elf_getscn(elf->elf, index);
  if (!scn || !sys_gelf_getshdr(scn, &header)) return elf_failed(elf, "a section header cannot be read");
  if (header.sh_type == SHT_NULL) return true;
  const char *name = sys_elf_strptr(elf->elf, search->names, header.sh_name);
  if (!name) {
    search->unnamed++;
    return true;
  }
  if (strcmp(name, elf->file->options.section) == 0) return read_section(search, scn, &header);
  if (elf->is_object && strncmp(name, ".gnu.lto_.lto.", 14) == 0) search->slim |= says_slim(elf, &header);
  return true;
}

/// Tells what of the file was passed over.
static bool add_notes(search *search) {
  annot_elf *elf = search->elf;
  if (search->slim && !annot_file_add_note(
          elf->file, elf->member, ANNOT_ERROR_UNSUPPORTED, 0,
          "this object holds gcc's intermediate code only, so it has no annotations yet: read what it is "
          "linked into, or compile with -ffat-lto-objects"))
    return false;
  return search->unnamed == 0 ||
         annot_file_add_note(
             elf->file, elf->member, ANNOT_ERROR_MALFORMED, 0,
             "%zu of its sections have no readable name and were passed over", search->unnamed);
}

bool annot_read_sections(annot_elf *elf, bool *found) {
  search search = {.elf = elf};
  *found = false;
  if (elf->section_count == 0) return true;
  if (sys_elf_getshdrstrndx(elf->elf, &search.names))
    return elf_failed(elf, "the section that names the sections cannot be told");
  // A file may have sections without names; then there is nothing to find one by.
  if (search.names == SHN_UNDEF) return true;
  if (!check_names(&search)) return false;
  for (size_t index = 1; index < elf->section_count; index++)
    if (!visit_section(&search, index)) return false;
  *found = search.found;
  return add_notes(&search);
}
