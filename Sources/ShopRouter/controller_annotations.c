// A C shim that annotates a Swift class: the record names its target, so it can stand in any file.

#include <annot.h>

ANNOTATE_NEEDLOGIN(ShopController, checkout(cart:), annot_demo);
ANNOTATE(joinpoint, ANNOT_NAME(cls, ShopController), ANNOT_NAME(sel, checkout(cart:)),
         ANNOT_NAME(module, annot_demo));
