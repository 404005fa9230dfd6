/// Tells the runtime of exceptions, from code that knows them: annot_joinpoint_info.protect.
///
/// In C with -fexceptions they are those of C++ functions called from there, and the cancelling of threads.
#ifndef ANNOT_PROTECT_H
#define ANNOT_PROTECT_H

#include "annot/layout.h"

#if !defined(__EXCEPTIONS)

#define ANNOT_PROTECT_ ANNOT_NULL_

#else

#define ANNOT_PROTECT_ annot_protect_

#ifdef __cplusplus

__attribute__((unused, cold)) static __inline__ void annot_protect_(
    void (*body)(void *), void (*unwound)(void *), void *context) {
  try {
    body(context);
  } catch (...) {
    unwound(context);
    throw;
  }
}

#else

typedef struct annot_guard_ {
  void (*unwound)(void *context);
  void *context;
} annot_guard_;

__attribute__((unused, cold)) static __inline__ void annot_end_guard_(annot_guard_ *guard) {
  if (guard->unwound != 0) {
    guard->unwound(guard->context);
  }
}

__attribute__((unused, cold)) static __inline__ void annot_protect_(
    void (*body)(void *), void (*unwound)(void *), void *context) {
  annot_guard_ guard __attribute__((cleanup(annot_end_guard_))) = {unwound, context};
  body(context);
  guard.unwound = 0;
}

#endif

#endif

#endif
