/// The data that join points leave in an image and that the runtime finds and writes there.
///
/// This is the whole contract between code that was compiled with Annot's headers and the runtime: an image
/// with join points needs no symbol of ours. Valid as C99 and later and as C++11 and later. Layouts only
/// grow at their end; `size` fields tell what a given image was compiled with.
#ifndef ANNOT_LAYOUT_H
#define ANNOT_LAYOUT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The section of join points, a C identifier so that linkers define its bounds.
#define ANNOT_JOINPOINT_SECTION "annot_joinpoint"
/// The layout version of annot_joinpoint.
#define ANNOT_JOINPOINT_VERSION 1u

/// annot_joinpoint.hook: nothing advises this join point.
#define ANNOT_HOOK_IDLE ((uintptr_t)0)
/// annot_joinpoint.hook: nobody has asked the runtime yet; the first call does.
#define ANNOT_HOOK_UNRESOLVED ((uintptr_t)1)

/// annot_joinpoint_info.flags: a static method, not one of an instance.
#define ANNOT_JOINPOINT_STATIC 1u
/// annot_joinpoint_info.flags: a join point with its own dispatch and without an invoke function; only advice
/// that was added for this very join point (annot_advice.only) applies to it.
#define ANNOT_JOINPOINT_SWIFT 2u
/// annot_joinpoint_info.flags: a shim; `shim` tells of the function that it stands in front of.
#define ANNOT_JOINPOINT_SHIM 4u

/// What kind of value a type holds; numbers are part of the layout.
enum annot_type_kind {
  ANNOT_TYPE_VOID = 0,
  ANNOT_TYPE_SIGNED = 1,
  ANNOT_TYPE_UNSIGNED = 2,
  ANNOT_TYPE_BOOL = 3,
  ANNOT_TYPE_FLOAT = 4,
  ANNOT_TYPE_POINTER = 5,
  ANNOT_TYPE_OTHER = 6,  ///< a struct, union, vector or complex number; its bytes may be copied
  /// A C++ class that only its own constructors may copy, move or make: neither copy nor zero its bytes.
  ANNOT_TYPE_NONTRIVIAL = 7,
  /// A C++ reference: an argument's address is that of the object referred to, and size and alignment are
  /// that object's, 0 when it is an incomplete type's; a result of this kind is stored as a pointer to it.
  ANNOT_TYPE_REFERENCE = 8
};

/// A parameter's type for NUL-terminated text, which a deferred call copies. Spelled `const char *`, the
/// parameter is a pointer like any other, whose target stays the caller's.
typedef const char *annot_string;

/// A parameter's or result's type.
typedef struct annot_type {
  const char *text;    ///< as written in the source
  uint32_t size;       ///< in bytes; 0 for void
  uint16_t alignment;  ///< in bytes; 0 for void
  uint16_t kind;       ///< an annot_type_kind
} annot_type;

/// A parameter.
typedef struct annot_parameter {
  const char *name;
  annot_type type;
} annot_parameter;

/// A shim: a function that, while it is advised, is called in place of one in someone else's library. Writable.
typedef struct annot_shim {
  uint32_t size;           ///< sizeof(annot_shim) where the image was compiled
  uint32_t flags;          ///< 0
  const char *symbol;      ///< the other function, as dynamic symbol tables name it
  void (*function)(void);  ///< the shim: where other images' calls of `symbol` are led
  /// The other function, null until the runtime has found it, which is before the first call; accessed
  /// atomically only.
  void (*original)(void);
} annot_shim;

/// Calls `body(context)`. When an exception leaves it, calls `unwound(context)` while that is handled, and lets it
/// go on.
typedef void (*annot_protect_function)(void (*body)(void *), void (*unwound)(void *), void *context);

/// What is known of a join point; constant.
typedef struct annot_joinpoint_info {
  uint32_t size;    ///< sizeof(annot_joinpoint_info) where the image was compiled
  uint32_t flags;   ///< ANNOT_JOINPOINT_ flags
  const char *module;
  const char *cls;
  const char *sel;
  const char *file;  ///< null when compiled without source places
  uint32_t line;
  uint32_t parameter_count;
  const annot_parameter *parameters;  ///< parameter_count of them
  annot_type result;
  /// Runs the original code: `arguments[i]` is the address of argument i, `result` where the result goes
  /// (uninitialised memory of the result's type; ignored for void).
  void (*invoke)(void *const *arguments, void *result);
  /// How the runtime, which is C, learns of exceptions; null where the image was compiled without them.
  annot_protect_function protect;
  /// Ends the life of a C++ object made by `invoke`; null where that takes nothing.
  void (*destroy)(void *result);
  annot_shim *shim;  ///< with ANNOT_JOINPOINT_SHIM; else null, or not there if `size` says so
} annot_joinpoint_info;

/// What an advised join point's slot leads to; the runtime's own data follow.
typedef struct annot_hook {
  /// Runs the advice and, unless an advice decides otherwise, the original code. Same arguments as invoke.
  /// `result` is zeroed by the runtime when no code produced one.
  void (*dispatch)(const struct annot_hook *hook, void *const *arguments, void *result);
} annot_hook;

/// A join point's slot, writable, in section ANNOT_JOINPOINT_SECTION.
typedef struct annot_joinpoint {
  uint32_t size;     ///< sizeof(annot_joinpoint); the next slot of the section follows
  uint32_t version;  ///< ANNOT_JOINPOINT_VERSION
  /// ANNOT_HOOK_IDLE, ANNOT_HOOK_UNRESOLVED or a `const annot_hook *`; accessed atomically only.
  uintptr_t hook;
  const annot_joinpoint_info *(*info)(void);
} annot_joinpoint;

/// The owner of every ELF note of Annot; the note's name is this with its NUL.
#define ANNOT_NOTE_OWNER "annot"
/// Note type: two signed 32-bit distances, each from its own address, to the start and the end of the
/// image's records.
#define ANNOT_NOTE_RECORDS 1u
/// Note type: the same for section ANNOT_JOINPOINT_SECTION.
#define ANNOT_NOTE_JOINPOINTS 2u
/// Note type: one signed 32-bit distance from its own address to the runtime's annot_resolve_function.
#define ANNOT_NOTE_RUNTIME 3u

/// The runtime's entry: settles an unresolved slot and returns what its `hook` now leads to, null for idle.
typedef const annot_hook *(*annot_resolve_function)(annot_joinpoint *joinpoint);

#ifdef __cplusplus
}
#endif

#endif
