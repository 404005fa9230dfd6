/// Fuzzes the splitter, the validator and what is built on them: the input is the bytes of two sections.
///
/// Beside what the sanitizers notice, what documentation promises is checked, and a broken promise traps.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "annot/collect.h"
#include "annot/target.h"

#define PROMISED(condition) \
  do { if (!(condition)) __builtin_trap(); } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(annot_text text, const char *bytes, size_t length) {
  if (!text.bytes) return;
  PROMISED(text.bytes > bytes && text.bytes + text.length < bytes + length);
  size_t decoded = annot_text_unescape(text, NULL, 0);
  PROMISED(decoded <= text.length);
  char *out = malloc(decoded + 1);
  PROMISED(out && annot_text_unescape(text, out, decoded) == decoded);
  free(out);
}

static void check_members(const char *bytes, size_t length) {
  size_t position = 0, count = 0;
  annot_member member;
  while (annot_next_member(bytes, length, &position, &member)) {
    PROMISED(position <= length && ++count <= length);
    PROMISED(member.value.length > 0);
    PROMISED(member.value.bytes + member.value.length <= bytes + length);
  }
  PROMISED(count > 0);
}

static void check_record(const annot_found_record *record) {
  annot_record_fields again, fields = annot_found_fields(record);
  size_t where;
  PROMISED(annot_validate(record->bytes, record->length, &again, &where) == ANNOT_FAULT_NONE);
  PROMISED(again.kind.bytes == fields.kind.bytes && again.kind.length == fields.kind.length);
  PROMISED(again.line == fields.line && again.is_static == fields.is_static);
  PROMISED(fields.kind.length > 0);
  check_text(fields.kind, record->bytes, record->length);
  check_text(fields.cls, record->bytes, record->length);
  check_text(fields.sel, record->bytes, record->length);
  check_text(fields.module, record->bytes, record->length);
  check_text(fields.file, record->bytes, record->length);
  check_members(record->bytes, record->length);

  annot_target target = {fields.module, fields.cls, fields.sel, fields.is_static};
  annot_target_matches(&target, &target);
}

static int order(const annot_found_record *a, const annot_found_record *b) {
  annot_record_fields x = annot_found_fields(a), y = annot_found_fields(b);
  return annot_record_order(
      &x, (annot_text){a->bytes, a->length}, &y, (annot_text){b->bytes, b->length});
}

static size_t count_runs(const annot_text *sections, size_t count) {
  size_t runs = 0;
  for (size_t i = 0; i < count; i++) {
    size_t position = 0;
    annot_span span;
    while (annot_split(sections[i].bytes, sections[i].length, &position, &span)) {
      PROMISED(span.length > 0 && span.offset + span.length <= sections[i].length);
      runs++;
    }
  }
  return runs;
}

/// The same within limits: no record is over them, and every run of bytes is still accounted for.
static void check_limits(const annot_text *sections, size_t runs) {
  const annot_record_limits limits = {.length = 48, .depth = 2};
  annot_collection found;
  PROMISED(annot_collect_within(sections, 2, &limits, &found));
  PROMISED(found.record_count + found.duplicates + found.fault_count + found.unkept_faults == runs);
  for (size_t i = 0; i < found.record_count; i++) PROMISED(found.records[i].length <= limits.length);
  annot_collection_free(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Two, so that the order of sections and copies in both are met too.
  size_t half = size / 2;
  annot_text sections[2] = {{(const char *)data, half}, {(const char *)data + half, size - half}};
  annot_collection found;
  PROMISED(annot_collect(sections, 2, &found));
  PROMISED(found.record_count + found.duplicates + found.fault_count + found.unkept_faults ==
           count_runs(sections, 2));
  for (size_t i = 0; i < found.record_count; i++) {
    check_record(&found.records[i]);
    if (i) PROMISED(order(&found.records[i - 1], &found.records[i]) < 0);
  }
  for (size_t i = 0; i < found.fault_count; i++) {
    const annot_found_fault *fault = &found.faults[i];
    PROMISED(fault->fault != ANNOT_FAULT_NONE && fault->offset < sections[fault->section].length);
    PROMISED(fault->offset + fault->where <= sections[fault->section].length);
    PROMISED(annot_fault_text(fault->fault));
  }
  const size_t runs = found.record_count + found.duplicates + found.fault_count + found.unkept_faults;
  annot_collection_free(&found);
  check_limits(sections, runs);
  return 0;
}
