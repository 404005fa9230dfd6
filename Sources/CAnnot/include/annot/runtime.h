/// The annotations of the running process: its images and their records.
///
/// A constructor collects the records of the images loaded at start-up. A snapshot is taken at any time
/// from any thread and is immutable: it stays valid until freed, also when its images are unloaded.
#ifndef ANNOT_RUNTIME_H
#define ANNOT_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "annot/error.h"
#include "annot/collect.h"

ANNOT_BEGIN_DECLS

/// How the records of an image were found.
typedef enum annot_route {
  ANNOT_ROUTE_NONE = 0,  ///< the image has no records, or none that could be found
  ANNOT_ROUTE_NOTE = 1,  ///< by its bounds note, in memory
  ANNOT_ROUTE_FILE = 2,  ///< by its file's section headers
} annot_route;

/// A loaded image: the program, a shared object, the vdso.
typedef struct annot_image {
  const char *path;  ///< as the loader knows it; the program's own path for the main program
  uint64_t identity;  ///< names this very image: one that is loaded later has another, also at the same place
  uintptr_t base;     ///< dlpi_addr: what is added to an address in the file
  bool is_main;      ///< the main program
  annot_route route;
  const unsigned char *build_id;  ///< null when there is none
  size_t build_id_length;         ///< in bytes
  size_t first_record;            ///< index of its first record in the snapshot
  size_t record_count;
} annot_image;

/// A record of an image. Byte-identical records of one image are one.
typedef struct annot_record {
  const char *bytes;  ///< the JSON text, NUL-terminated; a copy of the image's
  size_t length;      ///< in bytes, without the NUL
  size_t image;       ///< index of its image
  uint64_t offset;    ///< in the image's section, of the first of its copies
  annot_record_fields fields;  ///< pointing into `bytes`
  const annot_found_record *found;  ///< the record as it was collected; lives as long as `bytes`
} annot_record;

/// Something that kept a record, or an image's records, from being read.
typedef struct annot_diagnostic {
  size_t image;       ///< index of its image
  uint64_t offset;    ///< in the section; 0 when about the image as a whole
  annot_fault fault;  ///< ANNOT_FAULT_NONE when about the image as a whole
  annot_error_code error;  ///< ANNOT_ERROR_NONE when about a record
  const char *text;   ///< one sentence, NUL-terminated
} annot_diagnostic;

/// An immutable view of all images and records; shared by all who took it.
typedef struct annot_snapshot annot_snapshot;

/// Takes a snapshot that is current: looks for images loaded or unloaded since the last one first.
///
/// Images are in load order. The records of an image are in the readers' order (annot_record_order).
/// Thread-safe; no lock is held while other code runs. Returns null only when memory runs out.
ANNOT_API annot_snapshot *annot_snapshot_take(void);

/// Takes the same snapshot once more; end each with annot_snapshot_free. Returns it. Thread-safe.
ANNOT_API annot_snapshot *annot_snapshot_retain(annot_snapshot *snapshot);

/// Frees a snapshot and all that came from it; null is allowed. Thread-safe.
ANNOT_API void annot_snapshot_free(annot_snapshot *snapshot);

/// Reads again the images whose records could not be read, and makes the result the current state.
///
/// For the rare case that an image's file had to be read and could not be; images that come and go are
/// noticed without it. Thread-safe. Returns false only when memory runs out; what was known then stays.
ANNOT_API bool annot_refresh(void);

/// A number that grows with each change of the set of images; 0 before the first collection.
ANNOT_API uint64_t annot_snapshot_generation(const annot_snapshot *snapshot);

/// The number of images.
ANNOT_API size_t annot_snapshot_image_count(const annot_snapshot *snapshot);
/// The image at `index`, below annot_snapshot_image_count; lives as long as the snapshot.
ANNOT_API const annot_image *annot_snapshot_image(const annot_snapshot *snapshot, size_t index);

/// Whether the image of that identity is among the snapshot's.
ANNOT_API bool annot_snapshot_has_image(const annot_snapshot *snapshot, uint64_t identity);

/// An image kept beyond its snapshots: its path, its build-id and the bytes of its records.
typedef struct annot_held_image annot_held_image;

/// Keeps the image at `index`, below annot_snapshot_image_count, until annot_held_image_free. Thread-safe.
ANNOT_API annot_held_image *annot_snapshot_hold_image(const annot_snapshot *snapshot, size_t index);

/// The number of its records.
ANNOT_API size_t annot_held_image_record_count(const annot_held_image *image);
/// Its record at `index`, below annot_held_image_record_count, in the readers' order; the record's own `image` is
/// 0. What it points to lives as long as the image is held.
ANNOT_API annot_record annot_held_image_record(const annot_held_image *image, size_t index);

/// Lets go of an image; null is allowed. Thread-safe.
ANNOT_API void annot_held_image_free(annot_held_image *image);

/// The number of records of all images.
ANNOT_API size_t annot_snapshot_record_count(const annot_snapshot *snapshot);
/// The record at `index`, below annot_snapshot_record_count; what it points to lives as long as the snapshot.
ANNOT_API annot_record annot_snapshot_record(const annot_snapshot *snapshot, size_t index);

/// The number of diagnostics.
ANNOT_API size_t annot_snapshot_diagnostic_count(const annot_snapshot *snapshot);
/// The diagnostic at `index`, below annot_snapshot_diagnostic_count; lives as long as the snapshot.
ANNOT_API const annot_diagnostic *annot_snapshot_diagnostic(const annot_snapshot *snapshot, size_t index);

/// Two records that contradict each other (docs/record-format.md, "Conflicts"); both are kept.
typedef struct annot_conflict {
  size_t first;   ///< index of the first record about the thing in question
  size_t second;  ///< index of one after it that says something else
} annot_conflict;

/// Finds the conflicts among the records of all images, each record's with the first about the same thing.
///
/// - conflicts: set to an array in the order of `second`; free it with annot_conflicts_free.
/// - count: set to their number.
/// - Returns false when memory runs out. Thread-safe. Time grows as n log n with the number of records.
ANNOT_API bool annot_snapshot_conflicts(
    const annot_snapshot *snapshot, annot_conflict **conflicts, size_t *count);
/// Frees what annot_snapshot_conflicts allocated; null is allowed.
ANNOT_API void annot_conflicts_free(annot_conflict *conflicts);

/// Is told that images were loaded or unloaded, or read at another try.
///
/// - before, after: valid until it returns; annot_snapshot_retain keeps them. An image, with its records, was
///   added or removed if annot_snapshot_has_image finds its identity in one of them only.
typedef void (*annot_observer)(annot_snapshot *before, annot_snapshot *after, void *context);

/// Adds an observer of changes from now on.
///
/// Changes are noticed by reads: annot_snapshot_take and annot_refresh, and by the first call of a join point,
/// before it runs: an observer may still advise it. Observers are then called by a thread that
/// reads, with no lock held, each change once and in order. While one thread calls them, others that notice
/// more changes leave these to it and do not wait. An observer may read, observe and unobserve. Thread-safe.
///
/// - context: handed to `observer`.
/// - release: called with `context` after the observer was removed and its last call has ended; may be null.
/// - Returns what annot_unobserve takes; 0 when memory runs out: then `release` is not called.
ANNOT_API uint64_t annot_observe(annot_observer observer, void *context, void (*release)(void *context));

/// Removes an observer. A call of it that runs on another thread may still be under way. Thread-safe.
///
/// Returns false when there is none of that number.
ANNOT_API bool annot_unobserve(uint64_t id);

ANNOT_END_DECLS

#endif
