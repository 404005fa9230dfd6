// Records in every scope that C++ has room for them in.
#include <annot.h>

ANNOTATE(scope, ANNOT_NAME(at, file));
extern "C" {
ANNOTATE(scope, ANNOT_NAME(at, extern_c));
}
namespace shop {
ANNOTATE(scope, ANNOT_NAME(at, shop));
namespace {
ANNOTATE(scope, ANNOT_NAME(at, unnamed));
}
inline int in_inline() {
  ANNOTATE(scope, ANNOT_NAME(at, inline_function));
  return 1;
}
template <class T> struct Box {
  T value;
  T get() {
    ANNOTATE(scope, ANNOT_NAME(at, class_template));
    return value;
  }
};
struct Cart {
  int total() {
    ANNOTATE(scope, ANNOT_NAME(at, method));
    return 2;
  }
};
template <class T> T in_template(T value) {
  ANNOTATE(scope, ANNOT_NAME(at, function_template));
  return value;
}
}  // namespace shop

#ifdef main
extern "C" int main();
#endif
int main() {
  auto lambda = [](int x) {
    ANNOTATE(scope, ANNOT_NAME(at, lambda));
    return x;
  };
  shop::Box<int> box = {1};
  shop::Box<long> other = {1};
  shop::Cart cart;
  return box.get() + static_cast<int>(other.get()) + cart.total() + shop::in_inline() +
                     shop::in_template(1) + static_cast<int>(shop::in_template(1L)) + lambda(1) ==
                 8
             ? 0
             : 1;
}
