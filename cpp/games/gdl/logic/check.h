// The conditions that the language puts on a program beyond the syntax of its sentences: keywords in their places,
// safety, stratified negation, bounded recursion; and warnings about what is probably a slip.
#pragma once

#include "games/gdl/logic/program.h"

namespace kibitz::gdl {

// Adds the findings, and fills in what follows from the rules: the program's `roles`, `dynamic` and `stratum`.
// `whole`: every sentence could be read; otherwise nothing is said about what is missing. OverBudget if the budget runs
// out.
void check_program(Program& program, bool whole, Findings& findings, Budget& budget);

}  // namespace kibitz::gdl
