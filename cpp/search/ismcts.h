// Single-observer information set Monte Carlo tree search: one tree over what the searching seat can see, a new world
// in every iteration. Cowling, Powley, Whitehouse 2012; also "information set UCT".
#pragma once

#include "search/uct.h"
#include "search/worlds.h"

namespace kibitz {

template <Game G, Evaluator<G> E>
Thought ismcts(const G& game, const typename G::View& view, const TreeSettings& settings, const E& evaluator, Rng& rng,
               const std::atomic<bool>* stop, const Evidence<G>& evidence = {}) {
  const WorldSource<G> new_world(game, view, evidence, rng);
  return grow_trees(game, view, settings, evaluator, false, rng, stop, new_world);
}

}  // namespace kibitz
