#include <string.h>

#include "annot/record.h"

bool annot_split(const char *bytes, size_t size, size_t *position, annot_span *span) {
  size_t at = *position;
  while (at < size && bytes[at] == '\0') at++;
  if (at >= size) {
    *position = size;
    return false;
  }
  const char *nul = memchr(bytes + at, '\0', size - at);
  span->offset = at;
  span->length = nul ? (size_t)(nul - bytes) - at : size - at;
  span->terminated = nul != NULL;
  *position = at + span->length + (nul ? 1 : 0);
  return true;
}
