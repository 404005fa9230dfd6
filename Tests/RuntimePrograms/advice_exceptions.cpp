// Exceptions that pass through advised calls, of the original code and of advice.
//
//   advice_exceptions    status 0, and nothing printed, when advice and callers see what they should
#include <annot/advice.h>
#include <annot/joinpoint.h>
#include <annot/runtime_testing.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

static int failures, alive;
static std::string trace;
static const void *thrown;

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      std::printf("line %d: %s\n", __LINE__, #condition); \
      failures++; \
    } \
  } while (0)

struct Error : std::runtime_error {
  explicit Error(const char *what) : std::runtime_error(what) { thrown = this; }
};

struct Counted {
  int value;
  explicit Counted(int v) : value(v) { alive++; }
  Counted(const Counted &other) : value(other.value) { alive++; }
  ~Counted() { alive--; }
};

ANNOT_METHOD(int, Work, number, (int, a)) {
  trace += "run ";
  if (a < 0) throw Error("work");
  return a;
}
ANNOT_METHOD(Counted, Work, object, (int, a)) { return Counted(Work_number(a)); }
ANNOT_METHOD(int &, Work, reference, (int &, a)) {
  if (a < 0) throw Error("work");
  return a;
}
// Its exception passes through a call of another join point.
ANNOT_METHOD(int, Work, outer, (int, a)) { return Work_number(a) + 1; }

static const char *word(void *context) { return static_cast<const char *>(context); }

static void note(annot_invocation *invocation, void *context) {
  trace += word(context);
  trace += annot_invocation_threw(invocation) ? "! " : " ";
}

/// What an after advice can learn of the exception.
static void look(annot_invocation *invocation, void *context) {
  note(invocation, context);
  CHECK(annot_invocation_threw(invocation) == (std::current_exception() != nullptr));
  CHECK(!annot_invocation_proceed(invocation));
  if (std::exception_ptr now = std::current_exception()) {
    try {
      std::rethrow_exception(now);
    } catch (const std::exception &error) {
      trace += error.what();
      trace += " ";
    }
  }
}

static void look_at_result(annot_invocation *invocation, void *context) {
  note(invocation, context);
  trace += annot_invocation_result(invocation) ? "result " : "none ";
}

static void fail(annot_invocation *invocation, void *context) {
  note(invocation, context);
  throw Error("advice");
}

static void pass(annot_invocation *invocation, void *context) {
  trace += std::string(word(context)) + "( ";
  annot_invocation_proceed(invocation);
  trace += ") ";
}

/// Catches, and proceeds with another argument.
static void retry(annot_invocation *invocation, void *context) {
  trace += std::string(word(context)) + "( ";
  try {
    annot_invocation_proceed(invocation);
  } catch (const Error &) {
    trace += "caught ";
    *static_cast<int *>(annot_invocation_argument(invocation, 0)) = 7;
    CHECK(annot_invocation_proceed(invocation));
  }
  trace += ") ";
}

static void twice(annot_invocation *invocation, void *) {
  annot_invocation_proceed(invocation);
  annot_invocation_proceed(invocation);
}

static void twice_and_fail(annot_invocation *invocation, void *) {
  twice(invocation, nullptr);
  throw Error("advice");
}

static annot_deferred *deferred;
static void defer(annot_invocation *invocation, void *) { deferred = annot_invocation_defer(invocation, nullptr); }

static annot_advice_id add(const char *sel, annot_position position, void (*function)(annot_invocation *, void *),
                           const char *name, int precedence = 0, const void *instance = nullptr) {
  annot_advice advice = {};
  advice.cls = "Work";
  advice.sel = sel;
  advice.position = position;
  advice.precedence = precedence;
  advice.function = function;
  advice.context = const_cast<char *>(name);
  advice.instance = instance;
  return annot_advise(&advice, nullptr);
}

/// Runs a call; what came out of it goes to the trace. An exception must be the very object that was thrown.
template <class Call> static std::string traced(Call call) {
  trace.clear();
  try {
    trace += std::to_string(call());
  } catch (const Error &error) {
    CHECK(thrown == &error);
    trace += std::string("threw ") + error.what();
  }
  CHECK(std::current_exception() == nullptr && alive == 0);
  return trace;
}

static std::string number(int a) {
  return traced([a] { return Work_number(a); });
}
static std::string object(int a) {
  return traced([a] { return Work_object(a).value; });
}

static void end() {
  annot_unadvise_all();
  CHECK(annot_runtime_advice_lists() == 0);
  CHECK(number(1) == "run 1" && number(-1) == "run threw work");
}

static void after_advice() {
  add("number", ANNOT_BEFORE, note, "before");
  add("number", ANNOT_AFTER, look, "finally");
  add("number", ANNOT_AFTER_RETURNING, look, "returning");
  add("number", ANNOT_AFTER_THROWING, look, "throwing");
  CHECK(number(1) == "before run returning finally 1");
  CHECK(number(-1) == "before run throwing! work finally! work threw work");
  CHECK(traced([] { return Work_outer(-1); }) == "before run throwing! work finally! work threw work");
  end();
}

static void levels() {
  add("number", ANNOT_AFTER, note, "outer", 2);
  add("number", ANNOT_AROUND, pass, "A", 1);
  add("number", ANNOT_AFTER_THROWING, note, "middle", 1);
  add("number", ANNOT_AFTER, note, "inner");
  CHECK(number(1) == "A( run inner ) outer 1");
  CHECK(number(-1) == "A( run inner! middle! outer! threw work");
  end();
}

static void around_catches() {
  add("number", ANNOT_AROUND, retry, "R", 1);
  add("number", ANNOT_AROUND, pass, "B", 1);
  add("number", ANNOT_AROUND, pass, "C");
  add("number", ANNOT_AFTER, note, "after");
  add("number", ANNOT_AFTER, note, "outside", 2);
  CHECK(number(-1) == "R( B( C( run after! caught B( C( run ) after ) ) outside 7");
  CHECK(number(1) == "R( B( C( run ) after ) ) outside 1");
  end();
}

static void advice_throws() {
  annot_advice_id id = add("number", ANNOT_BEFORE, fail, "fail");
  add("number", ANNOT_BEFORE, note, "before");
  add("number", ANNOT_AFTER, note, "finally");
  add("number", ANNOT_AFTER_THROWING, note, "throwing");
  add("number", ANNOT_AFTER_RETURNING, note, "returning");
  CHECK(number(1) == "fail throwing! finally! threw advice");
  annot_unadvise(id);
  id = add("number", ANNOT_AFTER, fail, "fail");
  CHECK(number(1) == "before run fail throwing! finally! threw advice");
  CHECK(number(-1) == "before run fail! throwing! finally! threw advice");
  annot_unadvise(id);
  id = add("number", ANNOT_AROUND, fail, "fail");
  CHECK(number(1) == "before fail throwing! finally! threw advice");
  end();
}

static void objects() {
  add("object", ANNOT_AFTER, look_at_result, "after");
  CHECK(object(1) == "run after result 1");
  CHECK(object(-1) == "run after! none threw work");
  annot_advice_id id = add("object", ANNOT_AROUND, twice, "");
  CHECK(object(1) == "run run after result 1");
  annot_unadvise(id);
  id = add("object", ANNOT_AROUND, twice_and_fail, "");
  // Made by the first two calls of the original, and destroyed as nobody gets it.
  CHECK(object(1) == "run run after! result threw advice");
  annot_unadvise(id);
  add("object", ANNOT_AROUND, retry, "R");
  CHECK(object(-1) == "R( run caught run ) after result 7");
  add("object", ANNOT_AFTER, fail, "fail", 1);
  CHECK(object(1) == "R( run ) after result fail threw advice");
  end();
}

static void references() {
  int one = 1, two = 2, bad = -1;
  add("reference", ANNOT_BEFORE, note, "one", 0, &one);
  add("reference", ANNOT_AFTER_THROWING, look_at_result, "bad", 0, &bad);
  CHECK(traced([&] { return Work_reference(one); }) == "one 1");
  CHECK(traced([&] { return Work_reference(two); }) == "2");
  CHECK(traced([&] { return Work_reference(bad); }) == "bad! none threw work");
  end();
}

static void deferred_call() {
  add("number", ANNOT_AROUND, defer, "", 1);
  add("number", ANNOT_AFTER, note, "finally");
  CHECK(number(-1) == "0");
  CHECK(traced([] { return annot_deferred_proceed(deferred); }) == "run finally! threw work");
  CHECK(!annot_deferred_proceed(deferred));
  annot_deferred_free(deferred);
  end();
}

/// The hold on the list is given back each time, also beyond the nested calls that hazard slots cover.
static int dive(int depth) { return depth == 0 ? Work_number(-1) : Work_outer(depth); }
static void fall(annot_invocation *invocation, void *) {
  const int depth = *static_cast<int *>(annot_invocation_argument(invocation, 0));
  if (depth > 0) dive(depth - 1);
}

static void deep() {
  add("outer", ANNOT_BEFORE, fall, "");
  add("number", ANNOT_AFTER, note, "");
  for (int i = 0; i < 100; i++) CHECK(traced([] { return Work_outer(20); }) == "run ! threw work");
  end();
}

int main() {
  after_advice();
  levels();
  around_catches();
  advice_throws();
  objects();
  references();
  deferred_call();
  deep();
  return failures ? 1 : 0;
}
