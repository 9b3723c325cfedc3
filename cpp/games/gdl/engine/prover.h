// The engine that needs no grounding: a backward-chaining prover with tabling.
#pragma once

#include <memory>
#include <vector>

#include "games/gdl/engine/reasoner.h"

namespace kibitz::gdl {

// Limits for one question to a reasoner that has no budget of its own; OverBudget beyond.
struct ProverLimits {
  double seconds = 60;
  std::size_t answers = 4'000'000;  // to this question and its subgoals
};

// `fluents`: all fluents, if `moves` is closed; positions then cannot contain others. Finds the initial position at
// once: OverBudget if that takes too much.
std::unique_ptr<Engine> prover_engine(std::shared_ptr<Program> program, std::shared_ptr<const Moves> moves,
                                      const std::vector<TermId>& fluents, Budget& budget,
                                      const ProverLimits& limits = {});

}  // namespace kibitz::gdl
