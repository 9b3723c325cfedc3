// Facts with hash indices, and joins over them: all bindings of variables that satisfy the body of a rule.
#pragma once

#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

#include "games/gdl/logic/program.h"

namespace kibitz::gdl {

// [variable] the ground term it is bound to, or kNone.
using Bindings = std::vector<TermId>;

// The pattern with its variables replaced; kNone if one of them is unbound. Without `make` the term is only looked up,
// and kNone if it does not exist.
TermId build(Terms& terms, const Term& pattern, const Bindings& values, bool make);

// Matches a ground term against the pattern and binds unbound variables, possibly some of them also when it fails.
bool match(const Terms& terms, const Term& pattern, TermId ground, Bindings& values);

// A set of ground atoms by relation. An index over some parts of the atoms of a relation is built on request and kept
// up to date from then on. References to facts() and bucket() stay valid while atoms are added, but not their
// iterators.
class Database {
 public:
  explicit Database(Terms& terms) : terms_(terms) {}

  bool has(TermId atom) const { return atom < held_.size() && held_[atom]; }
  void add(TermId atom, Budget& budget);  // which it must not have yet
  void clear(Symbol relation);            // removes all facts of the relation, but not its indices
  const std::vector<TermId>& facts(Symbol relation) const;

  // A part of an atom that an index is keyed by: the subterm at a path of argument numbers, or only its functor.
  struct Part {
    std::vector<std::uint16_t> path;
    bool functor_only;
    friend bool operator==(const Part&, const Part&) = default;
  };
  using Shape = std::vector<Part>;

  int index(Symbol relation, const Shape& shape, Budget& budget);  // its number; built if there is none yet
  std::size_t indices(Symbol relation) const {
    return relation < relations_.size() ? relations_[relation].indices.size() : 0;
  }
  // The facts with that key; a superset, since keys are hashes.
  const std::vector<TermId>& bucket(Symbol relation, int index, std::uint64_t key) const;
  std::size_t buckets(Symbol relation, int index) const { return relations_[relation].indices[index].buckets.size(); }

 private:
  struct Index {
    Shape shape;
    std::unordered_map<std::uint64_t, std::vector<TermId>> buckets;
  };
  struct Relation {
    std::vector<TermId> facts;
    std::deque<Index> indices;
  };

  bool key_of(TermId atom, const Shape& shape, std::uint64_t& key) const;
  std::size_t put(Index& index, TermId atom) const;  // the bytes that it takes

  Terms& terms_;
  std::vector<std::uint8_t> held_;  // [term]
  std::deque<Relation> relations_;  // [symbol]; a deque, because joins hold references to facts while it grows
};

// A rough estimate of how many of `atoms` atoms match a pattern, from the share of its parts that are bound.
double expected(std::size_t atoms, const Term& pattern, const std::vector<bool>& bound);

// How many facts match the pattern on average once the bound variables have values: from the index, where building one
// is affordable.
double expected_facts(Database& db, Symbol relation, const Term& pattern, const std::vector<bool>& bound,
                      Budget& budget);

// The join order of a rule's body, with the index that each step uses. Built once per rule and set of bound variables,
// and run many times.
class Plan {
 public:
  struct Step {
    const Literal* literal;
    std::size_t weight;  // of the literal
    bool earlier;        // stands before `first` in the rule
    bool whole;          // all its variables are bound: a test
    Symbol relation;
    int index;                       // -1: scan all facts
    std::vector<const Term*> known;  // parts of the index's key; null: the functor at the same place below
    std::vector<std::uint32_t> functors;
    std::vector<std::uint32_t> fresh;  // variables that are bound here
  };

  // `first`: the index of a condition that is matched before the plan runs (the delta of semi-naive evaluation), or -1.
  // `bound`: variables that are bound when it runs. Conditions with skip(literal) are left out; of the others that can
  // be evaluated the one with the lowest cost(literal, bound) comes next. The rule must outlive the plan.
  using Cost = std::function<double(const Literal&, const std::vector<bool>&)>;
  template <class Skip>
  static Plan make(Database& db, const Program& program, const Rule& rule, int first, std::vector<bool> bound,
                   Skip&& skip, const Cost& cost, Budget& budget) {
    std::vector<int> open;
    for (int i = 0; i < static_cast<int>(rule.body.size()); ++i)
      if (i != first && !skip(rule.body[i])) open.push_back(i);
    return Plan(db, program, rule, first, std::move(open), std::move(bound), cost, budget);
  }

  // Calls found() for every solution, with `values` bound, by backtracking. `source` answers for the relations, as
  // DatabaseSource does. `given`: the atom of the condition `first`, which has been matched. Conditions before `first`
  // do not match the same atom, so that every solution is found exactly once if each new atom is given once.
  template <class Source, class F>
  void run(Source& source, Terms& terms, Bindings& values, TermId given, Budget& budget, F&& found) const {
    step(source, terms, values, given, budget, 0, found);
  }

  // The key of the step's index; false if a part does not exist as a term, so that nothing can match.
  static bool make_key(const Step& s, Terms& terms, const Bindings& values, std::uint64_t& key);

 private:
  Plan(Database& db, const Program& program, const Rule& rule, int first, std::vector<int> open,
       std::vector<bool> bound, const Cost& cost, Budget& budget);
  void append(Database& db, const Program& program, const Literal& literal, bool earlier, std::vector<bool>& bound,
              Budget& budget);
  static bool differ(const Literal& l, Terms& terms, const Bindings& values);

  template <class Source, class F>
  void step(Source& source, Terms& terms, Bindings& values, TermId given, Budget& budget, std::size_t at,
            F&& found) const {
    if (at == steps_.size()) return found();
    const Step& s = steps_[at];
    budget.tick(s.weight);
    if (s.literal->kind == Literal::kDistinct || s.literal->kind == Literal::kEqual) {
      if (differ(*s.literal, terms, values) == (s.literal->kind == Literal::kDistinct))
        step(source, terms, values, given, budget, at + 1, found);
      return;
    }
    if (s.whole) {
      const TermId atom = source.atom(s, values);
      const bool holds = atom != kNone && source.holds(s, atom) && !(s.earlier && atom == given);
      if (holds == (s.literal->kind == Literal::kHolds)) step(source, terms, values, given, budget, at + 1, found);
      return;
    }
    const std::vector<TermId>* candidates = source.candidates(s, values);
    for (std::size_t i = 0; candidates && i < candidates->size(); ++i) {  // found() may add more
      budget.tick(s.weight);
      const TermId atom = (*candidates)[i];
      if (!(s.earlier && atom == given) && match(terms, s.literal->a, atom, values))
        step(source, terms, values, given, budget, at + 1, found);
      for (std::uint32_t v : s.fresh) values[v] = kNone;
    }
  }

  std::vector<Step> steps_;
};

// A source for Plan::run that takes a database as it is: true is what it contains.
class DatabaseSource {
 public:
  DatabaseSource(Database& db, Terms& terms) : db_(db), terms_(terms) {}
  TermId atom(const Plan::Step& s, const Bindings& values) const { return build(terms_, s.literal->a, values, false); }
  bool holds(const Plan::Step&, TermId atom) const { return db_.has(atom); }
  const std::vector<TermId>* candidates(const Plan::Step& s, const Bindings& values) const {
    if (s.index < 0) return &db_.facts(s.relation);
    std::uint64_t key = 0;
    return Plan::make_key(s, terms_, values, key) ? &db_.bucket(s.relation, s.index, key) : nullptr;
  }

 private:
  Database& db_;
  Terms& terms_;
};

}  // namespace kibitz::gdl
