/// Collects the records of an image's sections: split, checked, sorted, and each once.
#ifndef ANNOT_COLLECT_H
#define ANNOT_COLLECT_H

#include "annot/record.h"

ANNOT_BEGIN_DECLS

/// The texts of a found record, in the order that annot_record_fields has them.
enum {
  ANNOT_TEXT_KIND,
  ANNOT_TEXT_CLS,
  ANNOT_TEXT_SEL,
  ANNOT_TEXT_MODULE,
  ANNOT_TEXT_FILE,
  ANNOT_TEXT_COUNT
};

/// A sound record, in half the memory that annot_record_fields takes.
typedef struct annot_found_record {
  const char *bytes;  ///< the JSON text, in the section; not necessarily NUL-terminated
  uint32_t length;    ///< in bytes, without the NUL
  uint32_t section;   ///< index of its section
  uint64_t line;      ///< 0 when absent
  uint16_t text_offset[ANNOT_TEXT_COUNT];  ///< in the record; 0 when absent, as no text begins a record
  uint16_t text_length[ANNOT_TEXT_COUNT];
  bool is_static;
  bool canonical;
  bool printable;     ///< all bytes are printable ASCII and none is an escape, so it can be shown as it is
  bool repeats_file;  ///< of use while collecting only
} annot_found_record;

/// A run of bytes that is no record.
typedef struct annot_found_fault {
  uint64_t offset;   ///< in the section, of the run's first byte
  uint32_t section;  ///< index of its section
  uint32_t where;    ///< in the run, where the fault was noticed
  annot_fault fault;
} annot_found_fault;

/// The most faults that a collection keeps, so that a section of garbage costs no more memory than that.
#define ANNOT_COLLECTION_MAX_FAULTS 10000

/// What was found.
typedef struct annot_collection {
  annot_found_record *records;  ///< in the readers' order (annot_record_order), byte-identical ones once
  size_t record_count;
  annot_found_fault *faults;    ///< in the order of the sections' bytes
  size_t fault_count;
  size_t unkept_faults;         ///< how many more there were
  size_t duplicates;            ///< how many records were copies of others
} annot_collection;

/// Collects the records of an image.
///
/// - sections, count: the contents of the image's sections; they must outlive the collection.
/// - collection: filled; free it with annot_collection_free.
/// - Returns false, with the collection empty, when memory runs out.
/// - Thread-safe. Time grows as n log n with the number of records.
ANNOT_API bool annot_collect(const annot_text *sections, size_t count, annot_collection *collection);

/// Does what annot_collect does, within limits of the reader's own.
///
/// - limits: null for those of the format.
ANNOT_API bool annot_collect_within(
    const annot_text *sections, size_t count, const annot_record_limits *limits, annot_collection *collection);

/// The members of a found record, pointing into its bytes.
ANNOT_API annot_record_fields annot_found_fields(const annot_found_record *record);

/// Frees what annot_collect allocated, and empties the collection; one that is empty is allowed.
ANNOT_API void annot_collection_free(annot_collection *collection);

ANNOT_END_DECLS

#endif
