#include <string.h>

#include "collect.h"
#include "sys.h"

// A file has many records and few source files. So the source files are sorted first, and then the records by
// (rank of the source file, line, place before), packed into one integer each, by a radix sort, which is linear. Only
// records of one line are compared by their texts, by a merge sort. Both are stable.

/// The distinct source files.
typedef struct file_table {
  annot_text *texts;
  size_t count, capacity;
  uint32_t *slots;     ///< open addressing: index into texts plus 1, or 0
  size_t slot_count;   ///< a power of two
  uint64_t seed;
} file_table;

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

/// The order of annot_record_order, without making the fields of both.
static int compare(const annot_found_record *a, const annot_found_record *b) {
  static const int texts[] = {ANNOT_TEXT_KIND, ANNOT_TEXT_CLS, ANNOT_TEXT_SEL};
  int order = annot_text_compare(annot_found_text(a, ANNOT_TEXT_FILE), annot_found_text(b, ANNOT_TEXT_FILE));
  if (order == 0 && a->line != b->line) return a->line < b->line ? -1 : 1;
  for (size_t i = 0; i < 3 && order == 0; i++)
    order = annot_text_compare(annot_found_text(a, texts[i]), annot_found_text(b, texts[i]));
  if (order) return order;
  return annot_text_compare((annot_text){a->bytes, a->length}, (annot_text){b->bytes, b->length});
}

/// What entries are sorted by whose lower bits are an index.
typedef struct order {
  const annot_found_record *records;  ///< null to sort texts
  const annot_text *texts;
  uint64_t index_mask;
} order;

static bool in_order(const order *it, uint64_t a, uint64_t b) {
  const size_t x = (size_t)(a & it->index_mask), y = (size_t)(b & it->index_mask);
  if (!it->records) return annot_text_compare(it->texts[x], it->texts[y]) <= 0;
  return compare(&it->records[x], &it->records[y]) <= 0;
}

/// Merges [from, middle) and [middle, to), both in order, into the same places of `out`.
static void merge(const order *order, const uint64_t *in, uint64_t *out, size_t from, size_t middle, size_t to) {
  if (in_order(order, in[middle - 1], in[middle])) {
    memcpy(out + from, in + from, (to - from) * sizeof *in);
    return;
  }
  size_t a = from, b = middle;
  for (size_t i = from; i < to; i++)
    out[i] = b == to || (a < middle && in_order(order, in[a], in[b])) ? in[a++] : in[b++];
}

static bool is_sorted(const order *order, const uint64_t *entries, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (!in_order(order, entries[i - 1], entries[i])) return false;
  return true;
}

/// Sorts; `scratch` has room for as many entries. The result is in the array returned, one of the two.
static uint64_t *sort(const order *order, uint64_t *entries, uint64_t *scratch, size_t count) {
  if (is_sorted(order, entries, count)) return entries;
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t from = 0; from < count; from += 2 * width) {
      size_t middle = from + width < count ? from + width : count;
      size_t to = middle + width < count ? middle + width : count;
      if (middle == to) memcpy(scratch + from, entries + from, (to - from) * sizeof *entries);
      else merge(order, entries, scratch, from, middle, to);
    }
    uint64_t *swapped = entries;
    entries = scratch;
    scratch = swapped;
  }
  return entries;
}

/// An entry is, from the upper bits to the lower: the rank of the source file, the line, the index of the record.
typedef struct packing {
  unsigned line_bits, index_bits, key_bits;
  uint64_t line_limit;  ///< lines above count as this one, and their records are compared as those of one line are
  uint64_t index_mask;
} packing;

/// How many bits a number takes.
static unsigned bits_of(uint64_t number) { return number ? 64 - (unsigned)__builtin_clzll(number) : 0; }

/// How entries of at least 17 records are packed: so the index takes five bits, and no shift is by 64.
static packing packing_for(size_t count, size_t files, uint64_t last_line) {
  const unsigned index_bits = bits_of(count - 1), rank_bits = bits_of(files - 1);
  const unsigned room = 64 - index_bits - rank_bits, wanted = bits_of(last_line);
  const unsigned line_bits = wanted < room ? wanted : room;
  return (packing){
      .line_bits = line_bits,
      .index_bits = index_bits,
      .key_bits = rank_bits + line_bits,
      .line_limit = (UINT64_C(1) << line_bits) - 1,
      .index_mask = (UINT64_C(1) << index_bits) - 1,
  };
}

/// Fills the entries with the indexes of source files, for now.
static bool intern_files(const annot_found_record *records, uint64_t *entries, size_t count, file_table *files) {
  uint32_t last = UINT32_MAX;
  for (size_t i = 0; i < count; i++) {
    if (!records[i].repeats_file) last = intern(files, annot_found_text(&records[i], ANNOT_TEXT_FILE));
    if (last == UINT32_MAX) return false;
    entries[i] = last;
  }
  return true;
}

/// The ranks of the source files; null without memory.
static uint32_t *rank_files(const file_table *files) {
  uint64_t *sorted = sys_malloc(2 * files->count * sizeof *sorted);
  uint32_t *ranks = sorted ? sys_malloc(files->count * sizeof *ranks) : NULL;
  if (ranks) {
    for (size_t i = 0; i < files->count; i++) sorted[i] = i;
    order order = {NULL, files->texts, UINT64_MAX};
    const uint64_t *result = sort(&order, sorted, sorted + files->count, files->count);
    for (size_t i = 0; i < files->count; i++) ranks[result[i]] = (uint32_t)i;
  }
  sys_free(sorted);
  return ranks;
}

/// Makes the entries out of the indexes of source files; returns whether they are in order as they are.
static bool pack(
    const packing *it, const annot_found_record *records, uint64_t *entries, size_t count, const uint32_t *ranks) {
  bool in_order = true;
  for (size_t i = 0; i < count; i++) {
    const uint64_t line = records[i].line < it->line_limit ? records[i].line : it->line_limit;
    const uint64_t key = (uint64_t)ranks[entries[i]] << it->line_bits | line;
    entries[i] = key << it->index_bits | i;
    if (i && entries[i] < entries[i - 1]) in_order = false;
  }
  return in_order;
}

enum { digit_bits = 11, digits = 1 << digit_bits };

/// Sorts by one digit of the keys, from `in` to `out`; returns false when all have the same.
static bool sort_by_digit(const uint64_t *in, uint64_t *out, size_t count, unsigned shift) {
  uint32_t starts[digits + 1] = {0};
  for (size_t i = 0; i < count; i++) starts[(in[i] >> shift & (digits - 1)) + 1]++;
  if (starts[(in[0] >> shift & (digits - 1)) + 1] == count) return false;
  for (size_t digit = 1; digit < digits; digit++) starts[digit] += starts[digit - 1];
  for (size_t i = 0; i < count; i++) out[starts[in[i] >> shift & (digits - 1)]++] = in[i];
  return true;
}

/// Sorts by the keys; the result is in the array returned.
static uint64_t *sort_by_key(const packing *it, uint64_t *entries, uint64_t *scratch, size_t count) {
  for (unsigned done = 0; done < it->key_bits; done += digit_bits) {
    if (!sort_by_digit(entries, scratch, count, it->index_bits + done)) continue;
    uint64_t *swapped = entries;
    entries = scratch;
    scratch = swapped;
  }
  return entries;
}

/// Sorts entries of one key by their records' texts; returns whether any changed its place.
static bool sort_runs(
    const packing *it, const annot_found_record *records, uint64_t *entries, uint64_t *scratch, size_t count) {
  const order order = {records, NULL, it->index_mask};
  bool changed = false;
  for (size_t from = 0, to; from < count; from = to) {
    for (to = from + 1; to < count && (entries[to] ^ entries[from]) <= it->index_mask;) to++;
    if (to - from == 1 || is_sorted(&order, entries + from, to - from)) continue;
    const uint64_t *sorted = sort(&order, entries + from, scratch + from, to - from);
    if (sorted != entries + from) memcpy(entries + from, sorted, (to - from) * sizeof *sorted);
    changed = true;
  }
  return changed;
}

/// Whether two records are the same byte for byte.
static bool is_same(const annot_found_record *a, const annot_found_record *b) {
  return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

/// Puts the records into the entries' order, without those that are the same as the one before; returns how many
/// there are then.
///
/// - to: `records` itself only if that order is the one they are in.
static size_t place(
    const packing *it, const annot_found_record *records, const uint64_t *entries, size_t count,
    annot_found_record *to) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    const annot_found_record *record = &records[entries[i] & it->index_mask];
    // Only records of one key can be the same, so that hardly any need be looked at again.
    const bool has_key = i && (entries[i] ^ entries[i - 1]) <= it->index_mask;
    if (has_key && is_same(&to[kept - 1], record)) continue;
    if (&to[kept] != record) to[kept] = *record;
    kept++;
  }
  return kept;
}

/// Sorts with the source files known. On success the records may be in another array.
static bool sort_with_files(
    annot_found_record **records, size_t *count, uint64_t *entries, const file_table *files) {
  uint32_t *ranks = rank_files(files);
  if (!ranks) return false;
  uint64_t last_line = 0;
  for (size_t i = 0; i < *count; i++) last_line = (*records)[i].line > last_line ? (*records)[i].line : last_line;
  const packing packing = packing_for(*count, files->count, last_line);
  bool in_order = pack(&packing, *records, entries, *count, ranks);
  sys_free(ranks);
  uint64_t *sorted = in_order ? entries : sort_by_key(&packing, entries, entries + *count, *count);
  uint64_t *scratch = sorted == entries ? entries + *count : entries;
  if (sort_runs(&packing, *records, sorted, scratch, *count)) in_order = false;
  annot_found_record *to = in_order ? *records : sys_malloc(*count * sizeof *to);
  if (!to) return false;
  *count = place(&packing, *records, sorted, *count, to);
  if (to != *records) sys_free(*records);
  *records = to;
  return true;
}

/// Sorts a few records where they are: most images have no more, and the passes above cost as much as hundreds.
static size_t sort_few(annot_found_record *records, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    const annot_found_record taken = records[i];
    size_t at = kept;
    int order = 1;
    while (at > 0 && (order = compare(&records[at - 1], &taken)) > 0) at--;
    // The same as one that is there.
    if (at > 0 && order == 0) continue;
    memmove(records + at + 1, records + at, (kept - at) * sizeof *records);
    records[at] = taken;
    kept++;
  }
  return kept;
}

bool annot_sort_found(annot_found_record **records, size_t *count) {
  if (*count <= 16) {
    *count = sort_few(*records, *count);
    return true;
  }
  if (*count > UINT32_MAX) return false;
  file_table files = {.seed = annot_hash_seed()};
  uint64_t *entries = sys_malloc(2 * *count * sizeof *entries);
  const bool success = entries && intern_files(*records, entries, *count, &files) &&
                       sort_with_files(records, count, entries, &files);
  sys_free(files.texts);
  sys_free(files.slots);
  sys_free(entries);
  return success;
}
