// The headers after and before the system's own declarations of the same things.
#include <link.h>
#include <stdbool.h>

#include <annot/joinpoint.h>

#include <elf.h>
#include <dlfcn.h>

ANNOT_METHOD(bool, Link, is_null, (const void *, p)) { return p == NULL; }
