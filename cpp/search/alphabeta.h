// Exact values of small games by alpha-beta search, as if nothing were hidden.
//
// Works for every game of two sides (teams) whose payoffs sum to zero and that has the member
//   solver_key(state) -> std::array<std::uint64_t, N>   equal exactly where the rest of the game is the same.
// Optional members:
//   promise(state, action) -> int   actions with more of it are searched first;
//   check_solvable()                throws BadInput where the game's options make it hopeless.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "core/game.h"

namespace kibitz {

template <class G>
concept Solvable = Game<G> && requires(const G& game, const typename G::State& state) {
  { game.solver_key(state)[0] } -> std::convertible_to<std::uint64_t>;
};

// What is known of a value.
struct Bounds {
  double low, high;
  bool exact() const { return low == high; }
};

struct SolverSettings {
  std::uint64_t nodes = 100'000'000;  // states that may be looked into before the search gives up
  std::size_t table = 1 << 21;        // most entries of the transposition table
  // The tie-break of Whitehouse, Powley and Cowling (2011), III.A: to every value, this times the mean value of all
  // replies is added, so that among equal moves one is preferred that leaves the other side more ways to err. Nothing
  // can be cut off then.
  double epsilon = 0;
};

struct Solved {
  Bounds value;                 // for the side to act: seat 0's payoff, or the negative of it
  std::vector<Action> actions;  // the legal ones
  std::vector<Bounds> values;   // of each; only bounds where the value of the state needs no more
  Action best = 0;              // the first with the highest lower bound
  std::uint64_t nodes = 0;
  bool complete = true;  // false: out of budget, or stopped
};

// A hash table that starts small, because most searches are, and grows to its limit; then new entries replace old ones.
template <std::size_t Words>
class Transpositions {
 public:
  using Key = std::array<std::uint64_t, Words>;
  struct Entry {
    Key key;
    Bounds bounds;
    Action best;
    bool used;
  };

  explicit Transpositions(std::size_t limit) : limit_(limit), entries_(std::min<std::size_t>(limit, 1024)) {}

  Entry* find(const Key& key) {
    for (std::size_t i = 0, at = hash(key); i < kProbes; ++i) {
      Entry& e = entries_[(at + i) & (entries_.size() - 1)];
      if (e.used && e.key == key) return &e;
    }
    return nullptr;
  }

  void store(const Key& key, Bounds bounds, Action best) {
    if (2 * used_ >= entries_.size() && entries_.size() < limit_) grow();
    put({key, bounds, best, true});
  }

 private:
  static constexpr std::size_t kProbes = 4;

  static std::size_t hash(const Key& key) {
    std::uint64_t h = 0;
    for (std::uint64_t word : key) h = mix(h, word);
    return static_cast<std::size_t>(h);
  }

  void put(const Entry& entry) {
    const std::size_t at = hash(entry.key);
    Entry* to = &entries_[at & (entries_.size() - 1)];  // the one to replace if all are taken
    for (std::size_t i = 0; i < kProbes; ++i) {
      Entry& e = entries_[(at + i) & (entries_.size() - 1)];
      if (e.used && e.key != entry.key) continue;
      to = &e;
      break;
    }
    used_ += !to->used;
    *to = entry;
  }

  void grow() {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    used_ = 0;
    for (const Entry& e : old)
      if (e.used) put(e);
  }

  std::size_t limit_;
  std::vector<Entry> entries_;
  std::size_t used_ = 0;
};

template <Solvable G>
class AlphaBeta {
 public:
  using State = typename G::State;

  AlphaBeta(const G& game, const SolverSettings& settings, const std::atomic<bool>* stop)
      : game_(game),
        settings_(settings),
        stop_(stop),
        low_(game.info().low),
        high_(game.info().high),
        table_(settings.table) {
    const auto& team = game.info().team;
    bool two_sides = false;
    for (int t : team) two_sides |= t != team[0];
    for (int t : team)
      for (int u : team) two_sides &= t == team[0] || u == team[0] || t == u;
    if (!game.info().zero_sum || !two_sides)
      throw BadInput(game.info().name + " cannot be solved: it is not a zero-sum game of two sides");
    if constexpr (requires { game.check_solvable(); }) game.check_solvable();
  }

  // The value of the state for the side to act. `all`: exact values of all actions, not only of a best one.
  Solved solve(const State& state, bool all) {
    const Seat seat = game_.to_act(state);
    if (seat < 0) throw BadInput("there is nothing to solve: no player is to act");
    const bool maximises = side(seat);
    const double least = maximises ? low_ : -high_, most = maximises ? high_ : -low_;
    typename G::Legal list;
    game_.legal(state, list);
    Solved out;
    out.actions.assign(list.begin(), list.end());
    out.values.assign(out.actions.size(), Bounds{least, most});
    std::vector<int> order(out.actions.size());
    sort(state, list, nullptr, order.data());
    double found = least;
    for (int i : order) {
      const bool needed = all || settings_.epsilon > 0 || found < most;
      if (!needed || stopped_) break;
      State next = state;
      game_.apply(next, list[i]);
      const double floor = all ? least : found;
      const Bounds b = maximises ? search(next, floor, most) : negative(search(next, -most, -floor));
      out.values[static_cast<std::size_t>(i)] = b;
      found = std::max(found, b.low);
    }
    finish(out, least, most);
    return out;
  }

 private:
  // Values are seat 0's payoffs; its side maximises.
  bool side(Seat seat) const {
    const auto& team = game_.info().team;
    return team[static_cast<std::size_t>(seat)] == team[0];
  }

  static Bounds negative(Bounds b) { return {0 - b.high, 0 - b.low}; }  // never the zero that prints as -0

  void finish(Solved& out, double least, double most) const {
    std::size_t first = 0;
    double sum = 0;
    out.value = out.values[0];
    for (std::size_t i = 0; i < out.values.size(); ++i) {
      const Bounds& b = out.values[i];
      if (b.low > out.values[first].low) first = i;
      out.value = {std::max(out.value.low, b.low), std::max(out.value.high, b.high)};
      sum += b.low;
    }
    out.best = out.actions[first];
    out.nodes = nodes_;
    out.complete = !stopped_;
    if (settings_.epsilon == 0) return;
    const double v = out.value.low + settings_.epsilon * sum / static_cast<double>(out.values.size());
    out.value = stopped_ ? Bounds{least, most} : Bounds{v, v};
  }

  // Indices of the list, most promising first; the move that was best before comes first of all.
  void sort(const State& state, const typename G::Legal& list, const Action* before, int* order) const {
    const auto promise = [&](Action a) {
      if (before && a == *before) return 1 << 30;
      if constexpr (requires { game_.promise(state, a); })
        return static_cast<int>(game_.promise(state, a));
      else
        return 0;
    };
    std::array<int, sizeof(typename G::Legal) / sizeof(Action)> worth;
    for (int i = 0; i < list.size(); ++i) {
      const int w = promise(list[i]);
      int at = i;
      for (; at > 0 && worth[at - 1] < w; --at) {
        worth[at] = worth[at - 1];
        order[at] = order[at - 1];
      }
      worth[at] = w;
      order[at] = i;
    }
  }

  bool out_of_budget() {
    if (++nodes_ > settings_.nodes || (stop_ && stop_->load(std::memory_order_relaxed))) stopped_ = true;
    return stopped_;
  }

  double terminal(const State& state) const {
    std::array<double, 64> payoffs;
    game_.payoff(state, payoffs);
    return payoffs[0];
  }

  // Bounds on seat 0's payoff, tight enough to tell whether it lies below alpha, above beta, or what it is in between.
  // Once stopped_ is set everything unknown has the widest bounds; what has been found stays true.
  Bounds search(const State& state, double alpha, double beta) {
    const Seat seat = game_.to_act(state);
    if (seat == kOver) {
      const double v = terminal(state);
      return {v, v};
    }
    if (out_of_budget()) return {low_, high_};
    const auto key = game_.solver_key(state);
    const auto* known = table_.find(key);
    Bounds before{low_, high_};
    Action first = 0;
    const bool seen = known != nullptr;
    if (seen) {
      before = known->bounds;
      first = known->best;
      if (before.exact() || before.low >= beta || before.high <= alpha) return before;
    }
    if (settings_.epsilon > 0) return exhaust(state, seat, key);
    Action best = first;
    const Bounds found = side(seat) ? best_of<true>(state, seen ? &first : nullptr, alpha, beta, best)
                                    : negative(best_of<false>(state, seen ? &first : nullptr, -beta, -alpha, best));
    const Bounds out{std::max(found.low, before.low), std::min(found.high, before.high)};
    table_.store(key, out, best);
    return out;
  }

  // From the point of view of the side to act, which has the negative bounds if it minimises.
  template <bool kMaximises>
  Bounds best_of(const State& state, const Action* before, double alpha, double beta, Action& best) {
    const double least = kMaximises ? low_ : -high_, most = kMaximises ? high_ : -low_;
    typename G::Legal list;
    game_.legal(state, list);
    std::array<int, sizeof(typename G::Legal) / sizeof(Action)> order;
    sort(state, list, before, order.data());
    Bounds out{least, least};
    best = list[order[0]];
    for (int i = 0; i < list.size(); ++i) {
      if (out.low >= beta || stopped_) return {out.low, most};  // the rest may be anything
      State next = state;
      game_.apply(next, list[order[i]]);
      const double floor = std::max(alpha, out.low);
      const Bounds b = kMaximises ? search(next, floor, beta) : negative(search(next, -beta, -floor));
      if (b.low > out.low) best = list[order[i]];
      out = {std::max(out.low, b.low), std::max(out.high, b.high)};
    }
    return out;
  }

  // With the tie-break every reply counts.
  template <class Key>
  Bounds exhaust(const State& state, Seat seat, const Key& key) {
    typename G::Legal list;
    game_.legal(state, list);
    const bool maximises = side(seat);
    double best = 0, sum = 0;
    for (int i = 0; i < list.size(); ++i) {
      State next = state;
      game_.apply(next, list[i]);
      const double v = search(next, low_, high_).low;
      if (stopped_) return {low_, high_};
      best = i == 0 ? v : maximises ? std::max(best, v) : std::min(best, v);
      sum += v;
    }
    const double v = best + settings_.epsilon * sum / list.size();
    table_.store(key, {v, v}, 0);
    return {v, v};
  }

  const G& game_;
  SolverSettings settings_;
  const std::atomic<bool>* stop_;
  double low_, high_;
  Transpositions<std::tuple_size_v<decltype(std::declval<const G&>().solver_key(std::declval<const State&>()))>> table_;
  std::uint64_t nodes_ = 0;
  bool stopped_ = false;
};

}  // namespace kibitz
