#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "file_reader.h"

void annot_error_set(annot_error *error, annot_error_code code, const char *format, ...) {
  memset(error, 0, sizeof *error);
  error->code = code;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->detail, sizeof error->detail, format, arguments);
  va_end(arguments);
}

void annot_error_set_system(annot_error *error, const char *what, int system_error) {
  char words[96];
  if (strerror_r(system_error, words, sizeof words)) snprintf(words, sizeof words, "error %d", system_error);
  annot_error_set(error, ANNOT_ERROR_SYSTEM, "%s: %s", what, words);
  error->system_error = system_error;
}

void annot_error_set_elf(annot_error *error, const char *what) {
  int code = sys_elf_errno();
  const char *words = code ? sys_elf_errmsg(code) : NULL;
  annot_error_set(error, ANNOT_ERROR_MALFORMED, "%s: %s", what, words ? words : "libelf gives no reason");
  error->elf_error = code;
}
