#include "games/gdl/logic/ground.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "games/gdl/logic/rewrite.h"

namespace kibitz::gdl {

namespace {

// Splitting rules does not help.
struct TooManyMoves : OverBudget {
  using OverBudget::OverBudget;
};

// What can ever hold is found as if nothing ever ceased to hold: a fluent that holds once can hold, and so can every
// move that is legal if negations of what changes are left aside. Each instance of a rule is met exactly once, when
// the last of its conditions comes to hold.
class Grounder {
 public:
  Grounder(Program& program, Budget& budget, bool split)
      : p_(program),
        t_(program.terms),
        w_(program.words),
        budget_(budget),
        rules_(rules_to_ground(program, split, budget)),
        db_(t_),
        source_(db_, t_) {
    for (const Rule& rule : rules_) weights_.push_back(rule.weight());
  }

  Grounding run() {
    std::map<int, std::vector<std::size_t>> strata;
    std::vector<std::size_t> dynamic;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      const Symbol head = p_.functor(rules_[i].head);
      (p_.is_dynamic(head) ? dynamic : strata[p_.stratum[head]]).push_back(i);
    }
    for (const auto& [stratum, rules] : strata) close(rules, false);
    settle_static();
    close(dynamic, true);
    collect();
    out_.taken = budget_.taken();
    return std::move(out_);
  }

 private:
  struct Trigger {
    std::size_t rule;
    int literal;
    std::size_t weight;          // of the literal
    std::unique_ptr<Plan> plan;  // made when first needed
  };

  // Where the atoms of one relation are of many kinds, the kind tells which triggers to try.
  std::uint64_t kind(Symbol relation, Symbol functor) const { return std::uint64_t{relation} << 32 | functor; }
  int telling(Symbol relation) const { return relation == w_.true_ ? 0 : relation == w_.does ? 1 : -1; }

  // A condition that stays with the instance, instead of being settled now.
  bool stays(const Literal& l) const { return l.asks() && p_.is_dynamic(p_.functor(l.a)); }

  // The order of a rule's conditions. How much there will be of what changes is not known yet.
  Plan plan(const Rule& rule, int first) {
    return Plan::make(
        db_, p_, rule, first, std::vector<bool>(rule.variables.size()),
        [this](const Literal& l) { return l.kind == Literal::kNot && stays(l); },
        [this](const Literal& l, const std::vector<bool>& bound) {
          const Symbol s = p_.functor(l.a);
          return expected(p_.is_dynamic(s) ? 1000 : db_.facts(s).size(), l.a, bound);
        },
        budget_);
  }

  void close(const std::vector<std::size_t>& rules, bool dynamic) {
    triggers_.clear();
    for (std::size_t r : rules)
      for (int i = 0; i < static_cast<int>(rules_[r].body.size()); ++i) add_trigger(r, i, dynamic);
    for (std::size_t r : rules) {
      const Rule& rule = rules_[r];
      Bindings values(rule.variables.size(), kNone);
      budget_.tick(weights_[r]);
      plan(rule, -1).run(source_, t_, values, kNone, budget_, [&] { emit(r, values, dynamic); });
    }
    while (next_ < queue_.size()) {
      const TermId atom = queue_[next_++];
      db_.add(atom, budget_);
      follow(atom);
      fire(atom, dynamic);
    }
  }

  void add_trigger(std::size_t r, int i, bool dynamic) {
    const Literal& l = rules_[r].body[i];
    if (l.kind != Literal::kHolds || p_.is_dynamic(p_.functor(l.a)) != dynamic) return;
    const Symbol s = p_.functor(l.a);
    Symbol functor = kNone;
    if (const int at = telling(s); at >= 0) {
      const auto& args = l.a.args;
      if (l.a.kind == Term::kGround)
        functor = t_.functor(t_.args(l.a.id)[at]);
      else if (args[at].kind != Term::kVariable)
        functor = p_.functor(args[at]);
    }
    budget_.tick();
    budget_.grow(3 * sizeof(Trigger));
    triggers_[kind(s, functor)].push_back({r, i, weight(l.a), nullptr});
  }

  void fire(TermId atom, bool dynamic) {
    const Symbol s = t_.functor(atom);
    if (const int at = telling(s); at >= 0) fire(kind(s, t_.functor(t_.args(atom)[at])), atom, dynamic);
    fire(kind(s, kNone), atom, dynamic);
  }

  void fire(std::uint64_t kind, TermId atom, bool dynamic) {
    const auto it = triggers_.find(kind);
    if (it == triggers_.end()) return;
    for (Trigger& trigger : it->second) {
      const Rule& rule = rules_[trigger.rule];
      budget_.tick(trigger.weight);
      values_.assign(rule.variables.size(), kNone);
      if (!match(t_, rule.body[trigger.literal].a, atom, values_)) continue;
      if (!trigger.plan) trigger.plan = std::make_unique<Plan>(plan(rule, trigger.literal));
      trigger.plan->run(source_, t_, values_, atom, budget_, [&] { emit(trigger.rule, values_, dynamic); });
    }
  }

  void emit(std::size_t number, const Bindings& values, bool dynamic) {
    const Rule& rule = rules_[number];
    budget_.tick(weights_[number]);
    const TermId head = build(t_, rule.head, values, true);
    push(head);
    if (!dynamic) return;
    out_.heads.push_back(head);
    for (const Literal& l : rule.body)
      if (stays(l)) out_.literals.push_back(2 * build(t_, l.a, values, true) + (l.kind == Literal::kNot));
    const std::size_t conditions = out_.literals.size() - out_.begin.back();
    budget_.take(conditions + 2);
    budget_.grow(6 * conditions + 20);
    out_.begin.push_back(out_.literals.size());
  }

  void push(TermId atom) {
    if (atom >= known_.size()) known_.resize(std::max<std::size_t>(2 * known_.size(), atom + 1));
    if (known_[atom]) return;
    known_[atom] = 1;
    queue_.push_back(atom);
    budget_.take(4);  // with its indices it needs as much memory
    budget_.grow(12);
    if (is_move(atom)) count_move(t_.args(atom)[1]);
  }

  bool is_move(TermId atom) const {
    return t_.functor(atom) == w_.legal &&
           std::find(p_.roles.begin(), p_.roles.end(), t_.args(atom)[0]) != p_.roles.end();
  }

  // Not only when all have been found: there may be millions.
  void count_move(TermId move) {
    moves_.insert(move);
    if (moves_.size() > kMostMoves) throw TooManyMoves("there are more than " + std::to_string(kMostMoves) + " moves");
  }

  // From one position to the next, and from what may be done to what is done.
  void follow(TermId atom) {
    const Symbol s = t_.functor(atom);
    if (s == w_.next || s == w_.init) push(t_.make(w_.true_, t_.args(atom)));
    if (is_move(atom)) push(t_.make(w_.does, t_.args(atom)));
  }

  // Facts about the position that hold whatever it is.
  void settle_static() {
    for (Symbol s : {w_.legal, w_.next, w_.goal, w_.terminal, w_.sees})
      for (TermId atom : db_.facts(s)) {
        out_.heads.push_back(atom);
        out_.begin.push_back(out_.literals.size());
      }
    for (TermId atom : db_.facts(w_.init)) out_.init.push_back(t_.args(atom)[0]);
  }

  void collect() {
    for (TermId atom : db_.facts(w_.true_)) out_.fluents.push_back(t_.args(atom)[0]);
    out_.moves.resize(p_.roles.size());
    for (TermId atom : db_.facts(w_.does)) {
      const auto role = std::find(p_.roles.begin(), p_.roles.end(), t_.args(atom)[0]) - p_.roles.begin();
      out_.moves[role].push_back(t_.args(atom)[1]);
    }
  }

  Program& p_;
  Terms& t_;
  const Vocabulary& w_;
  Budget& budget_;
  const std::vector<Rule> rules_;
  std::vector<std::size_t> weights_;  // [rule]
  Database db_;
  DatabaseSource source_;
  Grounding out_;
  std::unordered_map<std::uint64_t, std::vector<Trigger>> triggers_;
  std::vector<std::uint8_t> known_;  // [term] queued or held
  std::vector<TermId> queue_;
  std::unordered_set<TermId> moves_;  // of all roles
  std::size_t next_ = 0;
  Bindings values_;
};

}  // namespace

std::size_t Grounding::bytes() const {
  return (heads.capacity() + literals.capacity() + fluents.capacity()) * 4 + begin.capacity() * 8;
}

// Rules that are split have more gates on the way from a move to what follows, so that this is done only where it saves
// much. Sometimes it does the opposite: a group of conditions may have more solutions alone than beside the rest of its
// rule.
Grounding ground(Program& program, const GroundLimits& limits, Budget& budget) {
  const auto attempt = [&](std::size_t conditions, bool split, double share) {
    const Terms::Mark before = program.terms.mark();
    Budget part(budget, share, conditions);
    try {
      return Grounder(program, part, split).run();
    } catch (const OverBudget&) {
      program.terms.forget(before);
      throw;
    }
  };
  std::optional<Grounding> written;
  if (limits.unsplit > 0) try {
      written = attempt(std::min(limits.conditions, limits.unsplit), false, 0.5);
    } catch (const TooManyMoves&) {
      throw;
    } catch (const OverBudget&) {
    }
  if (written && written->taken <= limits.small) return std::move(*written);
  Budget kept(budget, 1);
  if (written) kept.grow(written->bytes());
  try {
    if (written) return attempt(written->taken / 2, true, std::min(1.0, budget.used() / std::max(budget.left(), 1e-9)));
    return attempt(limits.conditions, true, limits.unsplit > 0 ? 0.7 : 1);
  } catch (const TooManyMoves&) {
    throw;
  } catch (const OverBudget&) {
    if (written) return std::move(*written);
    if (limits.unsplit == 0 || limits.unsplit >= limits.conditions) throw;
  }
  return attempt(limits.conditions, false, 1);
}

}  // namespace kibitz::gdl
