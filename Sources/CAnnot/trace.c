#define _GNU_SOURCE
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int descriptor = -1;  // where to; -1 for nowhere
static pthread_once_t decided = PTHREAD_ONCE_INIT;

/// ANNOT_LOG is `1` or `stderr` for standard error, or the path of a file to append to.
static void decide(void) {
  const char *where = getenv("ANNOT_LOG");
  if (!where || !*where || !strcmp(where, "0")) return;
  if (!strcmp(where, "1") || !strcmp(where, "stderr"))
    descriptor = STDERR_FILENO;
  else if ((descriptor = open(where, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666)) < 0)
    fprintf(stderr, "annot: ANNOT_LOG: %s cannot be written: %s\n", where, strerror(errno));
}

static bool is_on(void) {
  pthread_once(&decided, decide);
  return descriptor >= 0;
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t trace_time(void) { return is_on() ? now() : 0; }

/// Writes a line in one piece, so that those of several threads or processes do not mix.
__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
  char line[4608];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (length <= 0) return;
  const size_t size = (size_t)length < sizeof line ? (size_t)length : sizeof line - 1;
  if (write(descriptor, line, size) < 0) return;
}

static const char *route_of(const known_image *it) {
  if (it->error) return it->error->detail;
  switch (it->image.route) {
    case ANNOT_ROUTE_NOTE: return "by note";
    case ANNOT_ROUTE_FILE: return "by file";
    case ANNOT_ROUTE_NONE: break;
  }
  return it->stamp ? "its file has none" : "no note and no file";
}

void trace_image(const known_image *it, uint64_t start) {
  if (!is_on()) return;
  say("annot[%ld]: %s at %#zx: %zu records, %zu faults (%s) in %.1f us\n", (long)getpid(), it->image.path,
      (size_t)it->image.base, it->record_count, it->fault_count + it->unkept_faults, route_of(it),
      (double)(now() - start) / 1000);
}

void trace_collection(const annot_snapshot *made, uint64_t start) {
  if (!is_on()) return;
  say("annot[%ld]: %zu images with %zu records in %.1f us\n", (long)getpid(), made->image_count,
      made->record_count, (double)(now() - start) / 1000);
}
