// What a search plays for: the seat's payoff, or how much more it is than the others get. Where payoffs are points that
// both sides collect, a side that seeks its own does not mind what it gives away.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/game.h"
#include "core/sides.h"

namespace kibitz {

class Aim {
 public:
  Aim() = default;  // the seat's own payoff
  // With `difference`: less the mean of the seats of other sides.
  template <Game G>
  Aim(const G& game, const typename G::State& state, bool difference) {
    if (difference) sides_ = sides_of(game, state);
  }

  bool difference() const { return !sides_.empty(); }

  double of(Seat seat, std::span<const double> payoffs) const {
    const auto own = static_cast<std::size_t>(seat);
    if (!difference()) return payoffs[own];
    double sum = 0, others = 0;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      if (sides_[i] == sides_[own]) continue;
      sum += payoffs[i];
      ++others;
    }
    return others > 0 ? payoffs[own] - sum / others : payoffs[own];
  }

 private:
  std::vector<int> sides_;  // none for the seat's own payoff
};

}  // namespace kibitz
