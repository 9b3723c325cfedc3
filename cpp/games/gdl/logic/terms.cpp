#include "games/gdl/logic/terms.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <mutex>

#include "core/rng.h"

namespace kibitz::gdl {

Symbol Terms::symbol(std::string_view name) {
  {
    std::shared_lock lock(mutex_);
    if (const auto it = by_name_.find(name); it != by_name_.end()) return it->second;
  }
  std::unique_lock lock(mutex_);
  if (const auto it = by_name_.find(name); it != by_name_.end()) return it->second;
  names_.emplace_back(name);
  name_bytes_ += 120 + name.size();  // with its place in the table
  std::uint64_t hash = 14695981039346656037ULL;
  for (unsigned char c : name) hash = (hash ^ c) * 1099511628211ULL;
  name_hash_.push_back(mix(hash, name.size()));
  const Symbol s = names_.size() - 1;
  by_name_.emplace(names_.back(), s);
  return s;
}

std::uint64_t Terms::hash_of(Symbol symbol, std::span<const TermId> args) const {
  std::uint64_t h = mix(name_hash_[symbol], args.size());
  for (TermId a : args) h = mix(h, at(a).hash);
  return h;
}

TermId Terms::look_up(std::uint64_t hash, Symbol symbol, std::span<const TermId> args) const {
  if (table_.empty()) return kNone;
  for (std::size_t i = hash & (table_.size() - 1); table_[i] != kNone; i = (i + 1) & (table_.size() - 1)) {
    const Node& n = at(table_[i]);
    if (n.hash == hash && n.symbol == symbol && n.arity == args.size() && std::equal(args.begin(), args.end(), n.args))
      return table_[i];
  }
  return kNone;
}

TermId Terms::find(Symbol symbol, std::span<const TermId> args) const {
  std::shared_lock lock(mutex_);
  return look_up(hash_of(symbol, args), symbol, args);
}

const TermId* Terms::keep(std::span<const TermId> args) {
  constexpr std::size_t kPool = 1 << 16;
  if (args.size() > pool_left_) {
    pool_left_ = std::max(kPool, args.size());
    pools_.push_back(std::unique_ptr<TermId[]>(new TermId[pool_left_]));  // uninitialised
    pool_bytes_ += pool_left_ * sizeof(TermId);
    pool_ = pools_.back().get();
  }
  TermId* const to = pool_;
  std::copy(args.begin(), args.end(), to);
  pool_ += args.size();
  pool_left_ -= args.size();
  return to;
}

void Terms::insert(TermId t) {
  std::size_t i = at(t).hash & (table_.size() - 1);
  while (table_[i] != kNone) i = (i + 1) & (table_.size() - 1);
  table_[i] = t;
}

void Terms::fill_table(std::size_t size) {
  std::vector<TermId>(size, kNone).swap(table_);
  for (TermId t = 0, n = this->size(); t < n; ++t) insert(t);
}

std::size_t Terms::bytes() const {
  const std::size_t chunks = (size() + kChunk - 1) / kChunk;
  return chunks * kChunk * sizeof(Node) + pool_bytes_ + name_bytes_ + table_.size() * sizeof(TermId);
}

void Terms::forget(const Mark& mark) {
  std::unique_lock lock(mutex_);
  for (std::uint32_t c = (mark.size + kChunk - 1) / kChunk; c < kChunks && chunks_[c]; ++c) chunks_[c].reset();
  pools_.resize(mark.pools);
  pool_bytes_ = mark.pool_bytes;
  pool_left_ = mark.pool_left;
  pool_ = mark.pool;
  size_.store(mark.size, std::memory_order_release);
  fill_table(std::bit_ceil(std::max<std::size_t>(64, 2 * static_cast<std::size_t>(mark.size))));
}

TermId Terms::make(Symbol symbol, std::span<const TermId> args) {
  {
    std::shared_lock lock(mutex_);
    const TermId known = look_up(hash_of(symbol, args), symbol, args);
    if (known != kNone) return known;
  }
  std::unique_lock lock(mutex_);
  const std::uint64_t hash = hash_of(symbol, args);
  const TermId known = look_up(hash, symbol, args);
  if (known != kNone) return known;
  const std::uint32_t t = size();
  std::uint32_t depth = 1;
  std::size_t length = names_[symbol].size();
  for (TermId a : args) {
    depth = std::max(depth, at(a).depth + 1);
    length += 3 + at(a).length;
  }
  if (length > kLength)
    throw OverBudget("terms have more than " + std::to_string(kLength) + " characters when they are written out");
  if (depth > kDepth) throw OverBudget("terms are nested more than " + std::to_string(kDepth) + " deep");
  if (t / kChunk >= kChunks)
    throw OverBudget("the rulesheet has more than " + std::to_string(kChunk * kChunks) + " different terms");
  if (t % kChunk == 0) chunks_[t / kChunk] = std::make_unique<Node[]>(kChunk);
  chunks_[t / kChunk][t % kChunk] = {
      symbol, static_cast<std::uint32_t>(args.size()), depth, static_cast<std::uint32_t>(length), keep(args), hash};
  size_.store(t + 1, std::memory_order_release);
  if (2 * (static_cast<std::size_t>(t) + 1) > table_.size())
    fill_table(std::max<std::size_t>(64, 2 * table_.size()));
  else
    insert(t);
  return t;
}

void Terms::write(TermId t, std::string& out) const {
  const Node& n = at(t);
  if (n.arity == 0) {
    out += names_[n.symbol];
    return;
  }
  out += '(';
  out += names_[n.symbol];
  for (TermId a : args(t)) {
    out += ' ';
    write(a, out);
  }
  out += ')';
}

std::string Terms::text(TermId t) const {
  std::shared_lock lock(mutex_);
  std::string out;
  write(t, out);
  return out;
}

int compare_terms(const Terms& terms, TermId a, TermId b, Budget* budget) {
  if (a == b) return 0;
  if (budget) budget->tick();
  const std::string &x = terms.name(terms.functor(a)), &y = terms.name(terms.functor(b));
  if (x != y) {
    int m = 0, n = 0;
    const auto p = std::from_chars(x.data(), x.data() + x.size(), m);
    const auto q = std::from_chars(y.data(), y.data() + y.size(), n);
    const bool first = p.ec == std::errc() && p.ptr == x.data() + x.size();  // numbers come before names
    const bool second = q.ec == std::errc() && q.ptr == y.data() + y.size();
    if (first != second) return first ? -1 : 1;
    return first && m != n ? (m < n ? -1 : 1) : (x < y ? -1 : 1);
  }
  const auto s = terms.args(a), t = terms.args(b);
  for (std::size_t i = 0; i < std::min(s.size(), t.size()); ++i)
    if (const int c = compare_terms(terms, s[i], t[i], budget)) return c;
  return s.size() < t.size() ? -1 : 1;
}

void sort_terms(const Terms& terms, std::vector<TermId>& list) {
  std::sort(list.begin(), list.end(), [&](TermId a, TermId b) { return compare_terms(terms, a, b) < 0; });
}

void sort_terms(const Terms& terms, std::vector<TermId>& list, Budget& budget) {
  std::sort(list.begin(), list.end(), [&](TermId a, TermId b) { return compare_terms(terms, a, b, &budget) < 0; });
}

}  // namespace kibitz::gdl
