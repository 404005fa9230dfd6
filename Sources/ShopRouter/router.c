#include "shop_router.h"

#include <annot.h>
#include <annot/joinpoint.h>
#include <stdio.h>

static char last_page[128];

// Whoever opens a page must be logged in. The annotation stands beside the code it is about.
ANNOTATE_NEEDLOGIN(Router, open, C);
ANNOT_METHOD(void, Router, open, (annot_string, page), (int, item)) {
  snprintf(last_page, sizeof last_page, "%s/%d", page, item);
}

// Prices are for everybody: a join point without an annotation.
ANNOT_METHOD(int, Router, price, (int, item)) { return item * 100; }

const char *router_last_page(void) { return last_page; }
