// Threads that open and close libraries while others read and others fork: nothing lost, nothing stale.
//
//   stress CYCLES LIBRARY…    each library has one record, whose member `name` is its file's name

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annot/runtime.h"

enum { readers = 4, openers = 2 };

static char **libraries;
static size_t library_count;
static long cycles;
static atomic_long lost, stale, unordered, seen, changes, forks, stuck;
static atomic_bool done;
// A fork while another thread is inside dlopen or dlclose leaves the C library's own lock held in the child,
// for whoever walks the list of images there; so no program may do it.
static pthread_rwlock_t loading = PTHREAD_RWLOCK_INITIALIZER;

static size_t records_in(const annot_snapshot *it, const char *path) {
  size_t found = 0;
  for (size_t i = 0; i < annot_snapshot_record_count(it); i++) {
    const annot_record record = annot_snapshot_record(it, i);
    const annot_image *image = annot_snapshot_image(it, record.image);
    if (strcmp(image->path, path)) continue;
    if (strstr(record.bytes, strrchr(path, '/') + 1)) found++;
  }
  return found;
}

/// A library belongs to one thread, which so knows whether it is loaded.
static void *open_and_close(void *number) {
  const size_t first = (size_t)(uintptr_t)number;
  for (long cycle = 0; cycle < cycles; cycle++) {
    const char *path = libraries[(first + (size_t)cycle * openers) % library_count];
    pthread_rwlock_rdlock(&loading);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    pthread_rwlock_unlock(&loading);
    if (!handle) {
      fprintf(stderr, "%s\n", dlerror());
      exit(3);
    }
    annot_snapshot *it = annot_snapshot_take();
    if (records_in(it, path) != 1) lost++;
    pthread_rwlock_rdlock(&loading);
    dlclose(handle);
    pthread_rwlock_unlock(&loading);
    annot_snapshot *after = annot_snapshot_take();
    if (records_in(after, path) != 0) stale++;
    if (annot_snapshot_generation(after) <= annot_snapshot_generation(it)) unordered++;
    // What was taken before dlclose is as it was.
    if (records_in(it, path) != 1) lost++;
    annot_snapshot_free(it);
    annot_snapshot_free(after);
  }
  return NULL;
}

static void *read_on(void *number) {
  (void)number;
  uint64_t last = 0;
  while (!done) {
    annot_snapshot *it = annot_snapshot_take();
    if (annot_snapshot_generation(it) < last) unordered++;
    last = annot_snapshot_generation(it);
    for (size_t i = 0; i < annot_snapshot_record_count(it); i++)
      seen += (long)annot_snapshot_record(it, i).length;
    for (size_t i = 0; i < annot_snapshot_diagnostic_count(it); i++)
      seen += (long)strlen(annot_snapshot_diagnostic(it, i)->text);
    annot_snapshot_free(it);
  }
  return NULL;
}

static void *fork_on(void *number) {
  (void)number;
  while (!done) {
    pthread_rwlock_wrlock(&loading);
    const pid_t child = fork();
    if (child) pthread_rwlock_unlock(&loading);
    if (child == 0) {
      alarm(20);
      annot_snapshot *it = annot_snapshot_take();
      _exit(annot_snapshot_image_count(it) > 0 ? 0 : 1);
    }
    int status = 1;
    if (child > 0) waitpid(child, &status, 0);
    if (status) stuck++;
    forks++;
    usleep(2000);
  }
  return NULL;
}

static void changed(annot_snapshot *before, annot_snapshot *after, void *last) {
  if (annot_snapshot_generation(before) != *(uint64_t *)last && *(uint64_t *)last) unordered++;
  if (annot_snapshot_generation(after) <= annot_snapshot_generation(before)) unordered++;
  *(uint64_t *)last = annot_snapshot_generation(after);
  changes++;
}

int main(int count, char **words) {
  if (count < 3) return 2;
  cycles = atol(words[1]);
  libraries = words + 2;
  library_count = (size_t)count - 2;
  if (library_count % openers) return 2;
  uint64_t last = 0;
  const uint64_t observer = annot_observe(changed, &last, NULL);
  pthread_t threads[readers + openers + 1];
  for (size_t i = 0; i < openers; i++)
    pthread_create(&threads[i], NULL, open_and_close, (void *)(uintptr_t)i);
  for (size_t i = 0; i < readers; i++) pthread_create(&threads[openers + i], NULL, read_on, NULL);
  const bool forking = !getenv("STRESS_NO_FORK");
  if (forking) pthread_create(&threads[openers + readers], NULL, fork_on, NULL);
  for (size_t i = 0; i < openers; i++) pthread_join(threads[i], NULL);
  done = true;
  for (size_t i = 0; i < (size_t)readers + forking; i++) pthread_join(threads[openers + i], NULL);
  annot_unobserve(observer);
  printf("lost %ld stale %ld unordered %ld stuck %ld\n", lost, stale, unordered, stuck);
  fprintf(stderr, "%ld changes told, %ld bytes read, %ld forks\n", changes, seen, forks);
  return lost || stale || unordered || stuck;
}
