/// The splitter and validator of annotation records; one for memory and files alike.
///
/// The format is specified in docs/record-format.md. Nothing here allocates, locks or keeps state, so
/// every function may be called from any thread and from a signal handler.
#ifndef ANNOT_RECORD_H
#define ANNOT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "annot/attributes.h"

ANNOT_BEGIN_DECLS

/// The longest record, in bytes, without its terminating NUL.
#define ANNOT_RECORD_MAX_LENGTH 65536
/// The deepest nesting of arrays and objects in a record; the record itself is level 1.
#define ANNOT_RECORD_MAX_DEPTH 32

/// Why a run of bytes is not a record.
typedef enum annot_fault {
  ANNOT_FAULT_NONE = 0,
  ANNOT_FAULT_CUT_OFF,           ///< the section ends before the record's NUL
  ANNOT_FAULT_TOO_LONG,          ///< longer than ANNOT_RECORD_MAX_LENGTH
  ANNOT_FAULT_NOT_UTF8,          ///< not UTF-8 (RFC 3629)
  ANNOT_FAULT_NOT_JSON,          ///< not JSON (RFC 8259)
  ANNOT_FAULT_NOT_OBJECT,        ///< JSON, but not an object
  ANNOT_FAULT_TOO_DEEP,          ///< nested deeper than ANNOT_RECORD_MAX_DEPTH
  ANNOT_FAULT_DUPLICATE_MEMBER,  ///< one object has two members of one name
  ANNOT_FAULT_NO_KIND,           ///< no member `kind` that is a non-empty string
  ANNOT_FAULT_OVER_LENGTH_LIMIT,  ///< longer than annot_record_limits has it
  ANNOT_FAULT_OVER_DEPTH_LIMIT,   ///< nested deeper than annot_record_limits has it
} annot_fault;

/// A run of bytes inside a larger buffer; not NUL-terminated. `bytes` is null when the text is absent.
typedef struct annot_text {
  const char *bytes;
  size_t length;
} annot_text;

/// The members of a record that have a meaning to Annot itself.
///
/// Each text is the JSON string without its quotes, escapes not decoded (see annot_text_unescape), and
/// points into the record.
typedef struct annot_record_fields {
  annot_text kind;
  annot_text cls;
  annot_text sel;
  annot_text module;
  annot_text file;
  uint64_t line;         ///< 0 when absent or not a whole number that fits
  bool is_static;        ///< `"static":true`
  bool canonical;        ///< begins `{"kind":"`
} annot_record_fields;

/// One run between NULs, as annot_split finds it.
typedef struct annot_span {
  size_t offset;     ///< of its first byte, in the split buffer
  size_t length;     ///< in bytes, without the NUL
  bool terminated;   ///< whether a NUL follows
} annot_span;

/// Finds the next run of bytes that are not NUL.
///
/// - bytes, size: the section's bytes.
/// - position: where to go on, 0 at first; moved behind the run found.
/// - Returns false when only NULs are left.
ANNOT_API bool annot_split(const char *bytes, size_t size, size_t *position, annot_span *span);

/// Limits that a reader sets itself, below those of the format. Zeroed it means those of the format; what is above
/// them counts as they do, as what is over them is no record.
typedef struct annot_record_limits {
  uint32_t length;  ///< the longest record, in bytes; 0 for ANNOT_RECORD_MAX_LENGTH
  uint32_t depth;   ///< the deepest nesting, the record itself being 1; 0 for ANNOT_RECORD_MAX_DEPTH
} annot_record_limits;

/// Checks one record and finds the members that have a meaning to Annot.
///
/// - bytes, length: the record without its NUL.
/// - fields: filled on success, zeroed otherwise; may be null.
/// - where: the offset in the record at which the fault was noticed; may be null.
/// - Returns ANNOT_FAULT_NONE for a sound record.
ANNOT_API annot_fault annot_validate(
    const char *bytes, size_t length, annot_record_fields *fields, size_t *where);

/// What is wrong, in a few words for people: "not valid JSON"; never null.
ANNOT_API const char *annot_fault_text(annot_fault fault);

/// A member of a record.
typedef struct annot_member {
  annot_text name;   ///< without the quotes, escapes not decoded
  annot_text value;  ///< the JSON value as it stands in the record: a string has its quotes
} annot_member;

/// Finds the next member of a record.
///
/// - bytes, length: a record that annot_validate found sound.
/// - position: where to go on, 0 at first; moved behind the member found.
/// - Returns false when there are no more.
ANNOT_API bool annot_next_member(const char *bytes, size_t length, size_t *position, annot_member *member);

/// Decodes the escapes of a JSON string's contents into UTF-8.
///
/// - out, capacity: where the bytes go; may be null with 0 to ask for the length. No NUL is added.
/// - Returns the decoded length, which is never more than `text.length`. Lone surrogates become U+FFFD.
ANNOT_API size_t annot_text_unescape(annot_text text, char *out, size_t capacity);

/// Puts records in the order readers show them: by file, line, kind, cls, sel, then by their bytes.
///
/// - Returns less than, equal to or greater than 0, as memcmp does.
ANNOT_API int annot_record_order(
    const annot_record_fields *a, annot_text a_bytes, const annot_record_fields *b, annot_text b_bytes);

ANNOT_END_DECLS

#endif
