// It asks from the goal down and keeps the answers to every question in a table, so that no question is answered twice,
// and recursion of any form ends.
#include "games/gdl/engine/prover.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/rng.h"
#include "games/gdl/logic/database.h"

namespace kibitz::gdl {

namespace {

// A question is an atom with variables, numbered from 0 in their order, and all ground atoms that answer it.
struct Question {
  std::vector<std::uint32_t> code;
  Term pattern;
  std::uint32_t variables = 0;
  std::vector<TermId> answers;
  std::unordered_set<TermId> known;  // the same, unless there can be one only
  enum : std::uint8_t { kNew, kOpen, kDone } state = kNew;
  int depth = 0;   // while it is being answered: how many others are, too, before it
  int lowest = 0;  // the least depth of a question that it waits for
  std::uint64_t round = 0;
};

class Prover;

// What Plan asks while it looks for the ways to satisfy a rule.
class ProverSource {
 public:
  explicit ProverSource(Prover& prover) : prover_(prover) {}
  TermId atom(const Plan::Step& s, const Bindings& values);
  bool holds(const Plan::Step& s, TermId atom);
  const std::vector<TermId>* candidates(const Plan::Step& s, const Bindings& values);

 private:
  Prover& prover_;
};

class Prover {
 public:
  // `within`: what all questions together may cost; null: each may take what the limits say.
  Prover(Program& program, const ProverLimits& limits, Budget* within)
      : p_(program), t_(program.terms), db_(t_), source_(*this), limits_(limits), within_(within) {
    begin();
    rules_.resize(t_.symbols());
    level_.assign(t_.symbols(), kStatic);
    for (const Rule& rule : p_.rules) {
      budget().tick();
      const Symbol s = p_.functor(rule.head);
      if (rule.body.empty() && rule.head.kind == Term::kGround)
        add_fact(rule.head.id);
      else
        rules_[s].push_back(&rule);
    }
    level_[p_.words.true_] = kPosition;
    level_[p_.words.does] = kDoes;
    find_levels();
  }

  // All facts of a relation that changes, atom(i) for each i below `count`; and with them goes everything that was
  // concluded from them.
  template <class Atom>
  void set(Symbol relation, std::size_t count, Atom&& atom) {
    begin();
    db_.clear(relation);
    for (std::size_t i = 0; i < count; ++i) add_fact(atom(i));
    for (int level = level_[relation]; level <= kDoes; ++level) tables_[level].clear();
    if (tables_[kStatic].size() > kMost) tables_[kStatic].clear();
  }

  const std::vector<TermId>& ask(const Term& pattern, const Bindings& values) {
    if (depth_ > 0) return solve(pattern, values).answers;
    try {
      ++round_;
      begin();
      return solve(pattern, values).answers;
    } catch (...) {  // nothing half answered stays behind
      for (auto& table : tables_) table.clear();
      waiting_.clear();
      depth_ = 0;
      lowest_ = 1 << 30;
      throw;
    }
  }
  bool ask(TermId atom) { return db_.has(atom) || !ask(Term{Term::kGround, atom, {}}, {}).empty(); }

 private:
  friend class ProverSource;
  enum Level : std::uint8_t { kStatic, kPosition, kDoes };
  using Table = std::unordered_map<std::uint64_t, std::vector<std::unique_ptr<Question>>>;
  static constexpr std::size_t kMost = 300'000;  // questions whose answers never change that are kept
  static constexpr int kDeepest = 3000;
  static constexpr std::size_t kQuestion = sizeof(Question) + 120, kAnswer = 48;  // bytes

  // The time of the last question may be long over.
  void begin() {
    if (!within_) own_.emplace(limits_.seconds, Budget::kNoLimit, limits_.answers);
  }
  Budget& budget() { return within_ ? *within_ : *own_; }

  // What is concluded from something depends on all that it depends on.
  void find_levels() {
    std::vector<std::vector<Symbol>> above(t_.symbols());  // heads of the rules with a condition on it
    for (const Rule& rule : p_.rules)
      for (const Literal& l : rule.body)
        if (budget().tick(); l.asks()) above[p_.functor(l.a)].push_back(p_.functor(rule.head));
    std::vector<Symbol> raised{p_.words.true_, p_.words.does};
    while (!raised.empty()) {
      const Symbol s = raised.back();
      raised.pop_back();
      for (Symbol head : above[s])
        if (level_[head] < level_[s]) {
          level_[head] = level_[s];
          raised.push_back(head);
        }
    }
  }

  // Those who write rules know why they wrote them so: conditions are asked for as they stand. But facts of which only
  // one can fit come first, since they cost nothing and tell more variables; and tables with several columns of which
  // nothing is known yet last: what follows may tell a column, and then few rows are left. Lists of values, with a
  // single column, stay where they are: they are there to bound what follows.
  double cost(const Literal& l, const std::vector<bool>& bound) {
    const Symbol s = p_.functor(l.a);
    if (concluded(s) || level_[s] != kStatic) return 1;
    const double all = db_.facts(s).size();
    const double fitting = expected_facts(db_, s, l.a, bound, budget());
    return fitting < 1.5 ? 0 : fitting == all && all > 10 && l.a.args.size() > 1 ? 2 : 1;
  }
  bool concluded(Symbol s) const { return s < rules_.size() && !rules_[s].empty(); }
  void add_fact(TermId atom) {
    if (!db_.has(atom)) db_.add(atom, budget());
  }

  // The pattern with the values filled in, as numbers: even for ground terms, odd for variables and functions.
  void encode(const Term& t, const Bindings& values) {
    const TermId whole = build(t_, t, values, true);
    if (whole != kNone) {
      code_.push_back(2 * whole);
    } else if (t.kind == Term::kVariable) {
      code_.push_back(4 * name(t.id) + 1);
    } else {
      code_.push_back(4 * t.id + 3);
      for (const Term& arg : t.args) encode(arg, values);
    }
  }

  std::uint32_t name(std::uint32_t variable) {
    const auto at = std::find(names_.begin(), names_.end(), variable);
    const std::uint32_t number = at - names_.begin();
    if (at == names_.end()) names_.push_back(variable);
    return number;
  }

  Term filled(const Term& t, const Bindings& values) {
    const TermId whole = build(t_, t, values, true);
    if (whole != kNone) return {Term::kGround, whole, {}};
    if (t.kind == Term::kVariable) return {Term::kVariable, name(t.id), {}};
    Term out{Term::kApply, t.id, {}};
    for (const Term& arg : t.args) out.args.push_back(filled(arg, values));
    return out;
  }

  // Most questions have been asked before; so they are looked up by their code, before anything is made.
  Question& find(const Term& pattern, const Bindings& values) {
    code_.clear();
    names_.clear();
    encode(pattern, values);
    budget().tick(code_.size());
    std::uint64_t hash = 0;
    for (std::uint32_t c : code_) hash = mix(hash, c);
    auto& bucket = tables_[level_[p_.functor(pattern)]][hash];
    for (auto& known : bucket)
      if (known->code == code_) return *known;
    budget().take(1);
    budget().grow(kQuestion + code_.size() * (4 + sizeof(Term)));
    auto q = std::make_unique<Question>();
    q->code = code_;
    q->pattern = filled(pattern, values);
    q->variables = names_.size();
    bucket.push_back(std::move(q));
    return *bucket.back();
  }

  // Questions that wait for each other are asked again until nobody learns anything; whoever was asked first of them
  // finds that out, and then all of them are done.
  Question& solve(const Term& pattern, const Bindings& values) {
    Question& q = find(pattern, values);
    if (q.state == Question::kDone) return q;
    if (q.state == Question::kOpen) {  // it waits for itself, or was asked in this round already
      if (q.depth > 0) lowest_ = std::min(lowest_, q.depth);
      if (q.depth > 0 || q.round == round_) {
        lowest_ = std::min(lowest_, q.lowest);
        return q;
      }
    }
    if (depth_ >= kDeepest) throw OverBudget("the rules recur more than " + std::to_string(kDeepest) + " deep");
    const int outer = lowest_;
    const std::size_t waiting = waiting_.size();
    q.state = Question::kOpen;
    q.depth = ++depth_;
    for (bool first = true, again = true; again; first = false) {
      const std::uint64_t before = learnt_;
      q.round = first ? round_ : ++round_;
      q.lowest = lowest_ = q.depth + 1;
      answer(q);
      q.lowest = lowest_;
      again = lowest_ == q.depth && learnt_ != before;
    }
    q.depth = 0;
    --depth_;
    if (lowest_ > depth_) {  // nobody before it is needed
      q.state = Question::kDone;
      for (std::size_t i = waiting; i < waiting_.size(); ++i) waiting_[i]->state = Question::kDone;
      waiting_.resize(waiting);
      lowest_ = outer;
    } else {
      waiting_.push_back(&q);
      budget().tick(waiting_.size() - waiting);
      for (std::size_t i = waiting; i < waiting_.size(); ++i)  // whom they waited for now waits, too
        waiting_[i]->lowest = std::min(waiting_[i]->lowest, lowest_);
      lowest_ = std::min(lowest_, outer);
    }
    return q;
  }

  void learn(Question& q, TermId atom) {
    if (q.variables == 0 ? !q.answers.empty() : !q.known.insert(atom).second) return;
    budget().take(1);
    budget().grow(kAnswer);
    q.answers.push_back(atom);
    ++learnt_;
  }

  void answer(Question& q) {
    const Symbol s = p_.functor(q.pattern);
    Bindings own(q.variables, kNone);
    for (TermId fact : db_.facts(s)) {
      budget().tick(1 + own.size());
      std::fill(own.begin(), own.end(), kNone);
      if (match(t_, q.pattern, fact, own)) learn(q, fact);
    }
    if (!concluded(s)) return;
    for (const Rule* rule : rules_[s]) {
      budget().tick(1 + rule->variables.size());
      Bindings values(rule->variables.size(), kNone);
      if (!unify(rule->head, q.pattern, values)) continue;
      const std::size_t work = weight(rule->head);
      plan(*rule, values).run(source_, t_, values, kNone, budget(), [&] {
        budget().tick(work);
        const TermId head = build(t_, rule->head, values, true);
        std::fill(own.begin(), own.end(), kNone);
        if (match(t_, q.pattern, head, own)) learn(q, head);
      });
    }
  }

  // Gives values to variables of the head where the question has ground terms. What it lets through too much, the
  // answers are checked for.
  bool unify(const Term& head, const Term& asked, Bindings& values) {
    if (asked.kind == Term::kVariable) return true;
    if (asked.kind == Term::kGround) return match(t_, head, asked.id, values);
    if (head.kind == Term::kVariable) return true;
    if (head.kind == Term::kGround) {
      Bindings own(variables_up_to(asked), kNone);
      return match(t_, asked, head.id, own);
    }
    if (head.id != asked.id || head.args.size() != asked.args.size()) return false;
    for (std::size_t i = 0; i < head.args.size(); ++i)
      if (!unify(head.args[i], asked.args[i], values)) return false;
    return true;
  }

  const Plan& plan(const Rule& rule, const Bindings& values) {
    std::vector<bool> bound(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) bound[i] = values[i] != kNone;
    auto& known = plans_[&rule];
    budget().tick(known.size());
    for (const auto& [mode, made] : known)
      if (mode == bound) return *made;
    known.emplace_back(bound,
                       std::make_unique<Plan>(Plan::make(
                           db_, p_, rule, -1, bound, [](auto&) { return false; },
                           [this](const Literal& l, const std::vector<bool>& b) { return cost(l, b); }, budget())));
    return *known.back().second;
  }

  Program& p_;
  Terms& t_;
  Database db_;
  ProverSource source_;
  const ProverLimits limits_;
  Budget* const within_;
  std::optional<Budget> own_;                    // of the question that is being answered
  std::vector<std::vector<const Rule*>> rules_;  // [symbol]
  std::vector<Level> level_;                     // [symbol] on what it depends
  std::array<Table, 3> tables_;                  // [level]
  std::unordered_map<const Rule*, std::vector<std::pair<std::vector<bool>, std::unique_ptr<Plan>>>> plans_;
  std::vector<Question*> waiting_;
  std::vector<std::uint32_t> code_, names_;  // of the question that is looked up
  int depth_ = 0, lowest_ = 1 << 30;
  std::uint64_t learnt_ = 0, round_ = 0;
};

TermId ProverSource::atom(const Plan::Step& s, const Bindings& values) {
  return build(prover_.t_, s.literal->a, values, true);
}

bool ProverSource::holds(const Plan::Step& s, TermId atom) {
  return prover_.concluded(s.relation) ? prover_.ask(atom) : prover_.db_.has(atom);
}

const std::vector<TermId>* ProverSource::candidates(const Plan::Step& s, const Bindings& values) {
  if (prover_.concluded(s.relation)) return &prover_.ask(s.literal->a, values);
  return DatabaseSource(prover_.db_, prover_.t_).candidates(s, values);
}

class ProverReasoner final : public Reasoner {
 public:
  ProverReasoner(std::shared_ptr<Program> program, std::shared_ptr<const Moves> moves, const ProverLimits& limits,
                 Budget* within)
      : p_(std::move(program)), moves_(std::move(moves)), prover_(*p_, limits, within), legal_(p_->roles.size()) {}

  void look(const Words& position) override {
    if (seen_ && position == position_) return;
    seen_ = false;  // until all of it is known
    prover_.set(p_->words.true_, position.size(),
                [&](std::size_t i) { return make(p_->words.true_, {static_cast<TermId>(position.data()[i])}); });
    for (auto& l : legal_) l.known = false;
    position_ = position;
    seen_ = true;
  }
  void read(Words& position) override { position = position_; }
  bool terminal() override { return prover_.ask(make(p_->words.terminal, {})); }
  int legal_count(int role) override { return list(role).size(); }
  Action nth_legal(int role, int n) override { return list(role)[n]; }
  bool legal(int role, Action a) override { return std::binary_search(list(role).begin(), list(role).end(), a); }

  void goals(std::span<int> out) override {
    for (std::size_t r = 0; r < out.size(); ++r) {
      out[r] = 0;
      for (TermId value : second(p_->words.goal, r)) out[r] = std::max(out[r], goal_value(p_->terms, value));
    }
  }
  void sees(std::span<const Action> moves, int role, std::vector<TermId>& out) override {
    act(moves);
    out = second(p_->words.sees, role);
    std::sort(out.begin(), out.end());
  }
  void advance(std::span<const Action> moves) override {
    act(moves);
    const Term next{Term::kApply, p_->words.next, {{Term::kVariable, 0, {}}}};
    std::vector<TermId> after;
    for (TermId atom : prover_.ask(next, {kNone})) after.push_back(p_->terms.args(atom)[0]);
    std::sort(after.begin(), after.end());
    Words position(after.size());
    std::copy(after.begin(), after.end(), position.data());
    look(position);
  }

 private:
  struct Legal {
    bool known = false;
    std::vector<Action> moves;
  };

  TermId make(Symbol s, std::initializer_list<TermId> args) { return p_->terms.make(s, {args.begin(), args.size()}); }

  // Everything that stands second in the relation, beside the role.
  std::vector<TermId> second(Symbol relation, std::size_t role) {
    const Term pattern{Term::kApply, relation, {{Term::kGround, p_->roles[role], {}}, {Term::kVariable, 0, {}}}};
    std::vector<TermId> out;
    for (TermId atom : prover_.ask(pattern, {kNone})) out.push_back(p_->terms.args(atom)[1]);
    return out;
  }

  const std::vector<Action>& list(int role) {
    Legal& l = legal_[role];
    if (!l.known) {
      l.moves.clear();
      for (TermId move : second(p_->words.legal, role)) l.moves.push_back(moves_->number(move));
      std::sort(l.moves.begin(), l.moves.end());
      l.known = true;
    }
    return l.moves;
  }

  void act(std::span<const Action> moves) {
    prover_.set(p_->words.does, moves.size(),
                [&](std::size_t r) { return make(p_->words.does, {p_->roles[r], moves_->term(moves[r])}); });
  }

  std::shared_ptr<Program> p_;
  std::shared_ptr<const Moves> moves_;
  Prover prover_;
  bool seen_ = false;
  Words position_;
  std::vector<Legal> legal_;
};

class ProverEngine final : public Engine {
 public:
  ProverEngine(std::shared_ptr<Program> program, std::shared_ptr<const Moves> moves, const std::vector<TermId>& fluents,
               Budget& budget, const ProverLimits& limits)
      : p_(std::move(program)), moves_(std::move(moves)), limits_(limits) {
    budget.tick(fluents.size());
    budget.grow(fluents.size() * 32);
    all_.insert(fluents.begin(), fluents.end());
    Prover prover(*p_, limits_, &budget);
    const Term init{Term::kApply, p_->words.init, {{Term::kVariable, 0, {}}}};
    std::vector<TermId> first;
    for (TermId atom : prover.ask(init, {kNone})) first.push_back(p_->terms.args(atom)[0]);
    write(first, start_);
  }

  std::unique_ptr<Reasoner> reasoner(Budget* within) const override {
    return std::make_unique<ProverReasoner>(p_, moves_, limits_, within);
  }
  Words start() const override { return start_; }
  std::vector<TermId> fluents(const Words& position) const override {
    return {position.data(), position.data() + position.size()};
  }
  bool write(const std::vector<TermId>& fluents, Words& out) const override {
    // Moves of positions that cannot be reached have no numbers, if numbers were given to all others beforehand.
    if (!moves_->open() && !std::all_of(fluents.begin(), fluents.end(), [this](TermId f) { return all_.contains(f); }))
      return false;
    std::vector<TermId> sorted = fluents;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    out = Words(sorted.size());
    std::copy(sorted.begin(), sorted.end(), out.data());
    return true;
  }

 private:
  std::shared_ptr<Program> p_;
  std::shared_ptr<const Moves> moves_;
  std::unordered_set<TermId> all_;  // fluents; empty where they are not known
  const ProverLimits limits_;
  Words start_;
};

}  // namespace

std::unique_ptr<Engine> prover_engine(std::shared_ptr<Program> program, std::shared_ptr<const Moves> moves,
                                      const std::vector<TermId>& fluents, Budget& budget, const ProverLimits& limits) {
  return std::make_unique<ProverEngine>(std::move(program), std::move(moves), fluents, budget, limits);
}

}  // namespace kibitz::gdl
