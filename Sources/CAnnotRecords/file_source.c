#include <string.h>

#include "file_reader.h"

ssize_t annot_source_read(const annot_source *source, void *buffer, size_t size, uint64_t offset) {
  if (!source->memory) return sys_pread(source->descriptor, buffer, size, offset);
  uint64_t left = offset < source->size ? source->size - offset : 0;
  if (size > left) size = (size_t)left;
  if (size) memcpy(buffer, source->memory + offset, size);
  return (ssize_t)size;
}

Elf *annot_source_elf(const annot_source *source, uint64_t base, uint64_t size, Elf *archive) {
  // libelf takes members of archives in memory one by one as well as files.
  if (source->memory) return sys_elf_memory(source->memory + base, (size_t)size);
  return sys_elf_begin(source->descriptor, archive);
}
