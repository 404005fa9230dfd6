/// C functions with join points, for tests; each test suite has a class of its own.
#ifndef FIXTURES_H
#define FIXTURES_H

#include <stdint.h>

typedef struct Point {
  double x;
  double y;
  int32_t tag;
} Point;

/// How often Calls_none ran.
int calls_none_count(void);

void Calls_none(void);
int Calls_one(int a);
int64_t Calls_two(int32_t a, int64_t b);
double Calls_three(double a, float b, int c);
const char *Calls_four(const char *a, unsigned b, short c, char d);
Point Calls_five(Point p, double dx, double dy, int32_t tag, _Bool negate);
int Calls_six(int a, int b, int c, int d, int e, int f);
int Calls_seven(int a, int b, int c, int d, int e, int f, int g);
int Calls_eight(int a, int b, int c, int d, int e, int f, int g, int h);

/// For the tests of order and removal.
int Order_run(int a);
/// For the tests of deferral: appends to a log.
void Later_add(int a, Point p);
/// Takes text that a deferred call must copy.
void Later_say(const char *text);
const char *later_said(void);
int later_count(void);
int later_at(int index);
double later_x_at(int index);
/// For the tests of recursion.
int Deep_down(int n);
/// For the tests of deep nesting: the original calls itself.
int Nest_down(int n);
/// For the tests of once-only advice and of racing writers.
int Race_run(int a);
/// For the tests of advice that changes advice.
int Change_run(int a);
/// For the tests of the login gate, annotated with needlogin.
void Gate_enter(int who);
int gate_count(void);
int gate_at(int index);
void gate_clear(void);
int Gate_price(int item);
/// Never called before its test: settled by its first call.
int Fresh_run(int a);

#endif
