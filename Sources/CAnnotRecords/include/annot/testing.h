/// Makes system and libelf calls of the file reader fail, so that tests can see what becomes of every error.
///
/// Not for use outside tests. The state belongs to the calling thread: tests that run side by side do not
/// disturb one another, and a thread that asks for nothing pays one predictable branch per call.
#ifndef ANNOT_TESTING_H
#define ANNOT_TESTING_H

#include <stdbool.h>

#include "annot/attributes.h"

ANNOT_BEGIN_DECLS

/// The calls that can be made to fail; numbers may change in any version.
typedef enum annot_sys_call {
  ANNOT_SYS_NONE = 0,
  ANNOT_SYS_OPEN,
  ANNOT_SYS_FSTAT,
  ANNOT_SYS_PREAD,
  ANNOT_SYS_MALLOC,
  ANNOT_SYS_REALLOC,
  ANNOT_SYS_ELF_VERSION,
  ANNOT_SYS_ELF_BEGIN,
  ANNOT_SYS_ELF_GETSCN,
  ANNOT_SYS_ELF_GETEHDR,
  ANNOT_SYS_ELF_GETSHDR,
  ANNOT_SYS_ELF_GETSHDRSTRNDX,
  ANNOT_SYS_ELF_GETPHDRNUM,
  ANNOT_SYS_ELF_GETPHDR,
  ANNOT_SYS_ELF_GETCHDR,
  ANNOT_SYS_ELF_STRPTR,
  ANNOT_SYS_ELF_RAWCHUNK,
  ANNOT_SYS_ELF_GETDATA,
  ANNOT_SYS_ELF_COMPRESS,
  ANNOT_SYS_ELF_RAND,
  ANNOT_SYS_CALL_COUNT,
} annot_sys_call;

/// Makes the `nth` next call of the calling thread fail, once; replaces what was asked before.
///
/// - call: which call.
/// - nth: 1 for the next one.
/// - error: the errno it fails with. 0 makes PREAD return no bytes, as at the end of the file; libelf calls
///   fail the same way whatever it is.
ANNOT_API void annot_sys_fail_next(annot_sys_call call, unsigned nth, int error);

/// Takes the request back; returns whether it was still waiting, which tells that fewer calls were made.
ANNOT_API bool annot_sys_fail_cancel(void);

ANNOT_END_DECLS

#endif
