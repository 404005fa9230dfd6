/// Gathers, in one pass under the loader's lock, what must be known of every loaded image.
#ifndef ANNOT_GATHER_H
#define ANNOT_GATHER_H

#include "arena.h"
#include "loaded_image.h"

#pragma GCC visibility push(hidden)

/// An image as it was during the pass; all memory is the arena's.
typedef struct gathered_image {
  const char *name;
  uintptr_t base;
  const ElfW(Phdr) *headers;
  size_t header_count;
  const unsigned char *build_id;
  size_t build_id_length;
  bool is_vdso;
  bool has_note;
  bool note_is_outside;
  const char *records;  // by the note; null when there are none
  size_t records_size;
} gathered_image;

typedef struct gathering {
  arena memory;
  gathered_image *images;
  size_t count;
  unsigned long long adds;  // dlpi_adds and dlpi_subs: counters of the loader
  unsigned long long subs;
} gathering;

/// Gathers all images; false when memory runs out.
bool gather(gathering *it);
void gathering_close(gathering *it);

/// The loader's counters now; an image was loaded or unloaded since exactly if they differ.
void loader_counters(unsigned long long *adds, unsigned long long *subs);

/// What became of an attempt to copy memory of an image that was gathered before.
typedef enum copy_outcome { COPY_DONE, COPY_GONE, COPY_OUTSIDE } copy_outcome;

/// Copies memory of the image if it is still there and the range, in addresses of its file, lies inside it.
copy_outcome copy_from_image(const gathered_image *image, uint64_t address, size_t size, char *to);

#pragma GCC visibility pop

#endif
