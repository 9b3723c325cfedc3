// Two things make rulesheets larger than they need be when all instances of their rules are listed. Helpers are written
// for every argument but asked for a few: those few are all that is listed. And rules join what has nothing to do with
// each other: each such group becomes a relation of its own.
#include "games/gdl/logic/rewrite.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace kibitz::gdl {

namespace {

// The words of the language that those who play ask about.
std::vector<Symbol> asked_for_all(const Program& program) {
  const Vocabulary& w = program.words;
  return {w.role, w.init, w.true_, w.does, w.next, w.legal, w.goal, w.terminal, w.sees};
}

// Those that matter for play, directly or indirectly.
std::vector<bool> needed_relations(const Program& program) {
  std::vector<std::vector<Symbol>> targets(program.terms.symbols());
  for (const Rule& rule : program.rules)
    for (const Literal& l : rule.body)
      if (l.asks()) targets[program.functor(rule.head)].push_back(program.functor(l.a));
  std::vector<Symbol> queue = asked_for_all(program);
  std::vector<bool> out(targets.size());
  for (Symbol s : queue) out[s] = true;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (Symbol t : targets[queue[i]])
      if (!out[t]) {
        out[t] = true;
        queue.push_back(t);
      }
  return out;
}

constexpr std::size_t kLongest = 50;  // conditions, and variables, of rules that people write

Variables variables_of(const Literal& l) {
  Variables out;
  collect_variables(l.a, out);
  collect_variables(l.b, out);
  return out;
}

Term put(Terms& terms, const Term& in, std::uint32_t variable, const Term& value) {
  if (in.kind == Term::kVariable) return in.id == variable ? value : in;
  if (in.kind == Term::kGround) return in;
  Term out = in;
  std::vector<TermId> ids;
  bool ground = true;
  for (Term& a : out.args) {
    a = put(terms, a, variable, value);
    ids.push_back(a.id);
    ground &= a.kind == Term::kGround;
  }
  return ground ? Term{Term::kGround, terms.make(out.id, ids), {}} : out;
}

// (not (distinct ?v t)): t stands in place of ?v everywhere, so that the constants of heads and conditions are seen.
// Only constants and variables do: other terms might grow. False: two constants would have to be the same.
bool put_equals(Terms& terms, Rule& rule, Budget& budget) {
  if (rule.body.size() > kLongest) return true;
  for (std::size_t i = 0; i < rule.body.size();) {
    const Literal& l = rule.body[i];
    if (l.kind != Literal::kEqual || l.a.kind == Term::kApply || l.b.kind == Term::kApply) {
      ++i;
      continue;
    }
    const bool second = l.a.kind != Term::kVariable;
    const Term variable = second ? l.b : l.a, value = second ? l.a : l.b;
    if (variable.kind == Term::kGround && variable.id != value.id) return false;
    rule.body.erase(rule.body.begin() + i);
    if (variable.kind == Term::kGround || variable == value) continue;
    budget.tick(rule.weight());
    rule.head = put(terms, rule.head, variable.id, value);
    for (Literal& other : rule.body) {
      other.a = put(terms, other.a, variable.id, value);
      other.b = put(terms, other.b, variable.id, value);
    }
  }
  return true;
}

// Gives a group of a rule's conditions a name: a new relation of the variables that the rest of the rule needs of them.
// A group is all that hangs together by variables that are not in the head, a single condition with variables that
// nobody else looks at, or all conditions with the same variable.
class Splitter {
 public:
  Splitter(Program& program, std::vector<Rule>& out, Budget& budget) : p_(program), out_(out), budget_(budget) {}

  void split(Rule rule) {
    collect_variables(rule.head, head_.emplace_back());
    for (bool again = rule.body.size() <= kLongest && rule.variables.size() <= kLongest;
         again && made_ < kMost && work_ < kMostWork; work_ += rule.body.size() * rule.body.size()) {
      budget_.tick(16 * rule.weight());
      again = split_group(rule) || split_condition(rule) || split_variable(rule);
    }
    head_.pop_back();
    budget_.grow(rule.bytes());
    out_.push_back(std::move(rule));
  }

 private:
  using Group = std::vector<std::size_t>;       // conditions of the rule
  static constexpr std::size_t kMost = 10'000;  // relations that are made
  static constexpr std::size_t kMostWork = 2'000'000;

  bool split_group(Rule& rule) {
    const Variables& head = head_.back();
    std::vector<std::size_t> of(rule.variables.size());  // [variable] one that it hangs together with
    std::iota(of.begin(), of.end(), std::size_t{0});
    const auto root = [&](std::size_t v) {
      while (of[v] != v) v = of[v] = of[of[v]];
      return v;
    };
    const auto inner = [&](const Literal& l) {
      Variables all = variables_of(l), out;
      std::set_difference(all.begin(), all.end(), head.begin(), head.end(), std::inserter(out, out.end()));
      return out;
    };
    for (const Literal& l : rule.body)
      for (const Variables own = inner(l); std::uint32_t v : own) of[root(v)] = root(*own.begin());
    std::map<std::size_t, Group> groups;
    for (std::size_t i = 0; i < rule.body.size(); ++i)
      if (const Variables own = inner(rule.body[i]); !own.empty()) groups[root(*own.begin())].push_back(i);
    return std::any_of(groups.begin(), groups.end(), [&](const auto& group) { return name(rule, group.second, head); });
  }

  bool split_condition(Rule& rule) {
    std::map<std::uint32_t, int> uses;  // [variable] by conditions and the head
    for (std::uint32_t v : head_.back()) ++uses[v];
    for (const Literal& l : rule.body)
      for (std::uint32_t v : variables_of(l)) ++uses[v];
    Variables shared;
    for (const auto& [v, n] : uses)
      if (n > 1) shared.insert(v);
    for (std::size_t i = 0; i < rule.body.size(); ++i)
      if (rule.body[i].kind == Literal::kHolds && !within(variables_of(rule.body[i]), shared) &&
          name(rule, {i}, shared))
        return true;
    return false;
  }

  // Of the variables that can be left to a relation, the one whose relation has the fewest arguments.
  bool split_variable(Rule& rule) {
    std::map<std::uint32_t, Group> groups;
    for (std::size_t i = 0; i < rule.body.size(); ++i)
      for (std::uint32_t v : variables_of(rule.body[i]))
        if (!head_.back().contains(v)) groups[v].push_back(i);
    std::multimap<std::size_t, std::pair<Group, Variables>> by_size;
    for (const auto& [v, group] : groups) {
      if (group.size() < 2) continue;  // as it is, or split off already
      budget_.tick(rule.weight());
      Variables own, visible = head_.back();
      for (std::size_t i = 0; i < rule.body.size(); ++i) {
        const bool in = std::find(group.begin(), group.end(), i) != group.end();
        (in ? own : visible).merge(variables_of(rule.body[i]));
      }
      const auto seen = std::count_if(own.begin(), own.end(), [&](std::uint32_t u) { return visible.contains(u); });
      by_size.emplace(seen, std::pair(group, visible));
    }
    return std::any_of(by_size.begin(), by_size.end(),
                       [&](const auto& one) { return name(rule, one.second.first, one.second.second); });
  }

  // Puts the new relation in the place of the group, if that saves anything: if the rest has variables that the group
  // has not, so that each of the group's solutions would be listed with each of theirs.
  bool name(Rule& rule, const Group& group, const Variables& visible) {
    budget_.tick(2 * rule.weight());
    Variables own, bound, rest;
    std::vector<Literal> inside, outside;
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
      const bool in = std::find(group.begin(), group.end(), i) != group.end();
      (in ? own : rest).merge(variables_of(rule.body[i]));
      if (in && rule.body[i].kind == Literal::kHolds) bound.merge(variables_of(rule.body[i]));
      (in ? inside : outside).push_back(rule.body[i]);
    }
    if (within(rest, own) || bound != own) return false;
    Literal stands;
    stands.place = rule.place;
    stands.a = {Term::kApply, relation(p_.functor(rule.head), inside), {}};
    for (std::uint32_t v : own)
      if (visible.contains(v)) stands.a.args.push_back({Term::kVariable, v, {}});
    if (stands.a.args.empty()) stands.a = {Term::kGround, p_.terms.make(stands.a.id, {}), {}};
    split({stands.a, std::move(inside), rule.variables, rule.place});
    outside.push_back(std::move(stands));
    rule.body = std::move(outside);
    return true;
  }

  Symbol relation(Symbol head, const std::vector<Literal>& body) {
    ++made_;
    const Symbol s = p_.terms.symbol("(group " + std::to_string(p_.terms.symbols()) + ")");
    p_.dynamic.resize(s + 1);
    p_.stratum.resize(s + 1);
    p_.dynamic[s] = std::any_of(body.begin(), body.end(),
                                [this](const Literal& l) { return l.asks() && p_.is_dynamic(p_.functor(l.a)); });
    p_.stratum[s] = p_.stratum[head];
    return s;
  }

  Program& p_;
  std::vector<Rule>& out_;
  Budget& budget_;
  std::deque<Variables> head_;  // of the rules that are being split
  std::size_t made_ = 0, work_ = 0;
};

// Which values an argument of a relation is asked for; none: any.
using Asked = std::optional<std::set<TermId>>;

// Keeps of every relation what somebody asks for: whatever a rule that is kept looks at is kept, too, so that it finds
// what it would have found.
class Demand {
 public:
  Demand(Program& program, std::vector<Rule>& rules, Budget& budget) : p_(program), rules_(rules), budget_(budget) {
    for (Symbol s : asked_for_all(p_)) words_.insert(s);
  }

  void run() {
    find();
    std::vector<Rule> out;
    for (Rule& rule : rules_)
      if (restrict(rule)) out.push_back(std::move(rule));
    for (auto& [values, relation] : facts_)
      for (TermId value : values)
        out.push_back({{Term::kGround, p_.terms.make(relation, std::span(&value, 1)), {}}, {}, {}, {}});
    rules_ = std::move(out);
  }

 private:
  static constexpr std::size_t kMost = 50;   // values that are told apart
  static constexpr std::size_t kValue = 48;  // bytes of a value in a set
  static constexpr std::size_t kMostWork = 5'000'000;

  // Starts from nothing, and adds what each condition asks for until nothing is new.
  void find() {
    asked_.resize(p_.terms.symbols());
    for (const Rule& rule : rules_) {
      begin(rule.head);
      for (const Literal& l : rule.body)
        if (l.asks()) begin(l.a);
    }
    bool again = true;
    while (again && work_ < kMostWork) {
      again = false;
      for (const Rule& rule : rules_) {
        budget_.tick();
        for (const Literal& l : rule.body)
          if (l.asks() && wanted(rule)) again |= ask(rule, l.a);
      }
    }
    if (again) asked_.assign(asked_.size(), {});  // then for all we know anything may be asked for
  }

  // Nothing at first; but the words of the language are asked for everything.
  void begin(const Term& t) {
    auto& asked = asked_[p_.functor(t)];
    budget_.tick();
    if (asked.empty()) budget_.grow(p_.arity(t) * sizeof(Asked));
    if (asked.empty()) asked.assign(p_.arity(t), words_.contains(p_.functor(t)) ? Asked() : Asked(std::in_place));
  }

  bool ask(const Rule& rule, const Term& atom) {
    auto& asked = asked_[p_.functor(atom)];
    bool more = false;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      ++work_;
      budget_.tick();
      if (!asked[i]) continue;
      const std::size_t before = asked[i]->size();
      const Term what = p_.argument(atom, i);
      budget_.tick(weight(what));
      if (what.kind == Term::kGround) {
        asked[i]->insert(what.id);
      } else if (const Asked* from = asked_of(rule.head, what); !from) {
        asked[i].reset();
      } else if (from != &asked[i]) {
        work_ += (*from)->size();
        budget_.tick((*from)->size());
        asked[i]->insert((*from)->begin(), (*from)->end());
      }
      if (asked[i]) budget_.grow(kValue * (asked[i]->size() - before));
      if (asked[i] && asked[i]->size() > kMost) asked[i].reset();
      more |= !asked[i] || asked[i]->size() != before;
    }
    return more;
  }

  // What the head is asked for where it has this variable.
  const Asked* asked_of(const Term& head, const Term& variable) const {
    if (head.kind != Term::kApply || variable.kind != Term::kVariable) return nullptr;
    const auto& asked = asked_[head.id];
    budget_.tick(head.args.size());
    for (std::size_t i = 0; i < head.args.size(); ++i)
      if (head.args[i] == variable && asked[i]) return &asked[i];
    return nullptr;
  }

  // Whether the constants of the head are among what is asked for.
  bool wanted(const Rule& rule) const {
    const auto& asked = asked_[p_.functor(rule.head)];
    budget_.tick(asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i)
      if (const Term what = asked[i] ? p_.argument(rule.head, i) : Term{};
          asked[i] && what.kind == Term::kGround && !asked[i]->contains(what.id))
        return false;
    return true;
  }

  // Lets the rule find only what is asked for; false: that is nothing.
  bool restrict(Rule& rule) {
    if (!wanted(rule)) return false;
    const auto& asked = asked_[p_.functor(rule.head)];
    budget_.tick(rule.weight());
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (const Term what = p_.argument(rule.head, i); asked[i] && what.kind == Term::kVariable) {
        Literal only;
        only.place = rule.place;
        only.a = {Term::kApply, facts(*asked[i]), {what}};
        budget_.grow(sizeof(Literal) + sizeof(Term));
        rule.body.push_back(std::move(only));
      }
    }
    return true;
  }

  Symbol facts(const std::set<TermId>& values) {
    budget_.tick(values.size());
    const auto [it, fresh] = facts_.emplace(values, 0);
    if (fresh) {
      budget_.grow(values.size() * (kValue + sizeof(Rule)));
      it->second = p_.terms.symbol("(asked " + std::to_string(p_.terms.symbols()) + ")");
    }
    return it->second;
  }

  Program& p_;
  std::vector<Rule>& rules_;
  Budget& budget_;
  std::set<Symbol> words_;
  std::size_t work_ = 0;
  std::vector<std::vector<Asked>> asked_;  // [symbol][argument]
  std::map<std::set<TermId>, Symbol> facts_;
};

}  // namespace

std::vector<Rule> rules_to_ground(Program& program, bool split, Budget& budget) {
  const auto needed = needed_relations(program);
  std::vector<Rule> out;
  Splitter splitter(program, out, budget);
  for (const Rule& written : program.rules) {
    budget.tick(written.weight());
    if (!needed[program.functor(written.head)]) continue;
    Rule rule = written;
    if (!put_equals(program.terms, rule, budget)) continue;
    if (split) {
      splitter.split(std::move(rule));
    } else {
      budget.grow(rule.bytes());
      out.push_back(std::move(rule));
    }
  }
  Demand(program, out, budget).run();
  program.dynamic.resize(program.terms.symbols());
  program.stratum.resize(program.terms.symbols());
  return out;
}

}  // namespace kibitz::gdl
