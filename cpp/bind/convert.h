// Value <-> Python objects.
#pragma once

#include <nanobind/nanobind.h>

#include "core/value.h"

namespace kibitz::bind {

// A whole number from Python, of any size: what does not fit is bad input, not a wrong type.
struct Int {
  std::int64_t value = 0;
  std::uint64_t bits = 0;
  bool fits = false, is_seed = false;

  std::uint64_t seed() const {
    if (!is_seed) throw BadInput("a seed must be a whole number from 0 to 2^64 - 1");
    return bits;
  }
  int number(const char* what) const {
    if (!fits || value < INT32_MIN || value > INT32_MAX) throw BadInput(std::string(what) + " is far out of range");
    return static_cast<int>(value);
  }
};

Value to_value(nanobind::handle h);
nanobind::object to_python(const Value& v);

}  // namespace kibitz::bind

namespace nanobind::detail {

template <>
struct type_caster<kibitz::bind::Int> {
  NB_TYPE_CASTER(kibitz::bind::Int, const_name("int"))

  bool from_python(handle source, uint8_t, cleanup_list*) noexcept {
    PyObject* number = PyNumber_Index(source.ptr());  // also NumPy's integers
    if (!number) {
      PyErr_Clear();
      return false;
    }
    int overflow = 0;
    value.value = PyLong_AsLongLongAndOverflow(number, &overflow);
    value.fits = overflow == 0;
    value.bits = PyLong_AsUnsignedLongLong(number);
    value.is_seed = !PyErr_Occurred();
    PyErr_Clear();
    Py_DECREF(number);
    return true;
  }
  static handle from_cpp(const kibitz::bind::Int& x, rv_policy, cleanup_list*) noexcept {
    return PyLong_FromLongLong(x.value);
  }
};

}  // namespace nanobind::detail
