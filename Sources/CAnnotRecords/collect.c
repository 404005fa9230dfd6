#include "collect.h"

#include <string.h>

#include "sys.h"

bool annot_grow(void **array, size_t *capacity, size_t element) {
  size_t wanted = *capacity ? *capacity * 2 : 64;
  if (wanted > SIZE_MAX / element) return false;
  void *larger = sys_realloc(*array, wanted * element);
  if (!larger) return false;
  *array = larger;
  *capacity = wanted;
  return true;
}

/// The collection being made.
typedef struct collector {
  annot_collection *collection;
  annot_record_limits limits;  ///< with the defaults filled in
  size_t record_capacity, fault_capacity;
} collector;

static bool add_fault(collector *collector, annot_found_fault fault) {
  annot_collection *collection = collector->collection;
  if (collection->fault_count == ANNOT_COLLECTION_MAX_FAULTS) {
    collection->unkept_faults++;
    return true;
  }
  if (collection->fault_count == collector->fault_capacity &&
      !annot_grow((void **)&collection->faults, &collector->fault_capacity, sizeof fault))
    return false;
  collection->faults[collection->fault_count++] = fault;
  return true;
}

/// Where the next record is examined into; it stays if it is sound. Null without memory.
static annot_found_record *next_record(collector *collector) {
  annot_collection *collection = collector->collection;
  if (collection->record_count == collector->record_capacity &&
      !annot_grow((void **)&collection->records, &collector->record_capacity, sizeof *collection->records))
    return NULL;
  return &collection->records[collection->record_count];
}

/// Notes whether a new record has the source file of the one before, as most have. Here, where their bytes have just
/// been looked at: when the records are sorted they are no longer at hand.
static void note_repeated_file(annot_collection *collection) {
  annot_found_record *record = &collection->records[collection->record_count];
  if (collection->record_count == 0) return;
  record->repeats_file = annot_text_equal(
      annot_found_text(record, ANNOT_TEXT_FILE), annot_found_text(record - 1, ANNOT_TEXT_FILE));
}

static bool collect_section(collector *collector, annot_text section, uint32_t index) {
  if (section.length == 0) return true;
  annot_json_text text = annot_json_text_begin(section.bytes, section.length);
  for (const char *at = text.start; at < text.end; at++) {
    if (*at == '\0') continue;
    annot_found_record *record = next_record(collector);
    if (!record) return false;
    size_t length, where;
    const annot_fault fault = annot_examine(&text, at, &collector->limits, record, &length, &where);
    record->section = index;
    if (!fault) note_repeated_file(collector->collection);
    if (!fault) collector->collection->record_count++;
    else if (!add_fault(
                 collector, (annot_found_fault){(uint64_t)(at - text.start), index, (uint32_t)where, fault}))
      return false;
    at += length;
    if (at == text.end) break;
  }
  return true;
}

/// Makes room for as many records as sections of that size commonly have; a wrong guess costs little, as
/// memory that is not used is not taken, and the array can still grow.
static bool reserve(collector *collector, const annot_text *sections, size_t count) {
  enum { common_length = 96 };
  size_t bytes = 0;
  for (size_t i = 0; i < count; i++) bytes += sections[i].length;
  size_t capacity = bytes / common_length;
  if (capacity == 0) return true;
  collector->collection->records = sys_malloc(capacity * sizeof *collector->collection->records);
  collector->record_capacity = collector->collection->records ? capacity : 0;
  return collector->record_capacity > 0;
}

/// A limit as it applies: that of the format unless a lower one is wanted.
static uint32_t applied(uint32_t wanted, uint32_t most) { return wanted == 0 || wanted > most ? most : wanted; }

bool annot_collect_within(
    const annot_text *sections, size_t count, const annot_record_limits *limits, annot_collection *collection) {
  memset(collection, 0, sizeof *collection);
  const annot_record_limits wanted = limits ? *limits : (annot_record_limits){0, 0};
  collector collector = {
      .collection = collection,
      .limits = {applied(wanted.length, ANNOT_RECORD_MAX_LENGTH), applied(wanted.depth, ANNOT_RECORD_MAX_DEPTH)},
  };
  bool success = count <= UINT32_MAX && reserve(&collector, sections, count);
  for (size_t i = 0; i < count && success; i++)
    success = collect_section(&collector, sections[i], (uint32_t)i);
  const size_t all = collection->record_count;
  success = success && annot_sort_found(&collection->records, &collection->record_count);
  if (success) collection->duplicates = all - collection->record_count;
  else annot_collection_free(collection);
  return success;
}

bool annot_collect(const annot_text *sections, size_t count, annot_collection *collection) {
  return annot_collect_within(sections, count, NULL, collection);
}

/// A text of a record, told from an empty one when it is absent.
static annot_text text_of(const annot_found_record *record, int which) {
  if (record->text_offset[which] == 0) return (annot_text){NULL, 0};
  return annot_found_text(record, which);
}

annot_record_fields annot_found_fields(const annot_found_record *record) {
  return (annot_record_fields){
      .kind = text_of(record, ANNOT_TEXT_KIND),
      .cls = text_of(record, ANNOT_TEXT_CLS),
      .sel = text_of(record, ANNOT_TEXT_SEL),
      .module = text_of(record, ANNOT_TEXT_MODULE),
      .file = text_of(record, ANNOT_TEXT_FILE),
      .line = record->line,
      .is_static = record->is_static,
      .canonical = record->canonical,
  };
}

void annot_collection_free(annot_collection *collection) {
  sys_free(collection->records);
  sys_free(collection->faults);
  memset(collection, 0, sizeof *collection);
}
