/// What the readers of archives, plain and thin, share.
#ifndef ANNOT_ARCHIVE_H
#define ANNOT_ARCHIVE_H

#include "file_reader.h"

#pragma GCC visibility push(hidden)

/// An archive being read.
typedef struct annot_archive {
  annot_file *file;
  const annot_source *source;
  Elf *elf;             ///< null for a thin archive, and for one in memory
  const char *prefix;   ///< null, or the path of this archive, to name the members of a nested one by
  bool is_thin;         ///< it only names its members
  uint64_t only;        ///< where the header of the only wanted member is; 0 for all
  bool met;             ///< some member was visited
  uint64_t names;       ///< where the table of long names is; 0 when there is none
  uint64_t names_size;
} annot_archive;

/// The bytes of a member.
typedef struct annot_archive_contents {
  const annot_source *source;
  uint64_t header;  ///< where in the archive the member's header is
  uint64_t base;    ///< of the bytes, in the source
  uint64_t size;
} annot_archive_contents;

/// Reads what a member holds. What is wrong with it is a note: it must not keep the others from being read.
bool annot_archive_visit(annot_archive *archive, const annot_archive_contents *contents, const char *name);

/// Reads the members of an archive, or the only one that is wanted.
bool annot_archive_read_members(annot_archive *archive);

/// Reads a member of a thin archive: a file of its own.
///
/// - name: the member's, which is a path, relative to the archive unless it is absolute.
/// - nested: 0, or where in the archive of that name the member's header is.
bool annot_archive_visit_file(annot_archive *archive, const char *name, uint64_t header, uint64_t nested);

#pragma GCC visibility pop

#endif
