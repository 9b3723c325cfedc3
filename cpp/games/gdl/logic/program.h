// A rulesheet as a logic program: rules over terms with variables, and what is known of its relations. read.h makes one
// from text; everything else in this folder rewrites, checks or grounds it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "games/gdl/logic/kif.h"
#include "games/gdl/logic/terms.h"

namespace kibitz::gdl {

// A term or an atom that may contain variables. Subterms without variables are interned in Terms, so that kApply always
// has a variable somewhere below it.
struct Term {
  enum Kind : std::uint8_t { kVariable, kGround, kApply };
  Kind kind = kGround;
  std::uint32_t id = 0;    // kVariable: its number in the rule; kGround: a TermId; kApply: the symbol that is applied
  std::vector<Term> args;  // of kApply

  friend bool operator==(const Term&, const Term&) = default;
};

// One condition in the body of a rule.
struct Literal {
  enum Kind : std::uint8_t { kHolds, kNot, kDistinct, kEqual };
  Kind kind = kHolds;
  Term a, b;  // kHolds, kNot: the atom a; kDistinct, kEqual: the terms a and b
  Place place;

  bool asks() const { return kind == kHolds || kind == kNot; }  // refers to a relation
};

// The number of symbols and variables in a term: the unit in which work on it is charged to a Budget.
std::size_t weight(const Term& t);
inline std::size_t weight(const Literal& l) { return weight(l.a) + weight(l.b); }

// Memory per unit of weight: a term, and its share of the lists around it.
inline constexpr std::size_t kBytesOfTerm = sizeof(Term) + 16;

// A Horn clause with negation. Disjunctions have been multiplied out: a sentence with `or` becomes several rules.
struct Rule {
  Term head;
  std::vector<Literal> body;           // empty: a fact
  std::vector<std::string> variables;  // [number] the name, for messages
  Place place;

  std::size_t weight() const;  // of the head and all conditions
  std::size_t bytes() const;   // an estimate of the memory it takes
};

// The keywords of the language that are relations.
struct Vocabulary {
  Symbol role, init, true_, does, next, legal, goal, terminal, base, input, sees;
};

// The rules, with the terms they are made of. Only a program whose findings have no errors may be grounded or played.
// Terms may be added to it for as long as it lives, also by several threads; the rest is constant once it is checked.
struct Program {
  Terms terms;
  Vocabulary words;
  std::vector<Rule> rules;
  std::vector<TermId> roles;  // in the order of the rulesheet
  std::vector<bool> dynamic;  // [symbol] the relation depends on `true` or `does`
  std::vector<int> stratum;   // [symbol] of a stratification: a negated condition of a static relation lies lower

  Program();
  // Of a term that is not a variable:
  Symbol functor(const Term& t) const { return t.kind == Term::kApply ? t.id : terms.functor(t.id); }
  std::size_t arity(const Term& t) const { return t.kind == Term::kApply ? t.args.size() : terms.args(t.id).size(); }
  Term argument(const Term& t, std::size_t i) const {
    return t.kind == Term::kApply ? t.args[i] : Term{Term::kGround, terms.args(t.id)[i], {}};
  }
  bool random_role(std::size_t role) const;  // whether the role is `random`
  bool is_dynamic(Symbol s) const { return s < dynamic.size() && dynamic[s]; }
  std::string text(const Term& t, const Rule& rule) const;  // in KIF, with the rule's names of variables
};

inline constexpr std::size_t kMostRoles = 16;
inline constexpr std::size_t kMostOfAll = 2'000'000;  // conditions of all rules
inline constexpr std::size_t kMostMoves = 0xffff;     // of all roles: an action has 16 bits, and one value means none

using Variables = std::set<std::uint32_t>;
// Inserts the variables of the term.
void collect_variables(const Term& t, Variables& out);
bool within(const Variables& some, const Variables& all);

// One more than the highest number of a variable in the term: the length of the bindings that it needs.
std::uint32_t variables_up_to(const Term& t);

// The number that a goal stands for, clamped to 0..100; 0 if it is none.
int goal_value(const Terms& terms, TermId value);

// In lower case: keywords are compared without regard to case.
std::string lower(std::string_view s);

}  // namespace kibitz::gdl
