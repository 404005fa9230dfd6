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

image_pin *image_pin_open(const char *name, uintptr_t dynamic, bool is_for_good) {
  if (!dlopen || !dlinfo) return NULL;
  image_pin *it = call_allocate(sizeof *it);
  if (!it) return NULL;
  // By the name that the loader has for it, an image is found without a look at any file.
  it->handle = dlopen(*name ? name : NULL, RTLD_LAZY | RTLD_NOLOAD | (is_for_good ? RTLD_NODELETE : 0));
  it->dynamic = dynamic;
  if (!it->handle || !is_image(it->handle, dynamic)) {
    image_pin_close_chain(it);
    return NULL;
  }
  if (is_for_good) {
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

uintptr_t image_pin_symbol(const image_pin *it, const char *symbol, const char *version) {
  if (!it->handle) return 0;
#ifdef __GLIBC__
  if (version && dlvsym) return (uintptr_t)dlvsym(it->handle, symbol, version);
#else
  (void)version;
#endif
  return (uintptr_t)dlsym(it->handle, symbol);
}
