// Multiple-observer information set Monte Carlo tree search: a tree for every seat, each over what that seat can tell
// apart, all grown by the same iterations. Cowling, Powley, Whitehouse 2012.
//
// Nobody walks down several trees at once here: places.h finds where a seat is in its own.
#pragma once

#include "search/places.h"
#include "search/worlds.h"

namespace kibitz {

template <Game G, Evaluator<G> E>
Thought mo_ismcts(const G& game, const typename G::View& view, const TreeSettings& settings, Observer observer,
                  const E& evaluator, Rng& rng, const std::atomic<bool>* stop, const Evidence<G>& evidence = {}) {
  const WorldSource<G> new_world(game, view, evidence, rng);
  return grow_trees(game, view, settings, evaluator, false, rng, stop, new_world,
                    ViewPlaces<G>(game, view.seat, observer));
}

}  // namespace kibitz
