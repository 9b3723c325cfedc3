#include "games/gdl/engine/gates.h"

#include <algorithm>

#include "core/rng.h"

namespace kibitz::gdl {

Gates::Gates(const Simplified& atoms, Budget& budget) : of(atoms.atoms(), kNone), atoms_(atoms), budget_(budget) {
  Budget walk(budget, 1);  // for the order in which gates are made
  walk.grow(atoms.atoms() * (sizeof(std::vector<std::uint32_t>) + 32));
  std::vector<std::vector<std::uint32_t>> conditions(atoms.atoms());
  for (std::uint32_t a = 0; a < atoms.atoms(); ++a) {
    budget_.tick(4 * atoms.weight(a));
    conditions[a] = atoms.conditions(a);
    walk.grow(4 * conditions[a].capacity() + 16);
    if (atoms.input(a) && atoms.truth(a) == Simplified::kOpen) of[a] = add({Gate::kInput, kNone, {}}, false);
  }
  const Components parts = components(atoms.atoms(), [&](std::uint32_t a) -> const auto& {
    budget_.tick();
    return conditions[a];
  });
  for (std::size_t c = 0; c + 1 < parts.begin.size(); ++c) {
    const std::uint32_t* begin = parts.members.data() + parts.begin[c];
    const std::uint32_t* end = parts.members.data() + parts.begin[c + 1];
    if (atoms.truth(*begin) != Simplified::kOpen || atoms.input(*begin)) continue;
    const bool cycle =
        end - begin > 1 || std::binary_search(conditions[*begin].begin(), conditions[*begin].end(), *begin);
    if (cycle)
      make_block(begin, end, parts);
    else
      make_single(*begin);
  }
}

Ref Gates::add(Gate gate, bool merge) {
  const std::uint32_t number = list.size();
  budget_.tick(1 + gate.inputs.size());
  budget_.grow(2 * sizeof(Gate) + 6 * gate.inputs.size() + (merge ? 104 : 16));  // merged ones have a place in `same_`
  if (merge) {
    std::uint64_t hash = gate.kind;
    for (Ref r : gate.inputs) hash = mix(hash, r);
    auto& known = same_[hash];
    for (std::uint32_t g : known)
      if (list[g].kind == gate.kind && list[g].inputs == gate.inputs) return 2 * g;
    known.push_back(number);
  }
  list.push_back(std::move(gate));
  return 2 * number;
}

namespace {

void tidy(std::vector<Ref>& refs) {
  std::sort(refs.begin(), refs.end());
  refs.erase(std::unique(refs.begin(), refs.end()), refs.end());
}

// Something and its opposite; the list is sorted.
bool contradicts(const std::vector<Ref>& refs) {
  for (std::size_t i = 0; i + 1 < refs.size(); ++i)
    if ((refs[i] ^ 1) == refs[i + 1]) return true;
  return false;
}

}  // namespace

Ref Gates::all_of(std::vector<std::uint32_t> body, bool& never) {
  for (auto& l : body) l = ref(l);
  tidy(body);
  never = contradicts(body);
  if (never) return kNone;
  return body.size() == 1 ? body[0] : add({Gate::kAll, kNone, std::move(body)}, true);
}

Ref Gates::any_of(std::vector<Ref> refs) {
  tidy(refs);
  return refs.size() == 1 ? refs[0] : add({Gate::kAny, kNone, std::move(refs)}, true);
}

void Gates::make_single(std::uint32_t atom) {
  budget_.tick(4 * atoms_.weight(atom));
  auto bodies = atoms_.bodies(atom);
  for (auto& b : bodies) tidy(b);
  of[atom] = factor(std::move(bodies));
}

namespace {

using Bodies = std::vector<std::vector<std::uint32_t>>;

// The condition that most bodies ask for, if it pays to ask for it only once: frame rules ask for the same fluent with
// every move there is.
std::uint32_t worth_sharing(const Bodies& bodies, Budget& budget) {
  std::unordered_map<std::uint32_t, std::size_t> count;
  bool small = true;
  for (const auto& b : bodies) {
    budget.tick(4 * b.size());
    small &= b.size() <= 2;
    for (std::uint32_t l : b) ++count[l];
  }
  std::uint32_t best = kNone;
  std::size_t most = 2;
  for (const auto& [l, n] : count)
    if (n > most || (n == most && best != kNone && l < best)) {
      best = l;
      most = n;
    }
  return small || 2 * most >= bodies.size() ? best : kNone;
}

}  // namespace

// Any of the bodies, each of which is sorted.
Ref Gates::factor(Bodies bodies) {
  std::vector<Ref> refs;
  for (int groups = 0; bodies.size() > 2 && groups < 100; ++groups) {
    const std::uint32_t shared = worth_sharing(bodies, budget_);
    if (shared == kNone) break;
    const auto with = std::stable_partition(bodies.begin(), bodies.end(), [shared](const auto& b) {
      return !std::binary_search(b.begin(), b.end(), shared);
    });
    Bodies inner;
    bool alone = false;  // a body that asks for nothing else
    for (auto b = with; b != bodies.end(); ++b) {
      b->erase(std::lower_bound(b->begin(), b->end(), shared));
      alone |= b->empty();
      inner.push_back(std::move(*b));
    }
    bodies.erase(with, bodies.end());
    if (alone) {
      refs.push_back(ref(shared));
      continue;
    }
    std::vector<Ref> both{ref(shared), factor(std::move(inner))};
    tidy(both);
    if (!contradicts(both))
      refs.push_back(both.size() == 1 ? both[0] : add({Gate::kAll, kNone, std::move(both)}, true));
  }
  for (auto& b : bodies) {
    bool never = false;
    if (const Ref r = all_of(std::move(b), never); !never) refs.push_back(r);
  }
  return any_of(std::move(refs));
}

void Gates::make_block(const std::uint32_t* begin, const std::uint32_t* end, const Components& parts) {
  const std::uint32_t self = parts.of[*begin], block = blocks++;
  for (const std::uint32_t* atom = begin; atom != end; ++atom) {
    budget_.tick(8 * atoms_.weight(*atom));
    budget_.grow(16 * atoms_.weight(*atom));  // for what follows, until all are gates
  }
  std::vector<std::vector<Ref>> outside(end - begin);
  std::vector<std::vector<std::vector<std::uint32_t>>> inside(outside.size());
  for (std::size_t i = 0; i < outside.size(); ++i)
    for (auto& body : atoms_.bodies(begin[i])) {
      const bool loops = std::any_of(body.begin(), body.end(), [&](auto l) { return parts.of[l / 2] == self; });
      bool never = false;
      if (loops)
        inside[i].push_back(std::move(body));
      else if (const Ref r = all_of(std::move(body), never); !never)
        outside[i].push_back(r);
    }
  for (std::size_t i = 0; i < outside.size(); ++i) {
    tidy(outside[i]);
    of[begin[i]] = add({Gate::kAny, block, std::move(outside[i])}, false);
  }
  for (std::size_t i = 0; i < inside.size(); ++i)
    for (auto& body : inside[i]) {
      for (auto& l : body) l = ref(l);
      tidy(body);
      if (contradicts(body)) continue;
      const Ref r = body.size() == 1 ? body[0] : add({Gate::kAll, block, std::move(body)}, false);
      list[of[begin[i]] / 2].inputs.push_back(r);
    }
}

}  // namespace kibitz::gdl
