// A rulesheet as rules over terms, and the conditions that the language puts on it.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "games/gdl/kif.h"
#include "games/gdl/terms.h"

namespace kibitz::gdl {

// A term that may have variables in it.
struct Term {
  enum Kind : std::uint8_t { kVariable, kGround, kApply };
  Kind kind = kGround;
  std::uint32_t id = 0;    // number of the variable in its rule, the ground term, or the symbol that is applied
  std::vector<Term> args;  // of kApply, which has a variable somewhere

  friend bool operator==(const Term&, const Term&) = default;
};

struct Literal {
  enum Kind : std::uint8_t { kHolds, kNot, kDistinct, kEqual };
  Kind kind = kHolds;
  Term a, b;  // b: of kDistinct and kEqual only
  Place place;

  bool asks() const { return kind == kHolds || kind == kNot; }  // about a relation
};

// Names and variables that are in it: about how long it takes to look at all of it.
std::size_t weight(const Term& t);
inline std::size_t weight(const Literal& l) { return weight(l.a) + weight(l.b); }

// `or` is gone: a rule stands once for each way to choose from its alternatives.
struct Rule {
  Term head;
  std::vector<Literal> body;
  std::vector<std::string> variables;  // their names
  Place place;

  std::size_t weight() const;  // of its head and all conditions
  std::size_t bytes() const;   // that it takes
};

// The words of the language.
struct Vocabulary {
  Symbol role, init, true_, does, next, legal, goal, terminal, base, input, sees;
};

struct Program {
  Terms terms;
  Vocabulary words;
  std::vector<Rule> rules;
  std::vector<TermId> roles;  // in the order of the rulesheet
  std::vector<bool> dynamic;  // [symbol] the relation depends on the position or on what is done
  std::vector<int> stratum;   // [symbol] of relations: negation only ever looks down

  Program();
  Symbol functor(const Term& t) const { return t.kind == Term::kApply ? t.id : terms.functor(t.id); }
  std::size_t arity(const Term& t) const { return t.kind == Term::kApply ? t.args.size() : terms.args(t.id).size(); }
  Term argument(const Term& t, std::size_t i) const {  // of a term that is no variable
    return t.kind == Term::kApply ? t.args[i] : Term{Term::kGround, terms.args(t.id)[i], {}};
  }
  bool random_role(std::size_t role) const;
  bool is_dynamic(Symbol s) const { return s < dynamic.size() && dynamic[s]; }
  std::string text(const Term& t, const Rule& rule) const;
};

inline constexpr std::size_t kMostConditions = 1000;    // of a rule
inline constexpr std::size_t kMostAlternatives = 4096;  // of a rule, its `or`s multiplied
inline constexpr std::size_t kMostOfAll = 2'000'000;    // conditions of all rules, `or`s multiplied
inline constexpr std::size_t kMostRoles = 16;

// Reads and checks a rulesheet. Only one without errors can be played. Unless it is to be strict about the language,
// unsafe variables are warnings where their meaning is clear. OverBudget where it takes too much; beyond the bounds
// above it is among the findings.
std::unique_ptr<Program> read_program(std::string_view text, Findings& findings, bool strict, Budget& budget);

// Gives rules with unsafe variables conditions that make them safe: repair.cpp.
void repair(Program& program, Findings& findings, Budget& budget);

// In small letters, as keywords are compared.
std::string lower(std::string_view s);

// Adds the variables that are in the term.
void collect_variables(const Term& t, std::set<std::uint32_t>& out);

// The conditions beyond the form of single sentences: check.cpp. Where the program is not whole, since sentences could
// not be read, nothing is said of what is missing.
void check_program(Program& program, bool whole, Findings& findings, Budget& budget);

// How percepts come about, as far as the rules tell.
struct Percepts {
  bool apart = false;     // each by the move of one role at the most
  bool any_tied = false;  // what any move shows may depend on the position
  std::set<Symbol> tied;  // or what moves of these names show
};
Percepts percepts_of(const Program& program, Budget& budget);

// A single ground term, as in `parse` and in positions; BadInput names `what`.
TermId read_term(Terms& terms, const std::string& text, const std::string& what);

}  // namespace kibitz::gdl
