// Single-observer information set Monte Carlo tree search: one tree over what the searching seat can see, a new world
// in every iteration. Cowling, Powley, Whitehouse 2012; also "information set UCT".
//
// Where everybody sees all moves, they are what the seat sees, and lead down the tree by themselves. (What the seat
// draws itself is not told apart then.) Where moves may be hidden, its view tells where it is.
#pragma once

#include "search/places.h"
#include "search/worlds.h"

namespace kibitz {

template <Game G>
std::unique_ptr<Search> ismcts(const G& game, const typename G::View& view, const TreeSettings& settings,
                               const Evaluator<G>& evaluator, Rng& rng, const Evidence<G>& evidence = {}) {
  WorldSource<G> source(game, view, evidence, rng);
  if (game.info().hidden_moves)
    return std::make_unique<GrowingTrees<G, ViewPlaces<G>>>(game, view, settings, evaluator, false, rng,
                                                            std::move(source),
                                                            ViewPlaces<G>(game, view.seat, Observer::kSearcher));
  return std::make_unique<GrowingTrees<G>>(game, view, settings, evaluator, false, rng, std::move(source));
}

}  // namespace kibitz
