#define _GNU_SOURCE  // madvise and MADV_HUGEPAGE
#define _FILE_OFFSET_BITS 64

#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "annot/testing.h"
#include "internal.h"

/// The size of a huge page on most machines; elsewhere the alignment does no harm.
enum { huge_page = 2 << 20 };

/// What the calling thread's test asked for.
static _Thread_local struct {
  annot_sys_call call;
  unsigned left;
  int error;
} requested;

void annot_sys_fail_next(annot_sys_call call, unsigned nth, int error) {
  requested.call = call;
  requested.left = nth;
  requested.error = error;
}

bool annot_sys_fail_cancel(void) {
  bool waiting = requested.call != ANNOT_SYS_NONE;
  requested.call = ANNOT_SYS_NONE;
  return waiting;
}

static bool counted_down(void) {
  if (--requested.left) return false;
  requested.call = ANNOT_SYS_NONE;
  errno = requested.error;
  return true;
}

/// Whether this call is the one to fail.
static inline bool fails(annot_sys_call call) {
  return ANNOT_UNLIKELY(requested.call == call) && counted_down();
}

int sys_open(const char *path) {
  if (fails(ANNOT_SYS_OPEN)) return -1;
  int descriptor;
  do descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

int sys_fstat(int descriptor, struct stat *status) {
  return fails(ANNOT_SYS_FSTAT) ? -1 : fstat(descriptor, status);
}

ssize_t sys_pread(int descriptor, void *buffer, size_t size, uint64_t offset) {
  if (fails(ANNOT_SYS_PREAD)) return requested.error ? -1 : 0;
  size_t done = 0;
  while (done < size) {
    ssize_t count = pread(descriptor, (char *)buffer + done, size - done, (off_t)(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) break;
    done += (size_t)count;
  }
  return (ssize_t)done;
}

void sys_close(int descriptor) { close(descriptor); }

/// Memory in huge pages where the system has them: taking millions of bytes page by page costs more than
/// what is done with them here.
static void *allocate_large(size_t size) {
  void *memory;
  if (posix_memalign(&memory, huge_page, size)) return NULL;
#ifdef MADV_HUGEPAGE
  // Advice: that it cannot be taken is no failure, but errno would be a trace of it.
  int saved = errno;
  madvise(memory, size, MADV_HUGEPAGE);
  errno = saved;
#endif
  return memory;
}

void *sys_malloc(size_t size) {
  if (fails(ANNOT_SYS_MALLOC)) return NULL;
  return size < 2 * huge_page ? malloc(size) : allocate_large(size);
}

void *sys_realloc(void *memory, size_t size) {
  return fails(ANNOT_SYS_REALLOC) ? NULL : realloc(memory, size);
}

void sys_free(void *memory) { free(memory); }

bool sys_elf_version(void) {
  return !fails(ANNOT_SYS_ELF_VERSION) && elf_version(EV_CURRENT) != EV_NONE;
}

// ELF_C_READ, not ELF_C_READ_MMAP: a file that shrinks while it is mapped ends the process with SIGBUS,
// whereas a read that comes back short is an error like any other.
Elf *sys_elf_begin(int descriptor, Elf *archive) {
  return fails(ANNOT_SYS_ELF_BEGIN) ? NULL : elf_begin(descriptor, ELF_C_READ, archive);
}

Elf *sys_elf_memory(const char *bytes, size_t size) {
  // Not const in libelf's interface, as callers may write to an ELF file in memory; nothing here does.
  return fails(ANNOT_SYS_ELF_BEGIN) ? NULL : elf_memory((char *)(uintptr_t)bytes, size);
}

bool sys_elf_rand(Elf *archive, size_t offset) {
  return !fails(ANNOT_SYS_ELF_RAND) && elf_rand(archive, offset) == offset;
}

void sys_elf_end(Elf *elf) { elf_end(elf); }

int sys_elf_errno(void) { return elf_errno(); }

const char *sys_elf_errmsg(int error) { return elf_errmsg(error); }

Elf_Kind sys_elf_kind(Elf *elf) { return elf_kind(elf); }

Elf_Scn *sys_elf_getscn(Elf *elf, size_t index) {
  return fails(ANNOT_SYS_ELF_GETSCN) ? NULL : elf_getscn(elf, index);
}

GElf_Ehdr *sys_gelf_getehdr(Elf *elf, GElf_Ehdr *header) {
  return fails(ANNOT_SYS_ELF_GETEHDR) ? NULL : gelf_getehdr(elf, header);
}

GElf_Shdr *sys_gelf_getshdr(Elf_Scn *section, GElf_Shdr *header) {
  return fails(ANNOT_SYS_ELF_GETSHDR) ? NULL : gelf_getshdr(section, header);
}

GElf_Phdr *sys_gelf_getphdr(Elf *elf, int index, GElf_Phdr *header) {
  return fails(ANNOT_SYS_ELF_GETPHDR) ? NULL : gelf_getphdr(elf, index, header);
}

GElf_Chdr *sys_gelf_getchdr(Elf_Scn *section, GElf_Chdr *header) {
  return fails(ANNOT_SYS_ELF_GETCHDR) ? NULL : gelf_getchdr(section, header);
}

int sys_elf_getshdrstrndx(Elf *elf, size_t *index) {
  return fails(ANNOT_SYS_ELF_GETSHDRSTRNDX) ? -1 : elf_getshdrstrndx(elf, index);
}

int sys_elf_getphdrnum(Elf *elf, size_t *count) {
  return fails(ANNOT_SYS_ELF_GETPHDRNUM) ? -1 : elf_getphdrnum(elf, count);
}

const char *sys_elf_strptr(Elf *elf, size_t section, size_t offset) {
  return fails(ANNOT_SYS_ELF_STRPTR) ? NULL : elf_strptr(elf, section, offset);
}

Elf_Data *sys_elf_getdata_rawchunk(Elf *elf, int64_t offset, size_t size, Elf_Type type) {
  return fails(ANNOT_SYS_ELF_RAWCHUNK) ? NULL : elf_getdata_rawchunk(elf, offset, size, type);
}

Elf_Data *sys_elf_getdata(Elf_Scn *section) {
  return fails(ANNOT_SYS_ELF_GETDATA) ? NULL : elf_getdata(section, NULL);
}

size_t sys_gelf_getnote(Elf_Data *data, size_t offset, GElf_Nhdr *note, size_t *name, size_t *descriptor) {
  return gelf_getnote(data, offset, note, name, descriptor);
}

GElf_Dyn *sys_gelf_getdyn(Elf_Data *data, int index, GElf_Dyn *entry) {
  return gelf_getdyn(data, index, entry);
}

GElf_Sym *sys_gelf_getsym(Elf_Data *data, int index, GElf_Sym *symbol) {
  return gelf_getsym(data, index, symbol);
}

int sys_elf_decompress(Elf_Scn *section) {
  return fails(ANNOT_SYS_ELF_COMPRESS) ? -1 : elf_compress(section, 0, 0);
}
