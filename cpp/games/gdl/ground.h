// Grounding: all instances of rules whose conditions can ever be met, and with them all fluents and moves there are.
#pragma once

#include <vector>

#include "games/gdl/database.h"

namespace kibitz::gdl {

// What grounding may come to before the prover is used instead.
struct GroundLimits {
  std::size_t conditions = 8'000'000;
  std::size_t unsplit = 1'000'000;  // conditions of rules as they are written; beyond that they are split
  std::size_t small = 30'000;       // beyond so many it is tried whether there are fewer if they are split
};

// Instances of rules about the position. `roles`, `init` and everything else that never changes is settled already.
struct Grounding {
  std::vector<TermId> heads;
  std::vector<std::size_t> begin{0};       // [instance], and one more
  std::vector<std::uint32_t> literals;     // 2 * atom + (1 if negated)
  std::vector<TermId> init;                // the fluents that hold first
  std::vector<TermId> fluents;             // all that ever can hold
  std::vector<std::vector<TermId>> moves;  // [role] all that ever can be legal
  std::size_t taken = 0;                   // of the budget

  std::size_t bytes() const;
};

// OverBudget where it takes too much; then what was made for it is gone.
Grounding ground(Program& program, const GroundLimits& limits, Budget& budget);

}  // namespace kibitz::gdl
