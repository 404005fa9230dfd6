/// Annotations for C and C++: typed facts about code, left in the binary where people and programs find them.
///
///     #include <annot.h>
///     ANNOTATE_NEEDLOGIN(Router, transfer, C);
///     ANNOTATE(cache, ANNOT_NAME(cls, Router), ANNOT_INT(seconds, 60), ANNOT_BOOL(shared, true));
///
/// Each macro leaves one record (docs/record-format.md) in the ELF section `annot`. Nothing is linked and
/// nothing runs: the header is all there is. What cannot be a valid record is a compile error that says what
/// to write instead. docs/c-macros.md is the guide.
///
/// Defined before the first inclusion:
/// - ANNOT_NO_SOURCE leaves the members `file` and `line` out.
/// - ANNOT_DISABLE makes every macro here leave nothing.
/// - ANNOT_USE_ASM, ANNOT_USE_ATTRIBUTE force the way records are written; see annot/emission.h.
/// - ANNOT_MODULE_NAME is the module of the code itself, `C` unless defined.
#ifndef ANNOT_H
#define ANNOT_H

#include "annot/kinds.h"

#endif
