// What a search asks about a state that it looks into no further.
#pragma once

#include <memory>
#include <span>

#include "core/optional.h"

namespace kibitz {

// There are play-outs (eval/rollout.h), nets (eval/net_evaluator.h) and the solver, which opens all cards
// (search/solver_evaluator.h); leaves that are valued outside of the core come in waves (search/waves.h). A virtual
// call per leaf costs nothing beside the leaf, and spares the compiler a copy of every search for every evaluator.
template <Game G>
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // One for a search from this view, or for one of its threads: from here on it is known who is an opponent.
  virtual std::unique_ptr<Evaluator> seen_from(const G& game, const typename G::View& view) const = 0;

  // Writes what every seat may expect to get, in the game's units. A seat is to act in `state`, which may be changed:
  // finished games never come here, they have real payoffs.
  virtual void evaluate(const G& game, typename G::State& state, Rng& rng, std::span<double> payoffs) = 0;

  // Whether values are payoffs of games that were played to their end.
  virtual bool plays_out() const { return false; }

  // Seats that do not think but follow a policy wherever they are to act, a bit for each; and what such a seat plays.
  virtual std::uint64_t followers() const { return 0; }
  virtual Action reply(const G& game, const typename G::State& state, Seat /*seat*/, Rng& rng) const {
    return random_legal(game, state, rng);
  }
};

}  // namespace kibitz
