// Shims of functions with headers and without, as C and as C++.
#include <annot/joinpoint.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A result, no result, pointers, qualifiers; a selector with colons; a function that is also a macro.
ANNOT_SHIM(int, Output, print, puts, (const char *, text));
ANNOT_SHIM(void *, Memory, take:, malloc, (size_t, size));
ANNOT_SHIM(void, Memory, give, free, (void *, memory));
ANNOT_SHIM(ssize_t, File, write, write, (int, file), (const void *, bytes), (size_t, size));
ANNOT_SHIM(int, Text, toupper, toupper, (int, character));
// Nobody declares these.
ANNOT_SHIM(int, Shop, none, shop_none);
ANNOT_SHIM(double, Shop, open, _ZN4Shop4openEid, (int, page), (double, zoom));
typedef void shim_callback(void *context);
ANNOT_SHIM(void, Shop, later, shop_later, (shim_callback *, function), (void *, context));
// One function as two join points.
ANNOT_SHIM(int, Output, line, puts, (const char *, text));

#ifdef __cplusplus
struct Basket {
  Basket(const Basket &other);
  ~Basket();
  int count;
};
namespace shop {
ANNOT_SHIM(Basket, Shop, fill, _ZN4shop4fillE6BasketRKS0_, (Basket, basket), (const Basket &, other));
}
#endif
