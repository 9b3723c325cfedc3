// What is thought of the actions of a view before they are tried: by a network, or by a policy.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/agent.h"

namespace kibitz {

// The same at the root of a tree, in the order of the legal actions. It directs where a search looks; what the search
// then says of the actions is what it has seen.
struct RootPrior {
  double visits = 0;     // 0: there is none
  bool payoffs = false;  // what was said are payoffs, and each counts as so many visits; else odds of a policy
  std::vector<double> said;
};

// A net has seen many games, the search looks at this one, and each knows what the other does not.
template <Game G>
struct Prior {
  double visits = 0;
  std::shared_ptr<const Agent<G>> by;
  bool payoffs = true;  // by a network of payoffs; else by a policy

  explicit operator bool() const { return by != nullptr; }

  // Adds the payoffs to sums of values, as if they had been seen so often.
  void add_to(const G& game, const typename G::View& view, Thought& sums, Rng& rng) const {
    if (!by) return;
    const Thought thought = by->think(game, view, rng, nullptr);  // of the same actions in the same order
    for (std::size_t i = 0; i < sums.opinions.size(); ++i) sums.opinions[i].value += visits * thought.opinions[i].value;
  }

  RootPrior at_root(const G& game, const typename G::View& view, Rng& rng) const {
    RootPrior out{by ? visits : 0, payoffs, {}};
    if (!by) return out;
    for (const Opinion& o : by->think(game, view, rng, nullptr).opinions)
      out.said.push_back(payoffs ? o.value : o.share);
    return out;
  }
};

}  // namespace kibitz
