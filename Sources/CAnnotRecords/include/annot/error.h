/// The error type of Annot's C API.
#ifndef ANNOT_ERROR_H
#define ANNOT_ERROR_H

#include <stdint.h>

#include "annot/attributes.h"

ANNOT_BEGIN_DECLS

/// What went wrong. Codes keep their number; new ones are added at the end.
typedef enum annot_error_code {
  ANNOT_ERROR_NONE = 0,
  ANNOT_ERROR_SYSTEM = 1,        ///< a system call failed; see system_error
  ANNOT_ERROR_NOT_A_FILE = 2,    ///< a directory, device or pipe where a file is meant
  ANNOT_ERROR_EMPTY = 3,         ///< the file has no bytes
  ANNOT_ERROR_NOT_ELF = 4,       ///< does not begin like an ELF file
  ANNOT_ERROR_MALFORMED = 5,     ///< begins like an ELF file and is not a sound one; see elf_error
  ANNOT_ERROR_UNSUPPORTED = 6,   ///< sound, but of a kind that cannot be read; detail says which
  ANNOT_ERROR_MEMORY = 7,        ///< no memory
  ANNOT_ERROR_LIMIT = 8,         ///< over a limit the caller set
  ANNOT_ERROR_DUPLICATE = 9,     ///< a name that must be unique is in use; detail says where
  ANNOT_ERROR_UNREACHABLE = 10,  ///< advice that no call would run; detail says why
} annot_error_code;

/// An error: a stable code, the causes underneath, and a sentence for people.
typedef struct annot_error {
  annot_error_code code;
  int system_error;     ///< errno, or 0
  int elf_error;        ///< elf_errno(), or 0
  uint64_t offset;      ///< in the file, where one is known; else 0
  char detail[192];     ///< what is wrong and the mend, in plain words, NUL-terminated
} annot_error;

ANNOT_END_DECLS

#endif
