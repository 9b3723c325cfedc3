// Rewrites rules into equivalent ones with fewer ground instances.
#pragma once

#include <vector>

#include "games/gdl/logic/program.h"

namespace kibitz::gdl {

// The rules on which play depends, as the grounder takes them: auxiliary relations are restricted to the arguments they
// are asked for (as by magic sets), and with `split` independent groups of conditions become relations of their own, so
// that their solutions are not multiplied. New relations have names that no rulesheet can contain; their entries in
// `dynamic` and `stratum` are added to the program, which is otherwise unchanged. OverBudget if the budget runs out.
std::vector<Rule> rules_to_ground(Program& program, bool split, Budget& budget);

}  // namespace kibitz::gdl
