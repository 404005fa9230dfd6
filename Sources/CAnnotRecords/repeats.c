#include "annot/repeat.h"

#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sys.h"

// docs/record-format.md, "Conflicts".

enum { key_limit = 5 };

/// What names the one thing that a record of a kind is about; `static` is looked at where `sel` is.
typedef struct rule {
  const char *kind;
  const char *key[key_limit];
} rule;

// Kinds of an application's own have no rule: several records of one target may be meant.
static const rule rules[] = {
    {"needlogin", {"module", "cls", "sel"}},
    {"track", {"module", "cls", "sel", "event"}},
    {"joinpoint", {"module", "cls", "sel"}},
    {"class", {"module", "cls"}},
    {"module", {"module", "cls"}},
    {"service", {"module", "protocol"}},
    {"tweak", {"name"}},
};

static bool is_text(annot_text a, const char *text) {
  return a.length == strlen(text) && !memcmp(a.bytes, text, a.length);
}

static bool is_same(annot_text a, annot_text b) {
  return a.length == b.length && (a.length == 0 || !memcmp(a.bytes, b.bytes, a.length));
}

static const rule *rule_of(const annot_record_view *record) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (is_text(record->kind, rules[i].kind)) return &rules[i];
  return NULL;
}

/// The value of a member as it stands in the record; empty when there is none.
static annot_text member_of(const annot_record_view *record, annot_text name) {
  size_t position = 0;
  annot_member member;
  while (annot_next_member(record->bytes, record->length, &position, &member))
    if (is_same(member.name, name)) return member.value;
  return (annot_text){NULL, 0};
}

static annot_text text_of(const char *text) { return (annot_text){text, strlen(text)}; }

/// The value of a key's member. "OC" is read as "C".
static annot_text key_value(const annot_record_view *record, const char *name) {
  const annot_text value = member_of(record, text_of(name));
  return !strcmp(name, "module") && is_text(value, "\"OC\"") ? text_of("\"C\"") : value;
}

static bool is_key(const rule *it, annot_text name) {
  for (size_t i = 0; i < key_limit && it->key[i]; i++)
    if (is_text(name, it->key[i])) return true;
  return false;
}

/// Whether two records of one kind are about the same thing.
static bool is_about_same(const rule *it, const annot_record_view *a, const annot_record_view *b) {
  if (a->is_static != b->is_static) return false;
  for (size_t i = 0; i < key_limit && it->key[i]; i++)
    if (!is_same(key_value(a, it->key[i]), key_value(b, it->key[i]))) return false;
  return true;
}

/// Whether the member tells nothing of the thing itself.
static bool is_beside(const rule *it, annot_text name) {
  return is_text(name, "kind") || is_text(name, "file") || is_text(name, "line") || is_text(name, "static") ||
         is_key(it, name);
}

/// Whether `b` has all that `a` says of the thing, in whatever order.
static bool says_all(const rule *it, const annot_record_view *a, const annot_record_view *b) {
  size_t position = 0;
  annot_member member;
  while (annot_next_member(a->bytes, a->length, &position, &member))
    if (!is_beside(it, member.name) && !is_same(member.value, member_of(b, member.name))) return false;
  return true;
}

static uint64_t hash_of(const rule *it, const annot_record_view *record) {
  uint64_t hash = (uint64_t)(it - rules) * 2 + record->is_static;
  for (size_t i = 0; i < key_limit && it->key[i]; i++) {
    const annot_text value = key_value(record, it->key[i]);
    for (size_t at = 0; at < value.length; at++)
      hash = (hash ^ (unsigned char)value.bytes[at]) * UINT64_C(0x100000001B3);
    hash = (hash ^ value.length) * UINT64_C(0x9E3779B97F4A7C15);
  }
  return hash;
}

/// The records that are looked at.
typedef struct records {
  annot_record_at *at;
  const void *context;
  size_t count;
} records;

typedef struct entry {
  uint64_t hash;
  size_t record;
} entry;

static int by_hash(const void *a, const void *b) {
  const entry *x = a, *y = b;
  if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
  return (x->record > y->record) - (x->record < y->record);
}

static int by_record(const void *a, const void *b) {
  const annot_repeat *x = a, *y = b;
  return (x->second > y->second) - (x->second < y->second);
}

/// The entries of all records that a rule is for, those of one hash together; null when memory runs out.
static entry *list(const records *records, size_t *count) {
  // Never of no size, for which null is no failure.
  entry *entries = sys_malloc((records->count + 1) * sizeof *entries);
  *count = 0;
  for (size_t i = 0; entries && i < records->count; i++) {
    const annot_record_view record = records->at(records->context, i);
    const rule *it = rule_of(&record);
    if (it) entries[(*count)++] = (entry){hash_of(it, &record), i};
  }
  if (entries) qsort(entries, *count, sizeof *entries, by_hash);
  return entries;
}

/// Compares a record with the first that is about the same thing. Records of one hash are about one thing but
/// for rare accidents, so it looks back no further than to the first of them.
static bool is_repeat(const records *records, annot_repeat *pair) {
  const annot_record_view a = records->at(records->context, pair->first);
  const annot_record_view b = records->at(records->context, pair->second);
  const rule *it = rule_of(&a);
  if (it != rule_of(&b) || !is_about_same(it, &a, &b)) return false;
  pair->contradicts = !says_all(it, &a, &b) || !says_all(it, &b, &a);
  return true;
}

bool annot_find_repeats(
    annot_record_at *at, const void *context, size_t count, annot_repeat **repeats, size_t *repeat_count) {
  const records records = {at, context, count};
  size_t entry_count, first = 0;
  *repeats = NULL;
  *repeat_count = 0;
  entry *entries = list(&records, &entry_count);
  annot_repeat *found = entries ? sys_malloc((entry_count + 1) * sizeof *found) : NULL;
  for (size_t i = 1; found && i < entry_count; i++) {
    if (entries[i].hash != entries[first].hash) {
      first = i;
      continue;
    }
    annot_repeat pair = {entries[first].record, entries[i].record, false};
    if (is_repeat(&records, &pair)) found[(*repeat_count)++] = pair;
  }
  sys_free(entries);
  if (!found) return false;
  qsort(found, *repeat_count, sizeof *found, by_record);
  *repeats = found;
  return true;
}

void annot_repeats_free(annot_repeat *repeats) { sys_free(repeats); }
