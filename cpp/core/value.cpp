#include "core/value.h"

#include <algorithm>

namespace kibitz {

Value::Value() = default;
Value::~Value() = default;
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::Value(bool b) : v_(b) {}
Value::Value(int i) : v_(std::int64_t{i}) {}
Value::Value(std::int64_t i) : v_(i) {}
Value::Value(double d) : v_(d) {}
Value::Value(const char* s) : v_(std::string(s)) {}
Value::Value(std::string s) : v_(std::move(s)) {}
Value::Value(List l) : v_(std::move(l)) {}
Value::Value(Object o) : v_(std::move(o)) {}

bool operator==(const Value& a, const Value& b) { return a.v_ == b.v_; }

void Value::set(std::string key, Value v) { std::get<Object>(v_).emplace_back(std::move(key), std::move(v)); }

const Value* Value::find(const std::string& key) const {
  if (const Object* members = get<Object>())
    for (const auto& [name, value] : *members)
      if (name == key) return &value;
  return nullptr;
}

std::int64_t Value::integer(const std::string& what, std::int64_t low, std::int64_t high) const {
  const auto* i = get<std::int64_t>();
  if (!i || *i < low || *i > high)
    throw BadInput(what + " must be a whole number from " + std::to_string(low) + " to " + std::to_string(high) +
                   ", not " + describe());
  return *i;
}

bool Value::boolean(const std::string& what) const {
  const auto* b = get<bool>();
  if (!b) throw BadInput(what + " must be true or false, not " + describe());
  return *b;
}

const std::string& Value::string(const std::string& what) const {
  const auto* s = get<std::string>();
  if (!s) throw BadInput(what + " must be text, not " + describe());
  return *s;
}

const Value::List& Value::list(const std::string& what) const {
  const auto* l = get<List>();
  if (!l) throw BadInput(what + " must be a list, not " + describe());
  return *l;
}

const Value::Object& Value::object(const std::string& what) const {
  const auto* o = get<Object>();
  if (!o) throw BadInput(what + " must be an object with named members, not " + describe());
  return *o;
}

std::string Value::describe() const {
  if (is_null()) return "nothing";
  if (const auto* b = get<bool>()) return *b ? "true" : "false";
  if (const auto* i = get<std::int64_t>()) return std::to_string(*i);
  if (const auto* d = get<double>()) return std::to_string(*d);
  if (const auto* s = get<std::string>()) return quoted(*s);
  return get<List>() ? "a list" : "an object";
}

int one_of(const std::string& what, const std::string& word, const std::vector<std::string>& allowed) {
  const auto it = std::find(allowed.begin(), allowed.end(), word);
  if (it == allowed.end()) throw BadInput(what + " " + quoted(word) + " is unknown; allowed: " + joined(allowed));
  return it - allowed.begin();
}

std::string quoted(const std::string& text) {
  std::size_t end = std::min<std::size_t>(text.size(), 40);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end;  // whole letters
  std::string out(1, '\'');
  out += text.substr(0, end);
  out += '\'';
  return out;
}

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string out;
  for (const auto& w : words) out += (out.empty() ? "" : separator) + w;
  return out;
}

}  // namespace kibitz
