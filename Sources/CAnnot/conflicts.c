// Finds records that contradict each other: docs/record-format.md, "Conflicts".

#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "snapshot.h"

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

static const rule *rule_of(const annot_record *record) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (is_text(record->fields.kind, rules[i].kind)) return &rules[i];
  return NULL;
}

/// The value of a member as it stands in the record; empty when there is none.
static annot_text member_of(const annot_record *record, annot_text name) {
  size_t position = 0;
  annot_member member;
  while (annot_next_member(record->bytes, record->length, &position, &member))
    if (is_same(member.name, name)) return member.value;
  return (annot_text){NULL, 0};
}

static annot_text text_of(const char *text) { return (annot_text){text, strlen(text)}; }

/// The value of a key's member. "OC" is read as "C".
static annot_text key_value(const annot_record *record, const char *name) {
  const annot_text value = member_of(record, text_of(name));
  return !strcmp(name, "module") && is_text(value, "\"OC\"") ? text_of("\"C\"") : value;
}

static bool is_key(const rule *it, annot_text name) {
  for (size_t i = 0; i < key_limit && it->key[i]; i++)
    if (is_text(name, it->key[i])) return true;
  return false;
}

/// Whether two records of one kind are about the same thing.
static bool is_about_same(const rule *it, const annot_record *a, const annot_record *b) {
  if (a->fields.is_static != b->fields.is_static) return false;
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
static bool says_all(const rule *it, const annot_record *a, const annot_record *b) {
  size_t position = 0;
  annot_member member;
  while (annot_next_member(a->bytes, a->length, &position, &member))
    if (!is_beside(it, member.name) && !is_same(member.value, member_of(b, member.name))) return false;
  return true;
}

static uint64_t hash_of(const rule *it, const annot_record *record) {
  uint64_t hash = (uint64_t)(it - rules) * 2 + record->fields.is_static;
  for (size_t i = 0; i < key_limit && it->key[i]; i++) {
    const annot_text value = key_value(record, it->key[i]);
    for (size_t at = 0; at < value.length; at++)
      hash = (hash ^ (unsigned char)value.bytes[at]) * UINT64_C(0x100000001B3);
    hash = (hash ^ value.length) * UINT64_C(0x9E3779B97F4A7C15);
  }
  return hash;
}

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
  const annot_conflict *x = a, *y = b;
  return (x->second > y->second) - (x->second < y->second);
}

/// The entries of all records that a rule is for, those of one hash together; null when memory runs out.
static entry *list(const annot_snapshot *snapshot, size_t *count) {
  entry *entries = call_allocate(snapshot->record_count * sizeof *entries);
  *count = 0;
  for (size_t i = 0; entries && i < snapshot->record_count; i++) {
    const annot_record record = annot_snapshot_record(snapshot, i);
    const rule *it = rule_of(&record);
    if (it) entries[(*count)++] = (entry){hash_of(it, &record), i};
  }
  if (entries) qsort(entries, *count, sizeof *entries, by_hash);
  return entries;
}

/// Compares a record with the first that is about the same thing. Records of one hash are about one thing but
/// for rare accidents, so it looks back no further than to the first of them.
static bool contradicts(const annot_snapshot *snapshot, size_t first, size_t second) {
  const annot_record a = annot_snapshot_record(snapshot, first), b = annot_snapshot_record(snapshot, second);
  const rule *it = rule_of(&a);
  if (it != rule_of(&b) || !is_about_same(it, &a, &b)) return false;
  return !says_all(it, &a, &b) || !says_all(it, &b, &a);
}

bool annot_snapshot_conflicts(const annot_snapshot *snapshot, annot_conflict **conflicts, size_t *count) {
  size_t entry_count, first = 0;
  *conflicts = NULL;
  *count = 0;
  entry *entries = list(snapshot, &entry_count);
  annot_conflict *found = entries ? call_allocate(entry_count * sizeof *found) : NULL;
  for (size_t i = 1; found && i < entry_count; i++) {
    if (entries[i].hash != entries[first].hash)
      first = i;
    else if (contradicts(snapshot, entries[first].record, entries[i].record))
      found[(*count)++] = (annot_conflict){entries[first].record, entries[i].record};
  }
  free(entries);
  if (!found) return false;
  qsort(found, *count, sizeof *found, by_record);
  *conflicts = found;
  return true;
}

void annot_conflicts_free(annot_conflict *conflicts) { free(conflicts); }
