// A JSON-like value: what positions and options are made of between a game and the outside. No text parser lives
// here: the bindings turn it into Python objects, and Python's json does the text.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kibitz {

// Bad input from outside. The bindings turn it into Python's ValueError.
struct BadInput : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

class Value {
 public:
  using List = std::vector<Value>;
  using Object = std::vector<std::pair<std::string, Value>>;  // keeps the order a reader expects

  // Here are no definitions that need the variant: every file would compile them again.
  Value();
  ~Value();
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  Value(bool b);
  Value(int i);
  Value(std::int64_t i);
  Value(double d);
  Value(const char* s);
  Value(std::string s);
  Value(List l);
  Value(Object o);

  bool is_null() const { return std::holds_alternative<std::monostate>(v_); }
  template <class T>
  const T* get() const {
    return std::get_if<T>(&v_);
  }

  // The member `key` of an object, or null where it is missing.
  const Value* find(const std::string& key) const;
  void set(std::string key, Value v);

  // Typed reads that throw BadInput naming `what` and what is allowed.
  std::int64_t integer(const std::string& what, std::int64_t low, std::int64_t high) const;
  bool boolean(const std::string& what) const;
  const std::string& string(const std::string& what) const;
  const List& list(const std::string& what) const;
  const Object& object(const std::string& what) const;

  std::string describe() const;  // short, for error messages

  friend bool operator==(const Value&, const Value&);

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Object> v_;
};

// Index of `word` in `allowed`, or BadInput that lists them.
int one_of(const std::string& what, const std::string& word, const std::vector<std::string>& allowed);
std::string quoted(const std::string& text);  // shortened, for error messages
std::string joined(const std::vector<std::string>& words, const std::string& separator = ", ");

}  // namespace kibitz
