/// What the parts of the file reader share: the file being read, and the steps of reading.
///
/// A step returns false when reading cannot go on; it has filled `error` then. What only concerns a part of
/// the file becomes a note, and the step returns true.
#ifndef ANNOT_FILE_READER_H
#define ANNOT_FILE_READER_H

#include "annot/file.h"
#include "internal.h"
#include "sys.h"

#pragma GCC visibility push(hidden)

/// Memory that is freed with the file.
typedef struct annot_block {
  struct annot_block *next;
} annot_block;

/// Where bytes are read from: an open file, or memory.
typedef struct annot_source {
  int descriptor;
  const char *memory;  ///< null for a file
  uint64_t size;       ///< in bytes
} annot_source;

struct annot_file {
  annot_block *blocks;
  annot_file_section *sections;
  size_t section_count, section_capacity;
  annot_file_note *notes;
  size_t note_count, note_capacity;
  const unsigned char *build_id;
  size_t build_id_length;
  annot_linkage *linkage;
  bool is_stripped;  ///< an ELF file in it lacks a symbol table

  // While reading:
  annot_source source;
  const char *path;            ///< null when it is not known
  annot_file_options options;  ///< with the defaults filled in
  uint64_t held;               ///< bytes of contents held so far
  annot_error error;
};

/// An ELF file, or the member of an archive that is one, being read.
typedef struct annot_elf {
  annot_file *file;
  const annot_source *source;
  Elf *elf;
  const char *member;  ///< null when the file is no archive
  uint64_t base;       ///< where in the source it begins
  uint64_t size;       ///< its size in bytes
  bool is_64;
  bool is_big_endian;
  bool is_object;        ///< ET_REL
  size_t section_count;  ///< with the unused first one; 0 without section headers
} annot_elf;

/// What a file is, by its first bytes.
typedef enum annot_format {
  ANNOT_FORMAT_OTHER,
  ANNOT_FORMAT_ELF,
  ANNOT_FORMAT_ARCHIVE,
  ANNOT_FORMAT_THIN_ARCHIVE,
  ANNOT_FORMAT_BITCODE,
} annot_format;

/// How many first bytes annot_identify wants to see.
enum { annot_head_size = 512 };

// annot_error.c

/// Fills an error; `format` is printf's.
__attribute__((format(printf, 3, 4)))
void annot_error_set(annot_error *error, annot_error_code code, const char *format, ...);
/// Fills an error with errno's words behind `what`.
void annot_error_set_system(annot_error *error, const char *what, int system_error);
/// Fills an error of code ANNOT_ERROR_MALFORMED with libelf's words behind `what`.
void annot_error_set_elf(annot_error *error, const char *what);

// file_memory.c

/// Memory that lives as long as the file; null, with the error filled, when there is none.
void *annot_file_allocate(annot_file *file, size_t size);
/// A copy of `length` bytes with a NUL behind them.
char *annot_file_copy(annot_file *file, const char *bytes, size_t length);
bool annot_file_add_section(annot_file *file, const annot_file_section *section);
/// Adds a note; `format` is printf's.
__attribute__((format(printf, 5, 6)))
bool annot_file_add_note(
    annot_file *file, const char *member, annot_error_code code, uint64_t offset, const char *format, ...);

// file_open.c

/// Checks that a descriptor is a regular file's, and tells the file's size in bytes.
bool annot_check_regular(int descriptor, uint64_t *size, annot_error *error);

// file_source.c

/// Reads until `size` bytes are there or the source ends; -1 sets errno.
ssize_t annot_source_read(const annot_source *source, void *buffer, size_t size, uint64_t offset);
/// Opens what is at `base` for libelf; null when it cannot.
///
/// - archive: null, or the archive, whose current member it is.
Elf *annot_source_elf(const annot_source *source, uint64_t base, uint64_t size, Elf *archive);

// file_identify.c

/// Tells a file's format by its first bytes.
///
/// - what: set to words for it, when it is not ELF or an archive: "a shell script: name the program …".
annot_format annot_identify(const unsigned char *head, size_t length, const char **what);

// file_header.c

/// Checks what the ELF header says about itself and about the tables, before libelf believes it.
bool annot_check_header(annot_elf *elf);

// file_elf.c

/// Reads one ELF file or archive member; `elf` has file, source, member, base and size set.
///
/// - archive: null, or the archive, whose current member it is.
bool annot_read_elf(annot_elf *elf, Elf *archive);

// file_sections.c

/// Finds the sections of the wanted name and reads them.
///
/// - found: set to whether there were any.
bool annot_read_sections(annot_elf *elf, bool *found);

// file_contents.c

/// Reads `section->size` bytes at `section->offset` and adds the section.
bool annot_read_contents(annot_elf *elf, annot_file_section *section);
/// Decompresses a section's contents and adds the section.
bool annot_read_compressed(annot_elf *elf, Elf_Scn *scn, annot_file_section *section);

// file_notes.c

/// What annot_visit_notes shows of an ELF note.
typedef struct annot_elf_note {
  uint32_t type;
  annot_text owner;       ///< with its NUL
  annot_text descriptor;
  uint64_t address;       ///< of the descriptor, when the file is loaded
} annot_elf_note;

typedef bool annot_note_visitor(annot_elf *elf, const annot_elf_note *note, void *context);

/// Calls `visit` with each ELF note of the program headers until it returns false, and then does too.
bool annot_visit_notes(annot_elf *elf, annot_note_visitor *visit, void *context);
/// Finds the build-id.
bool annot_read_build_id(annot_elf *elf);

// file_segments.c

/// Finds where in the file the bytes of a range of addresses are loaded from; false when no segment has all.
bool annot_file_offset(annot_elf *elf, uint64_t address, uint64_t length, uint64_t *offset);

// file_linkage.c

/// Finds what the loader is told.
bool annot_read_linkage(annot_elf *elf, const GElf_Ehdr *header);

// file_symbols.c

/// Tells the visitor of the options the names of the symbols that the file defines.
bool annot_read_symbols(annot_elf *elf);

// file_bounds.c

/// Finds the records of a file without section headers by the notes that tell their bounds.
bool annot_read_by_bounds_notes(annot_elf *elf);

// file_archive.c

/// Reads all members of an archive that are ELF files.
///
/// - is_thin: whether the archive only names its members, which are files of their own.
bool annot_read_archive(annot_file *file, bool is_thin);

#pragma GCC visibility pop

#endif
