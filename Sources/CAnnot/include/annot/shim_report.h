/// Which calls advice on a shim (ANNOT_SHIM) catches, and which it cannot.
#ifndef ANNOT_SHIM_REPORT_H
#define ANNOT_SHIM_REPORT_H

#include <stddef.h>

#include "annot/advice.h"

ANNOT_BEGIN_DECLS

/// What became of an image's calls of a shim's symbol. Numbers stay; new ones are added at the end.
typedef enum annot_shim_verdict {
  ANNOT_SHIM_REACHED = 1,         ///< they lead to the shim
  ANNOT_SHIM_NOT_IMPORTED = 2,    ///< it has none
  ANNOT_SHIM_BOUND_INSIDE = 3,    ///< it defines the symbol, and calls it, if at all, without an entry
  ANNOT_SHIM_IFUNC_INSIDE = 4,    ///< it defines it as an IFUNC, whose address its own calls took when it was loaded
  ANNOT_SHIM_POINTER = 5,         ///< its data, or code with relocations, hold the address
  ANNOT_SHIM_OTHER_FUNCTION = 6,  ///< they lead to another function of that name: of another library or version
  ANNOT_SHIM_UNDEFINED = 7,       ///< it asks for the symbol weakly, and there is none
  ANNOT_SHIM_UNBOUND = 8,         ///< not looked up yet, and several images that come into question define it
  ANNOT_SHIM_LOADING = 9,         ///< the image is just being loaded
  ANNOT_SHIM_PROTECTED = 10,      ///< the page of an entry could not be made writable
  ANNOT_SHIM_STATIC = 11,         ///< it has no dynamic symbols, as a program that is linked statically
  ANNOT_SHIM_RUNTIME = 12,        ///< it holds the runtime, which itself calls the symbol while advice runs
  ANNOT_SHIM_UNSUPPORTED = 13,    ///< this machine's relocations are not known
  ANNOT_SHIM_WAITING = 14,        ///< they could be led to the shim once both libraries can be kept loaded
} annot_shim_verdict;

/// What became of some of an image's calls. An image has a row for each verdict, and at least one.
typedef struct annot_shim_row {
  const annot_joinpoint_info *shim;  ///< the shim's join point; valid only while its image is loaded
  const char *symbol;
  const char *path;   ///< the image's, as the loader knows it; the program's own path for the main program
  annot_shim_verdict verdict;
  size_t places;      ///< how many entries, pointers or definitions it is about; 0 for none
  const char *text;   ///< one sentence, NUL-terminated
} annot_shim_row;

/// What was found at one moment; its rows live as long.
typedef struct annot_shim_report annot_shim_report;

/// Looks at what the advice catches now: at each shim that it applies to, in every loaded image.
///
/// Empty when it applies to no shim. Looks for images loaded meanwhile first. Returns null when memory runs out.
/// Thread-safe. Not for use in a constructor that other threads wait for, as it may wait for dlopen.
ANNOT_API annot_shim_report *annot_advice_shim_report(annot_advice_id id);

/// The number of rows.
ANNOT_API size_t annot_shim_report_count(const annot_shim_report *report);
/// The row at `index`, below annot_shim_report_count: by shim, then by image in load order.
ANNOT_API annot_shim_row annot_shim_report_row(const annot_shim_report *report, size_t index);
/// How many rows say ANNOT_SHIM_REACHED: 0 when no call runs the advice.
ANNOT_API size_t annot_shim_report_reached(const annot_shim_report *report);
/// Frees a report; null is allowed.
ANNOT_API void annot_shim_report_free(annot_shim_report *report);

ANNOT_END_DECLS

#endif
