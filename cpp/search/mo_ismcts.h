// Multiple-observer information set Monte Carlo tree search: a tree for every seat, each over what that seat can tell
// apart, all grown by the same iterations. Cowling, Powley, Whitehouse 2012.
//
// Nobody walks down several trees at once here: places.h finds where a seat is in its own.
#pragma once

#include "search/places.h"
#include "search/worlds.h"

namespace kibitz {

template <Game G>
std::unique_ptr<Search> mo_ismcts(const G& game, const typename G::View& view, const TreeSettings& settings,
                                  Observer observer, const Evaluator<G>& evaluator, Rng& rng,
                                  const Evidence<G>& evidence = {}) {
  WorldSource<G> source(game, view, evidence, rng);
  return std::make_unique<GrowingTrees<G, ViewPlaces<G>>>(game, view, settings, evaluator, false, rng,
                                                          std::move(source), ViewPlaces<G>(game, view.seat, observer));
}

}  // namespace kibitz
