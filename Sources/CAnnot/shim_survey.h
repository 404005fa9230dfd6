/// What the loaded images have to do with a symbol: where they call it, who defines it, and what can be led to a shim.
#ifndef ANNOT_SHIM_SURVEY_H
#define ANNOT_SHIM_SURVEY_H

#include "annot/shim_report.h"
#include "arena.h"
#include "loader.h"

#pragma GCC visibility push(hidden)

/// A definition of the symbol.
typedef struct survey_definition {
  struct survey_definition *next;
  uintptr_t address;
  bool is_ifunc;       ///< `address` is a function that tells the address
  bool is_hidden;      ///< taken only by those who ask for its version
  const char *version;  ///< null when it has none
} survey_definition;

/// A place that calls of the symbol go by.
typedef struct survey_entry {
  struct survey_entry *next;
  uintptr_t *place;
  uintptr_t value;
  bool is_unbound;
  const char *version;  ///< the one asked for; null for none
  /// What is to become of it: ANNOT_SHIM_REACHED when it is to lead to the shim, else why not. Of survey_judge.
  annot_shim_verdict verdict;
} survey_entry;

typedef struct survey_image {
  struct survey_image *next;
  const char *name;  ///< as the loader has it, empty for the main program
  uintptr_t dynamic;  ///< the address of its dynamic section; 0 for none
  uintptr_t code_start, code_end;
  bool is_main;
  bool is_first_scope;  ///< loaded at start-up: its definitions hide those that come after
  bool has_runtime;  ///< this copy of the runtime is in it
  bool is_relocated;
  bool has_symbols;
  survey_entry *entries;
  survey_definition *definitions;
  size_t pointers;      ///< how many other relocations name the symbol
  uintptr_t canonical;  ///< its linkage table's entry, which is the symbol's address for all images; 0 for none
} survey_image;

typedef struct survey {
  arena memory;
  survey_image *images;
  size_t image_count;
} survey;

/// Surveys the images; false when memory runs out. End with survey_close.
bool survey_make(survey *it, const char *symbol);
void survey_close(survey *it);

/// A function that the symbol may stand for.
typedef struct survey_target {
  enum { TARGET_NONE, TARGET_CODE, TARGET_IFUNC, TARGET_UNKNOWN } kind;
  uintptr_t code;  ///< of TARGET_CODE; of TARGET_IFUNC the address of what is to be asked
  /// Of TARGET_IFUNC, and of TARGET_CODE that an IFUNC has told: the definition.
  const survey_definition *definition;
  const survey_image *image;  ///< of TARGET_IFUNC: that of the definition
} survey_target;

/// What is known of a symbol when its entries are looked at.
typedef struct survey_known {
  uintptr_t original;  ///< 0 when it is not known
  uintptr_t ifunc;     ///< the address of the definition that told it; 0 when it is no IFUNC's
  /// Whether an entry leads to a shim of this symbol.
  bool (*is_shim)(uintptr_t value, const void *context);
  const void *context;
} survey_known;

/// What an entry leads to, through shims and linkage tables.
survey_target survey_target_of(const survey *it, const survey_entry *entry, const survey_known *known);
/// Judges all entries: those that lead to `known->original` can be led to the shim.
void survey_judge(survey *it, const survey_known *known, const char *symbol);
/// The image whose code is at the address; null for none.
const survey_image *survey_image_at(const survey *it, uintptr_t code);

#pragma GCC visibility pop

#endif
