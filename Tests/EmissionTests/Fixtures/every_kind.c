// One record of each built-in kind and each type of member; valid as C99 and as C++11.
#include <stdbool.h>

#include <annot.h>

#define LIMIT 99
#define VERSION "1.2 beta"

ANNOTATE_NEEDLOGIN(Router, jump, C);
ANNOTATE_NEEDLOGIN(Router, jump, C);
ANNOTATE_NEEDLOGIN(linux, open:with:, Shop); ANNOTATE_NEEDLOGIN(Account, transfer(_:to:), Shop);
ANNOTATE_NEEDLOGIN(shop::Cart, NULL, C, ANNOT_TEXT(fallback, "sign in, then {retry}"));
ANNOTATE_TRACK(Router, jump, C, router.jump);
ANNOTATE_TRACK(Router, jump, C, router.jump, page, unix2);
ANNOTATE_ROOT_CLASS(Account);
ANNOTATE_CLASS(Savings, Account, ANNOT_BOOL(sealed, false));
ANNOTATE_MODULE(Pay, Shop);
ANNOTATE_MODULE(Ship, Shop, ANNOT_INT(level, 1), ANNOT_INT(priority, -10));
ANNOTATE_SERVICE(Payment, CardPayment);
ANNOTATE_SERVICE(Search, IndexSearch, ANNOT_BOOL(singleton, true));
ANNOTATE_TWEAK(cart.enabled, bool, true);
ANNOTATE_TWEAK(cart.limit, int, 10);
ANNOTATE_TWEAK(cart.items, int, 10, 0, LIMIT);
ANNOTATE_TWEAK(cart.rate, float, 0.5);
ANNOTATE_TWEAK(cart.ratio, float, 0.5, -1.0, 1e3);
ANNOTATE_TWEAK(cart.title, text, "Your cart");
ANNOTATE(empty);
ANNOTATE(numbers, ANNOT_INT(zero, 0), ANNOT_INT(least, -9223372036854775808), ANNOT_INT(limit, LIMIT),
    ANNOT_FLOAT(half, 0.5), ANNOT_FLOAT(small, 1e-3), ANNOT_FLOAT(large, -1.7976931348623157E+308),
    ANNOT_FLOAT(whole, 3));
ANNOTATE(texts, ANNOT_NAME(name, BOOL), ANNOT_TEXT(version, VERSION), ANNOT_TEXT(none, ""),
    ANNOT_TEXT(percent, "100% $HOME {a|b} ; # é"));


// A wrapper that spells its argument is free of what the argument expands to.
#define CATALOG 1
#define SHOP_CACHE(type, seconds_) \
  ANNOTATE(shop.cache, ANNOT_TEXT(cls, #type), ANNOT_INT(seconds, seconds_))
SHOP_CACHE(CATALOG, LIMIT);

#ifdef __cplusplus
extern "C"
#endif
int every_kind(void);
int every_kind(void) {
  ANNOTATE(inside, ANNOT_NAME(function, every_kind));
  return 0;
}
