// Opens the plugin given and runs its `methods_test` function; prints what a runtime linked in was asked.
// Usage: host PLUGIN
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

__attribute__((weak)) extern int fake_dispatched, fake_resolved;

int main(int argc, char **argv) {
  void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : 0;
  int (*test)(void) = 0;
  void *symbol;
  int failures;
  if (!plugin || !(symbol = dlsym(plugin, "methods_test"))) {
    printf("%s\n", dlerror());
    return 2;
  }
  memcpy(&test, &symbol, sizeof test);
  failures = test();
  if (&fake_resolved) {
    printf("resolved %d, dispatched %d\n", fake_resolved, fake_dispatched);
  }
  return failures != 0;
}
