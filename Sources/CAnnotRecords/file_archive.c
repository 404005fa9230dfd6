#include <errno.h>
#include <string.h>

#include "file_reader.h"

// The format is ar(5)'s with the GNU name table. Member headers are walked here and not by elf_next, which
// does not tell the end from an error, and so that each member's ELF header is checked before libelf sees it.

enum { header_size = 60, magic_size = 8 };

typedef struct archive {
  annot_file *file;
  Elf *elf;
  uint64_t names;       ///< where the table of long names is; 0 when there is none
  uint64_t names_size;
} archive;

/// Where in the file a member is.
typedef struct member {
  char header[header_size];
  uint64_t offset;  ///< of its header
  uint64_t base;    ///< of its bytes
  uint64_t size;
} member;

/// A decimal number, padded with spaces; false when it is none.
static bool decimal(const char *text, size_t width, uint64_t *value) {
  size_t i = 0;
  for (*value = 0; i < width && text[i] >= '0' && text[i] <= '9'; i++)
    *value = *value * 10 + (uint64_t)(text[i] - '0');
  if (i == 0) return false;
  while (i < width && text[i] == ' ') i++;
  return i == width || text[i] == '\n' || text[i] == '/';
}

static bool note(archive *archive, uint64_t offset, const char *text) {
  return annot_file_add_note(archive->file, NULL, ANNOT_ERROR_MALFORMED, offset, "%s", text);
}

/// Reads the member's header at `offset`; `*sound` is false, with a note added, when there is none.
static bool read_member(archive *archive, uint64_t offset, member *member, bool *sound) {
  annot_file *file = archive->file;
  *sound = false;
  ssize_t length = sys_pread(file->descriptor, member->header, header_size, offset);
  if (length < 0) {
    annot_error_set_system(&file->error, "the archive cannot be read", errno);
    return false;
  }
  if (length < header_size) return note(archive, offset, "the archive is cut off within a member's header");
  if (member->header[58] != '`' || member->header[59] != '\n' ||
      !decimal(member->header + 48, 10, &member->size))
    return note(archive, offset, "the archive is damaged: this is no member's header");
  member->offset = offset;
  member->base = offset + header_size;
  if (member->size > file->size - member->base) {
    member->size = file->size - member->base;
    if (!note(archive, offset, "the archive is cut off within this member")) return false;
  }
  *sound = true;
  return true;
}

/// A copy of the name at `offset` of the table of long names, which ends with a slash and a newline.
static const char *long_name(archive *archive, uint64_t offset) {
  char bytes[1024];
  if (offset >= archive->names_size) return annot_file_copy(archive->file, "?", 1);
  uint64_t left = archive->names_size - offset;
  size_t wanted = left < sizeof bytes ? (size_t)left : sizeof bytes;
  ssize_t length = sys_pread(archive->file->descriptor, bytes, wanted, archive->names + offset);
  if (length <= 0) return annot_file_copy(archive->file, "?", 1);
  const char *end = memchr(bytes, '\n', (size_t)length);
  size_t size = end ? (size_t)(end - bytes) : (size_t)length;
  if (size && bytes[size - 1] == '/') size--;
  return annot_file_copy(archive->file, bytes, size);
}

static const char *member_name(archive *archive, const member *member) {
  uint64_t offset;
  if (member->header[0] == '/' && decimal(member->header + 1, 15, &offset)) return long_name(archive, offset);
  size_t size = 16;
  while (size && member->header[size - 1] == ' ') size--;
  if (size && member->header[size - 1] == '/') size--;
  return annot_file_copy(archive->file, member->header, size);
}

/// Whether a member is the archive's own: its symbol table, or its table of long names.
static bool is_special(archive *archive, const member *member) {
  const char *header = member->header;
  if (memcmp(header, "// ", 3) == 0) {
    archive->names = member->base;
    archive->names_size = member->size;
    return true;
  }
  return memcmp(header, "/ ", 2) == 0 || memcmp(header, "/SYM64/ ", 8) == 0;
}

/// Reads an ELF member. What is wrong with it is a note: it must not keep the others from being read.
static bool read_elf_member(archive *archive, const member *member, const char *name) {
  annot_file *file = archive->file;
  annot_elf elf = {.file = file, .member = name, .base = member->base, .size = member->size};
  bool success;
  if (sys_elf_rand(archive->elf, (size_t)member->offset)) success = annot_read_elf(&elf, archive->elf);
  else {
    success = false;
    annot_error_set_elf(&file->error, "libelf cannot find it");
  }
  if (success || file->error.code == ANNOT_ERROR_MEMORY) return success;
  annot_error error = file->error;
  return annot_file_add_note(file, name, error.code, error.offset, "%s", error.detail);
}

static bool visit_member(archive *archive, const member *member) {
  annot_file *file = archive->file;
  if (is_special(archive, member) || member->size == 0) return true;
  const char *name = member_name(archive, member);
  if (!name) return false;

  unsigned char head[annot_head_size];
  size_t wanted = member->size < sizeof head ? (size_t)member->size : sizeof head;
  ssize_t length = sys_pread(file->descriptor, head, wanted, member->base);
  if (length < 0) {
    annot_error_set_system(&file->error, "a member cannot be read", errno);
    return false;
  }
  const char *what = NULL;
  switch (annot_identify(head, (size_t)length, &what)) {
    case ANNOT_FORMAT_ELF: return read_elf_member(archive, member, name);
    case ANNOT_FORMAT_BITCODE:
      return annot_file_add_note(file, name, ANNOT_ERROR_UNSUPPORTED, 0, "this is %s", what);
    case ANNOT_FORMAT_ARCHIVE:
      return annot_file_add_note(
          file, name, ANNOT_ERROR_UNSUPPORTED, 0, "this is an archive in an archive: unpack it first");
    default:
      // Archives may hold anything beside object files; that is no fault of theirs.
      return annot_file_add_note(file, name, ANNOT_ERROR_NONE, 0, "passed over, as it is %s", what);
  }
}

static bool read_members(archive *archive) {
  uint64_t offset = magic_size;
  while (offset < archive->file->size) {
    member member;
    bool sound;
    if (!read_member(archive, offset, &member, &sound)) return false;
    if (!sound) return true;
    if (!visit_member(archive, &member)) return false;
    // Members begin at even offsets.
    offset = member.base + member.size + (member.size & 1);
  }
  return true;
}

bool annot_read_archive(annot_file *file) {
  archive archive = {.file = file, .elf = sys_elf_begin(file->descriptor, NULL)};
  if (!archive.elf) {
    annot_error_set_elf(&file->error, "libelf cannot open the archive");
    return false;
  }
  bool success = read_members(&archive);
  sys_elf_end(archive.elf);
  return success;
}
