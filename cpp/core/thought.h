// What an agent says of the legal actions.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/action_list.h"

namespace kibitz {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct Opinion {
  Action action = 0;
  double value = 0;  // expected payoff of the seat to act, in the game's units; meaningless without visits
  double visits = 0;
  double share = 0;  // how strongly the agent prefers it: they sum to 1, and it plays the one with most

  // How sure that is (search/errors.h); kUnknown where nothing tells.
  double error = kUnknown;       // the standard error of `value`
  double loss_error = kUnknown;  // and of Thought::loss, which is smaller: what is luck for both actions cancels out
  double loss = kUnknown;        // where it is not the difference of two values; ask Thought::loss
};

struct Thought {
  std::vector<Opinion> opinions;  // in the order of the legal actions
  std::int64_t iterations = 0;    // play-outs, or worlds solved
  std::int64_t nodes = 0;         // of all trees together
  bool full = false;              // a tree reached its bound: play-outs went on, the tree did not grow
  std::int64_t asked = 0;         // iterations of the whole budget; 0 where it has none, or there was nothing to choose
  bool undecided = false;         // nothing was found that tells the best actions apart: what it plays is a fallback

  // The place of the action with the largest share, the first of them on ties.
  std::size_t best_at() const {
    std::size_t at = 0;
    for (std::size_t i = 1; i < opinions.size(); ++i)
      if (opinions[i].share > opinions[at].share) at = i;
    return at;
  }
  Action best() const { return opinions[best_at()].action; }

  // How much less the action at this place gets than the best one, by the same luck where the search can tell.
  double loss(std::size_t at) const {
    const Opinion &one = opinions[at], &best = opinions[best_at()];
    if (!std::isnan(one.loss)) return one.loss;
    return one.visits > 0 && best.visits > 0 ? best.value - one.value : kUnknown;
  }
};

}  // namespace kibitz
