// A program that does to itself what its arguments say and prints what the runtime knows, for tests of images
// in every state. Each word is a command; what a command needs follows it.
//
//   open PATH, close      opens a library; closes the one opened last
//   memory PATH           opens a copy of a library that is in memory only
//   chdir, unlink PATH    rename, copy FROM TO (copy writes into the file in place)
//   cut PATH SIZE         makes a file shorter
//   take, free            keeps a snapshot; prints the kept one and frees it
//   print, refresh        prints a snapshot taken now; annot_refresh
//   observe, fork         prints changes from now on; goes on in a child and ends with its status
//   mounts FROM AT, home  shows a folder at the place of another in a mount namespace of its own; goes back
//   unread, forbidden     makes the next use of the file reader, of process_vm_readv fail
//   quit                  ends without running the libraries' destructors

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annot/runtime.h"
#include "annot/runtime_testing.h"

#ifdef BARE
static const char own[] __attribute__((used, retain, aligned(1), section("annot"))) =
    "{\"kind\":\"mark\",\"name\":\"program\"}";
#elif !defined(NO_RECORDS)
#include "annot.h"
ANNOTATE(mark, ANNOT_NAME(name, program));
#endif

static void print(const annot_snapshot *it) {
  static const char *const routes[] = {"none", "note", "file"};
  for (size_t i = 0; i < annot_snapshot_image_count(it); i++) {
    const annot_image *image = annot_snapshot_image(it, i);
    printf("image %s %s%s\n", image->path, routes[image->route], image->is_main ? " main" : "");
  }
  for (size_t i = 0; i < annot_snapshot_record_count(it); i++) {
    const annot_record record = annot_snapshot_record(it, i);
    printf("record %s %s\n", annot_snapshot_image(it, record.image)->path, record.bytes);
  }
  for (size_t i = 0; i < annot_snapshot_diagnostic_count(it); i++) {
    const annot_diagnostic *each = annot_snapshot_diagnostic(it, i);
    printf("diagnostic %s %s\n", annot_snapshot_image(it, each->image)->path, each->text);
  }
  printf("end\n");
}

static void print_change(annot_snapshot *before, annot_snapshot *after, void *context) {
  (void)context;
  for (size_t i = 0; i < annot_snapshot_image_count(before); i++) {
    const annot_image *image = annot_snapshot_image(before, i);
    if (!annot_snapshot_has_image(after, image->identity)) printf("removed %s\n", image->path);
  }
  for (size_t i = 0; i < annot_snapshot_image_count(after); i++) {
    const annot_image *image = annot_snapshot_image(after, i);
    if (!annot_snapshot_has_image(before, image->identity)) printf("added %s\n", image->path);
  }
}

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(3);
}

/// Writes the bytes of one file into another, which stays the same file.
static void copy(const char *from, const char *to) {
  FILE *in = fopen(from, "re"), *out = fopen(to, "r+e");
  if (!in || !out) fail("copy", to);
  char bytes[4096];
  size_t count;
  while ((count = fread(bytes, 1, sizeof bytes, in)) > 0) fwrite(bytes, 1, count, out);
  fclose(in);
  if (ftruncate(fileno(out), ftell(out))) fail("copy", to);
  fclose(out);
}

/// Opens a copy without a file; the loader knows it by a path that leads nowhere afterwards.
static void *open_in_memory(const char *path) {
  const int descriptor = memfd_create("library", MFD_CLOEXEC);
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  copy(path, name);
  void *handle = dlopen(name, RTLD_NOW);
  close(descriptor);
  return handle;
}

static int home_namespace = -1;

/// Enters a mount namespace of its own, in which the folder `at` shows what is in `from`.
static void change_mounts(const char *from, const char *at) {
  home_namespace = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
  if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) fail("mounts", "not permitted");
  if (mount(from, at, NULL, MS_BIND, NULL)) fail("mounts", at);
}

static void fork_and_wait(void) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) return;
  int status = 1;
  waitpid(child, &status, 0);
  exit(WIFEXITED(status) ? WEXITSTATUS(status) : 4);
}

int main(int count, char **words) {
  void *handles[512];
  size_t open = 0;
  annot_snapshot *kept = NULL;
  (void)count;
  for (char **word = words + 1; *word; word++) {
    const char *command = *word;
    if (!strcmp(command, "open")) {
      if (!(handles[open++] = dlopen(*++word, RTLD_NOW))) fail("open", dlerror());
    } else if (!strcmp(command, "memory")) {
      if (!(handles[open++] = open_in_memory(*++word))) fail("memory", dlerror());
    } else if (!strcmp(command, "close")) {
      dlclose(handles[--open]);
    } else if (!strcmp(command, "chdir")) {
      if (chdir(*++word)) fail("chdir", *word);
    } else if (!strcmp(command, "unlink")) {
      if (unlink(*++word)) fail("unlink", *word);
    } else if (!strcmp(command, "rename")) {
      if (rename(word[1], word[2])) fail("rename", word[1]);
      word += 2;
    } else if (!strcmp(command, "copy")) {
      copy(word[1], word[2]);
      word += 2;
    } else if (!strcmp(command, "cut")) {
      if (truncate(word[1], atol(word[2]))) fail("cut", word[1]);
      word += 2;
    } else if (!strcmp(command, "mounts")) {
      change_mounts(word[1], word[2]);
      word += 2;
    } else if (!strcmp(command, "unread")) {
      annot_runtime_fail_next(ANNOT_RUNTIME_CALL_OPEN_ELF, 1, ENOMEM);
    } else if (!strcmp(command, "forbidden")) {
      annot_runtime_fail_next(ANNOT_RUNTIME_CALL_READ_PROCESS, 1, EPERM);
    } else if (!strcmp(command, "home")) {
      if (setns(home_namespace, CLONE_NEWNS)) fail("home", "not permitted");
    } else if (!strcmp(command, "print")) {
      annot_snapshot *it = annot_snapshot_take();
      print(it);
      annot_snapshot_free(it);
    } else if (!strcmp(command, "take")) {
      kept = annot_snapshot_take();
    } else if (!strcmp(command, "free")) {
      print(kept);
      annot_snapshot_free(kept);
    } else if (!strcmp(command, "refresh")) {
      if (!annot_refresh()) fail("refresh", "no memory");
    } else if (!strcmp(command, "observe")) {
      if (!annot_observe(print_change, NULL, NULL)) fail("observe", "no memory");
    } else if (!strcmp(command, "quit")) {
      fflush(stdout);
      _exit(0);
    } else if (!strcmp(command, "fork")) {
      fork_and_wait();
    } else {
      fail("no such command", command);
    }
  }
  return 0;
}
