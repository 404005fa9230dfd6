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
#include "annot/record.h"

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
  uintptr_t base;    ///< dlpi_addr: what is added to an address in the file
  bool is_main;      ///< the main program
  annot_route route;
  const unsigned char *build_id;  ///< null when there is none
  size_t build_id_length;         ///< in bytes
  size_t first_record;            ///< index of its first record in the snapshot
  size_t record_count;
} annot_image;

/// A record of an image. Byte-identical records of one image are one.
typedef struct annot_record {
  const char *bytes;  ///< the JSON text, NUL-terminated; a copy that lives as long as the snapshot
  size_t length;      ///< in bytes, without the NUL
  size_t image;       ///< index of its image
  uint64_t offset;    ///< in the image's section, of the first of its copies
  annot_record_fields fields;  ///< pointing into `bytes`
} annot_record;

/// Something that kept a record, or an image's records, from being read.
typedef struct annot_diagnostic {
  size_t image;       ///< index of its image
  uint64_t offset;    ///< in the section; 0 when about the image as a whole
  annot_fault fault;  ///< ANNOT_FAULT_NONE when about the image as a whole
  annot_error_code error;  ///< ANNOT_ERROR_NONE when about a record
  const char *text;   ///< one sentence, NUL-terminated
} annot_diagnostic;

/// An immutable view of all images and records.
typedef struct annot_snapshot annot_snapshot;

/// Takes a snapshot that is current: looks for images loaded or unloaded since the last one first.
///
/// Images are in load order. The records of an image are in the readers' order (annot_record_order).
/// Thread-safe; no lock is held while other code runs. Returns null only when memory runs out.
ANNOT_API annot_snapshot *annot_snapshot_take(void);

/// Frees a snapshot and all that came from it; null is allowed. Thread-safe.
ANNOT_API void annot_snapshot_free(annot_snapshot *snapshot);

/// Reads all images anew, also those whose records are known, and makes the result the current state.
///
/// For the rare case that an image's file had to be read and could not be. Thread-safe. Returns false only
/// when memory runs out; what was known then stays.
ANNOT_API bool annot_refresh(void);

/// A number that grows with each change of the set of images; 0 before the first collection.
ANNOT_API uint64_t annot_snapshot_generation(const annot_snapshot *snapshot);

/// The number of images.
ANNOT_API size_t annot_snapshot_image_count(const annot_snapshot *snapshot);
/// The image at `index`, below annot_snapshot_image_count; lives as long as the snapshot.
ANNOT_API const annot_image *annot_snapshot_image(const annot_snapshot *snapshot, size_t index);

/// The number of records of all images.
ANNOT_API size_t annot_snapshot_record_count(const annot_snapshot *snapshot);
/// The record at `index`, below annot_snapshot_record_count; lives as long as the snapshot.
ANNOT_API const annot_record *annot_snapshot_record(const annot_snapshot *snapshot, size_t index);

/// The number of diagnostics.
ANNOT_API size_t annot_snapshot_diagnostic_count(const annot_snapshot *snapshot);
/// The diagnostic at `index`, below annot_snapshot_diagnostic_count; lives as long as the snapshot.
ANNOT_API const annot_diagnostic *annot_snapshot_diagnostic(const annot_snapshot *snapshot, size_t index);

ANNOT_END_DECLS

#endif
