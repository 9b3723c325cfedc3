// The list that `legal` fills: fixed capacity, no heap, owned by the caller.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

namespace kibitz {

using Action = std::uint16_t;

template <int Capacity>
class ActionList {
 public:
  static constexpr int kCapacity = Capacity;

  void clear() { size_ = 0; }
  void push(Action a) {
    assert(size_ < Capacity);
    items_[size_++] = a;
  }
  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Action operator[](int i) const { return items_[i]; }
  const Action* begin() const { return items_.data(); }
  const Action* end() const { return items_.data() + size_; }
  bool contains(Action a) const {
    for (Action b : *this)
      if (a == b) return true;
    return false;
  }

 private:
  std::array<Action, Capacity> items_;  // left uninitialised on purpose: only the first size_ are read
  int size_ = 0;
};

}  // namespace kibitz
