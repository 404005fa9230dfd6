// Forks while threads read without pause; each child reads, too.
//
//   forks COUNT

#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annot/runtime.h"

static atomic_bool done;

static void *read_on(void *unused) {
  while (!done) annot_snapshot_free(annot_snapshot_take());
  return unused;
}

int main(int count, char **words) {
  if (count < 2) return 2;
  pthread_t threads[3];
  for (size_t i = 0; i < 3; i++) pthread_create(&threads[i], NULL, read_on, NULL);
  long stuck = 0;
  for (long left = atol(words[1]); left && !stuck; left--) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(10);
      annot_snapshot *it = annot_snapshot_take();
      _exit(annot_snapshot_image_count(it) > 0 && annot_refresh() ? 0 : 1);
    }
    int status = 1;
    if (child > 0) waitpid(child, &status, 0);
    if (status) stuck++;
  }
  done = true;
  for (size_t i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  printf("stuck %ld\n", stuck);
  return stuck > 0;
}
