// Rules that mean the same to those who play, and have fewer instances.
#pragma once

#include <vector>

#include "games/gdl/program.h"

namespace kibitz::gdl {

// The rules that matter for play, as grounding takes them, also split into parts if that is wanted. Relations that they
// have in addition, which no rulesheet can name, are added to the program; they are concluded by rules among these.
std::vector<Rule> rules_to_ground(Program& program, bool split, Budget& budget);

}  // namespace kibitz::gdl
