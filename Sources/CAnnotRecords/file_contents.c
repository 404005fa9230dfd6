#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "file_reader.h"

/// ELFCOMPRESS_ZSTD of the System V ABI, which older headers do not name.
enum { method_zstd = 2 };

/// Counts more bytes of contents; when they are over the limit a note says so and `*within` is false.
static bool count_held(annot_elf *elf, const annot_file_section *section, bool *within) {
  annot_file *file = elf->file;
  *within = section->size <= file->options.limit - file->held;
  if (*within) {
    file->held += section->size;
    return true;
  }
  return annot_file_add_note(
      file, elf->member, ANNOT_ERROR_LIMIT, section->offset,
      "section '%s' of %zu bytes was not read: with what was read before it is over the limit of %llu",
      section->name, section->size, (unsigned long long)file->options.limit);
}

/// Cuts the section's size down to what the file has of it, with a note.
static bool cut_to_file(annot_elf *elf, annot_file_section *section) {
  uint64_t there = section->offset < elf->size ? elf->size - section->offset : 0;
  if (section->size <= there) return true;
  uint64_t wanted = section->size;
  section->size = (size_t)there;
  return annot_file_add_note(
      elf->file, elf->member, ANNOT_ERROR_MALFORMED, section->offset,
      "the file is cut off: of the %llu bytes of section '%s' it has %zu", (unsigned long long)wanted,
      section->name, section->size);
}

/// Reads the bytes into memory of the file's; a shorter file than before gives fewer, with a note.
static bool read_bytes(annot_elf *elf, annot_file_section *section) {
  char *bytes = annot_file_allocate(elf->file, section->size ? section->size : 1);
  if (!bytes) return false;
  ssize_t length = annot_source_read(elf->source, bytes, section->size, elf->base + section->offset);
  if (length < 0) {
    annot_error_set_system(&elf->file->error, "the annotations cannot be read", errno);
    elf->file->error.offset = section->offset;
    return false;
  }
  section->bytes = bytes;
  if ((size_t)length == section->size) return true;
  section->size = (size_t)length;
  return annot_file_add_note(
      elf->file, elf->member, ANNOT_ERROR_MALFORMED, section->offset,
      "the file became shorter while section '%s' was read", section->name);
}

bool annot_read_contents(annot_elf *elf, annot_file_section *section) {
  if (!cut_to_file(elf, section)) return false;
  if (!elf->file->options.headers_only) {
    bool within;
    if (!count_held(elf, section, &within)) return false;
    if (!within) return true;
    if (!read_bytes(elf, section)) return false;
  }
  return annot_file_add_section(elf->file, section);
}

static bool not_decompressed(annot_elf *elf, const annot_file_section *section, const char *why) {
  return annot_file_add_note(
      elf->file, elf->member, ANNOT_ERROR_MALFORMED, section->offset,
      "section '%s' cannot be decompressed: %s", section->name, why);
}

/// Whether a section may be decompressed to the size that its header tells; if not, a note says so.
static bool may_decompress(annot_elf *elf, const annot_file_section *section, bool *success) {
  const uint64_t limit = elf->file->options.decompression_limit;
  *success = true;
  // Where the limit of all contents is the lower one, it is that which is told of.
  if (section->size <= limit || elf->file->options.limit <= limit) return true;
  *success = annot_file_add_note(
      elf->file, elf->member, ANNOT_ERROR_LIMIT, section->offset,
      "section '%s' was not decompressed: it would have %zu bytes, and the limit of one is %llu", section->name,
      section->size, (unsigned long long)limit);
  return false;
}

static const char *elf_words(void) {
  int code = sys_elf_errno();
  const char *words = code ? sys_elf_errmsg(code) : NULL;
  return words ? words : "libelf gives no reason";
}

static bool method_unknown(annot_elf *elf, const annot_file_section *section, const char *method) {
  return annot_file_add_note(
      elf->file, elf->member, ANNOT_ERROR_UNSUPPORTED, section->offset,
      "section '%s' is compressed by %s, which this system's libelf cannot decompress: objcopy "
      "--decompress-debug-sections unpacks it", section->name, method);
}

/// Copies what libelf decompressed: it goes away with the Elf.
static bool copy_decompressed(annot_elf *elf, Elf_Scn *scn, annot_file_section *section, bool is_zstd) {
  const Elf_Data *data = sys_elf_decompress(scn) >= 0 ? sys_elf_getdata(scn) : NULL;
  if (!data || (data->d_size && !data->d_buf)) {
    elf->file->held -= section->size;
    // Versions before 0.189, and those built without zstd, only say that they do not know the method.
    return is_zstd ? method_unknown(elf, section, "zstd") : not_decompressed(elf, section, elf_words());
  }
  section->size = data->d_size;
  section->bytes = annot_file_copy(elf->file, data->d_buf ? data->d_buf : "", data->d_size);
  return section->bytes && annot_file_add_section(elf->file, section);
}

bool annot_read_compressed(annot_elf *elf, Elf_Scn *scn, annot_file_section *section) {
  GElf_Chdr header;
  if (!sys_gelf_getchdr(scn, &header)) return not_decompressed(elf, section, elf_words());
  if (header.ch_type != ELFCOMPRESS_ZLIB && header.ch_type != method_zstd) {
    char method[32];
    snprintf(method, sizeof method, "method %u", (unsigned)header.ch_type);
    return method_unknown(elf, section, method);
  }
  section->size = (size_t)header.ch_size;
  if (elf->file->options.headers_only) return annot_file_add_section(elf->file, section);
  bool within, success;
  if (!may_decompress(elf, section, &success)) return success;
  // Asked before a byte is decompressed: the header tells the size, and libelf stops there.
  if (!count_held(elf, section, &within)) return false;
  return !within || copy_decompressed(elf, scn, section, header.ch_type == method_zstd);
}
