/// The names by which annotations and advice find a join point.
#ifndef ANNOT_TARGET_H
#define ANNOT_TARGET_H

#include "annot/record.h"

ANNOT_BEGIN_DECLS

/// The name of a place in code: what annotation records call module, cls and sel.
typedef struct annot_target {
  annot_text module;  ///< the Swift module, or `C`; absent matches any
  annot_text cls;
  annot_text sel;
  bool is_static;     ///< a static (class) method's join point; read in join points only
} annot_target;

/// Tells whether the selector `wanted` names the join point whose selector is `actual`.
///
/// `transfer` names any overload; `transfer(_:to:)` and `transfer:to:` name one (an empty label and `_` are
/// one). A leading `+` asks for a static method, `-` for an instance method, neither for both.
ANNOT_API bool annot_selector_matches(annot_text wanted, annot_text actual, bool actual_is_static);

/// Tells whether `wanted` names the join point `actual`: cls equal, selector by annot_selector_matches, and
/// module equal when both give one (`OC` is read as `C`).
ANNOT_API bool annot_target_matches(const annot_target *wanted, const annot_target *actual);

/// Tells whether `text` is what `pattern` says: byte for byte, each `*` standing for any text, none included.
ANNOT_API bool annot_pattern_matches(annot_text pattern, annot_text text);

/// annot_selector_matches with `*` in `pattern`: in the name (`transfer*`, `*`), in the labels (`transfer(_:*)`,
/// `transfer:*`) and after a sign (`+*`, any static method). A `*` does not reach from the name into the labels:
/// without labels, `transfer*` names any overload of what it matches.
ANNOT_API bool annot_selector_matches_pattern(annot_text pattern, annot_text actual, bool actual_is_static);

/// annot_target_matches with `*` in the class, the module and, as above, the selector of `pattern`.
ANNOT_API bool annot_target_matches_pattern(const annot_target *pattern, const annot_target *actual);

ANNOT_END_DECLS

#endif
