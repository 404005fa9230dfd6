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

static selector take_apart(annot_text text, bool is_pattern) {
  selector result = {0, {text.bytes, 0}, {text.bytes, 0}, true};
  const char *cursor = text.bytes, *end = text.bytes + text.length;
  bool has_sign = text.length > 1 && (*cursor == '+' || *cursor == '-') &&
                  (begins_name(cursor[1]) || (is_pattern && cursor[1] == '*'));
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

static bool signs_agree(selector wanted, selector actual, bool actual_is_static) {
  return !wanted.sign || (wanted.sign == '+') == (actual_is_static || actual.sign == '+');
}

bool annot_selector_matches(annot_text wanted, annot_text actual, bool actual_is_static) {
  if (wanted.length == 0 || actual.length == 0) return wanted.length == actual.length;
  selector w = take_apart(wanted, false), a = take_apart(actual, false);
  return signs_agree(w, a, actual_is_static) && annot_text_equal(w.base, a.base) &&
         (w.any_labels || labels_equal(w.labels, a.labels));
}

/// A module's name, with the old name of C read as the new one.
static annot_text module_name(annot_text module) {
  if (module.length == 2 && memcmp(module.bytes, "OC", 2) == 0) return (annot_text){"C", 1};
  return module;
}

/// The next byte of labels; before a label that is `_`, which is read as empty, the byte behind it.
static const char *past_blank(annot_text labels, const char *cursor, bool has_labels) {
  const char *end = labels.bytes + labels.length;
  const bool begins_label = has_labels && (cursor == labels.bytes || cursor[-1] == ':');
  const bool is_blank = begins_label && cursor < end && *cursor == '_' && (cursor + 1 == end || cursor[1] == ':');
  return is_blank ? cursor + 1 : cursor;
}

/// Matches text, or lists of labels, against a pattern: what follows the last `*` is tried ever further right.
static bool glob(annot_text pattern, annot_text text, bool has_labels) {
  if (!text.bytes) text.bytes = "";
  const char *p = pattern.bytes, *p_end = p + pattern.length;
  const char *t = text.bytes, *t_end = t + text.length;
  const char *after_star = NULL, *tried = t;
  for (;;) {
    p = past_blank(pattern, p, has_labels);
    t = past_blank(text, t, has_labels);
    if (p < p_end && *p == '*') {
      after_star = ++p;
      tried = t;
    } else if (p < p_end && t < t_end && *p == *t) {
      p++;
      t++;
    } else if (p == p_end && t == t_end) {
      return true;
    } else {
      if (!after_star || tried == t_end) return false;
      p = after_star;
      t = ++tried;
    }
  }
}

bool annot_pattern_matches(annot_text pattern, annot_text text) {
  if (!pattern.length || !memchr(pattern.bytes, '*', pattern.length)) return annot_text_equal(pattern, text);
  return glob(pattern, text, false);
}

bool annot_selector_matches_pattern(annot_text pattern, annot_text actual, bool actual_is_static) {
  if (pattern.length == 0 || actual.length == 0 || !memchr(pattern.bytes, '*', pattern.length))
    return annot_selector_matches(pattern, actual, actual_is_static);
  selector p = take_apart(pattern, true), a = take_apart(actual, false);
  return signs_agree(p, a, actual_is_static) && annot_pattern_matches(p.base, a.base) &&
         (p.any_labels || glob(p.labels, a.labels, true));
}

bool annot_target_matches_pattern(const annot_target *pattern, const annot_target *actual) {
  if (!annot_pattern_matches(pattern->cls, actual->cls)) return false;
  if (pattern->module.length && actual->module.length &&
      !annot_pattern_matches(module_name(pattern->module), module_name(actual->module)))
    return false;
  return annot_selector_matches_pattern(pattern->sel, actual->sel, actual->is_static);
}

bool annot_target_matches(const annot_target *wanted, const annot_target *actual) {
  if (!annot_text_equal(wanted->cls, actual->cls)) return false;
  if (wanted->module.length && actual->module.length &&
      !annot_text_equal(module_name(wanted->module), module_name(actual->module)))
    return false;
  return annot_selector_matches(wanted->sel, actual->sel, actual->is_static);
}
