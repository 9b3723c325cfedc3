// A table of action values: what a learner without a network knows. Only what was tried has an entry.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/action_list.h"
#include "core/rng.h"
#include "core/value.h"

namespace kibitz {

// One key for a view and an action. Views are told apart by their 64-bit keys alone: of a million entries two collide
// with a chance of about one in 40 million.
inline std::uint64_t q_key(std::uint64_t view_key, Action action) { return mix(view_key, action); }

// A hash table with open addressing, of one seat. Values are of rewards in [0, 1]; those of unknown keys are 0.
class QTable {
 public:
  struct Entry {
    std::uint64_t key = 0;
    double value = 0;
    std::uint64_t visits = 0;  // updates; 0 marks a free slot
  };

  QTable() : slots_(64) {}

  std::size_t size() const { return size_; }
  double value(std::uint64_t key) const { return slots_[slot(key)].value; }
  std::uint64_t visits(std::uint64_t key) const { return slots_[slot(key)].visits; }

  // One step of size alpha towards the target.
  void update(std::uint64_t key, double target, double alpha) {
    Entry& e = entry(key);
    e.value += alpha * (target - e.value);
    ++e.visits;
  }

  // An entry from a file.
  void put(const Entry& given) {
    if (!std::isfinite(given.value)) throw BadInput("a value of the table is not finite");
    if (given.visits == 0) throw BadInput("an entry of the table has no visits");
    Entry& e = entry(given.key);
    if (e.visits > 0) throw BadInput("an entry of the table is there twice");
    e = given;
  }

  // Sorted by key, so that equal tables give equal files.
  std::vector<Entry> entries() const {
    std::vector<Entry> out;
    out.reserve(size_);
    for (const Entry& e : slots_)
      if (e.visits > 0) out.push_back(e);
    std::sort(out.begin(), out.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
    return out;
  }

 private:
  // Where the key is, or the free slot where it would be. Keys are mixed already: their low bits are as good as any.
  std::size_t slot(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>(key) & mask;
    while (slots_[at].visits > 0 && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }

  Entry& entry(std::uint64_t key) {
    std::size_t at = slot(key);
    if (slots_[at].visits > 0) return slots_[at];
    if (2 * (size_ + 1) > slots_.size()) {
      grow();
      at = slot(key);
    }
    ++size_;
    slots_[at].key = key;
    return slots_[at];
  }

  void grow() {
    std::vector<Entry> old(2 * slots_.size());
    old.swap(slots_);
    for (const Entry& e : old)
      if (e.visits > 0) slots_[slot(e.key)] = e;
  }

  std::vector<Entry> slots_;  // a power of two of them, at most half of them taken
  std::size_t size_ = 0;
};

}  // namespace kibitz
