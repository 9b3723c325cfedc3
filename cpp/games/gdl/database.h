// Ground atoms that hold, with indices, and the search for all ways to satisfy the conditions of a rule.
#pragma once

#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

#include "games/gdl/program.h"

namespace kibitz::gdl {

// Values of a rule's variables; kNone where one has none yet.
using Bindings = std::vector<TermId>;

// The ground term of a pattern, made or only looked up; kNone where a variable has no value, or there is no such term.
TermId build(Terms& terms, const Term& pattern, const Bindings& values, bool make);

// Whether the ground term fits the pattern; gives values to variables that had none, also where it does not fit.
bool match(const Terms& terms, const Term& pattern, TermId ground, Bindings& values);

class Database {
 public:
  explicit Database(Terms& terms) : terms_(terms) {}

  bool has(TermId atom) const { return atom < held_.size() && held_[atom]; }
  void add(TermId atom, Budget& budget);  // not one that it has
  void clear(Symbol relation);            // all its facts; indices stay
  const std::vector<TermId>& facts(Symbol relation) const;

  // A part of an atom that is known before the atom is: a whole subterm, or only what is applied there.
  struct Part {
    std::vector<std::uint16_t> path;
    bool functor_only;
    friend bool operator==(const Part&, const Part&) = default;
  };
  using Shape = std::vector<Part>;

  int index(Symbol relation, const Shape& shape, Budget& budget);  // made if there is none yet
  std::size_t indices(Symbol relation) const {
    return relation < relations_.size() ? relations_[relation].indices.size() : 0;
  }
  const std::vector<TermId>& bucket(Symbol relation, int index, std::uint64_t key) const;
  std::size_t buckets(Symbol relation, int index) const {
    return relations_[relation].indices[static_cast<std::size_t>(index)].buckets.size();
  }

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
  std::deque<Relation> relations_;  // [symbol]; none ever moves: somebody may be looking at its facts
};

// About how many of so many atoms fit a pattern, by how many of its constants and variables are known.
double expected(std::size_t atoms, const Term& pattern, const std::vector<bool>& bound);

// How many facts fit on average, once what is known of the pattern is given; counted, unless that takes too much.
double expected_facts(Database& db, Symbol relation, const Term& pattern, const std::vector<bool>& bound,
                      Budget& budget);

// The conditions of a rule in an order in which each is found with the help of those before.
class Plan {
 public:
  struct Step {
    const Literal* literal;
    std::size_t weight;  // of the literal
    bool earlier;        // than `first`
    bool whole;          // nothing is unknown: just look whether it holds
    Symbol relation;
    int index;                       // -1: all facts
    std::vector<const Term*> known;  // parts of the index's key; null: the functor below
    std::vector<std::uint32_t> functors;
    std::vector<std::uint32_t> fresh;  // variables that get their values here
  };

  // `first`: the condition that is given, or -1; `bound`: variables that have values before. Conditions for which
  // skip(literal) holds are not looked at; of the others the cheapest comes first, by cost(literal, bound).
  using Cost = std::function<double(const Literal&, const std::vector<bool>&)>;
  template <class Skip>
  static Plan make(Database& db, const Program& program, const Rule& rule, int first, std::vector<bool> bound,
                   Skip&& skip, const Cost& cost, Budget& budget) {
    std::vector<int> open;
    for (int i = 0; i < static_cast<int>(rule.body.size()); ++i)
      if (i != first && !skip(rule.body[static_cast<std::size_t>(i)])) open.push_back(i);
    return Plan(db, program, rule, first, std::move(open), std::move(bound), cost, budget);
  }

  // Calls found() for every way to satisfy the conditions, with the values set; `source` knows what holds. `given`: the
  // atom of the condition `first`, already matched. Conditions before that one do not take the same atom, so that
  // nothing is found twice when each atom is given once, in the order in which they come to hold.
  template <class Source, class F>
  void run(Source& source, Terms& terms, Bindings& values, TermId given, Budget& budget, F&& found) const {
    step(source, terms, values, given, budget, 0, found);
  }

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
    for (std::size_t i = 0; candidates && i < candidates->size(); ++i) {  // more may come while we look
      budget.tick(s.weight);
      const TermId atom = (*candidates)[i];
      if (!(s.earlier && atom == given) && match(terms, s.literal->a, atom, values))
        step(source, terms, values, given, budget, at + 1, found);
      for (std::uint32_t v : s.fresh) values[v] = kNone;
    }
  }

  std::vector<Step> steps_;
};

// What holds is what the database has.
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
