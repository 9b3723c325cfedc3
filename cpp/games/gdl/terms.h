// Names and ground terms, each kept once, so that equal terms have equal numbers.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "games/gdl/budget.h"

namespace kibitz::gdl {

using TermId = std::uint32_t;
using Symbol = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffffu;

// An atom of the language, `(cell 1 2 x)`, is a term like any other: its relation is the symbol.
//
// Threads may share it: terms never move once they are made, and making one takes a lock.
class Terms {
 public:
  static constexpr std::uint32_t kDepth = 1000;      // of terms within terms
  static constexpr std::uint32_t kLength = 1 << 20;  // characters of a term that is written out

  Symbol symbol(std::string_view name);
  const std::string& name(Symbol s) const { return names_[s]; }
  std::size_t symbols() const { return names_.size(); }

  TermId make(Symbol symbol, std::span<const TermId> args);
  TermId constant(std::string_view name) { return make(symbol(name), {}); }
  TermId find(Symbol symbol, std::span<const TermId> args) const;  // kNone where there is no such term yet

  Symbol functor(TermId t) const { return at(t).symbol; }
  std::span<const TermId> args(TermId t) const { return {at(t).args, at(t).arity}; }
  std::uint64_t hash(TermId t) const { return at(t).hash; }  // of the content, not of the number
  std::string text(TermId t) const;
  std::uint32_t size() const { return size_.load(std::memory_order_acquire); }
  std::size_t bytes() const;  // that they take; not while other threads make terms

  // Drops all terms that were made since, none of which may be in use any more.
  struct Mark {
    std::uint32_t size;
    std::size_t pools, pool_bytes, pool_left;
    TermId* pool;
  };
  Mark mark() const { return {size(), pools_.size(), pool_bytes_, pool_left_, pool_}; }
  void forget(const Mark& mark);

 private:
  struct Node {
    Symbol symbol;
    std::uint32_t arity, depth, length;
    const TermId* args;
    std::uint64_t hash;
  };
  static constexpr std::uint32_t kChunk = 4096, kChunks = 4096;

  const Node& at(TermId t) const { return chunks_[t / kChunk][t % kChunk]; }
  std::uint64_t hash_of(Symbol symbol, std::span<const TermId> args) const;
  TermId look_up(std::uint64_t hash, Symbol symbol, std::span<const TermId> args) const;
  const TermId* keep(std::span<const TermId> args);
  void insert(TermId t);
  void fill_table(std::size_t size);
  void write(TermId t, std::string& out) const;

  std::deque<std::string> names_;
  std::vector<std::uint64_t> name_hash_;
  std::unordered_map<std::string_view, Symbol> by_name_;
  std::array<std::unique_ptr<Node[]>, kChunks> chunks_;
  std::vector<std::unique_ptr<TermId[]>> pools_;
  TermId* pool_ = nullptr;
  std::size_t pool_left_ = 0, pool_bytes_ = 0, name_bytes_ = 0;
  std::vector<TermId> table_;  // open addressing
  std::atomic<std::uint32_t> size_{0};
  mutable std::shared_mutex mutex_;
};

}  // namespace kibitz::gdl
