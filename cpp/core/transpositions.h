// The memory of a search: positions that were met before and what became known of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kibitz {

// A hash table of at most `limit` entries (a power of two). It may start small, because most searches are, and grows.
// Once it is full, new entries replace old ones as far as these yield. Data has
//   used() -> bool                  false for a default one: an empty slot
//   replaces(const Data&) -> bool   whether it may take the place of another position's
template <std::size_t Words, class Data, std::size_t Probes>
class Transpositions {
 public:
  using Key = std::array<std::uint64_t, Words>;

  Transpositions(std::size_t start, std::size_t limit) : limit_(limit) { clear(std::min(start, limit)); }

  const Data* find(const Key& key) const {
    for (std::size_t i = 0, at = home(key); i < Probes; ++i) {
      const Entry& e = entries_[(at + i) & (entries_.size() - 1)];
      if (e.key == key && e.data.used()) return &e.data;
    }
    return nullptr;
  }

  void store(const Key& key, const Data& data) {
    if (entries_.size() < limit_ && 2 * used_ >= entries_.size()) grow();
    put({key, data});
  }

 private:
  struct Entry {
    Key key{};
    Data data{};
  };

  // The high bits of a product, which depend on all bits below them.
  std::size_t home(const Key& key) const {
    constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
    std::uint64_t h = key[0] * kGolden;
    for (std::size_t i = 1; i < Words; ++i) h = ((h ^ h >> 32) + key[i]) * kGolden;
    return h >> shift_;
  }

  void put(const Entry& entry) {
    const std::size_t at = home(entry.key);
    Entry* to = &entries_[at];  // the one to replace if all are taken
    for (std::size_t i = 0; i < Probes; ++i) {
      Entry& e = entries_[(at + i) & (entries_.size() - 1)];
      if (e.data.used() && e.key != entry.key) continue;
      to = &e;
      break;
    }
    if (to->data.used() && to->key != entry.key && !entry.data.replaces(to->data)) return;
    used_ += !to->data.used();
    *to = entry;
  }

  void clear(std::size_t size) {
    entries_.assign(size, Entry{});
    used_ = 0;
    for (shift_ = 64; size > 1; size /= 2) --shift_;
  }

  void grow() {
    std::vector<Entry> old;
    old.swap(entries_);
    clear(2 * old.size());
    for (const Entry& e : old)
      if (e.data.used()) put(e);
  }

  std::size_t limit_, used_ = 0;
  int shift_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace kibitz
