#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
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

/// What most passes need, so that they need not map any; of which the front stays in use between them. Pages that
/// were never written to take no memory.
enum { reserve_size = CALL_MAP_SHARED, reserve_kept = 32 << 10 };
static _Alignas(4096) char reserve[reserve_size];
static atomic_flag reserve_is_taken = ATOMIC_FLAG_INIT;

void *call_map(size_t size) {
  if (fails(ANNOT_RUNTIME_CALL_MAP)) return NULL;
  if (size <= reserve_size && !atomic_flag_test_and_set_explicit(&reserve_is_taken, memory_order_acquire))
    return reserve;
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void call_unmap(void *memory, size_t size, size_t used) {
  if (memory != reserve) {
    munmap(memory, size);
    return;
  }
  // Where pages are larger than 4096 bytes it may do nothing, and then they stay in use.
  if (used > reserve_kept) madvise(reserve + reserve_kept, reserve_size - reserve_kept, MADV_DONTNEED);
  atomic_flag_clear_explicit(&reserve_is_taken, memory_order_release);
}

void *call_allocate(size_t size) {
  return fails(ANNOT_RUNTIME_CALL_ALLOCATE) ? NULL : calloc(1, size ? size : 1);
}

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

/// From so many pieces on a pipe is the cheaper way, as process_vm_readv looks up the pages of each; and a pipe
/// holds 65,536 bytes (pipe(7)), or less where users have used up their share.
enum { pipe_pieces = 8, pipe_size = 65536 };

/// Copies by hand: where pipes cannot be had either, there is no way to ask.
static bool copy_by_hand(const memory_copy *pieces, size_t count) {
  for (size_t i = 0; i < count; i++) memcpy(pieces[i].to, pieces[i].from, pieces[i].size);
  return true;
}

static size_t fill(struct iovec *into, struct iovec *out_of, const memory_copy *pieces, size_t count) {
  size_t size = 0;
  for (size_t i = 0; i < count; i++) {
    into[i] = (struct iovec){pieces[i].to, pieces[i].size};
    out_of[i] = (struct iovec){(void *)(uintptr_t)pieces[i].from, pieces[i].size};
    size += pieces[i].size;
  }
  return size;
}

/// Sends the pieces through a pipe; returns how many bytes came through, or -1.
static ssize_t copy_through_pipe(const struct iovec *into, const struct iovec *out_of, size_t count) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK)) return -1;
  ssize_t done = writev(ends[1], out_of, (int)count);
  if (done > 0) done = readv(ends[0], into, (int)count);
  close(ends[0]);
  close(ends[1]);
  return done;
}

/// Moves what a pipe takes of a piece from `done` on; returns how many bytes, or -1.
static ssize_t copy_bit(const int *ends, const memory_copy *piece, size_t done) {
  const size_t left = piece->size - done;
  const ssize_t sent = write(ends[1], (const char *)piece->from + done, left < pipe_size ? left : pipe_size);
  if (sent <= 0) return -1;
  return read(ends[0], (char *)piece->to + done, (size_t)sent) == sent ? sent : -1;
}

/// Sends the pieces through a pipe bit by bit, or copies them by hand where there are no pipes.
static bool copy_bit_by_bit(const memory_copy *pieces, size_t count) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK)) return copy_by_hand(pieces, count);
  ssize_t moved = 0;
  for (size_t i = 0; i < count && moved >= 0; i++)
    for (size_t done = 0; done < pieces[i].size && moved >= 0; done += (size_t)moved)
      moved = copy_bit(ends, &pieces[i], done);
  close(ends[0]);
  close(ends[1]);
  return moved >= 0;
}

static ssize_t read_process(const struct iovec *into, const struct iovec *out_of, size_t count) {
  if (fails(ANNOT_RUNTIME_CALL_READ_PROCESS)) return -1;
  return process_vm_readv(getpid(), into, count, out_of, count, 0);
}

bool call_read_memory(const memory_copy *pieces, size_t count) {
  if (fails(ANNOT_RUNTIME_CALL_READ_MEMORY)) return false;
  struct iovec into[CALL_COPY_LIMIT], out_of[CALL_COPY_LIMIT];
  const size_t wanted = fill(into, out_of, pieces, count);
  if (wanted == 0) return true;
  const bool is_pipes = count >= pipe_pieces && wanted <= pipe_size;
  ssize_t done = is_pipes ? copy_through_pipe(into, out_of, count) : -1;
  // One call moves 2 GiB at most (process_vm_readv(2)); what is larger than that is no section of records.
  if (done < 0 || (size_t)done != wanted) done = read_process(into, out_of, count);
  if (done < 0 && (errno == ENOSYS || errno == EPERM)) return copy_bit_by_bit(pieces, count);
  return done >= 0 && (size_t)done == wanted;
}

size_t call_page_size(void) {
  const long size = sysconf(_SC_PAGESIZE);
  return size > 0 ? (size_t)size : 4096;
}

#ifdef SYS_futex
enum { futex_call = SYS_futex };
#else
enum { futex_call = SYS_futex_time64 };
#endif

bool call_is_writable(void *word) {
  // FUTEX_WAKE_OP changes the word atomically by what it is told, here `or 0`, and fails with EFAULT where it may
  // not (futex(2)); nobody waits there. It needs no file system, as /proc/self/maps would.
  const long done = syscall(futex_call, word, FUTEX_WAKE_OP_PRIVATE, 0, 0, word,
                            FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_EQ, 0));
  return done >= 0 || errno != EFAULT;
}

bool call_protect(void *start, size_t size, bool is_writable) {
  if (fails(ANNOT_RUNTIME_CALL_PROTECT)) return false;
  return mprotect(start, size, is_writable ? PROT_READ | PROT_WRITE : PROT_READ) == 0;
}
