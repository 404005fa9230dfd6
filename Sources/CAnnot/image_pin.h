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
  uintptr_t asked;    ///< see pin_request
  uintptr_t answer;   ///< the function that it told; 0 for none
  bool is_used;       ///< the owner's, for finding those that can go
} image_pin;

/// Which image is to be kept.
typedef struct pin_request {
  struct pin_request *next;
  const char *name;    ///< as the loader has it
  uintptr_t dynamic;   ///< tells whether what is found under the name is the image meant
  bool is_for_good;    ///< never to be unloaded; else until it is closed
  /// The address of an IFUNC's definition in it that is to be asked for its function, 0 for none; of `symbol` in
  /// `version`, which may be null.
  uintptr_t asked;
  const char *symbol, *version;
} pin_request;

/// Keeps an image loaded; null when it is not there any more.
///
/// Calls dlopen, which waits for other threads' dlopen and dlclose: no lock may be held that a constructor could
/// wait for.
/// `*is_short` is set, and null returned, when memory runs out.
image_pin *image_pin_open(const pin_request *request, bool *is_short);
/// Lets go of a chain of pins. Calls dlclose, for which the same holds; it may run destructors.
void image_pin_close_chain(image_pin *chain);

#pragma GCC visibility pop

#endif
