// The one entry to exact solutions, as if nothing were hidden: a game's own solver where it has one, alpha-beta search
// over the contract where the game says how its states are told apart.
#pragma once

#include "core/solution.h"
#include "search/alphabeta.h"

namespace kibitz {

// A game that solves itself, faster than the generic search can.
template <class G>
concept SolvesItself = Game<G> && requires(const G& game, const typename G::State& state,
                                           const SolverSettings& settings, const std::atomic<bool>* stop) {
  { game.solve(state, settings, stop) } -> std::same_as<Solution>;
};

template <class G>
concept Solvable = SolvesItself<G> || KeyedStates<G>;

// The value of `state` for the side to act. BadInput where there is nothing to solve or it would be hopeless.
template <Solvable G>
Solution solve(const G& game, const typename G::State& state, const SolverSettings& settings,
               const std::atomic<bool>* stop) {
  if (game.to_act(state) < 0) throw BadInput("there is nothing to solve: no player is to act");
  if constexpr (requires { game.check_solvable(state); }) game.check_solvable(state);
  if constexpr (SolvesItself<G>)
    return game.solve(state, settings, stop);
  else
    return AlphaBeta<G>(game, state, settings, stop).solve();
}

}  // namespace kibitz
