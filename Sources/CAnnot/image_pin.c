#define _GNU_SOURCE
#include "image_pin.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

#include "calls.h"

// Weak, as programs that are linked statically have none and a strong reference makes their linker warn.
extern __typeof__(dlopen) dlopen __attribute__((weak));
extern __typeof__(dlinfo) dlinfo __attribute__((weak));
#ifdef __GLIBC__
extern __typeof__(dlvsym) dlvsym __attribute__((weak));
#endif

/// The loader's record of an image begins with link_map, whose l_ld is its dynamic section.
static bool is_image(void *handle, uintptr_t dynamic) {
  struct link_map *map = NULL;
  return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map && (uintptr_t)map->l_ld == dynamic;
}

/// The address of a symbol as an importer gets it.
static uintptr_t symbol_in(void *handle, const pin_request *request) {
#ifdef __GLIBC__
  if (request->version && dlvsym) return (uintptr_t)dlvsym(handle, request->symbol, request->version);
#endif
  return (uintptr_t)dlsym(handle, request->symbol);
}

image_pin *image_pin_open(const pin_request *request, bool *is_short) {
  if (!dlopen || !dlinfo) return NULL;
  image_pin *it = call_allocate(sizeof *it);
  if (!it) {
    *is_short = true;
    return NULL;
  }
  const int nodelete = request->is_for_good ? RTLD_NODELETE : 0;
  // By the name that the loader has for it, an image is found without a look at any file.
  it->handle = dlopen(*request->name ? request->name : NULL, RTLD_LAZY | RTLD_NOLOAD | nodelete);
  it->dynamic = request->dynamic;
  if (!it->handle || !is_image(it->handle, request->dynamic)) {
    image_pin_close_chain(it);
    return NULL;
  }
  it->asked = request->asked;
  if (it->asked) it->answer = symbol_in(it->handle, request);
  if (request->is_for_good) {
    dlclose(it->handle);
    it->handle = NULL;
  }
  return it;
}

void image_pin_close_chain(image_pin *chain) {
  for (image_pin *next; chain; chain = next) {
    next = chain->next;
    if (chain->handle) dlclose(chain->handle);
    free(chain);
  }
}
