// A malloc, to be preloaded, that walks the list of images on every call and holds a lock of its own
// meanwhile, as allocators that unwind the stack do.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char memory[64 << 20] __attribute__((aligned(16)));
static size_t used;
static __thread int is_inside __attribute__((tls_model("initial-exec")));

static int count(struct dl_phdr_info *info, size_t size, void *context) {
  (void)info;
  (void)size;
  ++*(size_t *)context;
  return 0;
}

void *malloc(size_t size) {
  size_t images = 0;
  const int nested = is_inside++;
  if (!nested) {
    pthread_mutex_lock(&lock);
    dl_iterate_phdr(count, &images);
  }
  // The size stands before the block, for realloc.
  char *block = memory + used + 16;
  used += (size + 31) / 16 * 16 + 16;
  if (used > sizeof memory) __builtin_trap();
  memcpy(block - 16, &size, sizeof size);
  if (!nested) pthread_mutex_unlock(&lock);
  is_inside--;
  return block;
}

void free(void *block) { (void)block; }

void *calloc(size_t count_of, size_t size) { return malloc(count_of * size); }

void *realloc(void *block, size_t size) {
  void *larger = malloc(size);
  size_t before = 0;
  if (block) memcpy(&before, (char *)block - 16, sizeof before);
  if (block) memcpy(larger, block, before < size ? before : size);
  return larger;
}
