// Interned symbols and ground terms: equal terms have equal ids, so that comparing them is comparing integers.
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

#include "games/gdl/logic/budget.h"

namespace kibitz::gdl {

using TermId = std::uint32_t;
using Symbol = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffffu;

// The table of symbols and terms. Atoms such as `(cell 1 2 x)` are terms like any other, with the relation as functor.
//
// Thread-safe but for bytes() and forget(): terms never move, and functor(), args() and
// hash() take no lock.
class Terms {
 public:
  static constexpr std::uint32_t kDepth = 1000;      // nesting of a term
  static constexpr std::uint32_t kLength = 1 << 20;  // characters of its text: shared subterms are stored once only

  Symbol symbol(std::string_view name);
  const std::string& name(Symbol s) const { return names_[s]; }
  std::size_t symbols() const { return names_.size(); }

  // The id of the term, which is added if it is new. OverBudget above the bounds, or if there are too many terms.
  TermId make(Symbol symbol, std::span<const TermId> args);
  TermId constant(std::string_view name) { return make(symbol(name), {}); }
  TermId find(Symbol symbol, std::span<const TermId> args) const;  // kNone if it was never made

  Symbol functor(TermId t) const { return at(t).symbol; }
  std::span<const TermId> args(TermId t) const { return {at(t).args, at(t).arity}; }
  std::uint64_t hash(TermId t) const { return at(t).hash; }  // of the text: the same in every process
  std::string text(TermId t) const;
  std::uint32_t size() const { return size_.load(std::memory_order_acquire); }
  std::size_t bytes() const;  // memory; not while another thread makes terms

  // forget() removes all terms made since the mark. None of them may be in use, nor any other thread.
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

// A total order of terms for people: numbers first and by value, so that 10 comes after 9, then names, then arguments.
// Negative, zero or positive. It depends on the text of the terms alone, never on their ids.
int compare_terms(const Terms& terms, TermId a, TermId b, Budget* budget = nullptr);
void sort_terms(const Terms& terms, std::vector<TermId>& list);
void sort_terms(const Terms& terms, std::vector<TermId>& list, Budget& budget);

}  // namespace kibitz::gdl
