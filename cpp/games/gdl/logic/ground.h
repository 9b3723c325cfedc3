// Grounding: all instances of rules that can ever fire, and thereby all fluents and moves of the game, by semi-naive
// bottom-up evaluation of the delete relaxation (a fluent that once holds is taken to hold for ever).
#pragma once

#include <vector>

#include "games/gdl/logic/database.h"

namespace kibitz::gdl {

// Sizes at which grounding is given up or tried in another way. Counted in conditions of ground rules.
struct GroundLimits {
  std::size_t conditions = 8'000'000;
  std::size_t unsplit = 1'000'000;  // above this, rules are split into independent parts
  std::size_t small = 30'000;       // above this, splitting is tried, and kept if it halves the number
};

// The ground instances of dynamic rules. Conditions on static relations have been evaluated and left out.
struct Grounding {
  std::vector<TermId> heads;               // [instance]
  std::vector<std::size_t> begin{0};       // [instance] its first literal, and one entry more
  std::vector<std::uint32_t> literals;     // 2 * atom + (1 if negated)
  std::vector<TermId> init;                // fluents of the initial position
  std::vector<TermId> fluents;             // a superset of those that can ever hold
  std::vector<std::vector<TermId>> moves;  // [role] a superset of those that can ever be legal
  std::size_t taken = 0;                   // conditions charged to the budget

  std::size_t bytes() const;
};

// OverBudget if the budget runs out, or above `limits` or kMostMoves; the terms made on the way are then removed again.
Grounding ground(Program& program, const GroundLimits& limits, Budget& budget);

}  // namespace kibitz::gdl
