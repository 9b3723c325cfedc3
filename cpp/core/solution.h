// What an exact solver is asked and what it answers, the same for all games; search/solver.h is where one is called.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "core/action_list.h"

namespace kibitz {

// What is known of a value.
struct Bounds {
  double low, high;
  bool exact() const { return low == high; }
};

// The largest tie-break: small enough that it never outweighs a difference in payoffs.
inline constexpr double kMostTieBreak = 0.01;

struct SolverSettings {
  std::uint64_t nodes = 100'000'000;  // the search gives up after so many
  bool all = false;                   // the value of every action, not only of the state and a best action
  // The tie-break of Whitehouse, Powley and Cowling (2011), III.A: to every value, this times the mean value of all
  // replies is added, so that among equal moves one is preferred that leaves the other side more ways to err. Nothing
  // can be cut off then.
  double epsilon = 0;
  std::size_t table = 1 << 21;  // most entries of the generic search's transposition table
};

// All values are those of the side to act: what its seats get together, in the unit that the game documents.
struct Solution {
  Bounds value{};
  std::vector<Action> actions;  // the legal ones
  std::vector<Bounds> values;   // of each; only bounds where the value of the state needs no more
  Action best = 0;              // the first with the highest lower bound
  std::uint64_t nodes = 0;
  bool complete = true;  // false: out of nodes, or stopped; the bounds hold all the same

  // The value of the state and the best action, from the actions' bounds.
  void conclude() {
    std::size_t first = 0;
    value = values[0];
    for (std::size_t i = 1; i < values.size(); ++i) {
      if (values[i].low > values[first].low) first = i;
      value = {std::max(value.low, values[i].low), std::max(value.high, values[i].high)};
    }
    best = actions[first];
  }
};

// How long a search may go on.
class Budget {
 public:
  Budget(std::uint64_t nodes, const std::atomic<bool>* stop) : left_(nodes), all_(nodes), stop_(stop) {}

  // Takes a node; true if there was none left, or if somebody wants the search to stop.
  bool spent() {
    if (left_ == 0 || ((left_ & 1023) == 0 && stop_ && stop_->load(std::memory_order_relaxed))) out_ = true;
    left_ -= !out_;
    return out_;
  }
  bool out() const { return out_; }
  std::uint64_t nodes() const { return all_ - left_; }

 private:
  std::uint64_t left_, all_;
  const std::atomic<bool>* stop_;
  bool out_ = false;
};

}  // namespace kibitz
