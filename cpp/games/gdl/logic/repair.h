// A meaning for rules with unsafe variables, as a backtracking prover gives them one.
#pragma once

#include "games/gdl/logic/program.h"

namespace kibitz::gdl {

// Adds conditions that make such rules safe, with a warning for each variable: where every use of a rule binds the
// variable before the rule is asked, a relation of those bindings; where a variable occurs in one `not` only, a
// relation that quantifies it. What cannot be repaired stays as it is, for check_program to report. The program must
// not have been checked yet. OverBudget if the budget runs out.
void repair(Program& program, Findings& findings, Budget& budget);

}  // namespace kibitz::gdl
