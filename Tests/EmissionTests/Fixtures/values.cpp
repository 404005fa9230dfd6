// Join points over C++ types: classes by value, references, move-only types, overloads, exceptions.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <annot/joinpoint.h>

namespace {

struct Counted {
  static int alive;
  int value;
  explicit Counted(int v) : value(v) { alive++; }
  Counted(const Counted &other) : value(other.value) { alive++; }
  Counted(Counted &&other) noexcept : value(other.value) { alive++; other.value = -1; }
  ~Counted() { alive--; }
  Counted &operator=(const Counted &) = default;
};
int Counted::alive = 0;

struct NoDefault {
  int &reference;
  explicit NoDefault(int &r) : reference(r) {}
};

enum class Shade : unsigned char { light = 200 };
typedef std::pair<int, int> int_pair;
typedef void (*thrower)(const std::string &);
int global = 5;

}  // namespace

namespace v {

ANNOT_METHOD_NAMED(std::string, join, V, join, (std::string, a), (const std::string &, b)) { return a + b; }
ANNOT_METHOD_NAMED(std::unique_ptr<int>, pass, V, pass, (std::unique_ptr<int>, p)) { return p; }
ANNOT_METHOD_NAMED(int &, reference, V, reference, (int &, r)) { return r; }
ANNOT_METHOD_NAMED(void, swap, V, swap, (int &, a), (int &&, b)) { int t = a; a = b; b = t; }
ANNOT_METHOD_NAMED(int, over, V, over_int, (int, x)) { return x; }
ANNOT_METHOD_NAMED(int, over, V, over_pair, (int_pair, x)) { return x.first + x.second; }
ANNOT_METHOD_NAMED(void, fail, V, fail, (const std::string &, why)) { throw std::runtime_error(why); }
ANNOT_METHOD_NAMED(Counted, counted, V, counted, (Counted, c)) { c.value++; return c; }
ANNOT_METHOD_NAMED(NoDefault, bound, V, bound, (NoDefault, n)) { n.reference++; return n; }
ANNOT_METHOD_NAMED(Shade, shade, V, shade, (Shade, s), (bool, b), (decltype(nullptr), n)) {
  return b && n == nullptr ? s : Shade();
}
ANNOT_METHOD_NAMED(std::size_t, size, V, size, (std::vector<std::string>, list), (thrower, t)) {
  return list.size() + (t != nullptr ? 1 : 0);
}

class Incomplete;
ANNOT_METHOD_NAMED(bool, same, V, same, (const Incomplete &, a), (const Incomplete *, b)) { return &a == b; }

}  // namespace v

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      failures++; \
    } \
  } while (0)

extern "C" __attribute__((visibility("default"))) int methods_test(void);
extern "C" int methods_test(void) {
  int failures = 0;
  for (int round = 0; round < 2; round++) {
    int a = 1, b = 2;
    std::string long_text(100, 'x');
    CHECK(v::join(long_text, "y") == long_text + "y");
    CHECK(*v::pass(std::unique_ptr<int>(new int(3))) == 3);
    CHECK(&v::reference(global) == &global);
    v::swap(a, static_cast<int &&>(b));
    CHECK(a == 2 && b == 1);
    CHECK(v::over(7) == 7);
    CHECK(v::over(int_pair(3, 4)) == 7);
    try {
      v::fail(long_text);
      CHECK(false);
    } catch (const std::runtime_error &error) {
      CHECK(error.what() == long_text);
    }
    {
      Counted c(4);
      CHECK(v::counted(c).value == 5);
      CHECK(c.value == 4);
    }
    CHECK(Counted::alive == 0);
    CHECK(&v::bound(NoDefault(a)).reference == &a && a == 3);
    CHECK(v::shade(Shade::light, true, nullptr) == Shade::light);
    const v::Incomplete *incomplete = reinterpret_cast<const v::Incomplete *>(&global);
    CHECK(v::same(*incomplete, incomplete));
    CHECK(v::size({"a", "b"}, v::fail) == 3);
  }
  return failures;
}
