/// What annot/joinpoint.h needs of C++: kinds of types, and results and arguments that are objects.
#ifndef ANNOT_JOINPOINT_HPP
#define ANNOT_JOINPOINT_HPP

#include <new>

/* Integers and floating-point numbers by name, the rest by what the compiler says. */
template <class T> struct annot_kind_of_ {
  static constexpr uint16_t value = __is_enum(T) ? ANNOT_TYPE_SIGNED : ANNOT_TYPE_OTHER;
};
template <class T> struct annot_kind_of_<T *> { static constexpr uint16_t value = ANNOT_TYPE_POINTER; };
#define ANNOT_KIND_IS_(type, kind) \
  template <> struct annot_kind_of_<type> { static constexpr uint16_t value = kind; };
ANNOT_KIND_IS_(bool, ANNOT_TYPE_BOOL)
ANNOT_KIND_IS_(char, static_cast<char>(-1) < 0 ? ANNOT_TYPE_SIGNED : ANNOT_TYPE_UNSIGNED)
ANNOT_KIND_IS_(signed char, ANNOT_TYPE_SIGNED)
ANNOT_KIND_IS_(short, ANNOT_TYPE_SIGNED)
ANNOT_KIND_IS_(int, ANNOT_TYPE_SIGNED)
ANNOT_KIND_IS_(long, ANNOT_TYPE_SIGNED)
ANNOT_KIND_IS_(long long, ANNOT_TYPE_SIGNED)
ANNOT_KIND_IS_(unsigned char, ANNOT_TYPE_UNSIGNED)
ANNOT_KIND_IS_(unsigned short, ANNOT_TYPE_UNSIGNED)
ANNOT_KIND_IS_(unsigned, ANNOT_TYPE_UNSIGNED)
ANNOT_KIND_IS_(unsigned long, ANNOT_TYPE_UNSIGNED)
ANNOT_KIND_IS_(unsigned long long, ANNOT_TYPE_UNSIGNED)
ANNOT_KIND_IS_(wchar_t, static_cast<wchar_t>(-1) < 0 ? ANNOT_TYPE_SIGNED : ANNOT_TYPE_UNSIGNED)
ANNOT_KIND_IS_(char16_t, ANNOT_TYPE_UNSIGNED)
ANNOT_KIND_IS_(char32_t, ANNOT_TYPE_UNSIGNED)
ANNOT_KIND_IS_(float, ANNOT_TYPE_FLOAT)
ANNOT_KIND_IS_(double, ANNOT_TYPE_FLOAT)
ANNOT_KIND_IS_(long double, ANNOT_TYPE_FLOAT)
#undef ANNOT_KIND_IS_

template <class T> struct annot_plain_ { typedef T type; };
template <class T> struct annot_plain_<const T> { typedef T type; };
template <class T> struct annot_plain_<volatile T> { typedef T type; };
template <class T> struct annot_plain_<const volatile T> { typedef T type; };

/* How a parameter is handed on: references collapse. */
template <class T> struct annot_forward_ { typedef T &&forwarded; };

template <class T> struct annot_type_of_ {
  static constexpr uint32_t size = sizeof(T);
  static constexpr uint16_t alignment = alignof(T);
  static constexpr uint16_t kind = static_cast<uint16_t>(
      annot_kind_of_<typename annot_plain_<T>::type>::value | (__is_trivially_copyable(T) ? 0 : ANNOT_TYPE_NOT_BYTES));
};
/* An argument that is a reference is packed as its object, which a deferred call could not own. */
template <class T> struct annot_type_of_<T &> {
  static constexpr uint32_t size = sizeof(T);
  static constexpr uint16_t alignment = alignof(T);
  static constexpr uint16_t kind = ANNOT_TYPE_OTHER | ANNOT_TYPE_NOT_BYTES;
};
template <class T> struct annot_type_of_<T &&> : annot_type_of_<T &> {};
/* A result that is a reference travels as a pointer. */
template <class T> struct annot_result_type_of_ : annot_type_of_<T> {};
template <class T> struct annot_result_type_of_<T &> : annot_type_of_<T *> {};

/* Copies where it can, so that a call may proceed again; moves what can only be moved. */
template <class T, bool Copies> struct annot_unpack_value_ {
  static const T &from(void *address) { return *static_cast<const T *>(address); }
};
template <class T> struct annot_unpack_value_<T, false> {
  static T &&from(void *address) { return static_cast<T &&>(*static_cast<T *>(address)); }
};
template <class T> struct annot_unpack_ : annot_unpack_value_<T, __is_constructible(T, const T &)> {};
template <class T> struct annot_unpack_<T &> {
  static T &from(void *address) { return *static_cast<T *>(address); }
};
template <class T> struct annot_unpack_<T &&> {
  static T &&from(void *address) { return static_cast<T &&>(*static_cast<T *>(address)); }
};

/* Room for a result, which dispatch constructs. */
template <class T> struct annot_result_ {
  alignas(T) unsigned char bytes[sizeof(T)];
  typedef typename annot_plain_<T>::type plain;
  static void put(void *place, T &&value) { ::new (place) plain(static_cast<T &&>(value)); }
  plain &&take() { return static_cast<plain &&>(*reinterpret_cast<plain *>(bytes)); }
  ~annot_result_() { reinterpret_cast<plain *>(bytes)->~plain(); }
};
template <class T> struct annot_result_<T &> {
  alignas(T *) unsigned char bytes[sizeof(T *)];
  static void put(void *place, T &value) { ::new (place) T *(__builtin_addressof(value)); }
  T &take() { return **reinterpret_cast<T **>(bytes); }
};

#endif
