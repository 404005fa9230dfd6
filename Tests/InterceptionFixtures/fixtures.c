#include "fixtures.h"

#include <annot.h>
#include <annot/joinpoint.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

static int none_count;
int calls_none_count(void) { return none_count; }

ANNOT_METHOD(void, Calls, none) { none_count++; }
ANNOT_METHOD(int, Calls, one, (int, a)) { return a + 1; }
ANNOT_METHOD(int64_t, Calls, two, (int32_t, a), (int64_t, b)) { return a + b; }
ANNOT_METHOD(double, Calls, three, (double, a), (float, b), (int, c)) { return a + b + c; }
ANNOT_METHOD(const char *, Calls, four, (const char *, a), (unsigned, b), (short, c), (char, d)) {
  return a + b + c + d;
}
ANNOT_METHOD(Point, Calls, five, (Point, p), (double, dx), (double, dy), (int32_t, tag), (_Bool, negate)) {
  return (Point){.x = negate ? -p.x - dx : p.x + dx, .y = negate ? -p.y - dy : p.y + dy, .tag = tag};
}
ANNOT_METHOD(int, Calls, six, (int, a), (int, b), (int, c), (int, d), (int, e), (int, f)) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f;
}
ANNOT_METHOD(int, Calls, seven, (int, a), (int, b), (int, c), (int, d), (int, e), (int, f), (int, g)) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g;
}
ANNOT_METHOD(int, Calls, eight, (int, a), (int, b), (int, c), (int, d), (int, e), (int, f), (int, g), (int, h)) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}

ANNOT_SHIM(pid_t, Machine, parent, getppid);
ANNOT_SHIM(int, Machine, missing, calls_nowhere);

ANNOT_METHOD(int, Order, run, (int, a)) { return a * 10; }

static Point later_points[64];
static int later_values[64];
static int later_size;

ANNOT_METHOD(void, Later, add, (int, a), (Point, p)) {
  later_values[later_size] = a;
  later_points[later_size++] = p;
}
char later_text[64];
ANNOT_METHOD(void, Later, say, (annot_string, text)) { snprintf(later_text, sizeof later_text, "%s", text); }
const char *later_said(void) { return later_text; }
int later_count(void) { return later_size; }
int later_at(int index) { return later_values[index]; }
double later_x_at(int index) { return later_points[index].x; }

ANNOT_METHOD(int, Deep, down, (int, n)) { return n == 0 ? 0 : 1 + Deep_down(n - 1); }
ANNOT_METHOD(int, Nest, down, (int, n)) { return n == 0 ? 0 : 1 + Nest_down(n - 1); }
ANNOT_METHOD(int, Race, run, (int, a)) { return a; }
ANNOT_METHOD(int, Change, run, (int, a)) { return a; }
ANNOT_METHOD(int, Fresh, run, (int, a)) { return a; }

static int gate_values[4096];
static int gate_size;

ANNOTATE_NEEDLOGIN(Gate, enter, C);
ANNOT_METHOD(void, Gate, enter, (int, who)) { gate_values[gate_size++] = who; }
ANNOTATE_NEEDLOGIN(Gate, price, C);
ANNOT_METHOD(int, Gate, price, (int, item)) { return item * 100; }
int gate_count(void) { return gate_size; }
int gate_at(int index) { return gate_values[index]; }
void gate_clear(void) { gate_size = 0; }

// For a Swift class of the login gate's tests.
ANNOTATE_NEEDLOGIN(Vault, open(_:), AspectsTests);
ANNOTATE_NEEDLOGIN(Vault, count, AspectsTests);
