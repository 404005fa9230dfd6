/// Gathers, under the loader's lock, what must be known of every loaded image.
#ifndef ANNOT_GATHER_H
#define ANNOT_GATHER_H

#include "arena.h"
#include "loaded_image.h"
#include "loader.h"

#pragma GCC visibility push(hidden)

struct annot_snapshot;
struct known_image;

/// What an image's bounds note says.
typedef enum gathered_note {
  NOTE_ABSENT,
  NOTE_SOUND,       ///< the records were copied
  NOTE_OUTSIDE,     ///< it leads outside the image
  NOTE_UNREADABLE,  ///< the memory it leads to is mapped and not there
} gathered_note;

/// An image as it was during the pass; all memory is the arena's, but for many records.
typedef struct gathered_image {
  /// The image, when it is known to be the same as in the snapshot before; nothing below is filled in then.
  struct known_image *known;
  /// The image of the snapshot before that is the same by everything but a build-id, as neither has one; null
  /// when there is none.
  struct known_image *likely;
  const char *name;
  uintptr_t base;
  uint64_t headers_hash;
  size_t header_count;
  const unsigned char *build_id;
  size_t build_id_length;
  bool is_main;
  bool is_vdso;
  bool has_runtime;  ///< carries a note of type ANNOT_NOTE_RUNTIME
  gathered_note note;
  char *records;  ///< by the note
  size_t records_size;
  size_t mapped_size;  ///< of the mapping of their own that they are in; 0 when they are in the arena
  const void *records_place;  ///< where they are in the image
} gathered_image;

typedef struct gathering {
  arena memory;
  gathered_image *images;
  size_t count;
  loader_state state;
  bool is_complete;
} gathering;

/// Gathers all images; false when memory runs out.
///
/// - last: the snapshot whose images need not be read again; may be null.
/// - retry: whether those of them that could not be read are to be read again.
bool gather(gathering *it, const struct annot_snapshot *last, bool retry);
void gathering_close(gathering *it);

/// What became of an attempt to copy memory of an image that was gathered before.
typedef enum copy_outcome { COPY_DONE, COPY_GONE, COPY_OUTSIDE, COPY_UNREADABLE } copy_outcome;

/// Copies memory of the image if it is still there and the range, in addresses of its file, lies inside it.
copy_outcome copy_from_image(const gathered_image *image, uint64_t address, size_t size, char *to);

#pragma GCC visibility pop

#endif
