#include <string.h>

#include "file_reader.h"

/// A format that begins with certain bytes.
typedef struct signature {
  const char *bytes;
  unsigned char length;
  unsigned char format;
  const char *what;
} signature;

#define SIGNATURE(bytes, format, what) {bytes, sizeof(bytes) - 1, format, what}

static const char mach_o[] =
    "a Mach-O file (macOS): read it with that system's tools, or build for Linux";
static const char bitcode[] =
    "LLVM bitcode, which holds no sections yet: link it, or compile without -flto, and read the result";
static const char packed[] = "a compressed file or package: unpack it first";

static const signature signatures[] = {
    SIGNATURE("\177ELF", ANNOT_FORMAT_ELF, NULL),
    SIGNATURE("!<arch>\n", ANNOT_FORMAT_ARCHIVE, NULL),
    SIGNATURE("!<thin>\n", ANNOT_FORMAT_THIN_ARCHIVE,
              "a thin archive, which only names its members: read the object files themselves"),
    SIGNATURE("BC\xC0\xDE", ANNOT_FORMAT_BITCODE, bitcode),
    SIGNATURE("\xDE\xC0\x17\x0B", ANNOT_FORMAT_BITCODE, bitcode),
    SIGNATURE("#!", ANNOT_FORMAT_OTHER,
              "a script: name the program that it starts"),
    SIGNATURE("MZ", ANNOT_FORMAT_OTHER, "a PE file (Windows): build for Linux and read that"),
    SIGNATURE("\xFE\xED\xFA\xCE", ANNOT_FORMAT_OTHER, mach_o),
    SIGNATURE("\xFE\xED\xFA\xCF", ANNOT_FORMAT_OTHER, mach_o),
    SIGNATURE("\xCE\xFA\xED\xFE", ANNOT_FORMAT_OTHER, mach_o),
    SIGNATURE("\xCF\xFA\xED\xFE", ANNOT_FORMAT_OTHER, mach_o),
    SIGNATURE("\0asm", ANNOT_FORMAT_OTHER, "a WebAssembly module, which has no ELF sections"),
    SIGNATURE("PK\003\004", ANNOT_FORMAT_OTHER, packed),
    SIGNATURE("\037\213", ANNOT_FORMAT_OTHER, packed),
    SIGNATURE("BZh", ANNOT_FORMAT_OTHER, packed),
    SIGNATURE("\xFD" "7zXZ", ANNOT_FORMAT_OTHER, packed),
    SIGNATURE("\x28\xB5\x2F\xFD", ANNOT_FORMAT_OTHER, packed),
};

/// Universal Mach-O files and Java classes begin alike; a universal file has few architectures, and a class
/// has a version number in that place, which was never below 45.
static const char *cafebabe(const unsigned char *head, size_t length) {
  static const unsigned char magic[] = {0xCA, 0xFE, 0xBA, 0xBE};
  if (length < 8 || memcmp(head, magic, 4) != 0) return NULL;
  bool is_class = head[4] || head[5] || head[6] || head[7] >= 45;
  return is_class ? "a Java class file, which has no ELF sections" : mach_o;
}

/// Whether all of it could stand in a text file.
static bool is_text(const unsigned char *head, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (head[i] == 0 || (head[i] < 0x20 && !strchr("\n\t\r\f", head[i]))) return false;
  return true;
}

static bool contains(const unsigned char *head, size_t length, const char *word) {
  size_t size = strlen(word);
  for (size_t i = 0; i + size <= length; i++)
    if (memcmp(head + i, word, size) == 0) return true;
  return false;
}

annot_format annot_identify(const unsigned char *head, size_t length, const char **what) {
  for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++) {
    const signature *s = &signatures[i];
    if (length < s->length || memcmp(head, s->bytes, s->length) != 0) continue;
    *what = s->what;
    return (annot_format)s->format;
  }
  // A file that was cut off within the signature was an ELF file; annot_check_header says so.
  if (length < 4 && memcmp(head, "\177ELF", length) == 0) return ANNOT_FORMAT_ELF;

  *what = cafebabe(head, length);
  if (*what) return ANNOT_FORMAT_OTHER;
  if (!is_text(head, length)) *what = "data of an unknown format";
  else if (contains(head, length, "GNU ld script") || contains(head, length, "INPUT(") ||
           contains(head, length, "GROUP (") || contains(head, length, "INPUT ("))
    *what = "a linker script: name the library that it points to";
  else *what = "a text file: name the program or library that was built";
  return ANNOT_FORMAT_OTHER;
}
