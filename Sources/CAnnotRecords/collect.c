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

static void set_text(annot_found_record *record, int which, annot_text text) {
  record->text_offset[which] = text.bytes ? (uint16_t)(text.bytes - record->bytes) : 0;
  record->text_length[which] = (uint16_t)text.length;
}

static bool add_record(
    collector *collector, const char *bytes, size_t length, uint32_t section,
    const annot_record_fields *fields, bool printable) {
  annot_collection *collection = collector->collection;
  if (collection->record_count == collector->record_capacity &&
      !annot_grow((void **)&collection->records, &collector->record_capacity, sizeof *collection->records))
    return false;
  annot_found_record *record = &collection->records[collection->record_count++];
  record->bytes = bytes;
  record->length = (uint32_t)length;
  record->section = section;
  record->line = fields->line;
  set_text(record, ANNOT_TEXT_KIND, fields->kind);
  set_text(record, ANNOT_TEXT_CLS, fields->cls);
  set_text(record, ANNOT_TEXT_SEL, fields->sel);
  set_text(record, ANNOT_TEXT_MODULE, fields->module);
  set_text(record, ANNOT_TEXT_FILE, fields->file);
  record->is_static = fields->is_static;
  record->canonical = fields->canonical;
  record->printable = printable;
  return true;
}

static bool collect_section(collector *collector, annot_text section, uint32_t index) {
  size_t position = 0;
  annot_span span;
  while (annot_split(section.bytes, section.length, &position, &span)) {
    const char *bytes = section.bytes + span.offset;
    annot_record_fields fields;
    size_t where = span.length;
    bool printable;
    annot_fault fault = ANNOT_FAULT_CUT_OFF;
    if (span.terminated) fault = annot_examine(bytes, span.length, &collector->limits, &fields, &where, &printable);
    annot_found_fault found = {span.offset, index, (uint32_t)where, fault};
    bool success = fault ? add_fault(collector, found)
                         : add_record(collector, bytes, span.length, index, &fields, printable);
    if (!success) return false;
  }
  return true;
}

/// Whether two records are the same byte for byte. The bytes, which are somewhere else in memory, are looked
/// at only when all else is the same.
static bool is_same(const annot_found_record *a, const annot_found_record *b) {
  return a->length == b->length && a->line == b->line &&
         memcmp(a->text_length, b->text_length, sizeof a->text_length) == 0 &&
         memcmp(a->bytes, b->bytes, a->length) == 0;
}

/// Leaves one of each run of byte-identical records, the first.
static void collapse_duplicates(annot_collection *collection) {
  size_t kept = 0;
  for (size_t i = 0; i < collection->record_count; i++) {
    const annot_found_record *record = &collection->records[i];
    if (kept && is_same(&collection->records[kept - 1], record)) continue;
    if (kept < i) collection->records[kept] = *record;
    kept++;
  }
  collection->duplicates = collection->record_count - kept;
  collection->record_count = kept;
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
  success = success && annot_sort_found(&collection->records, collection->record_count);
  if (success) collapse_duplicates(collection);
  else annot_collection_free(collection);
  return success;
}

bool annot_collect(const annot_text *sections, size_t count, annot_collection *collection) {
  return annot_collect_within(sections, count, NULL, collection);
}

static annot_text text_of(const annot_found_record *record, int which) {
  if (record->text_offset[which] == 0) return (annot_text){NULL, 0};
  return (annot_text){record->bytes + record->text_offset[which], record->text_length[which]};
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
