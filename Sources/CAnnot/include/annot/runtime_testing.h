/// Makes calls of the runtime fail, so that tests can see what becomes of every error, counts what it keeps, and has it
/// collect again, so that it can be measured.
///
/// Not for use outside tests. The state belongs to the calling thread. The calls of the file reader are made
/// to fail by annot/testing.h.
#ifndef ANNOT_RUNTIME_TESTING_H
#define ANNOT_RUNTIME_TESTING_H

#include <stdbool.h>
#include <stddef.h>

#include "annot/runtime.h"

ANNOT_BEGIN_DECLS

/// The calls that can be made to fail; numbers may change in any version.
typedef enum annot_runtime_call {
  ANNOT_RUNTIME_CALL_NONE = 0,
  ANNOT_RUNTIME_CALL_MAP,          ///< mmap
  ANNOT_RUNTIME_CALL_ALLOCATE,     ///< malloc and its kin
  ANNOT_RUNTIME_CALL_OPEN,         ///< open
  ANNOT_RUNTIME_CALL_STAT,         ///< fstat, stat
  ANNOT_RUNTIME_CALL_READ,         ///< pread
  ANNOT_RUNTIME_CALL_OPEN_ELF,     ///< annot_file_open_descriptor, for want of memory
  ANNOT_RUNTIME_CALL_READ_MEMORY,  ///< the copying of memory, as if its pages were gone
  ANNOT_RUNTIME_CALL_READ_PROCESS,  ///< process_vm_readv; with EPERM, as where it is forbidden
  ANNOT_RUNTIME_CALL_PROTECT,      ///< mprotect
  ANNOT_RUNTIME_CALL_COUNT,
} annot_runtime_call;

/// Makes the `nth` next call of the calling thread fail, once; replaces what was asked before.
///
/// - call: which call.
/// - nth: 1 for the next one.
/// - error: the errno it fails with. 0 makes READ return no bytes, as at the end of the file.
ANNOT_API void annot_runtime_fail_next(annot_runtime_call call, unsigned nth, int error);

/// The number of advice lists in memory, in use or set aside until the calls that use them have ended.
ANNOT_API size_t annot_runtime_advice_lists(void);

/// Takes the request back; returns whether it was still waiting, which tells that fewer calls were made.
ANNOT_API bool annot_runtime_fail_cancel(void);

/// Collects as a read does that finds images loaded since `last`, and tells nobody: `last` stays what it is, and the
/// current snapshot, too. Free the result with annot_snapshot_free; null without memory.
ANNOT_API annot_snapshot *annot_runtime_collect(const annot_snapshot *last);

ANNOT_END_DECLS

#endif
