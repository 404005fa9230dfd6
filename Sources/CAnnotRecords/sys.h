/// Every system and libelf call of the reader. Nothing else in this target calls them, so that a test can
/// make any of them fail (annot/testing.h). Each does what the call it is named after does.
#ifndef ANNOT_SYS_H
#define ANNOT_SYS_H

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#pragma GCC visibility push(hidden)

/// Opens for reading; never waits for a FIFO's writer and never takes a terminal.
int sys_open(const char *path);
int sys_fstat(int descriptor, struct stat *status);
/// Reads until `size` bytes are there or the file ends; goes on after signals. -1 sets errno.
ssize_t sys_pread(int descriptor, void *buffer, size_t size, uint64_t offset);
void sys_close(int descriptor);
void *sys_malloc(size_t size);
void *sys_realloc(void *memory, size_t size);
void sys_free(void *memory);

/// Tells libelf which version of its interface this is; false when it knows only older ones.
bool sys_elf_version(void);
Elf *sys_elf_begin(int descriptor, Elf *archive);
/// Opens bytes in memory, which libelf does not change and which must outlive the result.
Elf *sys_elf_memory(const char *bytes, size_t size);
/// Makes the archive's member whose header is at `offset` the next one that sys_elf_begin opens.
bool sys_elf_rand(Elf *archive, size_t offset);
void sys_elf_end(Elf *elf);
int sys_elf_errno(void);
const char *sys_elf_errmsg(int error);
Elf_Kind sys_elf_kind(Elf *elf);
Elf_Scn *sys_elf_getscn(Elf *elf, size_t index);
GElf_Ehdr *sys_gelf_getehdr(Elf *elf, GElf_Ehdr *header);
GElf_Shdr *sys_gelf_getshdr(Elf_Scn *section, GElf_Shdr *header);
GElf_Phdr *sys_gelf_getphdr(Elf *elf, int index, GElf_Phdr *header);
GElf_Chdr *sys_gelf_getchdr(Elf_Scn *section, GElf_Chdr *header);
int sys_elf_getshdrstrndx(Elf *elf, size_t *index);
int sys_elf_getphdrnum(Elf *elf, size_t *count);
const char *sys_elf_strptr(Elf *elf, size_t section, size_t offset);
Elf_Data *sys_elf_getdata_rawchunk(Elf *elf, int64_t offset, size_t size, Elf_Type type);
Elf_Data *sys_elf_getdata(Elf_Scn *section);
size_t sys_gelf_getnote(Elf_Data *data, size_t offset, GElf_Nhdr *note, size_t *name, size_t *descriptor);
GElf_Dyn *sys_gelf_getdyn(Elf_Data *data, int index, GElf_Dyn *entry);
GElf_Sym *sys_gelf_getsym(Elf_Data *data, int index, GElf_Sym *symbol);
/// Replaces the section's contents in memory by what they decompress to; the file stays as it is.
int sys_elf_decompress(Elf_Scn *section);

#pragma GCC visibility pop

#endif
