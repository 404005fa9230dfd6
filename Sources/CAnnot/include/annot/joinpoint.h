/// Join points in C and C++: functions whose calls can be observed, changed or held back.
///
///     #include <annot/joinpoint.h>
///     ANNOT_METHOD(void, Router, open, (const char *, page)) { puts(page); }
///
/// defines `void Router_open(const char *page)`. Unadvised, a call costs one load and one branch. Nothing is
/// linked: the runtime, if the process has one, finds the join point by the data left in the image
/// (annot/layout.h), and the join point's first call finds the runtime. With ANNOT_DISABLE the macros define
/// plain functions. docs/c-macros.md is the guide.
///
/// For functions of libraries that nobody here can change there is ANNOT_SHIM (annot/shim.h).
#ifndef ANNOT_JOINPOINT_H
#define ANNOT_JOINPOINT_H

#include "annot/method.h"
#include "annot/shim.h"

#endif
