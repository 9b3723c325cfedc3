#include "bind/convert.h"

namespace nb = nanobind;

namespace kibitz::bind {

namespace {

constexpr int kMaxDepth = 32;  // a position has three levels; endless ones must not overflow the stack

std::string to_text(nb::handle h) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(h.ptr(), &size);
  if (!text) {
    PyErr_Clear();
    throw BadInput("a text is not valid Unicode");
  }
  return std::string(text, static_cast<std::size_t>(size));
}

Value convert(nb::handle h, int depth) {
  if (depth > kMaxDepth) throw BadInput("lists and dicts are nested too deeply; 32 levels are allowed");
  if (h.is_none()) return Value();
  if (nb::isinstance<nb::bool_>(h)) return Value(nb::cast<bool>(h));
  if (nb::isinstance<nb::int_>(h)) {
    std::int64_t i = 0;
    if (!nb::try_cast(h, i)) throw BadInput("a number is too large for 64 bits");
    return Value(i);
  }
  if (nb::isinstance<nb::float_>(h)) return Value(nb::cast<double>(h));
  if (nb::isinstance<nb::str>(h)) return Value(to_text(h));
  if (nb::isinstance<nb::dict>(h)) {
    Value::Object out;
    for (auto [key, value] : nb::borrow<nb::dict>(h)) {
      if (!nb::isinstance<nb::str>(key)) throw BadInput("names of members must be texts");
      out.emplace_back(to_text(key), convert(value, depth + 1));
    }
    return Value(std::move(out));
  }
  if (nb::isinstance<nb::list>(h) || nb::isinstance<nb::tuple>(h)) {
    Value::List out;
    for (nb::handle item : h) out.push_back(convert(item, depth + 1));
    return Value(std::move(out));
  }
  throw BadInput(std::string("a value of type ") + nb::str(h.type().attr("__name__")).c_str() +
                 " is not allowed; use dict, list, str, int, float, bool or None");
}

}  // namespace

Value to_value(nb::handle h) { return convert(h, 0); }

nb::object to_python(const Value& v) {
  if (const auto* b = v.get<bool>()) return nb::bool_(*b);
  if (const auto* i = v.get<std::int64_t>()) return nb::int_(*i);
  if (const auto* d = v.get<double>()) return nb::float_(*d);
  if (const auto* s = v.get<std::string>()) return nb::str(s->c_str());
  if (const auto* l = v.get<Value::List>()) {
    nb::list out;
    for (const Value& item : *l) out.append(to_python(item));
    return out;
  }
  if (const auto* o = v.get<Value::Object>()) {
    nb::dict out;
    for (const auto& [key, item] : *o) out[key.c_str()] = to_python(item);
    return out;
  }
  return nb::none();
}

}  // namespace kibitz::bind
