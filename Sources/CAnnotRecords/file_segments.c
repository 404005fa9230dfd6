#include "file_reader.h"

bool annot_file_offset(annot_elf *elf, uint64_t address, uint64_t length, uint64_t *offset) {
  size_t count;
  if (sys_elf_getphdrnum(elf->elf, &count)) return false;
  for (size_t index = 0; index < count && index <= INT32_MAX; index++) {
    GElf_Phdr segment;
    if (!sys_gelf_getphdr(elf->elf, (int)index, &segment)) return false;
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    uint64_t from = address - segment.p_vaddr;
    if (from > segment.p_filesz || length > segment.p_filesz - from) continue;
    *offset = segment.p_offset + from;
    return *offset >= from;
  }
  return false;
}
