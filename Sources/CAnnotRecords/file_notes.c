#include <string.h>

#include "file_reader.h"

/// The most bytes of ELF notes that are looked through; real files have a few hundred.
enum { note_limit = 16 << 20 };

/// Goes through the notes of one segment.
static bool visit_segment(
    annot_elf *elf, const GElf_Phdr *segment, annot_note_visitor *visit, void *context) {
  Elf_Type type = segment->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
  Elf_Data *data =
      sys_elf_getdata_rawchunk(elf->elf, (int64_t)segment->p_offset, (size_t)segment->p_filesz, type);
  // Notes only help; a segment that cannot be read is like one that is not there.
  if (!data) return true;
  size_t offset = 0, name, descriptor;
  GElf_Nhdr header;
  while ((offset = sys_gelf_getnote(data, offset, &header, &name, &descriptor)) > 0) {
    const char *bytes = data->d_buf;
    annot_elf_note note = {
        .type = header.n_type,
        .owner = {bytes + name, header.n_namesz},
        .descriptor = {bytes + descriptor, header.n_descsz},
        .address = segment->p_vaddr + descriptor,
    };
    if (!visit(elf, &note, context)) return false;
  }
  return true;
}

bool annot_visit_notes(annot_elf *elf, annot_note_visitor *visit, void *context) {
  size_t count;
  if (sys_elf_getphdrnum(elf->elf, &count)) return true;
  uint64_t seen = 0;
  for (size_t index = 0; index < count && index <= INT32_MAX; index++) {
    GElf_Phdr segment;
    if (!sys_gelf_getphdr(elf->elf, (int)index, &segment)) return true;
    if (segment.p_type != PT_NOTE || segment.p_filesz > note_limit) continue;
    seen += segment.p_filesz;
    if (seen > note_limit) return true;
    if (!visit_segment(elf, &segment, visit, context)) return false;
  }
  return true;
}

static bool take_build_id(annot_elf *elf, const annot_elf_note *note, void *context) {
  bool *success = context;
  if (note->type != NT_GNU_BUILD_ID || note->owner.length != sizeof "GNU") return true;
  if (memcmp(note->owner.bytes, "GNU", sizeof "GNU") != 0 || note->descriptor.length == 0) return true;
  char *copy = annot_file_copy(elf->file, note->descriptor.bytes, note->descriptor.length);
  *success = copy != NULL;
  elf->file->build_id = (const unsigned char *)copy;
  elf->file->build_id_length = copy ? note->descriptor.length : 0;
  return false;
}

bool annot_read_build_id(annot_elf *elf) {
  bool success = true;
  if (!elf->member) annot_visit_notes(elf, take_build_id, &success);
  return success;
}
