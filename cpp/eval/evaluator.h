// What a search asks about a state that it looks into no further.
#pragma once

#include <span>

#include "core/game.h"

namespace kibitz {

// evaluator(game, state, rng, payoffs) writes what every seat may expect to get, in the game's units. Somebody is to
// act in `state`, which may be changed: finished games never come here, they have real payoffs. Every search and every
// thread has a copy of its own. There are play-outs (eval/rollout.h), nets (eval/net_evaluator.h) and the solver, which
// opens all cards (search/solver_evaluator.h); leaves that are valued outside of the core come in waves
// (search/waves.h).
template <class E, class G>
concept Evaluator = Game<G> && std::copy_constructible<E> &&
                    requires(E evaluator, const G& game, typename G::State& state, Rng& rng,
                             std::span<double> payoffs) { evaluator(game, state, rng, payoffs); };

// The same for a search from this view: some have to know which seats are opponents there.
template <Game G, Evaluator<G> E>
E seen_from(const E& evaluator, const G& game, const typename G::View& view) {
  if constexpr (requires { evaluator.seen_from(game, view); })
    return evaluator.seen_from(game, view);
  else
    return evaluator;
}

}  // namespace kibitz
