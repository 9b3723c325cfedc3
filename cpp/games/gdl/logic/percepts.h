// Static analysis of the rules for `sees`: which moves can be inferred from percepts one role at a time.
#pragma once

#include <set>

#include "games/gdl/logic/program.h"

namespace kibitz::gdl {

// An approximation on the safe side: where the analysis cannot tell, percepts are not `apart`.
struct Percepts {
  bool apart = false;     // each percept depends on the move of one role at most
  bool any_tied = false;  // what a move shows may depend on the position, for every move;
  std::set<Symbol> tied;  // or for moves with these functors
};
Percepts percepts_of(const Program& program, Budget& budget);

}  // namespace kibitz::gdl
