// Rulesheets with unsafe variables, as reasoners play them that ask from the goal down. Wherever such a rule is asked
// for, the conditions before say what its variables stand for; so the rule gets one more condition, a relation of what
// it is asked for. A variable that stands only within one `not` means that there is no such thing. What cannot be
// mended is left to the checker, which calls it an error.
#include "games/gdl/logic/repair.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace kibitz::gdl {

namespace {

using Places = std::set<std::size_t>;  // arguments of a relation

class Repair {
 public:
  Repair(Program& program, Findings& findings, Budget& budget)
      : p_(program), w_(program.words), findings_(findings), budget_(budget) {}

  void run() {
    for (std::size_t i = 0; i < p_.rules.size(); ++i) close_negations(i);  // the list grows
    for (Rule& rule : p_.rules) name_roles(rule);
    drop_unused();
    while (open()) {
    }
    for (auto& [relation, places] : open_) asked_[relation] = name("asked for");
    std::vector<Rule> questions;
    for (const Rule& rule : p_.rules) ask(rule, questions);
    for (Rule& rule : p_.rules) answer(rule);
    p_.rules.insert(p_.rules.end(), questions.begin(), questions.end());
  }

 private:
  Symbol name(const char* what) {
    return p_.terms.symbol("(" + std::string(what) + " " + std::to_string(p_.terms.symbols()) + ")");
  }

  Term apply(Symbol relation, std::vector<Term> args) {
    std::vector<TermId> ids;
    for (const Term& a : args) ids.push_back(a.id);
    const bool ground = std::all_of(args.begin(), args.end(), [](const Term& a) { return a.kind == Term::kGround; });
    return ground ? Term{Term::kGround, p_.terms.make(relation, ids), {}} : Term{Term::kApply, relation, args};
  }

  void say(Place place, const Rule& rule, std::uint32_t variable, const std::string& how) {
    budget_.tick(1 + rule.variables[variable].size() / 8);
    findings_.warning(place,
                      "unsafe: the variable " + rule.variables[variable] + " is in no positive condition; " + how);
  }

  // Only rulesheets that are made to be hard come near.
  void spend(std::size_t conditions) {
    budget_.tick(conditions);
    if ((spent_ += conditions) > 2 * kMostOfAll) throw OverBudget("its unsafe variables take too much to be mended");
  }

  void look_at(const Rule& rule) { budget_.tick(rule.weight()); }

  void put(std::vector<Rule>& rules, Rule rule) {
    look_at(rule);
    budget_.grow(rule.bytes());
    rules.push_back(std::move(rule));
  }

  Variables variables(const Term& t) const {
    budget_.tick(weight(t));
    Variables out;
    collect_variables(t, out);
    return out;
  }

  Variables of_places(const Term& atom, const Places& places) const {
    Variables out;
    for (std::size_t i : places) collect_variables(p_.argument(atom, i), out);
    return out;
  }

  // (not (p ?x ?y)) where ?y is nowhere else: there is no such ?y.
  void close_negations(std::size_t at) {
    const Rule rule = p_.rules[at];
    look_at(rule);
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
      const Literal& l = rule.body[i];
      if (l.kind != Literal::kNot) continue;
      look_at(rule);
      Variables others = variables(rule.head);
      for (std::size_t j = 0; j < rule.body.size(); ++j) {
        if (j == i) continue;
        collect_variables(rule.body[j].a, others);
        collect_variables(rule.body[j].b, others);
      }
      std::vector<Term> shared;
      const Variables own = variables(l.a);
      for (std::uint32_t v : own) {
        if (others.contains(v))
          shared.push_back({Term::kVariable, v, {}});
        else
          say(l.place, rule, v, "it is read as 'there is no such'");
      }
      if (shared.size() == own.size()) continue;
      const Term some = apply(name("some"), shared);
      p_.rules[at].body[i].a = some;
      put(p_.rules, {some, {{Literal::kHolds, l.a, {}, l.place}}, rule.variables, l.place});
    }
  }

  // (legal ?r noop): for every role.
  void name_roles(Rule& rule) {
    const Symbol head = p_.functor(rule.head);
    if ((head != w_.legal && head != w_.goal && head != w_.sees) || rule.head.kind != Term::kApply) return;
    const Term who = rule.head.args[0];
    if (who.kind != Term::kVariable) return;
    for (const Literal& l : rule.body)
      if (l.kind == Literal::kHolds && variables(l.a).contains(who.id)) return;
    say(rule.place, rule, who.id, "it is read as any role");
    rule.body.push_back({Literal::kHolds, {Term::kApply, w_.role, {who}}, {}, rule.place});
  }

  bool helper(Symbol s) const {
    for (Symbol word : {w_.role, w_.init, w_.true_, w_.does, w_.next, w_.legal, w_.goal, w_.terminal, w_.sees})
      if (s == word) return false;
    return true;
  }

  void drop_unused() {
    std::set<Symbol> used;
    for (const Rule& rule : p_.rules)
      for (const Literal& l : rule.body)
        if (l.asks()) used.insert(p_.functor(l.a));
    std::erase_if(p_.rules, [&](const Rule& rule) {
      look_at(rule);
      Variables known;
      for (const Literal& l : rule.body)
        if (l.kind == Literal::kHolds) collect_variables(l.a, known);
      const Variables wanted = variables(rule.head);
      const auto unsafe =
          std::find_if(wanted.begin(), wanted.end(), [&](std::uint32_t v) { return !known.contains(v); });
      if (unsafe == wanted.end() || !helper(p_.functor(rule.head)) || used.contains(p_.functor(rule.head)))
        return false;
      say(rule.place, rule, *unsafe, "nobody asks for the rule, and it is left out");
      return true;
    });
  }

  const Places& places(const Term& atom) const {
    static const Places none;
    const auto it = open_.find(p_.functor(atom));
    return it == open_.end() ? none : it->second;
  }

  // The positive conditions in an order in which each has what it must be asked for, and what is known by them. Those
  // that never have it are left out.
  std::vector<const Literal*> order(const Rule& rule, Variables& known) {
    std::vector<const Literal*> out, left;
    for (const Literal& l : rule.body)
      if (l.kind == Literal::kHolds) left.push_back(&l);
    for (bool again = true; again;) {
      spend(1 + left.size());
      again = false;
      for (const Literal*& l : left) {
        if (!l) continue;
        budget_.tick(weight(l->a) + known.size());
        if (!within(of_places(l->a, places(l->a)), known)) continue;
        collect_variables(l->a, known);
        out.push_back(std::exchange(l, nullptr));
        again = true;
      }
    }
    return out;
  }

  // Finds arguments that must be known before a relation can be asked. True while there is more to be found.
  bool open() {
    bool again = false;
    for (const Rule& rule : p_.rules)
      while (helper(p_.functor(rule.head)) && open_one(rule)) again = true;
    return again;
  }

  // The first argument of the head that the rule leaves open.
  bool open_one(const Rule& rule) {
    Variables known = of_places(rule.head, places(rule.head));
    order(rule, known);
    for (std::size_t i = 0; i < p_.arity(rule.head); ++i)
      if (!within(variables(p_.argument(rule.head, i)), known)) return open_[p_.functor(rule.head)].insert(i).second;
    return false;
  }

  Term question(const Term& atom) {
    std::vector<Term> args;
    for (std::size_t i : places(atom)) args.push_back(p_.argument(atom, i));
    return apply(asked_.at(p_.functor(atom)), args);
  }

  // What a rule asks of relations that must be asked, and under which conditions: all that come before.
  void ask(const Rule& rule, std::vector<Rule>& out) {
    Variables known = of_places(rule.head, places(rule.head));
    std::vector<Literal> before;
    if (open_.contains(p_.functor(rule.head))) before.push_back({Literal::kHolds, question(rule.head), {}, rule.place});
    const auto add = [&](const Literal& l) {
      if (!open_.contains(p_.functor(l.a))) return;
      spend(1 + before.size());
      put(out, {question(l.a), before, rule.variables, l.place});
    };
    for (const Literal* l : order(rule, known)) {
      add(*l);
      before.push_back(*l);
    }
    for (const Literal& l : rule.body)
      if (l.kind == Literal::kNot) add(l);
  }

  // Gives a rule that needs it the condition that it is asked for. Variables that nobody knows are the checker's: if
  // all conditions that would have to be asked first are taken away, it finds them.
  void answer(Rule& rule) {
    Variables known;
    order(rule, known);
    look_at(rule);
    Variables wanted = variables(rule.head);
    for (const Literal& l : rule.body) {
      collect_variables(l.a, wanted);
      collect_variables(l.b, wanted);
    }
    if (within(wanted, known)) return;
    Variables asked = of_places(rule.head, places(rule.head));
    for (std::uint32_t v : asked)
      if (!known.contains(v)) say(rule.place, rule, v, "it stands for what is asked for");
    order(rule, asked);
    if (within(wanted, asked)) {
      rule.body.push_back({Literal::kHolds, question(rule.head), {}, rule.place});
    } else {
      std::erase_if(rule.body, [&](const Literal& l) {
        return l.kind == Literal::kHolds && !within(of_places(l.a, places(l.a)), asked);
      });
    }
  }

  Program& p_;
  const Vocabulary w_;
  Findings& findings_;
  Budget& budget_;
  std::map<Symbol, Places> open_;   // [relation] arguments that must be known before it is asked
  std::map<Symbol, Symbol> asked_;  // [relation] the relation of what they are
  std::size_t spent_ = 0;
};

}  // namespace

void repair(Program& program, Findings& findings, Budget& budget) { Repair(program, findings, budget).run(); }

}  // namespace kibitz::gdl
