// Runs methods.c's test in a program of its own, then prints its join points as the runtime would see them.
#include <stdio.h>

#include <annot/layout.h>

#ifdef __cplusplus
extern "C" {
#endif
extern annot_joinpoint start[] __asm__("__start_annot_joinpoint") __attribute__((visibility("hidden")));
extern annot_joinpoint stop[] __asm__("__stop_annot_joinpoint") __attribute__((visibility("hidden")));
int methods_test(void);
#ifdef __cplusplus
}
#endif

static void print_type(const annot_type *type) {
  printf("%s kind=%u size=%u align=%u", type->text, (unsigned)type->kind, (unsigned)type->size,
      (unsigned)type->alignment);
}

int main(void) {
  int failures = methods_test();
  for (annot_joinpoint *joinpoint = start; joinpoint < stop; joinpoint++) {
    const annot_joinpoint_info *info = joinpoint->info();
    if (joinpoint->size != sizeof *joinpoint || joinpoint->version != ANNOT_JOINPOINT_VERSION) {
      printf("bad slot\n");
      return 2;
    }
    printf("%s.%s.%s%s %s -> ", info->module, info->cls, info->sel,
        info->flags & ANNOT_JOINPOINT_STATIC ? " static" : "",
        joinpoint->hook == ANNOT_HOOK_IDLE         ? "idle"
        : joinpoint->hook == ANNOT_HOOK_UNRESOLVED ? "unresolved"
                                                   : "advised");
    print_type(&info->result);
    for (uint32_t i = 0; i < info->parameter_count; i++) {
      printf("; %s: ", info->parameters[i].name);
      print_type(&info->parameters[i].type);
    }
    printf("\n");
  }
  return failures != 0;
}
