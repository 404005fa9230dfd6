// Reads files as the file reader and the validator do, and prints all that they find, for tests on other machines.
//
//   file PATH     the sections of an ELF file or archive, what there is to say about it, and its records
//   bytes PATH    a file whose bytes are the contents of a section

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annot/collect.h"
#include "annot/file.h"

static void print_text(annot_text text) { printf(" [%.*s]", (int)text.length, text.bytes ? text.bytes : ""); }

static void collect(const annot_text *sections, size_t count) {
  annot_collection found;
  if (!annot_collect(sections, count, &found)) exit(4);
  for (size_t i = 0; i < found.record_count; i++) {
    const annot_found_record *record = &found.records[i];
    const annot_record_fields fields = annot_found_fields(record);
    printf("record %d%d%d %llu", record->is_static, record->canonical, record->printable,
           (unsigned long long)record->line);
    print_text(fields.kind);
    print_text(fields.cls);
    print_text(fields.sel);
    print_text(fields.module);
    print_text(fields.file);
    print_text((annot_text){record->bytes, record->length});
    putchar('\n');
  }
  for (size_t i = 0; i < found.fault_count; i++) {
    const annot_found_fault *fault = &found.faults[i];
    printf("fault %u %llu %u %s\n", (unsigned)fault->section, (unsigned long long)fault->offset,
           (unsigned)fault->where, annot_fault_text(fault->fault));
  }
  printf("copies %zu\n", found.duplicates);
  annot_collection_free(&found);
}

static void read_file(const char *path) {
  annot_error error;
  annot_file *file = annot_file_open(path, NULL, &error);
  if (!file) {
    printf("error %d %s\n", (int)error.code, error.detail);
    return;
  }
  const size_t count = annot_file_section_count(file);
  annot_text *sections = calloc(count + 1, sizeof *sections);
  for (size_t i = 0; i < count; i++) {
    const annot_file_section *each = annot_file_section_at(file, i);
    sections[i] = (annot_text){each->bytes, each->size};
    printf("section %s %zu %llu %llu\n", each->member ? each->member : "-", each->size,
           (unsigned long long)each->offset, (unsigned long long)each->address);
  }
  for (size_t i = 0; i < annot_file_note_count(file); i++) {
    const annot_file_note *note = annot_file_note_at(file, i);
    printf("note %d %s\n", (int)note->code, note->text);
  }
  collect(sections, count);
  free(sections);
  annot_file_close(file);
}

static void read_bytes(const char *path) {
  static char bytes[1 << 20];
  FILE *file = fopen(path, "re");
  if (!file) exit(3);
  const annot_text section = {bytes, fread(bytes, 1, sizeof bytes, file)};
  fclose(file);
  collect(&section, 1);
}

int main(int count, char **words) {
  for (int i = 1; i + 1 < count; i += 2) {
    if (!strcmp(words[i], "file")) read_file(words[i + 1]);
    else if (!strcmp(words[i], "bytes")) read_bytes(words[i + 1]);
    else return 2;
  }
  return 0;
}
