#include "bind/convert.h"

namespace nb = nanobind;

namespace kibitz::bind {

Value to_value(nb::handle h) {
  if (h.is_none()) return Value();
  if (nb::isinstance<nb::bool_>(h)) return Value(nb::cast<bool>(h));
  if (nb::isinstance<nb::int_>(h)) {
    std::int64_t i = 0;
    if (!nb::try_cast(h, i)) throw BadInput("a number is too large for 64 bits");
    return Value(i);
  }
  if (nb::isinstance<nb::float_>(h)) return Value(nb::cast<double>(h));
  if (nb::isinstance<nb::str>(h)) return Value(std::string(nb::borrow<nb::str>(h).c_str()));
  if (nb::isinstance<nb::dict>(h)) {
    Value::Object out;
    for (auto [key, value] : nb::borrow<nb::dict>(h)) out.emplace_back(nb::str(key).c_str(), to_value(value));
    return Value(std::move(out));
  }
  if (nb::isinstance<nb::list>(h) || nb::isinstance<nb::tuple>(h)) {
    Value::List out;
    for (nb::handle item : h) out.push_back(to_value(item));
    return Value(std::move(out));
  }
  throw BadInput(std::string("a value of type ") + nb::str(h.type().attr("__name__")).c_str() +
                 " is not allowed; use dict, list, str, int, float, bool or None");
}

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
