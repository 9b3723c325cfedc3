// The one entry to exact solutions, as if nothing were hidden: a game's own solver where it has one, alpha-beta search
// over the contract where the game says how its states are told apart.
#pragma once

#include <optional>

#include "core/optional.h"
#include "core/solution.h"
#include "search/alphabeta.h"

namespace kibitz {

// Solves one state after the other. Those of one view have much in common, which is found once.
template <Solvable G>
class Solver {
 public:
  Solver(const G& game, const SolverSettings& settings, const std::atomic<bool>* stop)
      : game_(game), settings_(settings), stop_(stop) {
    if constexpr (!SolvesItself<G>) search_.emplace(game, settings, stop);
  }

  // From now on this flag stops it.
  void listen(const std::atomic<bool>* stop) {
    stop_ = stop;
    if constexpr (!SolvesItself<G>) search_->listen(stop);
  }

  // The value of `state` for the side to act. BadInput where there is nothing to solve or it would be hopeless.
  Solution solve(const typename G::State& state) {
    if (game_.to_act(state) < 0) throw BadInput("there is nothing to solve: no player is to act");
    if constexpr (ChecksSolvable<G>) game_.check_solvable(state);
    if constexpr (SolvesItself<G>)
      return game_.solve(state, settings_, stop_);
    else
      return search_->solve(state);
  }

 private:
  template <class>
  struct SearchOf {
    using type = int;
  };
  template <KeyedStates H>
  struct SearchOf<H> {
    using type = AlphaBeta<H>;
  };

  const G& game_;
  SolverSettings settings_;
  const std::atomic<bool>* stop_;
  std::optional<typename SearchOf<G>::type> search_;  // unused where the game solves itself
};

template <Solvable G>
Solution solve(const G& game, const typename G::State& state, const SolverSettings& settings,
               const std::atomic<bool>* stop) {
  return Solver<G>(game, settings, stop).solve(state);
}

}  // namespace kibitz
