/// Fuzzes the file reader: the input is a file, which is read from memory and through a descriptor.
///
/// Beside what the sanitizers notice, what documentation promises is checked, and a broken promise traps.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "annot/file.h"

#define PROMISED(condition) \
  do { if (!(condition)) __builtin_trap(); } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// A thin archive among the seeds names this descriptor's file, which is itself.
enum { input_descriptor = 100 };
static const char input_path[] = "/proc/self/fd/100";

/// What a hostile file may ask for, so that honest refusals do not look like a leak of memory.
enum { limit = 1 << 20 };

/// Reads every byte that the reader hands out, so that the sanitizer sees each.
static void use(const annot_file *file) {
  uint64_t held = 0;
  volatile unsigned sum = 0;
  for (size_t i = 0; i < annot_file_section_count(file); i++) {
    const annot_file_section *section = annot_file_section_at(file, i);
    PROMISED(section->bytes && strcmp(section->name, "annot") == 0);
    for (size_t at = 0; at < section->size; at++) sum += (unsigned char)section->bytes[at];
    if (section->member) sum += (unsigned)strlen(section->member);
    held += section->size;
  }
  PROMISED(held <= limit);
  for (size_t i = 0; i < annot_file_note_count(file); i++) {
    const annot_file_note *note = annot_file_note_at(file, i);
    PROMISED(note->text[0] != '\0');
    if (note->member) sum += (unsigned)strlen(note->member);
  }
  const annot_linkage *linkage = annot_file_linkage(file);
  const char *const texts[] = {
      linkage ? linkage->interpreter : NULL, linkage ? linkage->soname : NULL, linkage ? linkage->rpath : NULL,
      linkage ? linkage->runpath : NULL,
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i]) sum += (unsigned)strlen(texts[i]);
  for (size_t i = 0; linkage && i < linkage->needed_count; i++) sum += (unsigned)strlen(linkage->needed[i]);
  size_t length;
  const unsigned char *id = annot_file_build_id(file, &length);
  for (size_t i = 0; i < length; i++) sum += id[i];
}

static void use_symbol(const char *name, void *context) { *(size_t *)context += strlen(name); }

static void finish(annot_file *file, const annot_error *error) {
  if (file) use(file);
  else PROMISED(error->code != ANNOT_ERROR_NONE && error->detail[0] != '\0');
  annot_file_close(file);
}

static void put(const uint8_t *data, size_t size) {
  static int descriptor = -1;
  if (descriptor < 0) {
    int made = memfd_create("input", MFD_CLOEXEC);
    PROMISED(made >= 0);
    descriptor = dup2(made, input_descriptor);
    close(made);
  }
  PROMISED(ftruncate(descriptor, 0) == 0);
  PROMISED(pwrite(descriptor, data, size, 0) == (ssize_t)size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t symbols = 0;
  annot_file_options options = {
      .limit = limit, .linkage = true, .symbol = use_symbol, .symbol_context = &symbols,
  };
  annot_error error;
  finish(annot_file_open_memory(data, size, &options, &error), &error);
  put(data, size);
  finish(annot_file_open_descriptor(input_descriptor, &options, &error), &error);
  if (size > 8 && memcmp(data, "!<thin>\n", 8) == 0)
    finish(annot_file_open(input_path, &options, &error), &error);
  return 0;
}
