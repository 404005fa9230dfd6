#include <string.h>

#include "collect.h"
#include "sys.h"

// A file has many records and few source files. So the source files are sorted first, and then the records
// by (rank of the source file, line), one integer, by a radix sort, which is linear. Only records of one line
// are compared by their texts, by a merge sort. Both are stable.

/// What a record is sorted by, and which it is.
typedef struct entry {
  uint64_t key;
  uint32_t index;
} entry;

/// The distinct source files.
typedef struct file_table {
  annot_text *texts;
  size_t count, capacity;
  uint32_t *slots;     ///< open addressing: index into texts plus 1, or 0
  size_t slot_count;   ///< a power of two
  uint64_t seed;
} file_table;

static annot_text file_of(const annot_found_record *record) {
  const char *bytes = record->bytes + record->text_offset[ANNOT_TEXT_FILE];
  return (annot_text){bytes, record->text_length[ANNOT_TEXT_FILE]};
}

static void put(file_table *table, uint32_t index) {
  size_t at = annot_hash_text(table->seed, table->texts[index]) & (table->slot_count - 1);
  while (table->slots[at]) at = (at + 1) & (table->slot_count - 1);
  table->slots[at] = index + 1;
}

/// Doubles the slots, so that at most half of them are taken.
static bool grow_slots(file_table *table) {
  size_t wanted = table->slot_count ? table->slot_count * 2 : 64;
  uint32_t *slots = sys_malloc(wanted * sizeof *slots);
  if (!slots) return false;
  memset(slots, 0, wanted * sizeof *slots);
  sys_free(table->slots);
  table->slots = slots;
  table->slot_count = wanted;
  for (size_t i = 0; i < table->count; i++) put(table, (uint32_t)i);
  return true;
}

/// The index of a source file, which is added when it is new; UINT32_MAX without memory.
static uint32_t intern(file_table *table, annot_text text) {
  if (table->count * 2 >= table->slot_count && !grow_slots(table)) return UINT32_MAX;
  size_t at = annot_hash_text(table->seed, text) & (table->slot_count - 1);
  for (; table->slots[at]; at = (at + 1) & (table->slot_count - 1)) {
    uint32_t index = table->slots[at] - 1;
    if (annot_text_equal(table->texts[index], text)) return index;
  }
  if (table->count == table->capacity &&
      !annot_grow((void **)&table->texts, &table->capacity, sizeof *table->texts))
    return UINT32_MAX;
  table->texts[table->count] = text;
  table->slots[at] = (uint32_t)table->count + 1;
  return (uint32_t)table->count++;
}

static int compare(const annot_found_record *records, const entry *a, const entry *b) {
  const annot_found_record *x = &records[a->index], *y = &records[b->index];
  annot_record_fields x_fields = annot_found_fields(x), y_fields = annot_found_fields(y);
  return annot_record_order(&x_fields, (annot_text){x->bytes, x->length}, &y_fields,
                            (annot_text){y->bytes, y->length});
}

typedef struct order {
  const annot_found_record *records;  ///< null to sort texts
  const annot_text *texts;
} order;

static bool in_order(const order *order, const entry *a, const entry *b) {
  if (!order->records) return annot_text_compare(order->texts[a->index], order->texts[b->index]) <= 0;
  return compare(order->records, a, b) <= 0;
}

/// Merges [from, middle) and [middle, to), both in order, into the same places of `out`.
static void merge(const order *order, const entry *in, entry *out, size_t from, size_t middle, size_t to) {
  if (in_order(order, &in[middle - 1], &in[middle])) {
    memcpy(out + from, in + from, (to - from) * sizeof *in);
    return;
  }
  size_t a = from, b = middle;
  for (size_t i = from; i < to; i++)
    out[i] = b == to || (a < middle && in_order(order, &in[a], &in[b])) ? in[a++] : in[b++];
}

static bool is_sorted(const order *order, const entry *entries, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (!in_order(order, &entries[i - 1], &entries[i])) return false;
  return true;
}

/// Sorts; `scratch` has room for as many entries. The result is in the array returned, one of the two.
static entry *sort(const order *order, entry *entries, entry *scratch, size_t count) {
  if (is_sorted(order, entries, count)) return entries;
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t from = 0; from < count; from += 2 * width) {
      size_t middle = from + width < count ? from + width : count;
      size_t to = middle + width < count ? middle + width : count;
      if (middle == to) memcpy(scratch + from, entries + from, (to - from) * sizeof *entries);
      else merge(order, entries, scratch, from, middle, to);
    }
    entry *swapped = entries;
    entries = scratch;
    scratch = swapped;
  }
  return entries;
}

/// Fills the keys with indexes of source files, for now, and lines.
static bool fill_keys(const annot_found_record *records, entry *entries, size_t count, file_table *files) {
  annot_text last_text = {NULL, 0};
  uint32_t last = UINT32_MAX;
  for (size_t i = 0; i < count; i++) {
    annot_text text = file_of(&records[i]);
    // Records of one source file mostly stand together.
    if (last == UINT32_MAX || !annot_text_equal(text, last_text)) last = intern(files, text);
    if (last == UINT32_MAX) return false;
    last_text = text;
    uint64_t line = records[i].line < UINT32_MAX ? records[i].line : UINT32_MAX;
    entries[i] = (entry){(uint64_t)last << 32 | line, (uint32_t)i};
  }
  return true;
}

/// Puts the source files' ranks in the place of their indexes.
static bool rank_files(entry *entries, size_t count, const file_table *files) {
  size_t entries_size = files->count * sizeof(entry);
  entry *sorted = sys_malloc(2 * entries_size);
  uint32_t *ranks = sys_malloc(files->count * sizeof *ranks);
  if (sorted && ranks) {
    for (size_t i = 0; i < files->count; i++) sorted[i] = (entry){0, (uint32_t)i};
    order order = {NULL, files->texts};
    const entry *result = sort(&order, sorted, sorted + files->count, files->count);
    for (size_t i = 0; i < files->count; i++) ranks[result[i].index] = (uint32_t)i;
    for (size_t i = 0; i < count; i++)
      entries[i].key = (uint64_t)ranks[entries[i].key >> 32] << 32 | (entries[i].key & UINT32_MAX);
  }
  bool success = sorted && ranks;
  sys_free(sorted);
  sys_free(ranks);
  return success;
}

/// Sorts by one byte of the keys, from `in` to `out`; returns false when all have the same.
static bool sort_by_byte(const entry *in, entry *out, size_t count, unsigned shift) {
  size_t starts[257] = {0};
  for (size_t i = 0; i < count; i++) starts[(in[i].key >> shift & 0xFF) + 1]++;
  if (starts[(in[0].key >> shift & 0xFF) + 1] == count) return false;
  for (size_t byte = 1; byte < 257; byte++) starts[byte] += starts[byte - 1];
  for (size_t i = 0; i < count; i++) out[starts[in[i].key >> shift & 0xFF]++] = in[i];
  return true;
}

/// Sorts by the keys, and entries of one key by their records' texts; the result is in the array returned.
static entry *sort_records(const annot_found_record *records, entry *entries, entry *scratch, size_t count) {
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if (!sort_by_byte(entries, scratch, count, shift)) continue;
    entry *swapped = entries;
    entries = scratch;
    scratch = swapped;
  }
  order order = {records, NULL};
  for (size_t from = 0, to; from < count; from = to) {
    for (to = from + 1; to < count && entries[to].key == entries[from].key;) to++;
    if (to - from == 1) continue;
    const entry *sorted = sort(&order, entries + from, scratch + from, to - from);
    if (sorted != entries + from) memcpy(entries + from, sorted, (to - from) * sizeof *sorted);
  }
  return entries;
}

/// Puts the records into the entries' order, in memory of their own.
static bool permute(annot_found_record **records, const entry *entries, size_t count) {
  annot_found_record *sorted = sys_malloc(count * sizeof *sorted);
  if (!sorted) return false;
  for (size_t i = 0; i < count; i++) sorted[i] = (*records)[entries[i].index];
  sys_free(*records);
  *records = sorted;
  return true;
}

/// Sorts a few records where they are: most images have no more, and the passes above cost as much as hundreds.
static void sort_few(annot_found_record *records, size_t count) {
  for (size_t i = 1; i < count; i++) {
    const annot_found_record taken = records[i];
    size_t at = i;
    for (; at > 0 && compare(records, &(entry){0, (uint32_t)at - 1}, &(entry){0, (uint32_t)at}) > 0; at--) {
      records[at] = records[at - 1];
      records[at - 1] = taken;
    }
  }
}

bool annot_sort_found(annot_found_record **records, size_t count) {
  if (count <= 16) {
    sort_few(*records, count);
    return true;
  }
  if (count > UINT32_MAX) return false;
  file_table files = {.seed = annot_hash_seed()};
  entry *entries = sys_malloc(2 * count * sizeof *entries);
  bool success = entries && fill_keys(*records, entries, count, &files) && rank_files(entries, count, &files);
  if (success)
    success = permute(records, sort_records(*records, entries, entries + count, count), count);
  sys_free(files.texts);
  sys_free(files.slots);
  sys_free(entries);
  return success;
}
