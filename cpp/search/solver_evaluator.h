// The exact value of a world with all cards open, in place of a play-out. What lies in the tree is still decided
// without knowing the world, what lies below it is not: PIMC with its reasoning postponed to where the tree ends
// ("EPIMC", Arjonilla, Saffidine and Cazenave 2024). For games that are solved in microseconds.
#pragma once

#include <memory>
#include <span>

#include "core/sides.h"
#include "eval/evaluator.h"
#include "search/solver.h"

namespace kibitz {

template <KeyedStates G>
class SolverEvaluator final : public Evaluator<G> {
 public:
  // Every search and every thread has its own memory of what was solved.
  std::unique_ptr<Evaluator<G>> seen_from(const G&, const typename G::View&) const override {
    return std::make_unique<SolverEvaluator>();
  }

  void evaluate(const G& game, typename G::State& state, Rng&, std::span<double> payoffs) override {
    if (!solver_) solver_ = std::make_unique<Solver<G>>(game, settings(), nullptr);
    const Bounds value = solver_->solve(state).value;
    const double side_gets = (value.low + value.high) / 2;
    const auto sides = sides_of(game, state);
    const int mine = sides[static_cast<std::size_t>(game.to_act(state))];
    int partners = 0;
    for (int side : sides) partners += side == mine;
    const int others = static_cast<int>(sides.size()) - partners;
    for (std::size_t seat = 0; seat < sides.size(); ++seat)
      payoffs[seat] = sides[seat] == mine ? side_gets / partners : -side_gets / others;
  }

 private:
  // A leaf that needs more nodes counts with the middle of what is known of it.
  static SolverSettings settings() {
    SolverSettings out;
    out.nodes = 100'000;
    out.table = 1 << 16;
    return out;
  }

  std::unique_ptr<Solver<G>> solver_;
};

}  // namespace kibitz
