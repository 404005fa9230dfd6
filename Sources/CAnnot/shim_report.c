// What advice on shims catches, in rows.

#define _GNU_SOURCE
#include "annot/shim_report.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "calls.h"
#include "charge.h"
#include "got_entries.h"
#include "interpose.h"
#include "registry_shims.h"
#include "shim_examine.h"
#include "shim_reach.h"

typedef struct row {
  struct row *next;
  annot_shim_row row;
  char text[];  ///< the path, then the symbol
} row;

struct annot_shim_report {
  size_t count, reached;
  size_t shim_count;
  row *first, **end;
  const row **rows;  ///< all of them
  annot_advice_id id;
  bool is_short;  ///< of memory
};

static const char *sentence_of(annot_shim_verdict verdict) {
  switch (verdict) {
    case ANNOT_SHIM_REACHED: return "its calls lead to the shim";
    case ANNOT_SHIM_NOT_IMPORTED: return "it does not import the symbol";
    case ANNOT_SHIM_BOUND_INSIDE:
      return "it defines the symbol; its own calls, if any, were bound when it was linked "
             "(-Bsymbolic, hidden or static)";
    case ANNOT_SHIM_IFUNC_INSIDE:
      return "it defines the symbol as an IFUNC; the address that its own calls use was taken when it was loaded";
    case ANNOT_SHIM_POINTER:
      return "its data, or code with relocations, hold the address; calls by it run the function itself";
    case ANNOT_SHIM_OTHER_FUNCTION:
      return "its calls run another function of that name, of another library or version";
    case ANNOT_SHIM_UNDEFINED: return "it asks for the symbol weakly, and no image defines it";
    case ANNOT_SHIM_UNBOUND:
      return "its first call is still to look the symbol up, and several images define it; open it with RTLD_NOW";
    case ANNOT_SHIM_LOADING: return "it is just being loaded";
    case ANNOT_SHIM_PROTECTED: return "the page of the entry could not be made writable";
    case ANNOT_SHIM_STATIC: return "it has no dynamic symbols: it is linked statically";
    case ANNOT_SHIM_RUNTIME: return "it holds Annot's runtime, which calls the function while advice runs";
    case ANNOT_SHIM_UNSUPPORTED: return "this machine's relocations are not known";
    case ANNOT_SHIM_WAITING: return "its calls can be led to the shim once the libraries of both can be kept loaded";
  }
  return "";
}

static const char *path_of(const survey_image *image) {
  if (!image->is_main) return image->name;
  const char *path = (const char *)getauxval(AT_EXECFN);
  return path && *path ? path : "/proc/self/exe";
}

static void add(
    annot_shim_report *it, const listed_shim *shim, const survey_image *image, annot_shim_verdict verdict,
    size_t places) {
  const char *path = path_of(image);
  const size_t path_size = strlen(path) + 1, symbol_size = strlen(shim->symbol) + 1;
  row *made = call_allocate(sizeof *made + path_size + symbol_size);
  if (!made) {
    it->is_short = true;
    return;
  }
  memcpy(made->text, path, path_size);
  memcpy(made->text + path_size, shim->symbol, symbol_size);
  made->row = (annot_shim_row){.shim = shim->info,
                               .symbol = made->text + path_size,
                               .path = made->text,
                               .verdict = verdict,
                               .places = places,
                               .text = sentence_of(verdict)};
  *it->end = made;
  it->end = &made->next;
  it->count++;
  it->reached += verdict == ANNOT_SHIM_REACHED;
}

/// What stands between an image without entries and the shim.
static annot_shim_verdict verdict_without_entries(const survey_image *image) {
  if (!got_is_supported()) return ANNOT_SHIM_UNSUPPORTED;
  if (!image->has_symbols) return ANNOT_SHIM_STATIC;
  if (!image->is_relocated) return ANNOT_SHIM_LOADING;
  if (!image->definitions) return ANNOT_SHIM_NOT_IMPORTED;
  return image->definitions->is_ifunc ? ANNOT_SHIM_IFUNC_INSIDE : ANNOT_SHIM_BOUND_INSIDE;
}

/// The verdict on an entry that can be led to the shim: whether it does, and if not, why.
static annot_shim_verdict verdict_now(const survey_entry *entry, const interposition *it) {
  if (entry->verdict != ANNOT_SHIM_REACHED || interposition_has_shim(entry->value, it)) return entry->verdict;
  return it->original ? ANNOT_SHIM_PROTECTED : ANNOT_SHIM_WAITING;
}

static void add_image(
    annot_shim_report *report, const listed_shim *shim, const survey_image *image, const interposition *it) {
  size_t counts[ANNOT_SHIM_WAITING + 1] = {0};
  counts[ANNOT_SHIM_POINTER] = image->pointers;
  for (const survey_entry *entry = image->entries; entry; entry = entry->next)
    counts[verdict_now(entry, it)]++;
  if (!image->entries && !(image->pointers && !image->definitions)) {
    size_t definitions = 0;
    for (const survey_definition *each = image->definitions; each; each = each->next) definitions++;
    add(report, shim, image, verdict_without_entries(image), definitions);
  }
  for (size_t verdict = 0; verdict <= ANNOT_SHIM_WAITING; verdict++)
    if (counts[verdict]) add(report, shim, image, (annot_shim_verdict)verdict, counts[verdict]);
}

static void examine(
    const listed_shim *shim, const survey *surveyed, const interposition *it, void *context) {
  annot_shim_report *report = context;
  report->shim_count++;
  for (const survey_image *image = surveyed->images; image; image = image->next)
    add_image(report, shim, image, it);
}

static bool wants(const listed_shim *shim, const void *context) {
  return registry_names(((const annot_shim_report *)context)->id, shim);
}

static bool list_rows(annot_shim_report *it) {
  it->rows = call_allocate(it->count * sizeof *it->rows);
  if (!it->rows) return false;
  size_t index = 0;
  for (const row *each = it->first; each; each = each->next) it->rows[index++] = each;
  return true;
}

static annot_shim_report *report_make(annot_advice_id id) {
  annot_shim_report *it = call_allocate(sizeof *it);
  if (!it) return NULL;
  it->end = &it->first;
  it->id = id;
  if (!interpose_examine(wants, examine, it) || it->is_short || !list_rows(it)) {
    annot_shim_report_free(it);
    return NULL;
  }
  return it;
}

annot_shim_report *annot_advice_shim_report(annot_advice_id id) {
  return interpose_update(true) ? report_make(id) : NULL;
}

size_t annot_shim_report_count(const annot_shim_report *report) { return report->count; }
size_t annot_shim_report_reached(const annot_shim_report *report) { return report->reached; }

annot_shim_row annot_shim_report_row(const annot_shim_report *report, size_t index) {
  return report->rows[index]->row;
}

void annot_shim_report_free(annot_shim_report *report) {
  if (!report) return;
  for (row *it = report->first, *next; it; it = next) {
    next = it->next;
    free(it);
  }
  free(report->rows);
  free(report);
}

static const char *file_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/// What an image is named as a reason for, if not for having nothing to do with the symbol: the gravest of all rows.
static const row *reason_of(const annot_shim_report *report) {
  const row *reason = NULL;
  for (const row *it = report->first; it; it = it->next) {
    if (it->row.verdict == ANNOT_SHIM_NOT_IMPORTED) continue;
    // That it is defined somewhere is to be expected.
    const bool is_definition =
        it->row.verdict == ANNOT_SHIM_BOUND_INSIDE || it->row.verdict == ANNOT_SHIM_IFUNC_INSIDE;
    if (!reason || !is_definition) reason = it;
    if (!is_definition) break;
  }
  return reason;
}

static void explain(const annot_shim_report *report, annot_error *error) {
  const char *symbol = report->first->row.symbol;
  *error = (annot_error){.code = ANNOT_ERROR_UNREACHABLE};
  char *text = error->detail;
  const size_t size = sizeof error->detail;
  const row *reason = reason_of(report);
  size_t length =
      reason ? (size_t)snprintf(text, size, "no call of %s can be led to its shim: %s: %s; looked at", symbol,
                                file_of(reason->row.path), reason->row.text)
             : (size_t)snprintf(text, size, "no image imports %s, so its shim is never called; looked at", symbol);
  const char *last = "";
  for (const row *it = report->first; it && length < size; it = it->next) {
    if (it->row.shim != report->first->row.shim || !strcmp(it->row.path, last)) continue;
    last = it->row.path;
    length += (size_t)snprintf(text + length, size - length, " %s", file_of(last));
  }
  if (length >= size) memcpy(text + size - 4, "...", 4);
}

static bool has_waiting(const annot_shim_report *report) {
  if (!interpose_is_pending()) return false;
  for (const row *it = report->first; it; it = it->next)
    if (it->row.verdict == ANNOT_SHIM_WAITING) return true;
  return false;
}

bool shims_reached(annot_advice_id id, annot_error *error) {
  if (!shims_exist() || charge_elsewhere()) return true;
  annot_shim_report *report = report_make(id);
  if (!report) {
    if (error) *error = (annot_error){.code = ANNOT_ERROR_MEMORY, .detail = "no memory to add advice"};
    return false;
  }
  // A name may stand for methods as well.
  const bool is_reached = report->count == 0 || report->reached || has_waiting(report) ||
                          annot_advice_reach(id) > report->shim_count;
  if (!is_reached && error) explain(report, error);
  annot_shim_report_free(report);
  return is_reached;
}
