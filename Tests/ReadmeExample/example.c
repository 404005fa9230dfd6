// The README's C example, compiled. The test compares the two.

#include <annot.h>
#include <annot/joinpoint.h>

// Whoever opens a page must be logged in.
ANNOTATE_NEEDLOGIN(Router, open, C);

// Defines `int Router_open(const char *page)`; its calls can be advised.
ANNOT_METHOD(int, Router, open, (annot_string, page)) {
  return page[0] != '\0';
}
