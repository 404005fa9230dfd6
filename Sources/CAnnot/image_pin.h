/// Keeps images loaded while code of theirs may be called from elsewhere.
#ifndef ANNOT_IMAGE_PIN_H
#define ANNOT_IMAGE_PIN_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/// An image that is kept.
typedef struct image_pin {
  struct image_pin *next;
  uintptr_t dynamic;  ///< the address of its dynamic section
  void *handle;       ///< of dlopen; null when it is kept for good
  bool is_used;       ///< the owner's, for finding those that can go
} image_pin;

/// Keeps an image loaded; null when it is not there any more, or memory runs out.
///
/// Calls dlopen, which waits for other threads' dlopen and dlclose: no lock may be held that a constructor could
/// wait for.
///
/// - name: as the loader has it.
/// - dynamic: tells whether what is found under the name is the image meant.
/// - is_for_good: whether it is never to be unloaded; else until image_pin_open's result is closed.
image_pin *image_pin_open(const char *name, uintptr_t dynamic, bool is_for_good);
/// Lets go of a chain of pins. Calls dlclose, for which the same holds; it may run destructors.
void image_pin_close_chain(image_pin *chain);
/// The address of a symbol in a pinned image, as an importer gets it; 0 when there is none.
uintptr_t image_pin_symbol(const image_pin *it, const char *symbol, const char *version);

#pragma GCC visibility pop

#endif
