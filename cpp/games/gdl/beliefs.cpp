#include "games/gdl/beliefs.h"

#include <algorithm>
#include <deque>
#include <map>

namespace kibitz::gdl {

namespace {

// What a thread has worked out lately. Chains are shared, so that the same one mostly is the same object.
struct Kept {
  std::uint64_t game;
  int seat;
  std::shared_ptr<const Glimpse> chain;
  bool over;
  std::shared_ptr<const Beliefs::Set> set;
};

constexpr std::size_t kMostKept = 64;
thread_local std::deque<Kept> kept;

void keep(Kept what) {
  kept.push_front(std::move(what));
  if (kept.size() > kMostKept) kept.pop_back();
}

}  // namespace

std::shared_ptr<const Beliefs::Set> Beliefs::of(const Gdl& game, int seat, const std::shared_ptr<const Glimpse>& chain,
                                                std::uint32_t turn, bool over) {
  return Beliefs(game, seat).get(chain, turn, over);
}

void Beliefs::conclude_legal(const Gdl& game, int seat, const std::shared_ptr<Glimpse>& glimpse, std::uint32_t turn) {
  glimpse->any_legal = true;
  game.seal(*glimpse, glimpse->before.get());
  const auto found = of(game, seat, glimpse, turn, false);
  const auto own = static_cast<std::size_t>(game.role(seat));
  std::map<std::vector<Action>, double> odds;
  for (const World& w : found->worlds) odds[w.memory->of[own]->legal] += w.weight;
  glimpse->legal =
      std::max_element(odds.begin(), odds.end(), [](auto& a, auto& b) { return a.second < b.second; })->first;
  glimpse->any_legal = false;
  game.seal(*glimpse, glimpse->before.get());
  auto fitting = std::make_shared<Set>();
  fitting->exact = found->exact;
  for (const World& w : found->worlds) {
    if (w.memory->of[own]->legal != glimpse->legal) continue;
    auto memory = std::make_shared<Memory>(*w.memory);
    memory->of[own] = glimpse;
    fitting->worlds.push_back({w.position, std::move(memory), w.weight});
  }
  keep({game.shared_->id, seat, glimpse, false, std::move(fitting)});
}

// From the last point on the way that is known, turn by turn.
std::shared_ptr<const Beliefs::Set> Beliefs::get(const std::shared_ptr<const Glimpse>& chain, std::uint32_t turn,
                                                 bool over) {
  std::vector<std::shared_ptr<const Glimpse>> way;
  std::shared_ptr<const Set> set;
  for (auto at = chain; at && !set; at = at->before) {
    for (const Kept& k : kept)
      if (k.game == game_.shared_->id && k.seat == seat_ && (k.chain == at || same_chain(k.chain.get(), at.get())) &&
          k.over == (over && at == chain))
        set = k.set;
    if (!set) way.push_back(at);
  }
  auto number = turn + 1 - static_cast<std::uint32_t>(way.size());  // of the first turn to be worked out
  for (; !way.empty(); way.pop_back(), ++number) {
    const bool last = way.size() == 1 && over;
    std::shared_ptr<Set> next;
    if (!set) {
      next = first(way.back(), last);
    } else {
      next = extend(*set, way.back(), number, last);
      if (next->worlds.empty() && !next->exact) next = some(*set, way.back(), number, last);
    }
    if (next->worlds.empty() && set && !set->exact) {  // too much was left out before: look for one history that fits
      std::vector<std::shared_ptr<const Glimpse>> all;
      for (auto at = way.back(); at->before; at = at->before) all.push_back(at);
      const auto start = first(nullptr, false);
      Rng rng(way.back()->hash);
      std::uint64_t budget = 1'000'000;
      next->exact = false;
      search(start->worlds[0], all, all.size(), last, rng, budget, next->worlds);
    }
    if (next->worlds.empty())
      throw BadInput("no history of the game fits what seat " + std::to_string(seat_) + " has seen");
    set = next;
    if (way.back()->any_legal) continue;  // nobody asks the same again
    keep({game_.shared_->id, seat_, way.back(), last, set});
  }
  return set;
}

// The start; `chain` null: whatever the seat sees of it.
std::shared_ptr<Beliefs::Set> Beliefs::first(const std::shared_ptr<const Glimpse>& chain, bool over) {
  auto out = std::make_shared<Set>();
  World start{game_.shared_->engine->start(), nullptr, 1};
  Reasoner& r = game_.reasoner(start.position);
  auto memory = std::make_shared<Memory>(*game_.first_memory(r));
  auto& own = memory->of[static_cast<std::size_t>(own_)];
  if (chain && (!same_chain(own.get(), chain.get()) || game_.over(r, 0) != over)) return out;
  if (chain) own = chain;
  start.memory = std::move(memory);
  out->worlds.push_back(std::move(start));
  return out;
}

// All moves of all roles in all worlds, or as many as can be tried.
std::shared_ptr<Beliefs::Set> Beliefs::extend(const Set& before, const std::shared_ptr<const Glimpse>& chain,
                                              std::uint32_t turn, bool over) {
  auto out = std::make_shared<Set>();
  out->exact = before.exact;
  Rng rng(mix(chain->hash, 3));
  std::uint64_t total = 0;
  for (const World& w : before.worlds) {
    std::uint64_t ways = 1;
    for (int i = 0; i < game_.roles(); ++i)
      if (i != own_)
        ways = std::min<std::uint64_t>(ways * w.memory->of[static_cast<std::size_t>(i)]->legal.size(), 1e9);
    total += ways;
  }
  const std::uint64_t each =
      total <= most_tried() ? ~std::uint64_t{0} : std::max<std::uint64_t>(1, most_tried() / before.worlds.size());
  out->exact &= total <= most_tried();
  for (const World& w : before.worlds) follow(w, chain, turn, over, each, rng, out->worlds);
  thin(*out, chain->hash);
  return out;
}

// What was seen is so rare that no try has shown it: world after world, in random order, until a few are found.
std::shared_ptr<Beliefs::Set> Beliefs::some(const Set& before, const std::shared_ptr<const Glimpse>& chain,
                                            std::uint32_t turn, bool over) {
  auto out = std::make_shared<Set>();
  out->exact = false;
  Rng rng(mix(chain->hash, 5));
  std::vector<const World*> left;
  for (const World& w : before.worlds) left.push_back(&w);
  while (!left.empty() && out->worlds.size() < kEnough) {
    std::swap(left.back(), left[rng.below(static_cast<std::uint32_t>(left.size()))]);
    follow(*left.back(), chain, turn, over, most_tried(), rng, out->worlds);
    left.pop_back();
  }
  thin(*out, chain->hash);
  return out;
}

void Beliefs::follow(const World& world, const std::shared_ptr<const Glimpse>& chain, std::uint32_t turn, bool over,
                     std::uint64_t most, Rng& rng, std::vector<World>& out) {
  const int n = game_.roles();
  std::array<const std::vector<Action>*, kMostRoles> choices;
  std::array<std::size_t, kMostRoles> at{};
  std::array<Action, kMostRoles> moves;
  std::uint64_t ways = 1;
  const std::vector<Action> own{chain->move};
  for (int i = 0; i < n; ++i) {
    const auto r = static_cast<std::size_t>(i);
    choices[r] = i == own_ ? &own : &world.memory->of[r]->legal;
    ways = std::min<std::uint64_t>(ways * choices[r]->size(), 1e9);
  }
  const double odds = game_.shared_->random < 0
                          ? 1
                          : 1.0 / static_cast<double>(choices[static_cast<std::size_t>(game_.shared_->random)]->size());
  const bool all = ways <= most;
  const double weight = world.weight * odds * (all ? 1 : static_cast<double>(ways) / static_cast<double>(most));
  for (std::uint64_t k = 0; k < (all ? ways : most); ++k) {
    for (std::size_t r = 0; r < static_cast<std::size_t>(n); ++r)
      moves[r] = (*choices[r])[all ? at[r] : rng.below(static_cast<std::uint32_t>(choices[r]->size()))];
    try_moves(world, chain, turn, over, {moves.data(), static_cast<std::size_t>(n)}, weight, out);
    for (std::size_t r = 0; all && r < static_cast<std::size_t>(n); ++r) {
      if (++at[r] < choices[r]->size()) break;
      at[r] = 0;
    }
  }
}

// Whether the seat would have seen what it saw; then the world is one more.
bool Beliefs::try_moves(const World& world, const std::shared_ptr<const Glimpse>& chain, std::uint32_t turn, bool over,
                        std::span<const Action> moves, double weight, std::vector<World>& out) {
  Reasoner& r = game_.reasoner(world.position);
  std::vector<TermId> sees;
  r.sees(moves, own_, sees);
  if (sees != chain->sees) return false;
  auto memory = std::make_shared<Memory>(*game_.remember(*world.memory, moves, r));
  auto& own = memory->of[static_cast<std::size_t>(own_)];
  if ((own->legal != chain->legal && !chain->any_legal) || game_.over(r, turn) != over) return false;
  if (!chain->any_legal) own = chain;
  World next{Words(), std::move(memory), weight};
  next.position = world.position;
  r.read(next.position);
  out.push_back(std::move(next));
  return true;
}

// One history by trial and error, in random order. `way` is the chain from its end.
bool Beliefs::search(const World& world, const std::vector<std::shared_ptr<const Glimpse>>& way, std::size_t at,
                     bool over, Rng& rng, std::uint64_t& budget, std::vector<World>& out) {
  if (at == 0) {
    out.push_back(world);
    return true;
  }
  if (budget == 0) return false;
  std::vector<World> next;
  follow(world, way[at - 1], static_cast<std::uint32_t>(way.size() - at + 1), over && at == 1, most_tried(), rng, next);
  budget -= std::min<std::uint64_t>(budget, 1 + next.size());
  for (std::size_t left = next.size(); left > 0; --left) {
    std::swap(next[left - 1], next[rng.below(static_cast<std::uint32_t>(left))]);
    if (search(next[left - 1], way, at - 1, over, rng, budget, out)) return true;
  }
  return false;
}

// Keeps most() of them, drawn by their weights, each then weighing the same.
void Beliefs::thin(Set& set, std::uint64_t seed) const {
  double total = 0;
  for (const World& w : set.worlds) total += w.weight;
  if (set.worlds.size() > most()) {
    set.exact = false;
    Rng rng(mix(seed, 4));
    std::vector<World> some;
    double sum = 0, next = rng.unit();  // evenly spaced in the sum of weights, from a random start
    for (const World& w : set.worlds)
      for (sum += w.weight * static_cast<double>(most()) / total; next < sum && some.size() < most(); next += 1)
        some.push_back(w);
    set.worlds = std::move(some);
    for (World& w : set.worlds) w.weight = 1;
  } else {
    for (World& w : set.worlds) w.weight /= total;
  }
}

State Beliefs::sample(const Gdl& game, const View& view, Rng& rng) {
  const int own = game.role(view.seat);
  const auto& chain = view.known.memory->of[static_cast<std::size_t>(own)];
  const auto set = of(game, view.seat, chain, view.known.turn, view.known.to_act == kOver);
  // Who has chosen already has done so uniformly, as far as we know: more choices, more worlds.
  const auto pending = [&](const World& w) {
    double ways = 1;
    for (int seat = 0; seat < view.known.to_act; ++seat)
      if (seat != view.seat)
        ways *= static_cast<double>(w.memory->of[static_cast<std::size_t>(game.role(seat))]->legal.size());
    return ways;
  };
  double total = 0;
  for (const World& w : set->worlds) total += w.weight * pending(w);
  double left = rng.unit() * total;
  std::size_t chosen = 0;
  for (; chosen + 1 < set->worlds.size(); ++chosen)
    if ((left -= set->worlds[chosen].weight * pending(set->worlds[chosen])) < 0) break;
  State s = view.known;
  s.position = set->worlds[chosen].position;
  s.memory = set->worlds[chosen].memory;
  if (game.shared_->random >= 0) s.stream = Rng(rng.next());
  for (int seat = 0; seat < view.known.to_act; ++seat) {
    if (seat == view.seat) continue;
    const auto& legal = s.memory->of[static_cast<std::size_t>(game.role(seat))]->legal;
    s.pending[static_cast<std::size_t>(seat)] = legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
  }
  return s;
}

}  // namespace kibitz::gdl
