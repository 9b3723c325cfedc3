// The evaluator that plays to the end, at random or by somebody's rules.
#pragma once

#include <memory>

#include "core/agent.h"
#include "eval/evaluator.h"

namespace kibitz {

template <Game G>
class Rollout {
 public:
  Rollout() = default;  // uniformly random
  explicit Rollout(std::shared_ptr<const Agent<G>> policy) : policy_(std::move(policy)) {}

  // Every seat of a policy sees its own view, in whatever world the search plays.
  void operator()(const G& game, typename G::State& state, Rng& rng) const {
    if (!policy_) {
      playout(game, state, rng);
      return;
    }
    typename G::Legal list;
    for (Seat seat; (seat = game.to_act(state)) >= 0;) {
      game.legal(state, list);
      game.apply(state, list.size() == 1 ? list[0] : choose(game, state, seat, list, *policy_, rng));
    }
  }

  void operator()(const G& game, typename G::State& state, Rng& rng, std::span<double> payoffs) const {
    (*this)(game, state, rng);
    game.payoff(state, payoffs);
  }

 private:
  std::shared_ptr<const Agent<G>> policy_;
};

}  // namespace kibitz
