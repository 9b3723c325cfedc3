// What all searches share: how long they may go on, and how they read payoffs.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>

#include "core/game.h"
#include "core/sides.h"
#include "core/thought.h"

namespace kibitz {

// What a search may spend: so many iterations, so many milliseconds, or both, and then whichever ends first.
struct Effort {
  std::int64_t iterations = 0;  // 0: as many as the time allows
  double ms = 0;                // 0: as long as the iterations take

  // One of `parts` equal parts that `threads` threads work on.
  Effort part(std::int64_t index, std::int64_t parts, int threads) const {
    const std::int64_t at_once = std::min<std::int64_t>(threads, parts);
    const std::int64_t share = iterations * (index + 1) / parts - iterations * index / parts;
    return {iterations > 0 ? std::max<std::int64_t>(1, share) : 0,  // at least one each: 0 would be no limit
            ms * static_cast<double>(at_once) / static_cast<double>(parts)};
  }
};

class Meter {
 public:
  Meter(const Effort& effort, const std::atomic<bool>* stop) : effort_(effort), stop_(stop) {
    if (effort.ms > 0) start_ = Clock::now();
  }

  // Whether one more iteration may be done. The first always may: every search says something.
  bool more() {
    if (done_ > 0 && !may_go_on()) return false;
    ++done_;
    return true;
  }
  std::int64_t done() const { return done_; }

 private:
  using Clock = std::chrono::steady_clock;
  // Reading the clock takes as long as a short play-out; where play-outs are long, it is read about every millisecond.
  static constexpr std::int64_t kLook = 16;
  static constexpr double kLookMs = 1;

  bool may_go_on() {
    if (effort_.ms <= 0 || effort_.iterations > 0)
      if (done_ >= effort_.iterations) return false;
    if (done_ < look_at_) return true;
    look_at_ = done_ + kLook;
    if (stop_ && stop_->load(std::memory_order_relaxed)) return false;
    if (effort_.ms <= 0) return true;
    const double spent = std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
    if (spent * kLook > kLookMs * static_cast<double>(done_))
      look_at_ =
          done_ + std::max<std::int64_t>(1, static_cast<std::int64_t>(kLookMs * static_cast<double>(done_) / spent));
    return spent < effort_.ms;
  }

  Effort effort_;
  const std::atomic<bool>* stop_;
  std::int64_t done_ = 0, look_at_ = 1;
  Clock::time_point start_{};
};

// Payoffs in natural units to rewards in [0, 1] and back. Where a side has more seats than another, each of them gets a
// smaller part of what is at stake; then its rewards are stretched, so that they mean as much to it.
class Scale {
 public:
  // As if everybody played alone.
  explicit Scale(const GameInfo& info)
      : low_(info.low), range_(info.high > low_ ? info.high - low_ : 1), factor_(1 / range_) {
    part_.fill(1);
  }
  template <Game G>
  Scale(const G& game, const typename G::State& state) : Scale(game.info()) {
    const auto sides = sides_of(game, state);
    if (!game.info().zero_sum) return;
    const auto size = [&](int side) { return std::count(sides.begin(), sides.end(), side); };
    auto least = size(sides[0]);
    for (int side : sides) least = std::min(least, size(side));
    for (std::size_t seat = 0; seat < sides.size(); ++seat)
      part_[seat] = static_cast<double>(size(sides[seat])) / static_cast<double>(least);
  }
  double reward(Seat seat, double payoff) const {
    return (payoff * part_[static_cast<std::size_t>(seat)] - low_) * factor_;
  }
  double payoff(Seat seat, double reward) const {
    return (low_ + reward * range_) / part_[static_cast<std::size_t>(seat)];
  }

 private:
  double low_, range_, factor_;
  Payoffs part_;
};

// A thought about the legal actions of a view, empty so far.
template <Game G>
Thought blank_thought(const G& game, const typename G::View& view) {
  typename G::Legal list;
  game.legal(view, list);
  if (list.empty()) throw BadInput("there is nothing to think about: this seat is not to act");
  Thought out;
  for (Action a : list) out.opinions.push_back({a, 0, 0, 0});
  return out;
}

// Whether there is nothing to choose; then all the share is given.
inline bool only_choice(Thought& thought) {
  if (thought.opinions.size() > 1) return false;
  thought.opinions[0].share = 1;
  return true;
}

// Sums of values and visits: threads and trees work apart.
inline void add_thought(const Thought& part, Thought& out) {
  for (std::size_t i = 0; i < out.opinions.size(); ++i) {
    out.opinions[i].value += part.opinions[i].value;
    out.opinions[i].visits += part.opinions[i].visits;
  }
  out.iterations += part.iterations;
  out.nodes += part.nodes;
  out.full |= part.full;
}

// Shares that sum to 1, proportional to weight(opinion) >= 0; equal ones where all are zero.
template <class F>
void give_shares(Thought& thought, F&& weight) {
  double sum = 0;
  for (auto& o : thought.opinions) sum += o.share = weight(o);
  for (auto& o : thought.opinions)
    o.share = sum > 0 ? o.share / sum : 1.0 / static_cast<double>(thought.opinions.size());
}

// All the share to the action with the highest mark(opinion), the first of them on ties.
template <class F>
void share_to_best(Thought& thought, F&& mark) {
  auto& list = thought.opinions;
  const auto best = std::max_element(list.begin(), list.end(), [&](auto& a, auto& b) { return mark(a) < mark(b); });
  for (auto it = list.begin(); it != list.end(); ++it) it->share = it == best;
}

}  // namespace kibitz
