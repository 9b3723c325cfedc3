// What all searches share: how long they may go on, and how they read payoffs.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>

#include "core/game.h"
#include "core/search.h"
#include "core/sides.h"
#include "core/thought.h"
#include "search/aim.h"

namespace kibitz {

// Divides what a search may spend among its parts: trees, worlds or threads. The parts' iterations depend on the total
// alone, not on how it was divided into runs.
class Division {
 public:
  // usual: what the search is meant to spend in all.
  Division(const Effort& usual, std::int64_t parts, int threads) : usual_(usual), parts_(parts), threads_(threads) {}

  // Another run. done: the iterations of all parts so far.
  void begin(const Effort& more, std::int64_t done) {
    if (timed_) total_ = done;  // a clock cut the last run short
    timed_ = more.ms > 0;
    total_ += more.iterations;
    more_ = more;
  }

  // What is left to do for a part that has done so many iterations; none() where it has had its share.
  Effort of(std::int64_t index, std::int64_t done) const {
    const double at_once = static_cast<double>(std::min<std::int64_t>(threads_, parts_));
    const double ms = more_.ms * at_once / static_cast<double>(parts_);
    if (more_.iterations == 0) return {0, ms};
    const std::int64_t left = share(index) - done;
    return left > 0 ? Effort{left, ms} : Effort{};
  }

 private:
  // What does not divide evenly is given out at the end, when the total is known: who gets it depends on the total.
  std::int64_t share(std::int64_t index) const {
    const bool whole = total_ >= usual_.iterations || total_ % parts_ == 0;
    const std::int64_t even = total_ / parts_;
    const std::int64_t exact = total_ * (index + 1) / parts_ - total_ * index / parts_;
    return std::max<std::int64_t>(1, whole ? exact : even);  // every part says something
  }

  Effort usual_, more_;
  std::int64_t parts_, total_ = 0;
  int threads_;
  bool timed_ = false;
};

// Counts the iterations of one run.
class Meter {
 public:
  // resumed: there were iterations before this run.
  Meter(const Effort& effort, const std::atomic<bool>* stop, bool resumed = false)
      : effort_(effort), stop_(stop), resumed_(resumed), look_at_(resumed ? 0 : 1) {
    if (effort.ms > 0) start_ = Clock::now();
  }

  // Whether one more iteration may be done. The first of all always may: every search says something.
  bool more() {
    if ((resumed_ || done_ > 0) && !may_go_on()) return false;
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
  bool resumed_;
  std::int64_t done_ = 0, look_at_;
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
  Scale(const G& game, const typename G::State& state, bool difference = false) : Scale(game.info()) {
    aim_ = Aim(game, state, difference);
    if (difference) {
      low_ = -range_;
      range_ *= 2;
      factor_ = 1 / range_;
    }
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
  // Of what the seat plays for.
  double reward(Seat seat, std::span<const double> payoffs) const { return reward(seat, aim_.of(seat, payoffs)); }
  double payoff(Seat seat, double reward) const {
    return (low_ + reward * range_) / part_[static_cast<std::size_t>(seat)];
  }

 private:
  double low_, range_, factor_;
  Payoffs part_;
  Aim aim_;
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

// Runs a search to its end.
inline Thought finished(Search& search, const Effort& effort, const std::atomic<bool>* stop) {
  search.run(effort, stop);
  return search.thought();
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
