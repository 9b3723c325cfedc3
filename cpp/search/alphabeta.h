// Exact values by alpha-beta search, as if nothing were hidden; search/solver.h is where it is called.
//
// Works for every game of two sides whose payoffs sum to zero and that has the hook solver_key; promise, loner and
// check_solvable make it faster, applicable to more games, and polite (core/optional.h).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/optional.h"
#include "core/sides.h"
#include "core/solution.h"
#include "core/transpositions.h"

namespace kibitz {

template <KeyedStates G>
class AlphaBeta {
 public:
  using State = typename G::State;

  AlphaBeta(const G& game, const SolverSettings& settings, const std::atomic<bool>* stop)
      : game_(game), settings_(settings), stop_(stop), table_(1024, settings.table) {}

  void listen(const std::atomic<bool>* stop) { stop_ = stop; }

  // What was found stays known for the next root, which must have the same sides.
  Solution solve(const State& root) {
    budget_ = Budget(settings_.nodes, stop_);
    pool_.clear();
    if (!game_.info().zero_sum || !choose_sides(root))
      throw BadInput(game_.info().name + " cannot be solved: it is not a zero-sum game of two sides");
    const bool maximises = side(game_.to_act(root)), all = settings_.all;
    const double least = maximises ? low_ : -high_, most = maximises ? high_ : -low_;
    typename G::Legal list;
    game_.legal(root, list);
    Solution out;
    out.actions.assign(list.begin(), list.end());
    out.values.assign(out.actions.size(), Bounds{least, most});
    const std::size_t begin = expand(root, nullptr), end = pool_.size();
    double found = least;
    for (std::size_t i = begin; i < end; ++i) {
      const bool needed = all || settings_.epsilon > 0 || found < most;
      if (!needed || budget_.out()) break;
      const auto at = std::lower_bound(out.actions.begin(), out.actions.end(), pool_[i]) - out.actions.begin();
      const double floor = all ? least : found;
      const Bounds b = after(root, pool_[i], maximises, floor, most);
      out.values[at] = b;
      found = std::max(found, b.low);
    }
    finish(out, {least, most});
    return out;
  }

 private:
  struct Known {
    Bounds bounds{};
    Action best = 0;
    bool set = false;
    bool used() const { return set; }
    bool replaces(const Known&) const { return true; }  // what was met last is met again soonest
  };

  // Values are what the first side gets together: the seats that play with seat 0. It maximises.
  bool choose_sides(const State& root) {
    const std::vector<int> team = sides_of(game_, root);
    seats_ = team.size();
    int size = 0, other = team[0];
    bool two = true;
    for (std::size_t seat = 0; seat < seats_; ++seat) {
      first_[seat] = team[seat] == team[0];
      size += first_[seat];
      if (first_[seat]) continue;
      two &= other == team[0] || other == team[seat];
      other = team[seat];
    }
    // What one side gets the other loses, so both numbers of seats bound it.
    const double low = game_.info().low, high = game_.info().high, rest = seats_ - size;
    low_ = std::max(low * size, -high * rest);
    high_ = std::min(high * size, -low * rest);
    return two && rest > 0;
  }

  bool side(Seat seat) const { return first_[seat]; }

  static Bounds negative(Bounds b) { return {0 - b.high, 0 - b.low}; }  // never the zero that prints as -0

  void finish(Solution& out, Bounds widest) const {
    out.conclude();
    out.nodes = budget_.nodes();
    out.complete = !budget_.out();
    if (settings_.epsilon == 0) return;
    double sum = 0;
    for (const Bounds& b : out.values) sum += b.low;
    const double v = out.value.low + settings_.epsilon * sum / out.values.size();
    out.value = budget_.out() ? widest : Bounds{v, v};
  }

  // Puts the legal actions onto the pool, most promising first; what was best before comes first of all. Returns where
  // they begin. They lie there, and not in a list of the caller's, because lists of some games are long and a search
  // is deep.
  std::size_t expand(const State& state, const Action* before) {
    typename G::Legal list;
    game_.legal(state, list);
    const auto promise = [&](Action a) {
      if (before && a == *before) return 1 << 30;
      if constexpr (OrdersActions<G>)
        return game_.promise(state, a);
      else
        return 0;
    };
    const std::size_t begin = pool_.size(), n = list.size();
    pool_.resize(begin + n);
    worth_.resize(std::max(worth_.size(), n));
    for (std::size_t i = 0; i < n; ++i) {
      const Action a = list[i];
      const int w = promise(a);
      std::size_t at = i;
      for (; at > 0 && worth_[at - 1] < w; --at) {
        worth_[at] = worth_[at - 1];
        pool_[begin + at] = pool_[begin + at - 1];
      }
      worth_[at] = w;
      pool_[begin + at] = a;
    }
    return begin;
  }

  double terminal(const State& state) const {
    Payoffs payoffs;
    game_.payoff(state, std::span(payoffs).first(seats_));
    double sum = 0;
    for (std::size_t seat = 0; seat < seats_; ++seat) sum += first_[seat] ? payoffs[seat] : 0;
    return sum;
  }

  // What the action is worth to the side to act, within its window.
  Bounds after(const State& state, Action a, bool maximises, double alpha, double beta) {
    State next = state;
    game_.apply(next, a);
    return maximises ? search(next, alpha, beta) : negative(search(next, -beta, -alpha));
  }

  // Bounds of the value, tight enough to tell whether it lies below alpha, above beta, or what it is in between. Once
  // out of budget everything unknown has the widest bounds; what has been found stays true.
  Bounds search(const State& state, double alpha, double beta) {
    const Seat seat = game_.to_act(state);
    if (seat == kOver) {
      const double v = terminal(state);
      return {v, v};
    }
    if (budget_.spent()) return {low_, high_};
    const auto key = game_.solver_key(state);
    const auto* entry = table_.find(key);
    const bool seen = entry != nullptr;
    const Known known = seen ? *entry : Known{{low_, high_}, 0, true};
    if (seen && (known.bounds.exact() || known.bounds.low >= beta || known.bounds.high <= alpha)) return known.bounds;
    if (settings_.epsilon > 0) return exhaust(state, seat, key);
    Action best = known.best;
    const Action* before = seen ? &known.best : nullptr;
    const Bounds found = side(seat) ? best_of(state, true, before, alpha, beta, best)
                                    : negative(best_of(state, false, before, -beta, -alpha, best));
    const Bounds out{std::max(found.low, known.bounds.low), std::min(found.high, known.bounds.high)};
    table_.store(key, {out, best, true});
    return out;
  }

  // From the point of view of the side to act, which has the negative bounds if it minimises.
  Bounds best_of(const State& state, bool maximises, const Action* before, double alpha, double beta, Action& best) {
    const double least = maximises ? low_ : -high_, most = maximises ? high_ : -low_;
    const std::size_t begin = expand(state, before), end = pool_.size();
    Bounds out{least, least};
    best = pool_[begin];
    for (std::size_t i = begin; i < end; ++i) {
      if (out.low >= beta || budget_.out()) {
        out.high = most;  // the rest may be anything
        break;
      }
      const Action a = pool_[i];
      const Bounds b = after(state, a, maximises, std::max(alpha, out.low), beta);
      if (b.low > out.low) best = a;
      out = {std::max(out.low, b.low), std::max(out.high, b.high)};
    }
    pool_.resize(begin);
    return out;
  }

  // With the tie-break every reply counts.
  template <class Key>
  Bounds exhaust(const State& state, Seat seat, const Key& key) {
    const bool maximises = side(seat);
    const std::size_t begin = expand(state, nullptr), end = pool_.size();
    double best = 0, sum = 0;
    for (std::size_t i = begin; i < end && !budget_.out(); ++i) {
      const double v = after(state, pool_[i], true, low_, high_).low;
      best = i == begin ? v : maximises ? std::max(best, v) : std::min(best, v);
      sum += v;
    }
    pool_.resize(begin);
    if (budget_.out()) return {low_, high_};
    const double v = best + settings_.epsilon * sum / (end - begin);
    table_.store(key, {{v, v}, 0, true});
    return {v, v};
  }

  static constexpr std::size_t kWords =
      std::tuple_size_v<decltype(std::declval<const G&>().solver_key(std::declval<const State&>()))>;

  const G& game_;
  SolverSettings settings_;
  const std::atomic<bool>* stop_;
  Budget budget_{0, nullptr};
  Transpositions<kWords, Known, 4> table_;
  std::size_t seats_ = 0;
  std::array<bool, kMostSeats> first_{};  // [seat]: plays with seat 0
  double low_ = 0, high_ = 0;
  std::vector<Action> pool_;
  std::vector<int> worth_;
};

}  // namespace kibitz
