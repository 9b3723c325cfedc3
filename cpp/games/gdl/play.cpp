// How moves of a rulesheet become decisions, and what the seats see of them.
#include <algorithm>

#include "core/bits.h"
#include "games/gdl/beliefs.h"
#include "games/gdl/gdl.h"
#include "games/gdl/logic/database.h"

namespace kibitz::gdl {

// A thread keeps reasoners of the games it used last: they stand where they were left, and mostly the next question is
// about a position near by.
Reasoner& Gdl::reasoner() const {
  struct Kept {
    std::uint64_t id;
    std::unique_ptr<Reasoner> reasoner;
  };
  static constexpr std::size_t kMost = 4;
  thread_local std::vector<Kept> kept;
  if (!kept.empty() && kept.back().id == shared_->id) return *kept.back().reasoner;
  const auto it = std::find_if(kept.begin(), kept.end(), [this](const Kept& k) { return k.id == shared_->id; });
  if (it != kept.end()) {
    std::rotate(it, it + 1, kept.end());
  } else {
    if (kept.size() == kMost) kept.erase(kept.begin());
    kept.push_back({shared_->id, shared_->engine->reasoner()});
  }
  return *kept.back().reasoner;
}

Reasoner& Gdl::reasoner(const Words& position) const {
  Reasoner& r = reasoner();
  r.look(position);
  return r;
}

// Also where somebody has no move at all, which a sound rulesheet does not allow.
bool Gdl::over(Reasoner& r, std::uint32_t turn) const {
  if (turn >= shared_->most_turns || r.terminal()) return true;
  for (int i = 0; i < roles(); ++i)
    if (r.legal_count(i) == 0) return true;
  return false;
}

std::array<Action, kMostRoles> Gdl::joint(const std::array<Action, kMostRoles>& pending, Reasoner& r,
                                          Rng& stream) const {
  std::array<Action, kMostRoles> out;
  for (int seat = 0; seat < seats(); ++seat) {
    const Action a = pending[seat];
    out[role(seat)] = a == kNoMove ? r.nth_legal(role(seat), 0) : a;
  }
  if (shared_->random >= 0) {
    const int n = r.legal_count(shared_->random);
    const int k = n == 1 ? 0 : stream.below(n);
    out[shared_->random] = r.nth_legal(shared_->random, k);
  }
  return out;
}

void Gdl::finish(State& s, Reasoner& r) const {
  const auto moves = joint(s.pending, r, s.stream);
  const std::span<const Action> all(moves.data(), roles());
  if (shared_->hides)
    s.memory = remember(*s.memory, all, r);
  else
    r.advance(all);
  ++s.turn;
  s.pending.fill(kNoMove);
}

bool Gdl::idle(int role, Action a) const {
  const Program& p = *shared_->program;
  Bindings values;
  for (const Term* pattern : shared_->done) {
    if (pattern->kind == Term::kGround) {
      const auto args = p.terms.args(pattern->id);
      if (args[0] == p.roles[role] && args[1] == shared_->moves->term(a)) return false;
      continue;
    }
    values.assign(variables_up_to(*pattern), kNone);
    if (match(p.terms, pattern->args[0], p.roles[role], values) &&
        match(p.terms, pattern->args[1], shared_->moves->term(a), values))
      return false;
  }
  return true;
}

Seat Gdl::first_asked(Reasoner& r) const {
  for (int seat = 0; seat < seats(); ++seat)
    if (decides(r, seat)) return seat;
  for (int seat = 0; seat < seats(); ++seat)
    if (!idle(role(seat), r.nth_legal(role(seat), 0))) return seat;
  return kOver;
}

void Gdl::begin(State& s, Reasoner& r) const {
  for (s.to_act = kOver; !over(r, s.turn); finish(s, r))
    if ((s.to_act = first_asked(r)) != kOver) break;
  r.read(s.position);
}

State Gdl::deal(Rng& rng) const {
  State s;
  s.position = shared_->engine->start();
  s.pending.fill(kNoMove);
  if (shared_->random >= 0) s.stream = Rng(rng.next());
  Reasoner& r = reasoner(s.position);
  if (shared_->hides) s.memory = first_memory(r);
  begin(s, r);
  return s;
}

void Gdl::apply(State& s, Action a) const {
  s.pending[s.to_act] = a;
  Reasoner& r = reasoner(s.position);
  for (int seat = s.to_act + 1; seat < seats(); ++seat)
    if (decides(r, seat)) {
      s.to_act = seat;
      return;
    }
  finish(s, r);
  begin(s, r);
}

void Gdl::legal(const State& s, Legal& out) const {
  out.clear();
  if (s.to_act < 0) return;
  const int mover = role(s.to_act);
  if (shared_->hides) {
    for (Action a : s.memory->of[mover]->legal) out.push(a);
    return;
  }
  Reasoner& r = reasoner(s.position);
  const int n = r.legal_count(mover);
  if (n > Legal::kCapacity)
    throw BadInput("more than " + std::to_string(Legal::kCapacity) + " moves are legal at once");
  for (int i = 0; i < n; ++i) out.push(r.nth_legal(mover, i));
}

void Gdl::legal(const View& v, Legal& out) const {
  out.clear();
  if (v.known.to_act == v.seat) legal(v.known, out);
}

Action Gdl::random_legal(const State& s, Rng& rng) const {
  Reasoner& r = reasoner(s.position);
  const int n = r.legal_count(role(s.to_act));
  return r.nth_legal(role(s.to_act), n == 1 ? 0 : rng.below(n));
}

// The same decisions as apply and random_legal make, without writing every state down.
std::uint32_t Gdl::playout(State& s, Rng& rng) const {
  if (s.to_act < 0) return 0;
  Reasoner& r = reasoner(s.position);
  std::uint32_t decisions = 0;
  do {
    const std::uint32_t before = decisions;
    for (int seat = s.to_act; seat < seats(); ++seat) {
      const int n = r.legal_count(role(seat));
      if (n == 1 && !shared_->hides) continue;
      const int k = n == 1 ? 0 : rng.below(n);
      s.pending[seat] = r.nth_legal(role(seat), k);
      ++decisions;
    }
    if (decisions == before && first_asked(r) != kOver) ++decisions;
    const auto moves = joint(s.pending, r, s.stream);
    r.advance({moves.data(), static_cast<std::size_t>(roles())});
    ++s.turn;
    s.to_act = 0;
    s.pending.fill(kNoMove);
  } while (!over(r, s.turn));
  s.to_act = kOver;
  r.read(s.position);
  return decisions;
}

void Gdl::payoff(const State& s, std::span<double> out) const {
  std::fill_n(out.begin(), seats(), 0.0);
  if (s.to_act >= 0 || (shared_->hides && s.memory->of_view)) return;  // a view does not know the position
  std::array<int, kMostRoles> goals{};
  reasoner(s.position).goals({goals.data(), static_cast<std::size_t>(roles())});
  for (int seat = 0; seat < seats(); ++seat) out[seat] = goals[role(seat)];
}

View Gdl::view(const State& s, Seat seat) const {
  View v{s, seat};
  for (std::size_t i = 0; i < kMostRoles; ++i)
    if (static_cast<Seat>(i) != seat) v.known.pending[i] = kNoMove;
  v.known.stream = Rng();
  if (!shared_->hides) return v;
  v.known.position = Words();
  auto own = std::make_shared<Memory>();
  own->of_view = true;
  if (seat != kPublic) own->of[role(seat)] = s.memory->of[role(seat)];
  v.known.memory = std::move(own);
  return v;
}

Gdl::Decisions Gdl::witnessed(const State& s, const Decisions& all, Seat seat) const {
  std::size_t pending = 0;
  for (int i = 0; i < seats(); ++i) pending += s.pending[i] != kNoMove;
  const std::size_t open = shared_->hides ? 0 : all.size() - std::min(pending, all.size());
  Decisions out(all.begin(), all.begin() + open);
  for (std::size_t i = open; i < all.size(); ++i)
    if (all[i].first == seat) out.push_back(all[i]);
  return out;
}

std::uint64_t Gdl::key(const View& v) const {
  const State& s = v.known;
  std::uint64_t h = mix(v.seat, s.to_act + 2);
  h = mix(h, v.seat == kPublic ? kNoMove : s.pending[v.seat]);
  if (shared_->hides) return mix(h, v.seat == kPublic ? s.turn : s.memory->of[role(v.seat)]->hash);
  if (shared_->engine->all_fluents()) {
    for (std::uint64_t w : s.position.span()) h = mix(h, w);
    return h;
  }
  std::uint64_t sum = 0;  // the order of the prover's fluents says nothing
  for (TermId f : shared_->engine->fluents(s.position)) sum += mix(shared_->program->terms.hash(f), 1);
  return mix(h, sum);
}

State Gdl::sample(const View& v, Rng& rng) const {
  if (shared_->hides) return Beliefs::sample(*this, v, rng);
  State s = v.known;
  if (shared_->random >= 0) s.stream = Rng(rng.next());
  if (s.to_act <= 0) return s;
  Reasoner& r = reasoner(s.position);
  for (int seat = 0; seat < s.to_act; ++seat) {
    if (seat == v.seat || !decides(r, seat)) continue;
    const std::uint32_t n = r.legal_count(role(seat));
    s.pending[seat] = r.nth_legal(role(seat), rng.below(n));
  }
  return s;
}

std::shared_ptr<const Glimpse> Gdl::glimpse(std::shared_ptr<const Glimpse> before, int role, Action move,
                                            std::vector<TermId> sees, Reasoner& after) const {
  auto out = std::make_shared<Glimpse>();
  out->move = move;
  out->sees = std::move(sees);
  for (int i = 0, n = after.terminal() ? 0 : after.legal_count(role); i < n; ++i)
    out->legal.push_back(after.nth_legal(role, i));
  if (static_cast<int>(out->legal.size()) > Legal::kCapacity)
    throw BadInput("more than " + std::to_string(Legal::kCapacity) + " moves are legal at once");
  seal(*out, before.get());
  out->before = std::move(before);
  return out;
}

void Gdl::seal(Glimpse& g, const Glimpse* before) const {
  std::uint64_t sum = 0;
  for (TermId t : g.sees) sum += mix(shared_->program->terms.hash(t), 2);
  g.hash = mix(before ? before->hash : 0, mix(g.move, sum));
  for (Action a : g.legal) g.hash = mix(g.hash, a);
}

std::shared_ptr<const Memory> Gdl::first_memory(Reasoner& r) const {
  auto out = std::make_shared<Memory>();
  for (int i = 0; i < roles(); ++i) out->of[i] = glimpse(nullptr, i, kNoMove, {}, r);
  return out;
}

std::shared_ptr<const Memory> Gdl::remember(const Memory& before, std::span<const Action> moves, Reasoner& r) const {
  std::array<std::vector<TermId>, kMostRoles> sees;
  for (int i = 0; i < roles(); ++i)
    if (i != shared_->random) r.sees(moves, i, sees[i]);
  r.advance(moves);
  auto out = std::make_shared<Memory>();
  for (int i = 0; i < roles(); ++i) out->of[i] = glimpse(before.of[i], i, moves[i], std::move(sees[i]), r);
  return out;
}

void Gdl::encode(const State& s, Seat seat, int, std::span<float> out) const {
  std::fill(out.begin(), out.end(), 0.0f);
  if (s.to_act >= 0) out[s.to_act] = 1;
  out = out.subspan(seats());
  if (shared_->hides) return encode_percepts(s, seat, out);
  if (!shared_->engine->all_fluents()) {
    for (TermId f : shared_->engine->fluents(s.position))
      if (const auto it = shared_->fluents.find(f); it != shared_->fluents.end()) out[it->second] = 1;
    return;
  }
  for (std::size_t w = 0; w < s.position.size(); ++w)  // in the same order
    each_bit(s.position.data()[w], [&](int b) { out[64 * w + b] = 1; });
}

// What was ever seen, what was seen last, the own last move, and the moves there are now.
void Gdl::encode_percepts(const State& s, Seat seat, std::span<float> out) const {
  const auto& all = shared_->percepts;
  const std::size_t n = all.size(), actions = shared_->info.actions;
  const Glimpse* now = s.memory->of[role(seat)].get();
  for (const Glimpse* g = now; g; g = g->before.get())
    for (TermId t : g->sees) {
      const std::size_t at = std::lower_bound(all.begin(), all.end(), t) - all.begin();
      if (at == n || all[at] != t) continue;
      out[at] = 1;
      if (g == now) out[n + at] = 1;
    }
  if (now->move != kNoMove) out[2 * n + now->move] = 1;
  for (Action a : now->legal) out[2 * n + actions + a] = 1;
}

}  // namespace kibitz::gdl
