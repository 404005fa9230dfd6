/// Every call of the image tracker that can fail, so that a test can make each of them fail
/// (annot/runtime_testing.h). Nothing else in the tracker calls these.
#ifndef ANNOT_CALLS_H
#define ANNOT_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "annot/file.h"

#pragma GCC visibility push(hidden)

/// What is larger than this is in a mapping of its own.
enum { CALL_MAP_SHARED = 256 << 10 };
/// Takes memory without malloc, of any contents; null when there is none.
void *call_map(size_t size);
/// Gives it back; of its bytes, those before `used` were written to.
void call_unmap(void *memory, size_t size, size_t used);
/// Zeroed memory; null when there is none. A size of 0 counts as 1.
void *call_allocate(size_t size);
/// Opens a file for reading; never waits for a FIFO's writer and never takes a terminal.
int call_open(const char *path);
int call_fstat(int descriptor, struct stat *status);
int call_stat(const char *path, struct stat *status);
/// Reads until `size` bytes are there or the file ends; goes on after signals. -1 sets errno.
ssize_t call_pread(int descriptor, void *buffer, size_t size, off_t offset);
void call_close(int descriptor);
annot_file *call_open_elf(int descriptor, annot_error *error);
/// A piece of this process's memory to copy.
typedef struct memory_copy {
  void *to;
  const void *from;
  size_t size;
} memory_copy;

/// The most pieces of one call.
enum { CALL_COPY_LIMIT = 128 };

/// Copies up to CALL_COPY_LIMIT pieces of this process's memory in one system call. Returns false when one of
/// them is not there: the pages of a mapped file that was made shorter are gone though the mapping stands,
/// and touching them would end the process with SIGBUS.
bool call_read_memory(const memory_copy *pieces, size_t count);

/// The size of a page in bytes.
size_t call_page_size(void);
/// Whether this process may write to the aligned word, which is not changed. True where there is no way to ask.
bool call_is_writable(void *word);
/// Makes whole pages of this process readable and, if told so, writable.
bool call_protect(void *start, size_t size, bool is_writable);

#pragma GCC visibility pop

#endif
