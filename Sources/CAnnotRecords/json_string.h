/// Scanning of JSON strings: nearly all bytes of a record are inside one, so this decides how fast
/// validation is.
#ifndef ANNOT_JSON_STRING_H
#define ANNOT_JSON_STRING_H

#include "internal.h"

#pragma GCC visibility push(hidden)

/// A JSON string as it stands in the text.
typedef struct annot_json_string {
  annot_text text;  ///< without the quotes, escapes not decoded
  bool escaped;     ///< has escapes
} annot_json_string;

/// Scans the string that begins with the quote at `cursor`.
///
/// - cursor: moves behind the closing quote, or to the place of the fault.
/// - Returns ANNOT_FAULT_NONE, ANNOT_FAULT_NOT_JSON or ANNOT_FAULT_NOT_UTF8.
annot_fault annot_json_scan_string(const char **cursor, const char *end, annot_json_string *string);

#pragma GCC visibility pop

#endif
