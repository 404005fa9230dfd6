#define _GNU_SOURCE
#include "charge.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "loaded_image.h"
#include "loader.h"
#include "resolve.h"

/// What a walk finds out.
typedef struct search {
  uintptr_t entry;     ///< of the first copy
  char first[4096];    ///< the path of the image it is in, empty for the main program
  char own[4096];      ///< the path of the image this copy is in
} search;

static uintptr_t own_entry(void) { return (uintptr_t)annot_runtime_entry; }

static int search_image(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  search *it = context;
  const char *name = info->dlpi_name ? info->dlpi_name : "";
  uintptr_t entry;
  if (!it->entry && image_runtime_entry(info, &entry)) {
    it->entry = entry;
    snprintf(it->first, sizeof it->first, "%s", name);
  }
  if (!it->entry || !image_has_range(info, (memory_range){own_entry(), 1}, PF_X)) return 0;
  snprintf(it->own, sizeof it->own, "%s", name);
  return 1;
}

// What was found is the same whoever looks, so threads that look at once need no lock.
enum { UNDECIDED, HERE, ELSEWHERE };
static atomic_int decision = UNDECIDED;
static _Atomic(uintptr_t) elsewhere;

static void decide(search *it) {
  loader_iterate(search_image, it);
  const bool is_here = !it->entry || it->entry == own_entry();
  atomic_store_explicit(&elsewhere, is_here ? 0 : it->entry, memory_order_relaxed);
  atomic_store_explicit(&decision, is_here ? HERE : ELSEWHERE, memory_order_release);
}

annot_resolve_function charge_elsewhere(void) {
  if (atomic_load_explicit(&decision, memory_order_acquire) == UNDECIDED) decide(&(search){0});
  return (annot_resolve_function)atomic_load_explicit(&elsewhere, memory_order_relaxed);
}

// Weak, as programs that are linked statically have none and a strong reference makes their linker warn.
extern __typeof__(dlopen) dlopen __attribute__((weak));

/// Keeps the image of this copy loaded: slots of other images lead into it, and so do the loader's and the
/// threads' lists of functions to call.
static void stay(const char *path) {
  // The image is found by the name that the loader has for it, without a look at any file. The main program, which
  // has none, stays anyway.
  if (dlopen && *path) dlopen(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

// Here, not where it is first asked for: dlopen waits while another thread is inside it, and a constructor runs
// inside it already.
__attribute__((constructor(102))) static void take_charge(void) {
  search it = {0};
  decide(&it);
  if (atomic_load_explicit(&decision, memory_order_relaxed) == HERE) {
    stay(it.own);
    return;
  }
  fprintf(stderr,
          "annot: %s brings a second copy of Annot's runtime: the one in %s stays in charge, and this one takes "
          "no advice; link both against one shared library\n",
          it.own, *it.first ? it.first : "the program");
}
