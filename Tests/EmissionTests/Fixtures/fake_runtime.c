// A runtime as small as can be, found by its note: settles join points by FAKE_ADVICE, "all" or a selector,
// and prints each advised call when FAKE_TRACE is set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <annot/layout.h>

struct fake_hook {
  annot_hook hook;
  const annot_joinpoint_info *info;
};

extern int fake_dispatched, fake_resolved;
int fake_dispatched, fake_resolved;

static void dispatch(const annot_hook *hook, void *const *arguments, void *result) {
  const annot_joinpoint_info *info = ((const struct fake_hook *)hook)->info;
  fake_dispatched++;
  if (getenv("FAKE_TRACE")) {
    printf("before %s.%s\n", info->cls, info->sel);
  }
  info->invoke(arguments, result);
}

__attribute__((visibility("hidden"))) const annot_hook *fake_resolve(annot_joinpoint *joinpoint);
const annot_hook *fake_resolve(annot_joinpoint *joinpoint) {
  static struct fake_hook hooks[128];
  static int count;
  const char *advice = getenv("FAKE_ADVICE");
  const annot_joinpoint_info *info = joinpoint->info();
  uintptr_t expected = ANNOT_HOOK_UNRESOLVED;
  struct fake_hook *hook = 0;
  fake_resolved++;
  if (advice && (strcmp(advice, "all") == 0 || strcmp(advice, info->sel) == 0) && count < 128) {
    hook = &hooks[count++];
    hook->hook.dispatch = dispatch;
    hook->info = info;
  }
  if (!__atomic_compare_exchange_n(
          &joinpoint->hook, &expected, (uintptr_t)hook, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return (const annot_hook *)expected;
  }
  return hook ? &hook->hook : 0;
}

__asm__(
    "\t.pushsection .note.annot,\"a\",%note\n"
    "\t.balign 4\n"
    "\t.long 6, 4, 3\n"
    "\t.ascii \"annot\\0\"\n"
    "\t.balign 4\n"
    "\t.long fake_resolve - .\n"
    "\t.popsection\n");
