// Who plays with whom, as the state tells it.
#pragma once

#include <vector>

#include "core/optional.h"

namespace kibitz {

// A number per seat, equal for partners: the teams of the game; where the state tells who plays against all others
// (member loner(state) -> Seat), that one and the rest.
template <Game G>
std::vector<int> sides_of(const G& game, const typename G::State& state) {
  std::vector<int> out = game.info().team;
  if constexpr (NamesLoner<G>)
    for (Seat seat = 0; int& side : out) side = seat++ == game.loner(state);
  return out;
}

}  // namespace kibitz
