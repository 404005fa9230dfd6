// What advice in C promises, one promise a run, in a process of its own.
//
//   advice_checks NAME    status 0, and nothing printed, when it holds

#define _GNU_SOURCE
#include <annot/advice.h>
#include <annot/joinpoint.h>
#include <annot/runtime_testing.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct thing {
  int value;
};

ANNOT_METHOD(int, Thing, add, (struct thing *, self), (int, amount)) { return self->value + amount; }
ANNOT_METHOD(int, Thing, addAll, (struct thing *, self)) { return self->value; }
ANNOT_METHOD(int, Plain, twice, (int, number)) { return 2 * number; }
ANNOT_METHOD(void, Plain, nothing) {}
ANNOT_METHOD_STATIC(int, Plain, make, (struct thing *, first)) { return first->value; }

extern annot_joinpoint __start_annot_joinpoint[], __stop_annot_joinpoint[];

static int failures;

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      printf("line %d: %s\n", __LINE__, #condition); \
      failures++; \
    } \
  } while (0)

// What ran, in order.
static char trace[256];

static void note(annot_invocation *invocation, void *context) {
  (void)invocation;
  strcat(strcat(trace, context), " ");
}

static bool traced(const char *expected) {
  const bool same = strcmp(trace, expected) == 0;
  if (!same) printf("ran: %s\n", trace);
  trace[0] = 0;
  return same;
}

/// Advice that notes a word.
static annot_advice noting(const char *sel, annot_position position, const char *word) {
  return (annot_advice){.cls = "Thing",
                        .sel = sel,
                        .position = position,
                        .function = note,
                        .context = (void *)(uintptr_t)word,
                        ANNOT_HERE};
}

static annot_advice_id add(annot_advice advice) {
  annot_error error;
  const annot_advice_id id = annot_advise(&advice, &error);
  if (!id) printf("not added: %s\n", error.detail);
  return id;
}

/// What a join point's slot holds.
static uintptr_t hook_of(const char *sel) {
  for (annot_joinpoint *it = __start_annot_joinpoint; it < __stop_annot_joinpoint; it++)
    if (strcmp(it->info()->sel, sel) == 0) return it->hook;
  return ~(uintptr_t)0;
}

static void count_one(const annot_advice_info *info, void *context) {
  (void)info;
  ++*(size_t *)context;
}

static size_t count_all(void) {
  size_t count = 0;
  CHECK(annot_advice_each(count_one, &count));
  return count;
}

static int released;
static void release(void *context) {
  (void)context;
  released++;
}

static struct thing one = {1}, two = {2};

static void instance(void) {
  annot_advice advice = noting("add", ANNOT_BEFORE, "one");
  advice.instance = &one;
  const annot_advice_id id = add(advice);
  CHECK(annot_advice_reach(id) == 1);
  CHECK(Thing_add(&one, 1) == 2 && traced("one "));
  CHECK(Thing_add(&two, 1) == 3 && traced(""));
  advice = noting("add", ANNOT_AFTER, "two");
  advice.instance = &two;
  add(advice);
  add(noting("add", ANNOT_AFTER, "any"));
  Thing_add(&one, 1);
  CHECK(traced("one any "));
  Thing_add(&two, 1);
  CHECK(traced("any two "));
  CHECK(annot_unadvise(id) && !annot_unadvise(id));
  Thing_add(&one, 1);
  CHECK(traced("any "));
}

static void instance_once(void) {
  annot_advice advice = noting("add", ANNOT_BEFORE, "one");
  advice.instance = &one;
  advice.options = ANNOT_ADVICE_ONCE;
  const annot_advice_id id = add(advice);
  Thing_add(&two, 1);
  CHECK(traced(""));
  Thing_add(&one, 1);
  Thing_add(&one, 1);
  CHECK(traced("one ") && !annot_unadvise(id));
}

static void around_nothing(annot_invocation *invocation, void *context) {
  note(invocation, context);
}

static void instance_around(void) {
  annot_advice advice = noting("add", ANNOT_AROUND, "one");
  advice.instance = &one;
  advice.function = around_nothing;
  add(advice);
  CHECK(Thing_add(&one, 1) == 0 && Thing_add(&two, 1) == 3 && traced("one "));
}

static void instance_without_pointer(void) {
  const char *sels[] = {"twice", "nothing"};
  for (int i = 0; i < 2; i++) {
    annot_advice advice = noting(sels[i], ANNOT_BEFORE, "never");
    advice.cls = "Plain";
    advice.instance = &one;
    const annot_advice_id id = add(advice);
    CHECK(annot_advice_reach(id) == 0);
    CHECK(Plain_twice(2) == 4);
    Plain_nothing();
    CHECK(annot_advice_reach(id) == 0 && traced("") && hook_of(sels[i]) == ANNOT_HOOK_IDLE);
  }
}

static void identifiers(void) {
  annot_advice advice = noting("add", ANNOT_BEFORE, "first");
  advice.identifier = "audit";
  advice.file = "/some/where/first.c";
  advice.line = 12;
  const annot_advice_id first = add(advice);
  add(noting("add", ANNOT_BEFORE, "other"));
  CHECK(first && annot_advice_find("audit") == first && annot_advice_find("audits") == 0);
  annot_advice again = noting("add", ANNOT_BEFORE, "again");
  again.identifier = "audit";
  again.release = release;
  annot_error error;
  CHECK(annot_advise(&again, &error) == 0 && error.code == ANNOT_ERROR_DUPLICATE && released == 0);
  CHECK(strcmp(error.detail, "the identifier \"audit\" is in use by advice added at /some/where/first.c:12: "
                             "remove that first") == 0);
  CHECK(annot_advise(&again, NULL) == 0);
  Thing_add(&one, 1);
  CHECK(traced("first other ") && count_all() == 2 && annot_advice_find("audit") == first);
  // A paused one keeps its identifier, a removed one does not.
  CHECK(annot_advice_pause(first) && annot_advise(&again, NULL) == 0 && annot_advice_find("audit") == first);
  CHECK(annot_unadvise(first) && annot_advice_find("audit") == 0);
  CHECK(annot_advise(&again, NULL) != 0);
  Thing_add(&one, 1);
  CHECK(traced("other again "));
}

static void long_identifier(void) {
  char name[300], path[300];
  memset(name, 'n', sizeof name);
  memset(path, 'p', sizeof path);
  name[299] = path[299] = 0;
  annot_advice advice = noting("add", ANNOT_BEFORE, "first");
  advice.identifier = name;
  advice.file = path;
  add(advice);
  annot_error error;
  CHECK(annot_advise(&advice, &error) == 0 && error.code == ANNOT_ERROR_DUPLICATE);
  CHECK(strlen(error.detail) < sizeof error.detail && strstr(error.detail, "remove that first"));
}

static void order(void) {
  const uint64_t early = annot_advice_reserve_order();
  add(noting("add", ANNOT_BEFORE, "a"));
  const annot_advice_id b = add(noting("add", ANNOT_BEFORE, "b"));
  CHECK(early != 0 && b > early);
  annot_advice advice = noting("add", ANNOT_BEFORE, "early1");
  advice.order = early;
  add(advice);
  advice.context = "early2";
  add(advice);
  advice.context = "like-b";
  advice.order = b;
  add(advice);
  add(noting("add", ANNOT_BEFORE, "c"));
  Thing_add(&one, 1);
  CHECK(traced("early1 early2 a b like-b c "));
}

static void positions(void) {
  add(noting("add", ANNOT_AFTER, "finally1"));
  add(noting("add", ANNOT_AFTER_THROWING, "throwing"));
  add(noting("add", ANNOT_AFTER_RETURNING, "returning"));
  add(noting("add", ANNOT_AFTER, "finally2"));
  add(noting("add", ANNOT_BEFORE, "before"));
  annot_advice advice = noting("add", ANNOT_AFTER_RETURNING, "inner");
  advice.precedence = -1;
  add(advice);
  CHECK(Thing_add(&one, 1) == 2 && traced("before inner finally2 returning finally1 "));
  for (int wrong = 0; wrong < 8; wrong += 6) {
    advice = noting("add", (annot_position)wrong, "wrong");
    annot_error error;
    CHECK(annot_advise(&advice, &error) == 0 && error.code == ANNOT_ERROR_UNSUPPORTED);
  }
  CHECK(count_all() == 6);
}

static void batch(void) {
  const annot_advice good[] = {noting("add", ANNOT_BEFORE, "a"), noting("addAll", ANNOT_BEFORE, "b"),
                               noting("add*", ANNOT_BEFORE, "c")};
  annot_advice_id ids[3];
  CHECK(annot_advise_all(good, 3, ids, NULL));
  CHECK(ids[0] < ids[1] && ids[1] < ids[2] && annot_advice_reach(ids[2]) == 2);
  Thing_add(&one, 1);
  CHECK(traced("a c "));
  Thing_addAll(&one);
  CHECK(traced("b c "));
  CHECK(annot_advise_all(good, 3, NULL, NULL) && annot_advise_all(NULL, 0, NULL, NULL));
  Thing_add(&one, 1);
  CHECK(traced("a c a c ") && count_all() == 6);
  CHECK(annot_unadvise(ids[0]) && annot_unadvise(ids[2]));
  Thing_add(&one, 1);
  CHECK(traced("a c "));
}

/// A batch of three of which the last is bad.
static void bad_batch_of(annot_advice bad, annot_error_code code, const char *detail) {
  annot_advice advice[] = {noting("add", ANNOT_BEFORE, "a"), noting("addAll", ANNOT_BEFORE, "b"), bad};
  advice[0].identifier = "first";
  for (int i = 0; i < 3; i++) advice[i].release = release;
  annot_advice_id ids[] = {9, 9, 9};
  annot_error error;
  const size_t before = count_all(), lists = annot_runtime_advice_lists();
  CHECK(!annot_advise_all(advice, 3, ids, &error) && !annot_advise_all(advice, 3, NULL, NULL));
  CHECK(error.code == code && ids[0] == 0 && ids[1] == 0 && ids[2] == 0 && released == 0);
  if (!strstr(error.detail, detail)) printf("%s\n", error.detail), failures++;
  CHECK(annot_advice_find("first") == 0 && count_all() == before && annot_runtime_advice_lists() == lists);
  Thing_add(&one, 1);
  Thing_addAll(&one);
  CHECK(traced(""));
}

static void bad_batch(void) {
  Thing_add(&one, 1);
  Thing_addAll(&one);
  annot_advice bad = noting(NULL, ANNOT_BEFORE, "bad");
  bad_batch_of(bad, ANNOT_ERROR_UNSUPPORTED, "advice 3 of 3: advice needs cls, sel and function");
  bad = noting("add", (annot_position)9, "bad");
  bad_batch_of(bad, ANNOT_ERROR_UNSUPPORTED, "advice 3 of 3: position");
  bad = noting("add", ANNOT_BEFORE, "bad");
  bad.identifier = "first";
  bad_batch_of(bad, ANNOT_ERROR_DUPLICATE, "advice 3 of 3: the identifier \"first\"");
  annot_advice holder = noting("nowhere", ANNOT_BEFORE, "x");
  holder.identifier = "taken";
  add(holder);
  bad.identifier = "taken";
  bad_batch_of(bad, ANNOT_ERROR_DUPLICATE, "advice 3 of 3: the identifier \"taken\"");
}

static void no_memory(void) {
  Thing_add(&one, 1);
  add(noting("add", ANNOT_BEFORE, "old"));
  annot_advice advice[] = {noting("add*", ANNOT_BEFORE, "a"), noting("addAll", ANNOT_BEFORE, "b")};
  advice[0].identifier = "batch";
  advice[0].release = advice[1].release = release;
  unsigned nth = 1;
  for (bool done = false; !done; nth++) {
    const size_t lists = annot_runtime_advice_lists();
    annot_error error;
    annot_advice_id ids[2];
    annot_runtime_fail_next(ANNOT_RUNTIME_CALL_ALLOCATE, nth, ENOMEM);
    done = annot_advise_all(advice, 2, ids, &error);
    const bool failed = !annot_runtime_fail_cancel();
    CHECK(done != failed && released == 0);
    Thing_add(&one, 1);
    CHECK(traced(done ? "old a " : "old "));
    if (done) break;
    CHECK(error.code == ANNOT_ERROR_MEMORY && ids[0] == 0 && annot_runtime_advice_lists() == lists);
    CHECK(annot_advice_find("batch") == 0 && count_all() == 1);
  }
  // Each registration, its strings, and lists for two join points.
  CHECK(nth > 10);
  const annot_advice_id id = annot_advice_find("batch");
  CHECK(annot_advice_pause(id));
  annot_runtime_fail_next(ANNOT_RUNTIME_CALL_ALLOCATE, 1, ENOMEM);
  CHECK(!annot_advice_resume(id) && !annot_runtime_fail_cancel());
  Thing_add(&one, 1);
  CHECK(traced("old ") && annot_advice_resume(id));
  Thing_add(&one, 1);
  CHECK(traced("old a "));
}

static void pausing(void) {
  annot_advice advice = noting("add", ANNOT_BEFORE, "a");
  advice.identifier = "a";
  const annot_advice_id a = add(advice), b = add(noting("add", ANNOT_BEFORE, "b"));
  CHECK(annot_advice_pause(a) && !annot_advice_pause(a));
  Thing_add(&one, 1);
  CHECK(traced("b ") && annot_advice_reach(a) == 1);
  CHECK(annot_advice_pause(b));
  CHECK(hook_of("add") == ANNOT_HOOK_IDLE);
  Thing_add(&one, 1);
  CHECK(traced("") && count_all() == 2);
  CHECK(annot_advice_resume(b) && annot_advice_resume(a) && !annot_advice_resume(a));
  CHECK(hook_of("add") != ANNOT_HOOK_IDLE);
  Thing_add(&one, 1);
  CHECK(traced("a b ") && annot_advice_find("a") == a);
  CHECK(annot_advice_pause(a) && annot_unadvise(a) && !annot_advice_resume(a) && !annot_advice_pause(a));
  CHECK(!annot_advice_pause(0) && !annot_advice_resume(0) && annot_advice_find("a") == 0);
}

static void paused_before_first_call(void) {
  const annot_advice_id id = add(noting("add", ANNOT_BEFORE, "a"));
  CHECK(annot_advice_pause(id));
  Thing_add(&one, 1);
  CHECK(traced("") && hook_of("add") == ANNOT_HOOK_IDLE);
  CHECK(annot_advice_resume(id));
  Thing_add(&one, 1);
  CHECK(traced("a "));
}

static annot_advice_id own;

static void pause_own(annot_invocation *invocation, void *context) {
  note(invocation, context);
  CHECK(annot_advice_pause(own) && !annot_advice_pause(own));
}

static void pause_inside(void) {
  annot_advice advice = noting("add", ANNOT_BEFORE, "self");
  advice.function = pause_own;
  advice.release = release;
  own = add(advice);
  add(noting("add", ANNOT_AFTER, "after"));
  for (int i = 0; i < 2; i++) {
    CHECK(Thing_add(&one, 1) == 2 && traced("self after "));
    CHECK(Thing_add(&one, 1) == 2 && traced("after "));
    CHECK(annot_advice_resume(own));
  }
  CHECK(released == 0 && annot_unadvise(own) && released == 1);
}

static void remove_own(annot_invocation *invocation, void *context) {
  note(invocation, context);
  CHECK(annot_unadvise(own) && !annot_unadvise(own) && released == 0);
  add(noting("add", ANNOT_BEFORE, "added"));
}

static void remove_inside(void) {
  annot_advice advice = noting("add", ANNOT_BEFORE, "self");
  advice.function = remove_own;
  advice.release = release;
  own = add(advice);
  add(noting("add", ANNOT_BEFORE, "next"));
  CHECK(Thing_add(&one, 1) == 2 && traced("self next ") && released == 1);
  CHECK(Thing_add(&one, 1) == 2 && traced("next added "));
}

static void remove_all_inside(annot_invocation *invocation, void *context) {
  note(invocation, context);
  CHECK(annot_unadvise_all() == 3);
}

static void remove_all(void) {
  annot_advice advice = noting("add", ANNOT_BEFORE, "all");
  advice.function = remove_all_inside;
  advice.release = release;
  const annot_advice_id id = add(advice);
  advice = noting("add", ANNOT_AFTER, "after");
  advice.release = release;
  const annot_advice_id paused = add(noting("addAll", ANNOT_BEFORE, "paused"));
  CHECK(annot_advice_pause(paused));
  add(advice);
  CHECK(Thing_add(&one, 1) == 2 && traced("all after ") && released == 2);
  CHECK(Thing_add(&one, 1) == 2 && traced("") && hook_of("add") == ANNOT_HOOK_IDLE);
  CHECK(annot_unadvise_all() == 0 && count_all() == 0 && !annot_unadvise(id) && !annot_unadvise(paused));
}

typedef struct listed {
  size_t count;
  annot_advice_id ids[4];
} listed;

/// Checks what is listed, and changes the registry while it is.
static void look(const annot_advice_info *info, void *context) {
  listed *list = context;
  list->ids[list->count] = info->id;
  switch (list->count++) {
  case 0:
    CHECK(info->identifier == NULL && info->module == NULL && info->reach == 1 && info->instance == NULL);
    CHECK(info->position == ANNOT_BEFORE && !info->is_paused && strcmp(info->sel, "add") == 0);
    CHECK(strcmp(info->file, __FILE__) == 0 && info->line > 0);
    CHECK(annot_unadvise_all() == 3);
    add(noting("add", ANNOT_BEFORE, "added"));
    break;
  case 1:
    CHECK(strcmp(info->identifier, "second") == 0 && strcmp(info->module, "C") == 0 && info->is_paused);
    CHECK(strcmp(info->cls, "Th*") == 0 && strcmp(info->sel, "*") == 0 && info->reach == 2);
    CHECK(info->position == ANNOT_AFTER_THROWING && info->precedence == -5 && info->instance == &one);
    CHECK(info->options == ANNOT_ADVICE_ONCE && strcmp(info->file, "some.c") == 0 && info->line == 77);
    break;
  default:
    CHECK(info->reach == 0 && info->file == NULL && info->line == 0 && info->position == ANNOT_AROUND);
  }
}

static void listing(void) {
  listed list = {0};
  const annot_advice_id first = add(noting("add", ANNOT_BEFORE, "first"));
  const annot_advice_id second = add((annot_advice){.module = "C",
                                                    .cls = "Th*",
                                                    .sel = "*",
                                                    .position = ANNOT_AFTER_THROWING,
                                                    .precedence = -5,
                                                    .options = ANNOT_ADVICE_ONCE,
                                                    .function = note,
                                                    .identifier = "second",
                                                    .instance = &one,
                                                    .file = "some.c",
                                                    .line = 77});
  const annot_advice_id third =
      add((annot_advice){.cls = "No", .sel = "where", .position = ANNOT_AROUND, .function = note});
  CHECK(annot_advice_pause(second));
  CHECK(annot_advice_each(look, &list));
  CHECK(list.count == 3 && list.ids[0] == first && list.ids[1] == second && list.ids[2] == third);
  CHECK(count_all() == 1);
}

static void list_inside(annot_invocation *invocation, void *context) {
  note(invocation, context);
  CHECK(count_all() == 1);
}

static void listing_inside(void) {
  annot_advice advice = noting("add", ANNOT_BEFORE, "a");
  advice.function = list_inside;
  add(advice);
  Thing_add(&one, 1);
  CHECK(traced("a "));
}

static void patterns(void) {
  annot_advice advice = noting("add*", ANNOT_BEFORE, "a");
  const annot_advice_id a = add(advice);
  advice.sel = "+*";
  advice.cls = "*";
  advice.context = "static";
  const annot_advice_id b = add(advice);
  advice.sel = "*";
  advice.module = "C*";
  advice.context = "all";
  const annot_advice_id c = add(advice);
  advice.module = "Shop*";
  const annot_advice_id d = add(advice);
  advice.options = ANNOT_ADVICE_EXACT;
  advice.module = NULL;
  CHECK(annot_advice_reach(add(advice)) == 0);
  advice.cls = "Plain";
  advice.sel = "twice";
  advice.context = "exact";
  CHECK(annot_advice_reach(add(advice)) == 1);
  CHECK(annot_advice_reach(a) == 2 && annot_advice_reach(b) == 1 && annot_advice_reach(c) == 5 &&
        annot_advice_reach(d) == 0);
  Thing_add(&one, 1);
  CHECK(traced("a all "));
  Thing_addAll(&one);
  CHECK(traced("a all "));
  Plain_twice(1);
  CHECK(traced("all exact "));
  Plain_make(&one);
  CHECK(traced("static all "));
}

static atomic_int fired;

static void fire(annot_invocation *invocation, void *context) {
  (void)invocation;
  (void)context;
  atomic_fetch_add(&fired, 1);
}

static pthread_barrier_t start;

static void *call_often(void *unused) {
  (void)unused;
  pthread_barrier_wait(&start);
  for (int i = 0; i < 200; i++) Thing_add(&two, 1);
  return NULL;
}

static void once(void) {
  enum { threads = 8 };
  for (int round = 1; round <= 50; round++) {
    annot_advice advice = noting("add", round % 2 ? ANNOT_BEFORE : ANNOT_AFTER_RETURNING, "");
    advice.function = fire;
    advice.options = ANNOT_ADVICE_ONCE;
    const annot_advice_id id = add(advice);
    pthread_t thread[threads];
    pthread_barrier_init(&start, NULL, threads);
    for (int i = 0; i < threads; i++) pthread_create(&thread[i], NULL, call_often, NULL);
    for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&start);
    CHECK(atomic_load(&fired) == round && !annot_unadvise(id));
  }
}

static atomic_bool is_waiting, is_over;

static void wait_long(annot_invocation *invocation, void *context) {
  (void)invocation;
  (void)context;
  atomic_store(&is_waiting, true);
  while (!atomic_load(&is_over)) {
  }
}

static void *call_once(void *unused) {
  (void)unused;
  return (void *)(intptr_t)Plain_twice(1);
}

/// While one call runs on and others come and go, the lists that no call uses are freed.
static void memory(void) {
  annot_advice advice = noting("twice", ANNOT_BEFORE, "");
  advice.cls = "Plain";
  advice.function = wait_long;
  const annot_advice_id id = add(advice);
  pthread_t thread;
  pthread_create(&thread, NULL, call_once, NULL);
  while (!atomic_load(&is_waiting)) {
  }
  CHECK(annot_unadvise(id));
  size_t most = 0;
  for (int i = 0; i < 10000; i++) {
    advice.function = note;
    const annot_advice_id added = add(advice);
    Plain_twice(1);
    trace[0] = 0;
    CHECK(annot_advice_pause(added) && annot_advice_resume(added) && annot_unadvise(added));
    if (annot_runtime_advice_lists() > most) most = annot_runtime_advice_lists();
  }
  // The running call's, and none else between the changes.
  CHECK(most == 1 && annot_runtime_advice_lists() == 1);
  atomic_store(&is_over, true);
  pthread_join(thread, NULL);
  CHECK(annot_runtime_advice_lists() == 0);
}

static const struct {
  const char *name;
  void (*run)(void);
} checks[] = {
    {"instance", instance},
    {"instance-once", instance_once},
    {"instance-around", instance_around},
    {"instance-without-pointer", instance_without_pointer},
    {"identifiers", identifiers},
    {"long-identifier", long_identifier},
    {"order", order},
    {"positions", positions},
    {"batch", batch},
    {"bad-batch", bad_batch},
    {"no-memory", no_memory},
    {"pause", pausing},
    {"pause-before-first-call", paused_before_first_call},
    {"pause-inside", pause_inside},
    {"remove-inside", remove_inside},
    {"remove-all", remove_all},
    {"listing", listing},
    {"listing-inside", listing_inside},
    {"patterns", patterns},
    {"once", once},
    {"memory", memory},
};

int main(int argc, char **argv) {
  for (size_t i = 0; argc == 2 && i < sizeof checks / sizeof *checks; i++) {
    if (strcmp(checks[i].name, argv[1]) != 0) continue;
    checks[i].run();
    return failures ? 1 : 0;
  }
  puts("no such check");
  return 2;
}
