/// Describes C and C++ types as data (annot_type), and carries C++ values through untyped addresses.
#ifndef ANNOT_TYPE_DESCRIPTION_H
#define ANNOT_TYPE_DESCRIPTION_H

#include <stddef.h>

#include "annot/layout.h"

#ifndef __cplusplus

// What __builtin_classify_type says of a value (gcc's typeclass.h; clang agrees).
#define ANNOT_CLASS_OF_(type) __builtin_classify_type(*(type *)0)
#define ANNOT_IS_WHOLE_(type) \
  (ANNOT_CLASS_OF_(type) == 1 || ANNOT_CLASS_OF_(type) == 2 || ANNOT_CLASS_OF_(type) == 3 || \
   ANNOT_CLASS_OF_(type) == 4)
/// The type itself if it is a whole number, else int: what is asked of it then compiles for any type.
#define ANNOT_WHOLE_OR_INT_(type) \
  __typeof__(__builtin_choose_expr(ANNOT_IS_WHOLE_(type), *(type *)0, 0))
#define ANNOT_KIND_OF_(type) \
  (__builtin_types_compatible_p(type, _Bool) ? ANNOT_TYPE_BOOL \
   : ANNOT_IS_WHOLE_(type) \
       ? ((ANNOT_WHOLE_OR_INT_(type))-1 > (ANNOT_WHOLE_OR_INT_(type))0 ? ANNOT_TYPE_UNSIGNED \
                                                                      : ANNOT_TYPE_SIGNED) \
   : ANNOT_CLASS_OF_(type) == 8 ? ANNOT_TYPE_FLOAT \
   : ANNOT_CLASS_OF_(type) == 5 ? ANNOT_TYPE_POINTER \
                                : ANNOT_TYPE_OTHER)
#define ANNOT_SIZE_OF_(type) sizeof(type)
#define ANNOT_ALIGNMENT_OF_(type) __alignof__(type)
/// Whether a parameter has the type it was declared with: an array's has become a pointer's.
#define ANNOT_HAS_TYPE_(name, type) __builtin_types_compatible_p(__typeof__(name), type)

#else

extern "C++" {
namespace annot_detail {

template <class T> struct without_const { typedef T type; };
template <class T> struct without_const<const T> { typedef T type; };
template <class T> struct without_const<volatile T> { typedef T type; };
template <class T> struct without_const<const volatile T> { typedef T type; };

template <class T, class U> struct same { static constexpr bool value = false; };
template <class T> struct same<T, T> { static constexpr bool value = true; };

// Arithmetic types are those that `T(-1) < T(1)` is allowed for and that convert to double.
template <class T> struct number { static constexpr int kind = -1; };
#define ANNOT_NUMBER_(type, kind_) \
  template <> struct number<type> { static constexpr int kind = kind_; }
ANNOT_NUMBER_(bool, ANNOT_TYPE_BOOL);
ANNOT_NUMBER_(char, (static_cast<char>(-1) < static_cast<char>(1) ? ANNOT_TYPE_SIGNED : ANNOT_TYPE_UNSIGNED));
ANNOT_NUMBER_(wchar_t,
    (static_cast<wchar_t>(-1) < static_cast<wchar_t>(1) ? ANNOT_TYPE_SIGNED : ANNOT_TYPE_UNSIGNED));
ANNOT_NUMBER_(signed char, ANNOT_TYPE_SIGNED);
ANNOT_NUMBER_(short, ANNOT_TYPE_SIGNED);
ANNOT_NUMBER_(int, ANNOT_TYPE_SIGNED);
ANNOT_NUMBER_(long, ANNOT_TYPE_SIGNED);
ANNOT_NUMBER_(long long, ANNOT_TYPE_SIGNED);
ANNOT_NUMBER_(unsigned char, ANNOT_TYPE_UNSIGNED);
ANNOT_NUMBER_(unsigned short, ANNOT_TYPE_UNSIGNED);
ANNOT_NUMBER_(unsigned, ANNOT_TYPE_UNSIGNED);
ANNOT_NUMBER_(unsigned long, ANNOT_TYPE_UNSIGNED);
ANNOT_NUMBER_(unsigned long long, ANNOT_TYPE_UNSIGNED);
ANNOT_NUMBER_(char16_t, ANNOT_TYPE_UNSIGNED);
ANNOT_NUMBER_(char32_t, ANNOT_TYPE_UNSIGNED);
#ifdef __cpp_char8_t
ANNOT_NUMBER_(char8_t, ANNOT_TYPE_UNSIGNED);
#endif
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 signed_128;
__extension__ typedef unsigned __int128 unsigned_128;
ANNOT_NUMBER_(signed_128, ANNOT_TYPE_SIGNED);
ANNOT_NUMBER_(unsigned_128, ANNOT_TYPE_UNSIGNED);
#endif
ANNOT_NUMBER_(float, ANNOT_TYPE_FLOAT);
ANNOT_NUMBER_(double, ANNOT_TYPE_FLOAT);
ANNOT_NUMBER_(long double, ANNOT_TYPE_FLOAT);
#undef ANNOT_NUMBER_

template <class T, bool = __is_enum(T)> struct kind {
  static constexpr int value = number<T>::kind >= 0        ? number<T>::kind
                               : __is_trivially_copyable(T) ? ANNOT_TYPE_OTHER
                                                            : ANNOT_TYPE_NONTRIVIAL;
};
template <class T> struct kind<T, true> {
  static constexpr int value = number<__underlying_type(T)>::kind;
};
template <class T> struct kind<T *, false> { static constexpr int value = ANNOT_TYPE_POINTER; };
template <> struct kind<decltype(nullptr), false> { static constexpr int value = ANNOT_TYPE_POINTER; };

/// Tells of a value type T: how it is described, how an argument comes out of its address (a copy, or a
/// move when T cannot be copied).
template <class T> struct type {
  typedef typename without_const<T>::type value;
  static constexpr uint16_t kind = static_cast<uint16_t>(annot_detail::kind<value>::value);
  static constexpr uint32_t size = static_cast<uint32_t>(sizeof(T));
  static constexpr uint16_t alignment = static_cast<uint16_t>(alignof(T));
  template <bool copied, class U> struct passed { typedef const U &reference; };
  template <class U> struct passed<false, U> { typedef U &&reference; };
  typedef typename passed<__is_constructible(value, const value &), value>::reference argument;
};
/// The size and alignment of a type that may be incomplete: then 0.
template <class T> constexpr size_t size_if_known(decltype(sizeof(T)) size) { return size + sizeof(T); }
template <class T> constexpr size_t size_if_known(...) { return 0; }
template <class T> constexpr size_t alignment_if_known(decltype(alignof(T)) size) {
  return size + alignof(T);
}
template <class T> constexpr size_t alignment_if_known(...) { return 0; }
template <class T> struct type<T &> {
  static constexpr uint16_t kind = ANNOT_TYPE_REFERENCE;
  static constexpr uint32_t size = static_cast<uint32_t>(size_if_known<T>(size_t()));
  static constexpr uint16_t alignment = static_cast<uint16_t>(alignment_if_known<T>(size_t()));
  typedef T value;
  typedef T &argument;
};
template <class T> struct type<T &&> : type<T &> { typedef T &&argument; };
template <> struct type<void> {
  static constexpr uint16_t kind = ANNOT_TYPE_VOID;
  static constexpr uint32_t size = 0;
  static constexpr uint16_t alignment = 0;
};

/// What a parameter is passed on as: values move, references stay.
template <class T> struct forwarded { typedef T &&reference; };

/// An argument at the address of it that was packed.
template <class T> typename type<T>::argument argument(void *address) {
  return static_cast<typename type<T>::argument>(*static_cast<typename type<T>::value *>(address));
}

/// The address of an argument, to be packed.
template <class T> void *address(T &value) {
  return const_cast<void *>(static_cast<const volatile void *>(__builtin_addressof(value)));
}

/// Picks our own placement new, so that <new> is not needed.
struct place {
  void *address;
};

}  // namespace annot_detail
}  // extern "C++"

inline void *operator new(size_t, annot_detail::place place) noexcept { return place.address; }
inline void operator delete(void *, annot_detail::place) noexcept {}

extern "C++" {
namespace annot_detail {

/// Room for a result of type T that other code constructs.
template <class T> struct result {
  typedef typename without_const<T>::type value;
  alignas(value) unsigned char bytes[sizeof(value)];
  void *room() { return bytes; }
  /// Moves the result out and destroys what is left in the room.
  T take() {
    struct end_of_life {
      value *object;
      ~end_of_life() { object->~value(); }
    } object = {static_cast<value *>(static_cast<void *>(bytes))};
    return static_cast<value &&>(*object.object);
  }
  static void put(void *room, T &&made) { ::new (place{room}) value(static_cast<T &&>(made)); }
  static void destroy(void *room) { static_cast<value *>(room)->~value(); }
  static constexpr void (*end)(void *) = type<T>::kind == ANNOT_TYPE_NONTRIVIAL ? destroy : nullptr;
};
template <class T> struct result<T &> {
  typedef T *pointer_type;
  T *pointer;
  void *room() { return &pointer; }
  static constexpr void (*end)(void *) = nullptr;
  T &take() { return *pointer; }
  static void put(void *room, T &made) { ::new (place{room}) pointer_type(__builtin_addressof(made)); }
};
template <class T> struct result<T &&> {
  typedef T *pointer_type;
  T *pointer;
  void *room() { return &pointer; }
  static constexpr void (*end)(void *) = nullptr;
  T &&take() { return static_cast<T &&>(*pointer); }
  static void put(void *room, T &&made) { ::new (place{room}) pointer_type(__builtin_addressof(made)); }
};

}  // namespace annot_detail
}  // extern "C++"

#define ANNOT_KIND_OF_(type_) ::annot_detail::type<type_>::kind
#define ANNOT_SIZE_OF_(type_) ::annot_detail::type<type_>::size
#define ANNOT_ALIGNMENT_OF_(type_) ::annot_detail::type<type_>::alignment
#define ANNOT_HAS_TYPE_(name, type_) (::annot_detail::same<decltype(name), type_>::value)

#endif

#endif
