#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "annot/runtime_testing.h"

/// What the calling thread's test asked for.
static _Thread_local struct {
  annot_runtime_call call;
  unsigned left;
  int error;
} requested;

void annot_runtime_fail_next(annot_runtime_call call, unsigned nth, int error) {
  requested.call = call;
  requested.left = nth;
  requested.error = error;
}

bool annot_runtime_fail_cancel(void) {
  const bool waiting = requested.call != ANNOT_RUNTIME_CALL_NONE;
  requested.call = ANNOT_RUNTIME_CALL_NONE;
  return waiting;
}

/// Whether this call is the one to fail.
static bool fails(annot_runtime_call call) {
  if (__builtin_expect(requested.call != call, 1) || --requested.left) return false;
  requested.call = ANNOT_RUNTIME_CALL_NONE;
  errno = requested.error;
  return true;
}

void *call_map(size_t size) {
  if (fails(ANNOT_RUNTIME_CALL_MAP)) return NULL;
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void call_unmap(void *memory, size_t size) { munmap(memory, size); }

void *call_allocate(size_t size) { return fails(ANNOT_RUNTIME_CALL_ALLOCATE) ? NULL : calloc(1, size ? size : 1); }

int call_open(const char *path) {
  if (fails(ANNOT_RUNTIME_CALL_OPEN)) return -1;
  int descriptor;
  do descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

int call_fstat(int descriptor, struct stat *status) {
  return fails(ANNOT_RUNTIME_CALL_STAT) ? -1 : fstat(descriptor, status);
}

int call_stat(const char *path, struct stat *status) {
  return fails(ANNOT_RUNTIME_CALL_STAT) ? -1 : stat(path, status);
}

ssize_t call_pread(int descriptor, void *buffer, size_t size, off_t offset) {
  if (fails(ANNOT_RUNTIME_CALL_READ)) return requested.error ? -1 : 0;
  size_t done = 0;
  while (done < size) {
    const ssize_t count = pread(descriptor, (char *)buffer + done, size - done, offset + (off_t)done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) break;
    done += (size_t)count;
  }
  return (ssize_t)done;
}

void call_close(int descriptor) { close(descriptor); }

annot_file *call_open_elf(int descriptor, annot_error *error) {
  if (!fails(ANNOT_RUNTIME_CALL_OPEN_ELF)) return annot_file_open_descriptor(descriptor, NULL, error);
  *error = (annot_error){.code = ANNOT_ERROR_MEMORY, .detail = "no memory to read its file"};
  return NULL;
}

bool call_read_memory(void *to, const void *from, size_t size) {
  if (fails(ANNOT_RUNTIME_CALL_READ_MEMORY)) return false;
  const pid_t self = getpid();
  size_t done = 0;
  while (done < size) {
    const struct iovec into = {(char *)to + done, size - done};
    const struct iovec out_of = {(char *)(uintptr_t)from + done, size - done};
    const ssize_t count = process_vm_readv(self, &into, 1, &out_of, 1, 0);
    if (count > 0) {
      done += (size_t)count;
    } else if (count < 0 && (errno == ENOSYS || errno == EPERM)) {
      // Sandboxes may forbid the call; then there is no way to ask.
      memcpy((char *)to + done, (const char *)from + done, size - done);
      return true;
    } else {
      return false;
    }
  }
  return true;
}
