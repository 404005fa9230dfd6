#include <string.h>

#include "internal.h"

int annot_text_compare(annot_text a, annot_text b) {
  size_t shared = a.length < b.length ? a.length : b.length;
  int order = shared ? memcmp(a.bytes, b.bytes, shared) : 0;
  if (order) return order;
  return (a.length > b.length) - (a.length < b.length);
}

bool annot_text_equal(annot_text a, annot_text b) {
  return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

int annot_record_order(
    const annot_record_fields *a, annot_text a_bytes, const annot_record_fields *b, annot_text b_bytes) {
  int order = annot_text_compare(a->file, b->file);
  if (order) return order;
  if (a->line != b->line) return a->line < b->line ? -1 : 1;
  order = annot_text_compare(a->kind, b->kind);
  if (order) return order;
  order = annot_text_compare(a->cls, b->cls);
  if (order) return order;
  order = annot_text_compare(a->sel, b->sel);
  if (order) return order;
  return annot_text_compare(a_bytes, b_bytes);
}
