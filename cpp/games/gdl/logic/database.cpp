#include "games/gdl/logic/database.h"

#include <algorithm>
#include <cmath>

#include "core/rng.h"

namespace kibitz::gdl {

TermId build(Terms& terms, const Term& pattern, const Bindings& values, bool make) {
  if (pattern.kind == Term::kGround) return pattern.id;
  if (pattern.kind == Term::kVariable) return values[pattern.id];
  constexpr std::size_t kFew = 12;
  TermId few[kFew];
  std::vector<TermId> many(pattern.args.size() > kFew ? pattern.args.size() : 0);
  TermId* args = many.empty() ? few : many.data();
  for (std::size_t i = 0; i < pattern.args.size(); ++i)
    if ((args[i] = build(terms, pattern.args[i], values, make)) == kNone) return kNone;
  const std::span<const TermId> all(args, pattern.args.size());
  return make ? terms.make(pattern.id, all) : terms.find(pattern.id, all);
}

bool match(const Terms& terms, const Term& pattern, TermId ground, Bindings& values) {
  if (pattern.kind == Term::kGround) return pattern.id == ground;
  if (pattern.kind == Term::kVariable) {
    TermId& value = values[pattern.id];
    if (value == kNone) value = ground;
    return value == ground;
  }
  const auto args = terms.args(ground);
  if (terms.functor(ground) != pattern.id || args.size() != pattern.args.size()) return false;
  for (std::size_t i = 0; i < args.size(); ++i)
    if (!match(terms, pattern.args[i], args[i], values)) return false;
  return true;
}

const std::vector<TermId>& Database::facts(Symbol relation) const {
  static const std::vector<TermId> none;
  return relation < relations_.size() ? relations_[relation].facts : none;
}

bool Database::key_of(TermId atom, const Shape& shape, std::uint64_t& key) const {
  key = 0;
  for (const Part& part : shape) {
    TermId t = atom;
    for (std::uint16_t i : part.path) {
      const auto args = terms_.args(t);
      if (i >= args.size()) return false;
      t = args[i];
    }
    key = mix(key, part.functor_only ? terms_.functor(t) : t);
  }
  return true;
}

std::size_t Database::put(Index& index, TermId atom) const {
  constexpr std::size_t kFact = 8, kBucket = 120;
  std::uint64_t key;
  if (!key_of(atom, index.shape, key)) return 0;
  auto& bucket = index.buckets[key];
  bucket.push_back(atom);
  return bucket.size() == 1 ? kBucket : kFact;
}

// The budget is asked when all is done, or before anything is: what holds is in all indices, or in none.
void Database::add(TermId atom, Budget& budget) {
  if (atom >= held_.size()) held_.resize(std::max<std::size_t>(2 * held_.size(), atom + 1));
  held_[atom] = 1;
  const Symbol s = terms_.functor(atom);
  if (s >= relations_.size()) relations_.resize(s + 1);
  Relation& r = relations_[s];
  r.facts.push_back(atom);
  std::size_t bytes = 12, steps = 1;
  for (Index& index : r.indices) {
    bytes += put(index, atom);
    steps += index.shape.size();
  }
  budget.tick(steps);
  budget.grow(bytes);
}

void Database::clear(Symbol relation) {
  if (relation >= relations_.size()) return;
  Relation& r = relations_[relation];
  for (TermId atom : r.facts) held_[atom] = 0;
  r.facts.clear();
  for (Index& index : r.indices) index.buckets.clear();
}

int Database::index(Symbol relation, const Shape& shape, Budget& budget) {
  if (relation >= relations_.size()) relations_.resize(relation + 1);
  Relation& r = relations_[relation];
  budget.tick(r.indices.size());
  for (std::size_t i = 0; i < r.indices.size(); ++i)
    if (r.indices[i].shape == shape) return i;
  budget.grow(sizeof(Index) + shape.size() * 2 * sizeof(Part));
  Index fresh{shape, {}};
  for (TermId atom : r.facts) {
    budget.tick(shape.size());
    budget.grow(put(fresh, atom));
  }
  r.indices.push_back(std::move(fresh));
  return r.indices.size() - 1;
}

const std::vector<TermId>& Database::bucket(Symbol relation, int index, std::uint64_t key) const {
  static const std::vector<TermId> none;
  const auto& buckets = relations_[relation].indices[index].buckets;
  const auto it = buckets.find(key);
  return it == buckets.end() ? none : it->second;
}

namespace {

bool all_bound(const Term& t, const std::vector<bool>& bound) {
  if (t.kind == Term::kVariable) return bound[t.id];
  return std::all_of(t.args.begin(), t.args.end(), [&](const Term& a) { return all_bound(a, bound); });
}

void bind_all(const Term& t, std::vector<bool>& bound, std::vector<std::uint32_t>* fresh) {
  if (t.kind == Term::kVariable && !bound[t.id]) {
    bound[t.id] = true;
    if (fresh) fresh->push_back(t.id);
  }
  for (const Term& a : t.args) bind_all(a, bound, fresh);
}

struct Known {
  Database::Shape shape;
  std::vector<const Term*> terms;
  std::vector<std::uint32_t> functors;
};

// The parts of a pattern that are known, outermost first.
void known_parts(const Term& t, const std::vector<bool>& bound, std::vector<std::uint16_t>& path, Known& out) {
  for (std::size_t i = 0; i < t.args.size() && i < 0xffff; ++i) {
    const Term& a = t.args[i];
    path.push_back(i);
    if (all_bound(a, bound)) {
      out.shape.push_back({path, false});
      out.terms.push_back(&a);
      out.functors.push_back(0);
    } else if (a.kind == Term::kApply) {
      out.shape.push_back({path, true});
      out.terms.push_back(nullptr);
      out.functors.push_back(a.id);
      known_parts(a, bound, path, out);
    }
    path.pop_back();
  }
}

Known known_parts(const Term& t, const std::vector<bool>& bound) {
  Known out;
  std::vector<std::uint16_t> path;
  known_parts(t, bound, path, out);
  return out;
}

void count_parts(const Term& t, const std::vector<bool>& bound, int& known, int& parts) {
  if (t.kind != Term::kApply) {
    ++parts;
    known += t.kind == Term::kGround || bound[t.id];
  }
  for (const Term& a : t.args) count_parts(a, bound, known, parts);
}

}  // namespace

double expected(std::size_t atoms, const Term& pattern, const std::vector<bool>& bound) {
  int known = 0, parts = 0;
  count_parts(pattern, bound, known, parts);
  return std::pow(atoms, 1.0 - static_cast<double>(known) / std::max(parts, 1));
}

double expected_facts(Database& db, Symbol relation, const Term& pattern, const std::vector<bool>& bound,
                      Budget& budget) {
  const Known known = known_parts(pattern, bound);
  const double all = db.facts(relation).size();
  if (known.shape.empty()) return all;
  constexpr std::size_t kMany = 16;  // of which each has all facts in it
  if (db.indices(relation) >= kMany) return expected(db.facts(relation).size(), pattern, bound);
  return all / std::max<std::size_t>(db.buckets(relation, db.index(relation, known.shape, budget)), 1);
}

void Plan::append(Database& db, const Program& program, const Literal& literal, bool earlier, std::vector<bool>& bound,
                  Budget& budget) {
  Step s{&literal, weight(literal), earlier, false, 0, -1, {}, {}, {}};
  budget.grow(2 * sizeof s + s.weight * sizeof(const Term*));
  if (literal.asks()) {
    s.relation = program.functor(literal.a);
    s.whole = all_bound(literal.a, bound);
    if (!s.whole) {
      Known known = known_parts(literal.a, bound);
      if (!known.shape.empty()) s.index = db.index(s.relation, known.shape, budget);
      s.known = std::move(known.terms);
      s.functors = std::move(known.functors);
    }
    bind_all(literal.a, bound, &s.fresh);
  }
  steps_.push_back(std::move(s));
}

// Tests as soon as they can be made; then what is cheapest, of several the first that is written.
Plan::Plan(Database& db, const Program& program, const Rule& rule, int first, std::vector<int> open,
           std::vector<bool> bound, const Cost& cost, Budget& budget) {
  if (first >= 0) bind_all(rule.body[first].a, bound, nullptr);
  while (!open.empty()) {
    std::size_t best = open.size();
    double least = 0;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const Literal& l = rule.body[open[i]];
      budget.tick(weight(l));
      const bool ready = all_bound(l.a, bound) && all_bound(l.b, bound);
      if (!ready && l.kind != Literal::kHolds) continue;
      const double price = ready ? -1 : cost(l, bound);
      if (best == open.size() || price < least) {
        best = i;
        least = price;
      }
      if (ready) break;
    }
    // Rules are safe, so that something always can be done next.
    const int chosen = open[best];
    open.erase(open.begin() + best);
    append(db, program, rule.body[chosen], first >= 0 && chosen < first, bound, budget);
  }
}

// Terms that have not been made yet must be, to be compared.
bool Plan::differ(const Literal& l, Terms& terms, const Bindings& values) {
  return build(terms, l.a, values, true) != build(terms, l.b, values, true);
}

bool Plan::make_key(const Step& s, Terms& terms, const Bindings& values, std::uint64_t& key) {
  for (std::size_t i = 0; i < s.known.size(); ++i) {
    const TermId part = s.known[i] ? build(terms, *s.known[i], values, false) : s.functors[i];
    if (s.known[i] && part == kNone) return false;
    key = mix(key, part);
  }
  return true;
}

}  // namespace kibitz::gdl
