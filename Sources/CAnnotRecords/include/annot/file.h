/// Reads annotation sections out of ELF files, with libelf; nothing of the file is executed.
#ifndef ANNOT_FILE_H
#define ANNOT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "annot/error.h"

ANNOT_BEGIN_DECLS

/// An open file and the sections found in it. Not thread-safe: one thread at a time.
typedef struct annot_file annot_file;

/// One section of the wanted name.
typedef struct annot_file_section {
  const char *member;    ///< the archive member it is in, or null
  const char *name;      ///< the section's name
  const char *bytes;     ///< its contents, decompressed; null when only headers were asked for
  size_t size;           ///< of the contents, in bytes
  uint64_t offset;       ///< of the section in the file (in the member, for archives)
  uint64_t address;      ///< the address it is linked for; 0 in object files
} annot_file_section;

/// A thing about the file that the user should know though reading went on.
typedef struct annot_file_note {
  const char *member;     ///< the archive member it is about, or null
  annot_error_code code;  ///< ANNOT_ERROR_NONE for mere information, else why something could not be read
  uint64_t offset;        ///< in the file (in the member, for archives); 0 when there is no one place
  const char *text;       ///< what is the matter, without a full stop
} annot_file_note;

/// The most bytes of contents held of one file unless the caller says otherwise: 512 MiB.
#define ANNOT_FILE_DEFAULT_LIMIT (UINT64_C(512) << 20)

/// Told of the name of a function or object that a file defines; valid for the call only.
typedef void annot_symbol_visitor(const char *name, void *context);

/// How a file is read. Zeroed, or left out, it means the defaults.
typedef struct annot_file_options {
  const char *section;  ///< the sections' name; null for `annot`
  uint64_t limit;       ///< the most bytes of contents to hold, decompressed; 0 for the default
  bool headers_only;    ///< find the sections and read no contents
  uint64_t decompression_limit;  ///< the most bytes that one section may decompress to; 0 for `limit`
  bool linkage;         ///< also find what the loader is told, for annot_file_linkage
  annot_symbol_visitor *symbol;  ///< also called with the names of defined symbols; null for not
  void *symbol_context;          ///< for `symbol`
} annot_file_options;

/// Opens a file and finds its sections of one name. Sections that cannot be read become notes.
///
/// What is read is held in memory and the file is closed again, so nothing changes when it does.
///
/// - path: an ELF executable, shared object or object file, or an archive of object files. The members of a
///   thin archive are files of their own, which are found relative to it.
/// - options: null for the defaults.
/// - error: says why null was returned; may be null.
/// - Returns null when the file cannot be read or is not a sound ELF file. A file without such a section is
///   a success with no sections.
/// - Thread-safe.
ANNOT_API annot_file *annot_file_open(
    const char *path, const annot_file_options *options, annot_error *error);

/// Does what annot_file_open does with an open file, which must be seekable and stays open.
///
/// Thin archives are refused, as nothing tells what their members' names are relative to.
///
/// - descriptor: open for reading; its position does not matter and does not change.
ANNOT_API annot_file *annot_file_open_descriptor(
    int descriptor, const annot_file_options *options, annot_error *error);

/// Does what annot_file_open does with a file's bytes in memory.
///
/// - bytes, size: the file's contents; not needed any more when this returns, and not changed.
ANNOT_API annot_file *annot_file_open_memory(
    const void *bytes, size_t size, const annot_file_options *options, annot_error *error);

/// How many sections were found.
ANNOT_API size_t annot_file_section_count(const annot_file *file);

/// The section at `index`, which is below annot_file_section_count; valid until annot_file_close.
ANNOT_API const annot_file_section *annot_file_section_at(const annot_file *file, size_t index);

/// How many notes there are.
ANNOT_API size_t annot_file_note_count(const annot_file *file);

/// The note at `index`, which is below annot_file_note_count; valid until annot_file_close.
ANNOT_API const annot_file_note *annot_file_note_at(const annot_file *file, size_t index);

/// The file's GNU build-id; `length` is set to its size in bytes. Null and 0 when it has none; archives have
/// none.
ANNOT_API const unsigned char *annot_file_build_id(const annot_file *file, size_t *length);

/// What an executable or shared object tells the loader; strings are null when it has none.
typedef struct annot_linkage {
  bool is_64;
  bool is_big_endian;
  unsigned machine;           ///< e_machine
  bool is_loaded;             ///< an executable or shared object, and not an object file
  bool no_default_libraries;  ///< DF_1_NODEFLIB: the system's own directories are not searched
  const char *interpreter;    ///< PT_INTERP: the loader's path
  const char *soname;         ///< DT_SONAME
  const char *rpath;          ///< DT_RPATH, which holds for the libraries' own needs too
  const char *runpath;        ///< DT_RUNPATH
  const char *const *needed;  ///< DT_NEEDED, in order
  size_t needed_count;
} annot_linkage;

/// What the file tells the loader; valid until annot_file_close. Null for archives, and unless it was asked for.
///
/// Source: the System V ABI, "Dynamic Section"; it is found by the program headers, as the loader finds it.
ANNOT_API const annot_linkage *annot_file_linkage(const annot_file *file);

/// Whether every ELF file in it has a symbol table that names its hidden functions too: it was not stripped.
///
/// Only known when symbols were asked for.
ANNOT_API bool annot_file_has_symbol_table(const annot_file *file);

/// Closes the file and frees all that came from it; null is allowed.
ANNOT_API void annot_file_close(annot_file *file);

ANNOT_END_DECLS

#endif
