#include <string.h>

#include "annot/target.h"
#include "internal.h"

/// A selector taken apart. `transfer:to:` and `transfer(_:to:)` differ only in where the labels begin.
typedef struct selector {
  char sign;          ///< '+', '-' or 0
  annot_text base;    ///< the name before the labels
  annot_text labels;  ///< what is between the name and the end: `_:to:`, `:to:` or nothing
  bool any_labels;    ///< a bare name
} selector;

/// Whether `byte` can begin a name; a sign before anything else is itself an operator's name.
static bool begins_name(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == '$' ||
         byte == '`' || byte == '~' || (unsigned char)byte >= 0x80;
}

static annot_text text_between(const char *from, const char *to) {
  return (annot_text){from, (size_t)(to - from)};
}

static selector take_apart(annot_text text) {
  selector result = {0, {text.bytes, 0}, {text.bytes, 0}, true};
  const char *cursor = text.bytes, *end = text.bytes + text.length;
  bool has_sign = text.length > 1 && (*cursor == '+' || *cursor == '-') && begins_name(cursor[1]);
  if (has_sign) result.sign = *cursor++;

  const char *name = cursor;
  while (cursor < end && *cursor != '(' && *cursor != ':') cursor++;
  result.base = text_between(name, cursor);
  if (cursor == end) return result;

  result.any_labels = false;
  bool has_parentheses = *cursor == '(' && end[-1] == ')';
  result.labels = has_parentheses ? text_between(cursor + 1, end - 1) : text_between(cursor, end);
  return result;
}

/// Takes the next label off the front: what comes before the next colon, `_` read as empty.
static annot_text next_label(annot_text *labels) {
  const char *colon = memchr(labels->bytes, ':', labels->length);
  const char *end = labels->bytes + labels->length;
  annot_text label = text_between(labels->bytes, colon ? colon : end);
  *labels = colon ? text_between(colon + 1, end) : text_between(end, end);
  if (label.length == 1 && label.bytes[0] == '_') label.length = 0;
  return label;
}

static bool labels_equal(annot_text a, annot_text b) {
  while (a.length && b.length)
    if (!annot_text_equal(next_label(&a), next_label(&b))) return false;
  return a.length == b.length;
}

bool annot_selector_matches(annot_text wanted, annot_text actual, bool actual_is_static) {
  if (wanted.length == 0 || actual.length == 0) return wanted.length == actual.length;
  selector w = take_apart(wanted), a = take_apart(actual);
  bool is_static = actual_is_static || a.sign == '+';
  if (w.sign && (w.sign == '+') != is_static) return false;
  if (!annot_text_equal(w.base, a.base)) return false;
  return w.any_labels || labels_equal(w.labels, a.labels);
}

/// A module's name, with the old name of C read as the new one.
static annot_text module_name(annot_text module) {
  if (module.length == 2 && memcmp(module.bytes, "OC", 2) == 0) return (annot_text){"C", 1};
  return module;
}

bool annot_target_matches(const annot_target *wanted, const annot_target *actual) {
  if (!annot_text_equal(wanted->cls, actual->cls)) return false;
  if (wanted->module.length && actual->module.length &&
      !annot_text_equal(module_name(wanted->module), module_name(actual->module)))
    return false;
  return annot_selector_matches(wanted->sel, actual->sel, actual->is_static);
}
