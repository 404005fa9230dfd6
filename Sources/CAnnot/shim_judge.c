// Which entries lead to the function that a shim stands in front of. Looks at a survey only, at no image.

#define _GNU_SOURCE
#include <string.h>

#include "shim_survey.h"

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

/// How well a definition answers an entry that asks for a version or for none: 0 for not at all.
static int answers(const survey_definition *definition, const char *version) {
  if (version) return definition->version ? 2 * same_text(definition->version, version) : 1;
  return definition->is_hidden ? 1 : 2;
}

static const survey_definition *best_of(const survey_image *image, const char *version) {
  const survey_definition *best = NULL;
  for (const survey_definition *it = image->definitions; it; it = it->next)
    if (answers(it, version) > (best ? answers(best, version) : 0)) best = it;
  return best;
}

/// What the dynamic linker will find for an entry that it has not looked up yet. Its order is that of the images
/// loaded at start-up, which is the list's; behind these it depends on who opened whom, which cannot be told.
static survey_target look_up(const survey *it, const char *version) {
  survey_target found = {.kind = TARGET_NONE};
  for (const survey_image *image = it->images; image; image = image->next) {
    const survey_definition *best = best_of(image, version);
    if (!best) continue;
    if (found.definition) {
      if (found.definition->address != best->address) found.kind = TARGET_UNKNOWN;
      continue;
    }
    found = (survey_target){.kind = best->is_ifunc ? TARGET_IFUNC : TARGET_CODE,
                            .code = best->address,
                            .definition = best,
                            .image = image};
    if (image->is_first_scope) return found;
  }
  return found;
}

static survey_target code_target(uintptr_t code) {
  return (survey_target){.kind = code ? TARGET_CODE : TARGET_NONE, .code = code};
}

/// What an entry leads to that does not lead to a linkage table.
static survey_target direct_target(
    const survey *it, const survey_entry *entry, const survey_known *known) {
  if (known->is_shim(entry->value, known->context)) return code_target(known->original);
  const survey_target found = look_up(it, entry->version);
  if (!entry->is_unbound) {
    survey_target bound = code_target(entry->value);
    if (found.kind == TARGET_IFUNC && entry->value >= found.image->code_start &&
        entry->value < found.image->code_end)
      bound.definition = found.definition;
    return bound;
  }
  if (found.kind == TARGET_IFUNC && found.code == known->ifunc) return code_target(known->original);
  return found;
}

survey_target survey_target_of(const survey *it, const survey_entry *entry, const survey_known *known) {
  // A program that is not position-independent and takes the function's address gives it the address of its own
  // linkage table's entry, for all images.
  for (const survey_image *image = it->images; image; image = image->next) {
    if (!image->canonical || image->canonical != entry->value) continue;
    for (const survey_entry *slot = image->entries; slot; slot = slot->next)
      if (slot->value != image->canonical) return direct_target(it, slot, known);
  }
  return direct_target(it, entry, known);
}

static annot_shim_verdict verdict_of(const survey_target *target, const survey_known *known) {
  if (target->kind == TARGET_NONE) return ANNOT_SHIM_UNDEFINED;
  if (target->kind == TARGET_UNKNOWN) return ANNOT_SHIM_UNBOUND;
  if (!known->original) return ANNOT_SHIM_WAITING;
  return target->kind == TARGET_CODE && target->code == known->original ? ANNOT_SHIM_REACHED
                                                                       : ANNOT_SHIM_OTHER_FUNCTION;
}

/// Whether the runtime itself calls the function while advice runs or is changed: its calls must not lead to advice.
static bool is_called_by_runtime(const char *symbol) {
  static const char *const names[] = {
      "abort",   "calloc",  "dl_iterate_phdr", "dlclose", "dlopen",  "free",    "getauxval", "malloc", "memchr",
      "memcmp",  "memcpy",  "memmove",         "memset",  "mmap",    "munmap",  "mprotect",  "madvise", "strcmp",
      "strdup",  "strlen",  "syscall",         "sysconf", "realloc", "__tls_get_addr"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(symbol, names[i])) return true;
  return !strncmp(symbol, "pthread_", 8);
}

void survey_judge(survey *it, const survey_known *known, const char *symbol) {
  const bool is_called = is_called_by_runtime(symbol);
  for (survey_image *image = it->images; image; image = image->next)
    for (survey_entry *entry = image->entries; entry; entry = entry->next) {
      const survey_target target = survey_target_of(it, entry, known);
      entry->verdict = image->has_runtime && is_called ? ANNOT_SHIM_RUNTIME : verdict_of(&target, known);
    }
}
