// The conditions that make a rulesheet playable: where words may stand, safety, stratification, bounded recursion.
#include "games/gdl/logic/check.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "games/gdl/logic/scc.h"

namespace kibitz::gdl {

namespace {

class Checker {
 public:
  Checker(Program& program, bool whole, Findings& findings, Budget& budget)
      : p_(program), w_(program.words), whole_(whole), findings_(findings), budget_(budget) {}

  void run() {
    for (const Rule& rule : p_.rules) {
      budget_.tick(rule.weight());
      check_places(rule);
      check_safety(rule);
    }
    build_graph();
    find_roles();
    if (whole_) {
      check_roles();
      check_defined();
    }
    check_goals();
    check_dependencies();
    check_negation();
    check_recursion();
    fill_strata();
    if (whole_) check_made();  // last: errors matter more, and there is an end to findings
  }

 private:
  const std::string& name(Symbol s) const { return p_.terms.name(s); }

  // One term may be in many rules, and each time it is written out anew.
  std::string text(const Term& t, const Rule& rule) const {
    std::string out = p_.text(t, rule);
    budget_.tick(1 + out.size() / 8);
    return out;
  }

  void check_places(const Rule& rule) {
    const Symbol head = p_.functor(rule.head);
    if (head == w_.true_ || head == w_.does)
      findings_.error(rule.place, "'" + name(head) + "' can only be a condition, not a head or a fact");
    if (head == w_.role && !rule.body.empty()) findings_.error(rule.place, "a role must be a fact, without conditions");
    for (const Literal& l : rule.body) {
      if (!l.asks()) continue;
      const Symbol s = p_.functor(l.a);
      if (s == w_.next && head == w_.sees)
        findings_.warning(l.place, "'next' as a condition is not in the standard; here it is what will hold");
      else if (s == w_.init || s == w_.next || s == w_.sees)
        findings_.error(l.place, "'" + name(s) + "' can only be a head or a fact, not a condition");
    }
  }

  void check_safety(const Rule& rule) {
    std::set<std::uint32_t> bound;
    for (const Literal& l : rule.body)
      if (l.kind == Literal::kHolds) collect_variables(l.a, bound);
    const auto check = [&](const Term& t, Place place, const std::string& where) {
      std::set<std::uint32_t> used;
      collect_variables(t, used);
      for (std::uint32_t v : used)
        if (!bound.contains(v))
          findings_.error(place, "unsafe: the variable " + text({Term::kVariable, v, {}}, rule) + " of " + where +
                                     " is in no positive condition of the rule");
    };
    check(rule.head, rule.place, rule.body.empty() ? "a fact" : "the head");
    for (const Literal& l : rule.body) {
      if (l.kind == Literal::kNot) check(l.a, l.place, "'not'");
      if (l.kind == Literal::kDistinct || l.kind == Literal::kEqual) {
        check(l.a, l.place, "'distinct'");
        check(l.b, l.place, "'distinct'");
      }
    }
  }

  struct Edge {
    Symbol to;
    bool negative;
    Place place;
  };

  void build_graph() {
    edges_.resize(p_.terms.symbols());
    targets_.resize(p_.terms.symbols());
    for (const Rule& rule : p_.rules)
      for (const Literal& l : rule.body)
        if (l.asks()) {
          budget_.tick();
          budget_.grow(2 * (sizeof(Edge) + sizeof(Symbol)));
          const Symbol from = p_.functor(rule.head), to = p_.functor(l.a);
          edges_[from].push_back({to, l.kind == Literal::kNot, l.place});
          targets_[from].push_back(to);
        }
    for (auto& t : targets_) {
      std::sort(t.begin(), t.end());
      t.erase(std::unique(t.begin(), t.end()), t.end());
    }
    parts_ = components(targets_.size(), [this](std::uint32_t v) -> const auto& {
      budget_.tick();
      return targets_[v];
    });
  }

  bool same_cycle(Symbol a, Symbol b) const { return parts_.of[a] == parts_.of[b]; }

  void find_roles() {
    for (const Rule& rule : p_.rules) {
      if (p_.functor(rule.head) != w_.role || rule.head.kind != Term::kGround) continue;
      const TermId role = p_.terms.args(rule.head.id)[0];
      if (std::find(p_.roles.begin(), p_.roles.end(), role) == p_.roles.end()) p_.roles.push_back(role);
      if (p_.roles.size() > kMostRoles) break;
    }
    if (p_.roles.size() > kMostRoles)
      findings_.error({}, "there are more than " + std::to_string(kMostRoles) + " roles");
  }

  void check_roles() {
    if (p_.roles.empty()) findings_.error({}, "there is no role");
    bool chance = false, players = false, sees = false;
    for (std::size_t i = 0; i < p_.roles.size(); ++i) (p_.random_role(i) ? chance : players) = true;
    if (chance && !players) findings_.error({}, "there is no role but random: nobody plays");
    for (const Rule& rule : p_.rules) sees |= p_.functor(rule.head) == w_.sees;
    if (chance && !sees)
      findings_.warning({}, "there is a role random, but no 'sees': everybody is taken to see everything");
  }

  // Who may stand where a role is expected.
  void check_role_name(const Rule& rule) {
    const Symbol s = p_.functor(rule.head);
    if (s != w_.legal && s != w_.goal && s != w_.sees && s != w_.input) return;
    const Term first = p_.argument(rule.head, 0);
    if (first.kind == Term::kGround && std::find(p_.roles.begin(), p_.roles.end(), first.id) == p_.roles.end())
      findings_.warning(rule.place, quoted(p_.terms.text(first.id)) + " in " + quoted(name(s)) + " is no role");
  }

  // Everybody must always have a move.
  void check_movers() {
    std::set<TermId> movers;
    bool anybody = false;
    for (const Rule& rule : p_.rules) {
      if (p_.functor(rule.head) != w_.legal) continue;
      const Term who = p_.argument(rule.head, 0);
      if (who.kind == Term::kGround)
        movers.insert(who.id);
      else
        anybody = true;
    }
    for (TermId role : p_.roles)
      if (!anybody && !movers.empty() && !movers.contains(role))
        findings_.warning(
            {}, quoted(p_.terms.text(role)) + " has no 'legal': it can never move, and the game ends at once");
  }

  // Whoever read rulesheets without regard to case could not see such a slip.
  std::string in_other_letters(Symbol missing, const std::map<std::string, Symbol>& heads) const {
    const auto it = heads.find(lower(name(missing)));
    return it == heads.end() ? "" : "; '" + name(it->second) + "' is another name";
  }

  void check_defined() {
    std::set<Symbol> heads{w_.true_, w_.does}, told;
    for (const Rule& rule : p_.rules) heads.insert(p_.functor(rule.head));
    std::map<std::string, Symbol> small_letters;
    for (Symbol s : heads) small_letters.emplace(lower(name(s)), s);
    for (const Rule& rule : p_.rules) {
      budget_.tick(1 + rule.body.size());
      check_role_name(rule);
      for (const Literal& l : rule.body)
        if (l.asks() && !heads.contains(p_.functor(l.a)) && told.insert(p_.functor(l.a)).second)
          findings_.warning(l.place, "'" + name(p_.functor(l.a)) + "' is nowhere defined: it is always false" +
                                         in_other_letters(p_.functor(l.a), small_letters));
    }
    check_movers();
    if (!heads.contains(w_.legal)) findings_.error({}, "there is no 'legal': nobody can ever move");
    if (!heads.contains(w_.terminal)) findings_.warning({}, "there is no 'terminal': the game never ends");
    if (!heads.contains(w_.goal)) findings_.warning({}, "there is no 'goal': everybody always gets 0");
  }

  // Fluents that nothing makes hold, and moves that are never legal: mostly slips of the pen.
  void check_made() {
    std::map<Symbol, std::vector<Term>> fluents, moves;  // [name] what heads make; of variables, under kNone
    const auto note = [this](std::map<Symbol, std::vector<Term>>& made, const Term& t) {
      budget_.tick(weight(t));
      made[t.kind == Term::kVariable ? kNone : p_.functor(t)].push_back(t);
    };
    for (const Rule& rule : p_.rules) {
      const Symbol s = p_.functor(rule.head);
      if (s == w_.init || s == w_.next) note(fluents, p_.argument(rule.head, 0));
      if (s == w_.legal) note(moves, p_.argument(rule.head, 1));
    }
    std::size_t work = 0;
    std::set<std::string> told;
    const auto say = [&](const Literal& l, const std::string& what, const char* why) {
      if (told.insert(what + why).second) findings_.warning(l.place, what + why);
    };
    const auto made = [&](const std::map<Symbol, std::vector<Term>>& by, const Term& t) {
      budget_.tick(weight(t));
      if (t.kind == Term::kVariable || by.contains(kNone)) return true;
      const auto it = by.find(p_.functor(t));
      if (it == by.end()) return false;
      return (work += it->second.size()) > 1'000'000 ||
             std::any_of(it->second.begin(), it->second.end(), [&](const Term& head) { return may_be(t, head); });
    };
    for (const Rule& rule : p_.rules)
      for (const Literal& l : rule.body) {
        if (!l.asks()) continue;
        const Symbol s = p_.functor(l.a);
        const Term what = s == w_.true_ || s == w_.does ? p_.argument(l.a, s == w_.does) : Term{};
        if (s == w_.true_ && !made(fluents, what))
          say(l, text(what, rule), " never holds: no 'init' or 'next' is about it");
        if (s == w_.does && !made(moves, what)) say(l, text(what, rule), " is never done: no 'legal' is about it");
      }
  }

  void check_goals() {
    for (const Rule& rule : p_.rules) {
      if (p_.functor(rule.head) != w_.goal) continue;
      const Term value = p_.argument(rule.head, 1);
      if (value.kind == Term::kVariable) continue;
      int number = -1;
      const std::string told = value.kind == Term::kGround ? text(value, rule) : "";
      const auto read = std::from_chars(told.data(), told.data() + told.size(), number);
      if (read.ec != std::errc() || read.ptr != told.data() + told.size() || number < 0 || number > 100)
        findings_.error(rule.place, "the value of a goal must be a whole number from 0 to 100" +
                                        (told.empty() ? "" : ", not " + quoted(told)));
    }
  }

  // `from` must not depend on any of `banned`; the finding tells by which way it does.
  void check_independent(Symbol from, const std::set<Symbol>& banned) {
    std::map<Symbol, Symbol> parent{{from, from}};
    std::vector<Symbol> queue{from};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const Edge& e : edges_[queue[i]]) {
        budget_.tick();
        if (!parent.emplace(e.to, queue[i]).second) continue;
        queue.push_back(e.to);
        if (!banned.contains(e.to)) continue;
        std::string way = name(e.to);
        for (Symbol s = e.to; s != from; s = parent[s]) way = name(parent[s]) + " -> " + way;
        findings_.error(e.place, "'" + name(from) + "' must not depend on '" + name(e.to) + "', but it does: " + way);
        return;
      }
    }
  }

  void check_dependencies() {
    for (Symbol s : {w_.legal, w_.goal, w_.terminal}) check_independent(s, {w_.does});
    check_independent(w_.init, {w_.true_, w_.does, w_.next, w_.legal, w_.goal, w_.terminal});
    for (Symbol s : {w_.base, w_.input}) check_independent(s, {w_.true_, w_.does});
    p_.dynamic.assign(edges_.size(), false);
    p_.dynamic[w_.true_] = p_.dynamic[w_.does] = true;
    for (std::size_t c = 0; c + 1 < parts_.begin.size(); ++c) {  // what it depends on comes first
      bool dynamic = false;
      for (std::uint32_t i = parts_.begin[c]; i < parts_.begin[c + 1]; ++i) {
        dynamic |= p_.dynamic[parts_.members[i]];
        for (Symbol t : targets_[parts_.members[i]]) dynamic |= p_.dynamic[t];
      }
      for (std::uint32_t i = parts_.begin[c]; i < parts_.begin[c + 1]; ++i) p_.dynamic[parts_.members[i]] = dynamic;
    }
  }

  // The language looks at the names of relations only. Rulesheets with (not (goal ?r 100)) in a rule of (goal ?r 0) are
  // in use, and mean something; what changes can be played if it is stratified by its rules.
  void check_negation() {
    std::set<std::uint32_t> cycles;
    for (Symbol s = 0; s < edges_.size(); ++s)
      for (const Edge& e : edges_[s])
        if (e.negative && same_cycle(s, e.to)) cycles.insert(parts_.of[s]);
    for (std::uint32_t cycle : cycles) check_cycle(cycle);
  }

  void check_cycle(std::uint32_t cycle) {
    constexpr std::size_t kMost = 1'000'000;  // conditions times rules that are compared
    std::vector<const Rule*> rules;
    std::size_t conditions = 0;
    for (const Rule& rule : p_.rules)
      if (parts_.of[p_.functor(rule.head)] == cycle) {
        rules.push_back(&rule);
        conditions += rule.body.size();
      }
    const bool compared = conditions * rules.size() <= kMost;
    std::vector<std::vector<std::uint32_t>> above(rules.size());  // [rule] those that it looks at
    for (std::size_t i = 0; i < rules.size() && compared; ++i)
      for (std::uint32_t j = 0; j < rules.size(); ++j)
        if (std::any_of(rules[i]->body.begin(), rules[i]->body.end(),
                        [&](const Literal& l) { return l.asks() && may_be(l.a, rules[j]->head); }))
          above[i].push_back(j);
    const Components parts = components(rules.size(), [&](std::uint32_t v) -> const auto& { return above[v]; });
    for (std::size_t i = 0; i < rules.size(); ++i)
      for (const Literal& l : rules[i]->body) {
        if (l.kind != Literal::kNot || parts_.of[p_.functor(l.a)] != cycle) continue;
        const std::string what = "'" + name(p_.functor(rules[i]->head)) + "' depends on the negation of '" +
                                 name(p_.functor(l.a)) + "', which depends on it";
        budget_.tick(what.size() / 8);
        bool leads_back = !compared || !p_.is_dynamic(p_.functor(l.a));
        for (std::size_t k = 0; k < above[i].size() && !leads_back; ++k)
          leads_back = parts.of[above[i][k]] == parts.of[i] && may_be(l.a, rules[above[i][k]]->head);
        if (leads_back)
          findings_.error(l.place, "not stratified: " + what);
        else
          findings_.warning(l.place, "not stratified by the names of relations: " + what +
                                         "; by their arguments it does not, so that it can be played");
      }
  }

  // Whether two terms of different rules can be the same, as far as their constants tell.
  bool may_be(const Term& a, const Term& b) const {
    budget_.tick();
    if (a.kind == Term::kVariable || b.kind == Term::kVariable) return true;
    if (a.kind == Term::kGround && b.kind == Term::kGround) return a.id == b.id;
    if (a.kind == Term::kGround) return may_be(b, a);
    if (p_.functor(a) != p_.functor(b)) return false;
    if (a.args.size() != p_.arity(b)) return false;
    for (std::size_t i = 0; i < a.args.size(); ++i)
      if (!may_be(a.args[i], p_.argument(b, i))) return false;
    return true;
  }

  // What the language allows as arguments of conditions that lead back to the head, besides ground terms: arguments of
  // the head, and of conditions that do not lead back. Those of fluents and moves are taken for such, too.
  std::set<std::string> restricted(const Rule& rule, Symbol head) const {
    std::set<std::string> out;
    for (const Term& a : rule.head.args) out.insert(text(a, rule));
    for (const Literal& l : rule.body) {
      const Symbol s = p_.functor(l.a);
      if (l.kind != Literal::kHolds || same_cycle(s, head)) continue;
      for (const Term& a : l.a.args) {
        out.insert(text(a, rule));
        if (s != w_.true_ && s != w_.does) continue;
        for (const Term& part : a.args) out.insert(text(part, rule));
      }
    }
    return out;
  }

  // Without functions in the heads of the cycle nothing can grow, whatever the rules look like.
  void check_recursion() {
    std::set<std::uint32_t> growing;
    for (const Rule& rule : p_.rules)
      for (const Term& a : rule.head.args)
        if (a.kind == Term::kApply) growing.insert(parts_.of[p_.functor(rule.head)]);
    for (const Rule& rule : p_.rules) {
      const Symbol head = p_.functor(rule.head);
      const auto recurs = [&](const Literal& l) {
        return l.kind == Literal::kHolds && same_cycle(p_.functor(l.a), head);
      };
      if (std::none_of(rule.body.begin(), rule.body.end(), recurs)) continue;
      const std::set<std::string> known = restricted(rule, head);
      for (const Literal& l : rule.body)
        if (recurs(l)) check_arguments(rule, l, known, growing.contains(parts_.of[head]));
    }
  }

  // Of a condition that leads back to the head. Those who conclude from facts see nothing grow where no head has a
  // function; but those who ask from the goal down may ask for ever larger functions.
  void check_arguments(const Rule& rule, const Literal& l, const std::set<std::string>& known, bool grows) {
    const Term* loose = nullptr;
    for (const Term& arg : l.a.args)
      if (arg.kind != Term::kGround && !known.contains(text(arg, rule)) && (!loose || arg.kind == Term::kApply))
        loose = &arg;
    if (!loose) return;
    const std::string what = "the recursion of '" + name(p_.functor(rule.head)) +
                             "' is not restricted: " + text(*loose, rule) +
                             " is no argument of the head or of a condition outside the recursion";
    if (grows || loose->kind == Term::kApply)
      findings_.error(l.place, "unbounded recursion: " + what);
    else
      findings_.warning(l.place, what + "; it is bounded all the same, because no function is in its heads");
  }

  void fill_strata() {
    p_.stratum.assign(edges_.size(), 0);
    for (std::size_t c = 0; c + 1 < parts_.begin.size(); ++c) {
      int most = 0;
      for (std::uint32_t i = parts_.begin[c]; i < parts_.begin[c + 1]; ++i)
        for (const Edge& e : edges_[parts_.members[i]])
          if (parts_.of[e.to] != c) most = std::max(most, p_.stratum[e.to] + e.negative);
      for (std::uint32_t i = parts_.begin[c]; i < parts_.begin[c + 1]; ++i) p_.stratum[parts_.members[i]] = most;
    }
  }

  Program& p_;
  const Vocabulary& w_;
  const bool whole_;
  Findings& findings_;
  Budget& budget_;
  std::vector<std::vector<Edge>> edges_;  // [symbol] what its rules look at
  std::vector<std::vector<Symbol>> targets_;
  Components parts_;
};

}  // namespace

void check_program(Program& program, bool whole, Findings& findings, Budget& budget) {
  Checker(program, whole, findings, budget).run();
}

}  // namespace kibitz::gdl
