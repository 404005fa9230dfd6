#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "archive.h"

// The format is ar(5)'s with the GNU name table. Member headers are walked here and not by elf_next, which
// does not tell the end from an error, and so that each member's ELF header is checked before libelf sees it.

enum { header_size = 60, magic_size = 8 };

/// A member's header, and where its bytes are.
typedef struct member {
  char header[header_size];
  uint64_t offset;  ///< of its header
  uint64_t base;    ///< of its bytes, unless the archive is thin
  uint64_t size;
} member;

/// A decimal number at the front of a field; false when there is none.
///
/// - rest: set to the number of bytes behind it, which are spaces when the field is sound.
static bool decimal(const char *text, size_t width, uint64_t *value, size_t *rest) {
  size_t i = 0;
  for (*value = 0; i < width && text[i] >= '0' && text[i] <= '9'; i++)
    *value = *value * 10 + (uint64_t)(text[i] - '0');
  *rest = width - i;
  return i > 0;
}

static bool is_blank(const char *text, size_t width) {
  for (size_t i = 0; i < width; i++)
    if (text[i] != ' ') return false;
  return true;
}

static bool size_of(const char *header, uint64_t *size) {
  size_t rest;
  return decimal(header + 48, 10, size, &rest) && is_blank(header + 58 - rest, rest);
}

static bool note(annot_archive *archive, uint64_t offset, const char *text) {
  return annot_file_add_note(archive->file, archive->prefix, ANNOT_ERROR_MALFORMED, offset, "%s", text);
}

static bool is_name_table(const char *header) { return memcmp(header, "//              ", 16) == 0; }

/// Whether a member is the archive's own: its symbol table, or its table of long names.
static bool is_special(const char *header) {
  return is_name_table(header) || memcmp(header, "/ ", 2) == 0 || memcmp(header, "/SYM64/ ", 8) == 0;
}

/// Whether the archive itself has a member's bytes.
static bool holds(const annot_archive *archive, const member *member) {
  return !archive->is_thin || is_special(member->header);
}

/// Reads the member's header at `offset`; `*sound` is false, with a note added, when there is none.
static bool read_member(annot_archive *archive, uint64_t offset, member *member, bool *sound) {
  *sound = false;
  ssize_t length = annot_source_read(archive->source, member->header, header_size, offset);
  if (length < 0) {
    annot_error_set_system(&archive->file->error, "the archive cannot be read", errno);
    return false;
  }
  if (length < header_size) return note(archive, offset, "the archive is cut off within a member's header");
  if (member->header[58] != '`' || member->header[59] != '\n' || !size_of(member->header, &member->size))
    return note(archive, offset, "the archive is damaged: this is no member's header");
  member->offset = offset;
  member->base = offset + header_size;
  uint64_t left = archive->source->size > member->base ? archive->source->size - member->base : 0;
  if (holds(archive, member) && member->size > left) {
    member->size = left;
    if (!note(archive, offset, "the archive is cut off within this member")) return false;
  }
  *sound = true;
  return true;
}

/// A copy of the name at `offset` of the table of long names, which ends with a slash and a newline.
static const char *long_name(annot_archive *archive, uint64_t offset) {
  char bytes[4096];
  if (offset >= archive->names_size) return annot_file_copy(archive->file, "?", 1);
  uint64_t left = archive->names_size - offset;
  size_t wanted = left < sizeof bytes ? (size_t)left : sizeof bytes;
  ssize_t length = annot_source_read(archive->source, bytes, wanted, archive->names + offset);
  if (length <= 0) return annot_file_copy(archive->file, "?", 1);
  const char *end = memchr(bytes, '\n', (size_t)length);
  size_t size = end ? (size_t)(end - bytes) : (size_t)length;
  if (size && bytes[size - 1] == '/') size--;
  return annot_file_copy(archive->file, bytes, size);
}

/// Whether a member's name is in the table of long names.
static bool has_long_name(const char *header) {
  return header[0] == '/' && header[1] >= '0' && header[1] <= '9';
}

/// A copy of a member's name.
///
/// - nested: set to the second number of `/NAME:HEADER`, by which a thin archive names a member of another
///   archive; else 0.
static const char *member_name(annot_archive *archive, const member *member, uint64_t *nested) {
  const char *header = member->header;
  uint64_t offset;
  size_t rest;
  *nested = 0;
  if (has_long_name(header) && decimal(header + 1, 15, &offset, &rest)) {
    if (rest > 1 && header[16 - rest] == ':') decimal(header + 17 - rest, rest - 1, nested, &rest);
    return long_name(archive, offset);
  }
  size_t size = 16;
  while (size && header[size - 1] == ' ') size--;
  if (size && header[size - 1] == '/') size--;
  return annot_file_copy(archive->file, header, size);
}

/// The name of a member of an archive that a thin one names: `inner.a(member.o)`.
static const char *nested_name(annot_archive *archive, const char *name) {
  size_t size = strlen(archive->prefix) + strlen(name) + 3;
  char *result = annot_file_allocate(archive->file, size);
  if (result) snprintf(result, size, "%s(%s)", archive->prefix, name);
  return result;
}

static bool read_elf(annot_archive *archive, const annot_archive_contents *contents, const char *name) {
  annot_file *file = archive->file;
  annot_elf elf = {
      .file = file, .source = contents->source, .member = name, .base = contents->base,
      .size = contents->size,
  };
  // What libelf has as an archive it opens members of; all else is opened by itself.
  Elf *opened = contents->source == archive->source ? archive->elf : NULL;
  bool success;
  if (!opened || sys_elf_rand(opened, (size_t)contents->header)) success = annot_read_elf(&elf, opened);
  else {
    success = false;
    annot_error_set_elf(&file->error, "libelf cannot find it");
  }
  if (success || file->error.code == ANNOT_ERROR_MEMORY) return success;
  annot_error error = file->error;
  return annot_file_add_note(file, name, error.code, error.offset, "%s", error.detail);
}

bool annot_archive_visit(annot_archive *archive, const annot_archive_contents *contents, const char *name) {
  annot_file *file = archive->file;
  unsigned char head[annot_head_size];
  size_t wanted = contents->size < sizeof head ? (size_t)contents->size : sizeof head;
  ssize_t length = annot_source_read(contents->source, head, wanted, contents->base);
  if (length < 0) {
    annot_error_set_system(&file->error, "a member cannot be read", errno);
    return false;
  }
  const char *what = NULL;
  switch (annot_identify(head, (size_t)length, &what)) {
    case ANNOT_FORMAT_ELF: return read_elf(archive, contents, name);
    case ANNOT_FORMAT_BITCODE:
      return annot_file_add_note(file, name, ANNOT_ERROR_UNSUPPORTED, 0, "this is %s", what);
    case ANNOT_FORMAT_ARCHIVE:
    case ANNOT_FORMAT_THIN_ARCHIVE:
      return annot_file_add_note(
          file, name, ANNOT_ERROR_UNSUPPORTED, 0, "this is an archive in an archive: read it by itself");
    default:
      // Archives may hold anything beside object files; that is no fault of theirs.
      return annot_file_add_note(file, name, ANNOT_ERROR_NONE, 0, "passed over, as it is %s", what);
  }
}

static bool visit_member(annot_archive *archive, const member *member) {
  if (is_name_table(member->header) && !archive->names) {
    archive->names = member->base;
    archive->names_size = member->size;
  }
  if (is_special(member->header)) return true;
  if (archive->only && archive->only != member->offset) return true;
  archive->met = true;
  if (member->size == 0 && !archive->is_thin) return true;
  // libelf would look for the table in all of the archive, and take as much memory as it claims to have.
  if (has_long_name(member->header) && !archive->names)
    return note(archive, member->offset, "the archive has no table of names before this member");

  uint64_t nested;
  const char *name = member_name(archive, member, &nested);
  if (name && archive->prefix) name = nested_name(archive, name);
  if (!name) return false;
  if (archive->is_thin) return annot_archive_visit_file(archive, name, member->offset, nested);
  annot_archive_contents contents = {archive->source, member->offset, member->base, member->size};
  return annot_archive_visit(archive, &contents, name);
}

bool annot_archive_read_members(annot_archive *archive) {
  uint64_t offset = magic_size;
  while (offset < archive->source->size && (!archive->only || offset <= archive->only)) {
    member member;
    bool sound;
    if (!read_member(archive, offset, &member, &sound)) return false;
    if (!sound) return true;
    if (!visit_member(archive, &member)) return false;
    offset = member.base;
    // Members begin at even offsets.
    if (holds(archive, &member)) offset += member.size + (member.size & 1);
  }
  return true;
}

bool annot_read_archive(annot_file *file, bool is_thin) {
  annot_archive archive = {.file = file, .source = &file->source, .is_thin = is_thin};
  // libelf knows no thin archives before 0.189, and needs none in memory: see annot_source_elf.
  if (!is_thin && !file->source.memory) {
    archive.elf = annot_source_elf(&file->source, 0, file->source.size, NULL);
    if (!archive.elf) {
      annot_error_set_elf(&file->error, "libelf cannot open the archive");
      return false;
    }
  }
  bool success = annot_archive_read_members(&archive);
  if (archive.elf) sys_elf_end(archive.elf);
  return success;
}
