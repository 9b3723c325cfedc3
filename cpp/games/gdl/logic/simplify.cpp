#include "games/gdl/logic/simplify.h"

#include <algorithm>

namespace kibitz::gdl {

namespace {

constexpr std::size_t kAtom = 72;  // bytes, with its lists of uses

}  // namespace

Simplified::Simplified(Program& program, const Grounding& grounding, Budget& budget) : p_(program), budget_(budget) {
  budget_.grow(grounding.begin.size() * (8 + 4 * 4) + grounding.literals.size() * (8 + 4));
  begin_ = grounding.begin;
  for (TermId head : grounding.heads) head_.push_back(number(head));
  for (std::uint32_t l : grounding.literals) literals_.push_back(2 * number(l / 2) + l % 2);
  for (TermId f : grounding.fluents) {
    number(p_.terms.make(p_.words.true_, std::vector{f}));
    number(p_.terms.make(p_.words.next, std::vector{f}));
  }
  input_.resize(truth_.size());
  for (TermId f : grounding.fluents) input_[find(p_.words.true_, {f})] = true;
  for (std::size_t r = 0; r < grounding.moves.size(); ++r)
    for (TermId m : grounding.moves[r])
      if (const auto does = find(p_.words.does, {p_.roles[r], m}); does != kNone) input_[does] = true;
  link();
  for (std::size_t i = 0; i < head_.size(); ++i)
    if (missing_[i] == 0) settle(head_[i], kTrue);
  for (std::uint32_t a = 0; a < atoms(); ++a)
    if (!input_[a] && alive_[a] == 0) settle(a, kFalse);
  // Whoever has only one move ever does it.
  for (std::size_t r = 0; r < grounding.moves.size(); ++r)
    if (grounding.moves[r].size() == 1)
      if (const auto does = find(p_.words.does, {p_.roles[r], grounding.moves[r][0]}); does != kNone)
        settle(does, kTrue);
  do run();
  while (settle_fluents(grounding));
}

std::uint32_t Simplified::number(TermId term) {
  budget_.tick(2);
  const auto [it, fresh] = numbers_.emplace(term, truth_.size());
  if (fresh) {
    budget_.grow(kAtom);
    truth_.push_back(kOpen);
  }
  return it->second;
}

std::uint32_t Simplified::find(Symbol relation, std::initializer_list<TermId> args) const {
  const TermId term = p_.terms.find(relation, {args.begin(), args.size()});
  const auto it = numbers_.find(term);
  return term == kNone || it == numbers_.end() ? kNone : it->second;
}

// Where atoms are used, and by which instances they are concluded.
void Simplified::link() {
  const std::size_t n = truth_.size();
  missing_.resize(head_.size());
  dead_.resize(head_.size());
  alive_.assign(n, 0);
  use_begin_.assign(n + 1, 0);
  by_head_begin_.assign(n + 1, 0);
  for (std::uint32_t l : literals_) ++use_begin_[l / 2 + 1];
  for (std::uint32_t h : head_) ++by_head_begin_[h + 1];
  for (std::size_t a = 0; a < n; ++a) {
    alive_[a] = by_head_begin_[a + 1];
    use_begin_[a + 1] += use_begin_[a];
    by_head_begin_[a + 1] += by_head_begin_[a];
  }
  uses_.resize(literals_.size());
  by_head_.resize(head_.size());
  std::vector<std::size_t> use(use_begin_), by_head(by_head_begin_);
  for (std::uint32_t i = 0; i < head_.size(); ++i) {
    budget_.tick(1 + begin_[i + 1] - begin_[i]);
    missing_[i] = begin_[i + 1] - begin_[i];
    by_head_[by_head[head_[i]]++] = i;
    for (std::size_t l = begin_[i]; l < begin_[i + 1]; ++l) uses_[use[literals_[l] / 2]++] = i;
  }
}

void Simplified::settle(std::uint32_t atom, Truth truth) {
  if (truth_[atom] != kOpen) return;
  truth_[atom] = truth;
  queue_.push_back(atom);
}

void Simplified::kill(std::size_t instance) {
  if (dead_[instance]) return;
  dead_[instance] = true;
  if (--alive_[head_[instance]] == 0) settle(head_[instance], kFalse);
}

void Simplified::run() {
  while (!queue_.empty()) {
    const std::uint32_t atom = queue_.back();
    queue_.pop_back();
    for (std::size_t u = use_begin_[atom]; u < use_begin_[atom + 1]; ++u) {
      const std::uint32_t i = uses_[u];
      if (u > use_begin_[atom] && uses_[u - 1] == i) continue;  // twice in the same instance
      budget_.tick(1 + begin_[i + 1] - begin_[i]);
      for (std::size_t l = begin_[i]; l < begin_[i + 1]; ++l) {
        if (literals_[l] / 2 != atom) continue;
        const bool met = (truth_[atom] == kTrue) == (literals_[l] % 2 == 0);
        if (!met)
          kill(i);
        else if (--missing_[i] == 0 && !dead_[i])
          settle(head_[i], kTrue);
      }
    }
  }
}

// A fluent that holds first and always again is no news, and neither is one that never comes to hold.
bool Simplified::settle_fluents(const Grounding& grounding) {
  std::unordered_map<TermId, bool> first;
  for (TermId f : grounding.init) first[f] = true;
  for (TermId f : grounding.fluents) {
    budget_.tick(4);
    const std::uint32_t now = find(p_.words.true_, {f}), then = find(p_.words.next, {f});
    if (truth_[now] != kOpen) continue;
    if (!first.contains(f)) {
      if (truth_[then] == kFalse) settle(now, kFalse);
      continue;
    }
    bool stays = truth_[then] == kTrue;
    for (std::size_t b = by_head_begin_[then]; b < by_head_begin_[then + 1] && !stays; ++b) {
      const std::uint32_t i = by_head_[b];
      budget_.tick();
      if (dead_[i] || missing_[i] != 1) continue;
      budget_.tick(begin_[i + 1] - begin_[i]);
      for (std::size_t l = begin_[i]; l < begin_[i + 1]; ++l) stays |= literals_[l] == 2 * now;
    }
    if (stays) settle(now, kTrue);
  }
  return !queue_.empty();
}

std::size_t Simplified::weight(std::uint32_t atom) const {
  std::size_t out = 1;
  for (std::size_t b = by_head_begin_[atom]; b < by_head_begin_[atom + 1]; ++b)
    out += 1 + begin_[by_head_[b] + 1] - begin_[by_head_[b]];
  return out;
}

std::vector<std::vector<std::uint32_t>> Simplified::bodies(std::uint32_t atom) const {
  std::vector<std::vector<std::uint32_t>> out;
  for (std::size_t b = by_head_begin_[atom]; b < by_head_begin_[atom + 1]; ++b) {
    const std::uint32_t i = by_head_[b];
    if (dead_[i]) continue;
    out.emplace_back();
    for (std::size_t l = begin_[i]; l < begin_[i + 1]; ++l)
      if (truth_[literals_[l] / 2] == kOpen) out.back().push_back(literals_[l]);
  }
  return out;
}

std::vector<std::uint32_t> Simplified::conditions(std::uint32_t atom) const {
  std::vector<std::uint32_t> out;
  if (truth_[atom] != kOpen || input_[atom]) return out;
  for (const auto& body : bodies(atom))
    for (std::uint32_t l : body) out.push_back(l / 2);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace kibitz::gdl
