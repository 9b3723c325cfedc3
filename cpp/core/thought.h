// What an agent says of the legal actions.
#pragma once

#include <cstdint>
#include <vector>

#include "core/action_list.h"

namespace kibitz {

struct Opinion {
  Action action = 0;
  double value = 0;  // expected payoff of the seat to act, in the game's units; meaningless without visits
  double visits = 0;
  double share = 0;  // how strongly the agent prefers it: they sum to 1, and it plays the one with most
};

struct Thought {
  std::vector<Opinion> opinions;  // in the order of the legal actions
  std::int64_t iterations = 0;    // play-outs, or worlds solved
  std::int64_t nodes = 0;         // of all trees together
  bool full = false;              // a tree reached its bound: play-outs went on, the tree did not grow

  // The action with the largest share, the first of them on ties.
  Action best() const {
    std::size_t at = 0;
    for (std::size_t i = 1; i < opinions.size(); ++i)
      if (opinions[i].share > opinions[at].share) at = i;
    return opinions[at].action;
  }
};

}  // namespace kibitz
