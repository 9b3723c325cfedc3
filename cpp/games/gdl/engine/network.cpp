// Positions for the gates.
#include "games/gdl/engine/network.h"

#include <algorithm>
#include <unordered_set>

#include "games/gdl/engine/gates.h"

namespace kibitz::gdl {

namespace {

class Layout {
 public:
  Layout(Program& program, const Grounding& grounding, Network& out, Budget& budget)
      : p_(program), n_(out), budget_(budget), atoms_(program, grounding, budget), gates_(atoms_, budget) {
    place_.assign(gates_.list.size(), kNone);
    n_.fluents = grounding.fluents;
    sort_terms(p_.terms, n_.fluents, budget_);
    n_.roles.resize(p_.roles.size());
    for (std::size_t r = 0; r < n_.roles.size(); ++r) {
      n_.roles[r].moves = grounding.moves[r];
      sort_terms(p_.terms, n_.roles[r].moves, budget_);
    }
    collect(grounding);
    count_uses();
    find_phases();
    place_all(grounding);
    connect();
  }

 private:
  enum Phase : std::uint8_t { kUnused, kLegal, kNext, kSees, kGoal };

  std::uint32_t atom(Symbol relation, std::initializer_list<TermId> args) const { return atoms_.find(relation, args); }

  // Calls f(atom) for all that is asked of the network in a phase.
  template <class F>
  void each_output(Phase phase, F&& f) {
    const Vocabulary& w = p_.words;
    if (phase == kLegal) {
      for (std::size_t r = 0; r < n_.roles.size(); ++r)
        for (TermId m : n_.roles[r].moves) f(atom(w.legal, {p_.roles[r], m}));
      f(atom(w.terminal, {}));
    }
    if (phase == kNext)
      for (TermId t : n_.fluents) f(atom(w.next, {t}));
    if (phase == kSees || phase == kGoal)
      for (std::size_t r = 0; r < n_.roles.size(); ++r)
        for (const auto& o : phase == kSees ? n_.roles[r].sees : n_.roles[r].goals)
          f(atom(phase == kSees ? w.sees : w.goal, {p_.roles[r], o.term}));
  }

  bool open(std::uint32_t a) const { return a != kNone && atoms_.truth(a) == Simplified::kOpen; }

  // Which percepts and goals there are is known from the atoms alone.
  void collect(const Grounding& grounding) {
    std::unordered_set<TermId> known;
    for (TermId head : grounding.heads) {
      budget_.tick();
      const Symbol s = p_.terms.functor(head);
      if (s != p_.words.sees && s != p_.words.goal) continue;
      const auto args = p_.terms.args(head);
      const auto role = std::find(p_.roles.begin(), p_.roles.end(), args[0]) - p_.roles.begin();
      if (static_cast<std::size_t>(role) == p_.roles.size()) continue;
      auto& list = s == p_.words.sees ? n_.roles[role].sees : n_.roles[role].goals;
      if (!known.insert(head).second) continue;
      budget_.grow(64);
      list.push_back({0, args[1]});
    }
    for (auto& role : n_.roles)
      for (auto* list : {&role.sees, &role.goals})
        std::sort(list->begin(), list->end(), [&](const auto& a, const auto& b) {
          budget_.tick();
          return compare_terms(p_.terms, a.term, b.term, &budget_) < 0;
        });
  }

  void count_uses() {
    uses_.assign(gates_.list.size(), 0);
    for (const Gate& g : gates_.list) {
      budget_.tick(1 + g.inputs.size());
      for (Ref r : g.inputs) ++uses_[r / 2];
    }
  }

  void find_phases();
  void place_all(const Grounding& grounding);
  void place_gates(Phase phase);
  std::uint32_t place_output(std::uint32_t atom);
  void connect();
  void mark_blocks();

  void align() { at_ = (at_ + 63) / 64 * 64; }
  std::uint32_t word() const { return at_ / 64; }

  static constexpr std::size_t kWire = 3 * 12;  // bytes: lists grow by doubling, sorting takes a copy; and the edge

  Program& p_;
  Network& n_;
  Budget& budget_;
  Simplified atoms_;
  Gates gates_;
  std::vector<std::uint32_t> place_;  // [gate]
  std::vector<std::uint32_t> uses_;   // [gate] by other gates
  std::vector<std::uint32_t> asked_;  // [gate] by outputs
  std::vector<Phase> phase_;          // [gate]
  struct Wire {
    std::uint32_t from, to;
    bool negated;
  };
  std::vector<Wire> wires_;  // from gates to outputs that are no gates
  std::vector<std::pair<std::uint32_t, std::int32_t>> constants_;
  std::uint32_t at_ = 0;  // the next free position
};

// A gate belongs to the first phase that needs it.
void Layout::find_phases() {
  phase_.assign(gates_.list.size(), kUnused);
  asked_.assign(gates_.list.size(), 0);
  std::vector<std::uint32_t> stack;
  for (Phase phase : {kLegal, kNext, kSees, kGoal}) {
    each_output(phase, [&](std::uint32_t a) {
      budget_.tick(4);
      if (!open(a)) return;
      ++asked_[gates_.of[a] / 2];
      stack.push_back(gates_.of[a] / 2);
    });
    while (!stack.empty()) {
      const std::uint32_t g = stack.back();
      stack.pop_back();
      if (phase_[g] != kUnused) continue;
      budget_.tick(1 + gates_.list[g].inputs.size());
      phase_[g] = phase;
      for (Ref r : gates_.list[g].inputs) stack.push_back(r / 2);
    }
  }
}

void Layout::place_gates(Phase phase) {
  std::uint32_t block = kNone;
  for (std::size_t g = 0; g < gates_.list.size(); ++g) {
    const Gate& gate = gates_.list[g];
    if (phase_[g] != phase || gate.kind == Gate::kInput || place_[g] != kNone) continue;
    if (gate.block == kNone && uses_[g] == 0 && asked_[g] == 1) continue;  // it becomes the output itself
    if (gate.block != kNone && gate.block != block) {
      block = gate.block;
      ++at_;  // its guard
      n_.blocks.push_back({at_, at_});
    }
    place_[g] = at_++;
    if (gate.block != kNone) n_.blocks.back().end = at_;
  }
  align();
}

// The position of an output: of the gate itself, if nobody else needs it.
std::uint32_t Layout::place_output(std::uint32_t a) {
  budget_.tick(4);
  const std::uint32_t position = at_++;
  if (!open(a)) {
    constants_.push_back({position, a != kNone && atoms_.truth(a) == Simplified::kTrue ? 0 : -1});
    return position;
  }
  const Ref r = gates_.of[a];
  if (place_[r / 2] == kNone && (r & 1) == 0)
    place_[r / 2] = position;
  else
    wires_.push_back({r / 2, position, (r & 1) != 0});
  return position;
}

void Layout::place_all(const Grounding& grounding) {
  const std::unordered_set<TermId> first(grounding.init.begin(), grounding.init.end());
  n_.init.assign((n_.fluents.size() + 63) / 64, 0);
  for (TermId f : n_.fluents) {
    const std::uint32_t a = atom(p_.words.true_, {f});
    if (open(a)) place_[gates_.of[a] / 2] = at_;
    if (first.contains(f)) n_.init[at_ / 64] |= std::uint64_t{1} << (at_ % 64);
    ++at_;
  }
  // A gate that is only asked for in negated form still needs a place of its own.
  each_output(kLegal, [&](std::uint32_t a) {
    if (open(a) && (gates_.of[a] & 1)) ++uses_[gates_.of[a] / 2];
  });
  for (Phase phase : {kNext, kSees, kGoal})
    each_output(phase, [&](std::uint32_t a) {
      if (open(a) && (gates_.of[a] & 1)) ++uses_[gates_.of[a] / 2];
    });
  align();
  n_.state_words = word();
  place_gates(kLegal);
  n_.legal_end = n_.does_word = word();
  for (std::size_t r = 0; r < n_.roles.size(); ++r) {
    n_.roles[r].does = at_;
    for (TermId m : n_.roles[r].moves) {
      const std::uint32_t a = atom(p_.words.does, {p_.roles[r], m});
      if (open(a)) place_[gates_.of[a] / 2] = at_;
      ++at_;
    }
  }
  align();
  place_gates(kNext);
  n_.next_end = word();
  place_gates(kSees);
  n_.sees_end = word();
  place_gates(kGoal);
  n_.goal_end = word();
  for (std::size_t r = 0; r < n_.roles.size(); ++r) {
    n_.roles[r].legal_word = word();
    for (TermId m : n_.roles[r].moves) place_output(atom(p_.words.legal, {p_.roles[r], m}));
    align();
    n_.roles[r].legal_words = word() - n_.roles[r].legal_word;
  }
  n_.next_word = word();
  for (TermId f : n_.fluents) place_output(atom(p_.words.next, {f}));
  align();
  n_.last_word = word();
  n_.terminal = place_output(atom(p_.words.terminal, {}));
  for (std::size_t r = 0; r < n_.roles.size(); ++r) {
    for (auto& o : n_.roles[r].sees) o.position = place_output(atom(p_.words.sees, {p_.roles[r], o.term}));
    for (auto& o : n_.roles[r].goals) o.position = place_output(atom(p_.words.goal, {p_.roles[r], o.term}));
  }
  align();
  n_.words = word();
}

void Layout::connect() {
  budget_.grow(at_ * std::size_t{32} + kWire * wires_.size());
  n_.bias.assign(at_, -1);
  for (const auto& [position, bias] : constants_) n_.bias[position] = bias;
  for (std::size_t g = 0; g < gates_.list.size(); ++g) {
    const Gate& gate = gates_.list[g];
    if (place_[g] == kNone || gate.kind == Gate::kInput) continue;
    budget_.tick(4 * gate.inputs.size());
    budget_.grow(kWire * gate.inputs.size());
    ++n_.gates;
    n_.bias[place_[g]] = gate.kind == Gate::kAll ? -static_cast<std::int32_t>(gate.inputs.size()) : -1;
    for (Ref r : gate.inputs) wires_.push_back({r / 2, place_[g], (r & 1) != 0});
  }
  n_.edge_begin.assign(at_ + 1, 0);
  for (Wire& w : wires_) {
    w.from = place_[w.from];
    n_.bias[w.to] += w.negated;
    ++n_.edge_begin[w.from + 1];
  }
  mark_blocks();
  for (std::size_t i = 0; i < at_; ++i) n_.edge_begin[i + 1] += n_.edge_begin[i];
  n_.edges.resize(wires_.size());
  std::vector<std::uint32_t> at(n_.edge_begin.begin(), n_.edge_begin.end() - 1);
  n_.inner.assign(at_, 0);
  const auto inside = [&](const Wire& w) {
    return n_.block_of[w.from] != kNone && n_.block_of[w.from] == n_.block_of[w.to];
  };
  std::stable_partition(wires_.begin(), wires_.end(), inside);
  for (const Wire& w : wires_) {
    n_.edges[at[w.from]++] = 2 * w.to + w.negated;
    n_.inner[w.from] += inside(w);
  }
}

void Layout::mark_blocks() {
  n_.special.assign(at_, Network::kPlain);
  n_.block_of.assign(at_, kNone);
  for (std::uint32_t b = 0; b < n_.blocks.size(); ++b) {
    n_.special[n_.blocks[b].begin - 1] = Network::kGuard;
    n_.block_of[n_.blocks[b].begin - 1] = b;
    for (std::uint32_t i = n_.blocks[b].begin; i < n_.blocks[b].end; ++i) {
      n_.special[i] = Network::kInBlock;
      n_.block_of[i] = b;
    }
  }
  for (const Wire& w : wires_)
    if (n_.block_of[w.to] != kNone && n_.special[w.from] == Network::kPlain) n_.special[w.from] = Network::kFeedsBlock;
}

}  // namespace

Network build_network(Program& program, const Grounding& grounding, Budget& budget) {
  Network out;
  Layout(program, grounding, out, budget);
  return out;
}

}  // namespace kibitz::gdl
