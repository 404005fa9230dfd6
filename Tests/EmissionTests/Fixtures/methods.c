// Join points of many shapes, valid as C99 and as C++11, and a test of them that runs with no runtime, with
// one that advises nothing, and with one that advises everything (fake_runtime.c).
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <annot/joinpoint.h>

struct point {
  double x, y;
  const char *name;
  long more[5];
};
union number {
  int i;
  float f;
};
enum color { red, green = -1, blue };
typedef int (*callback)(int);
typedef const struct point *point_pointer;
typedef va_list *va_list_pointer;
#ifdef __cplusplus
typedef bool truth;
#else
typedef _Bool truth;
#endif

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((visibility("default"))) int methods_test(void);
extern int methods_probe;
int methods_probe;

ANNOT_METHOD_DECLARE(int, M, zero);
ANNOT_METHOD(int, M, zero) { return 40 + methods_probe; }
ANNOT_METHOD_DECLARE(void, M, nothing);
ANNOT_METHOD(void, M, nothing) { methods_probe++; }
ANNOT_METHOD(void, M, store, (int *, where), (int, what)) {
  *where = what;
  return;
}
ANNOT_METHOD(struct point, M, move, (struct point, p), (double, by)) {
  p.x += by;
  p.more[4]++;
  return p;
}
ANNOT_METHOD(const char *, M, text, (const char *const, a), (int, offset)) { return a + offset; }
ANNOT_METHOD(truth, M, flags, (signed char, a), (unsigned short, b), (long long, c), (float, d),
    (long double, e), (enum color, f), (union number, g), (callback, h), (void *, i), (char, j)) {
  return a == -1 && b == 65535 && c == -5 && d > 1.4f && d < 1.6f && e > 2.4L && e < 2.6L && f == green &&
         g.i == 7 && h(3) == 4 && i == &methods_probe && j == 'x';
}
ANNOT_METHOD(long, M, sixteen, (long, a), (long, b), (long, c), (long, d), (long, e), (long, f), (long, g),
    (long, h), (long, i), (long, j), (long, k), (long, l), (long, m), (long, n), (long, o), (long, p)) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l +
         13 * m + 14 * n + 15 * o + 16 * p;
}
ANNOT_METHOD_NAMED(int, m_add_to, M, add:to:, (int, a), (int, b)) { return a + b; }
ANNOT_METHOD_STATIC(int, M, shared, (int, a)) { return a * 2; }
ANNOT_METHOD_STATIC_NAMED(int, m_shared_by, M, shared:by:, (int, a), (int, b)) { return a * b; }
static ANNOT_METHOD(int, M, hidden, (point_pointer, p)) { return p->name != NULL; }
ANNOT_METHOD(int, M, fold, (int, n)) { return n <= 1 ? 1 : n * M_fold(n - 1); }
ANNOT_METHOD(int, M, counter) {
  static int count;
  return ++count;
}

ANNOT_METHOD(int, M, vsum, (int, count), (va_list_pointer, arguments)) {
  int sum = 0;
  while (count-- > 0) {
    sum += va_arg(*arguments, int);
  }
  return sum;
}
static int sum(int count, ...) {
  va_list list;
  int result;
  va_start(list, count);
  result = M_vsum(count, &list);
  va_end(list);
  return result;
}

static int increment(int x) { return x + 1; }

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      failures++; \
    } \
  } while (0)

/// Returns the number of checks that failed.
int methods_test(void) {
  int failures = 0;
  for (int round = 0; round < 2; round++) {
    int stored = 0;
    struct point p = {1, 2, "name", {0, 0, 0, 0, 6}};
    struct point moved;
    union number seven;
    seven.i = 7;
    methods_probe = 1;
    M_nothing();
    CHECK(methods_probe == 2);
    CHECK(M_zero() == 42);
    M_store(&stored, 9);
    CHECK(stored == 9);
    moved = M_move(p, 0.5);
    CHECK(moved.x > 1.4 && moved.x < 1.6 && moved.more[4] == 7 && strcmp(moved.name, "name") == 0);
    CHECK(strcmp(M_text("hello", 3), "lo") == 0);
    CHECK(M_flags(-1, 65535, -5, 1.5f, 2.5L, green, seven, increment, &methods_probe, 'x'));
    CHECK(M_sixteen(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16) == 1496);
    CHECK(m_add_to(2, 3) == 5);
    CHECK(M_shared(4) == 8);
    CHECK(m_shared_by(4, 3) == 12);
    CHECK(M_hidden(&p) == 1);
    CHECK(M_fold(5) == 120);
    CHECK(M_counter() == round + 1);
    CHECK(sum(3, 1, 2, 3) == 6);
  }
  return failures;
}

#ifdef __cplusplus
}
#endif
