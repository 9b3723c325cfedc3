// From text to a program: KIF sentences become rules, which are then repaired if wanted, and checked.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "games/gdl/logic/program.h"

namespace kibitz::gdl {

inline constexpr std::size_t kMostConditions = 1000;    // of a rule
inline constexpr std::size_t kMostAlternatives = 4096;  // of a rule: its disjunctive normal form has no more clauses

// Reads and checks a rulesheet. Never null, but playable only if there are no errors among the findings, which include
// bounds that are exceeded. `strict`: unsafe variables are errors; otherwise they are warnings where repair()
// gives them a meaning. OverBudget if the budget runs out.
std::unique_ptr<Program> read_program(std::string_view text, Findings& findings, bool strict, Budget& budget);

// The findings alone, sorted by place. A rulesheet that takes too much time or memory has a finding that says so.
Findings check(const std::string& text, bool strict);

// A single ground term, as in moves and positions; BadInput names `what`.
TermId read_term(Terms& terms, const std::string& text, const std::string& what);

}  // namespace kibitz::gdl
