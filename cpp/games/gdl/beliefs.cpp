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
  const std::size_t own = game.role(seat);
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
  std::uint32_t number = turn + 1 - way.size();  // of the first turn to be worked out
  for (; !way.empty(); way.pop_back(), ++number) {
    const bool last = way.size() == 1 && over;
    std::shared_ptr<Set> next = set ? this->next(*set, way.back(), number, last) : first(way.back(), last);
    const bool complete = next->exact && (!set || set->exact);
    if (next->worlds.empty() && !complete) {  // too much was left out before: look for one history that fits
      next->exact = false;
      search(way.back(), last, next->worlds);
    }
    if (next->worlds.empty())
      throw BadInput(
          std::string(complete ? "no history of the game fits" : "no history of the game was found that fits") +
          " what seat " + std::to_string(seat_) + " has seen");
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
  auto& own = memory->of[own_];
  if (chain && (!same_chain(own.get(), chain.get()) || game_.over(r, 0) != over)) return out;
  if (chain) own = chain;
  start.memory = std::move(memory);
  out->worlds.push_back(std::move(start));
  return out;
}

std::shared_ptr<Beliefs::Set> Beliefs::next(const Set& before, const std::shared_ptr<const Glimpse>& chain,
                                            std::uint32_t turn, bool over) {
  auto out = extend(before, chain, turn, over);
  if (out->exact || out->worlds.size() >= enough() || out->from >= kSome) return out;
  auto more = some(before, chain, turn, over);
  return more->exact || more->from > out->from ? more : out;
}

// All moves of all roles in all worlds, or as many as can be tried.
std::shared_ptr<Beliefs::Set> Beliefs::extend(const Set& before, const std::shared_ptr<const Glimpse>& chain,
                                              std::uint32_t turn, bool over) {
  auto out = std::make_shared<Set>();
  Rng rng(mix(chain->hash, 3));
  std::vector<Ways> all;
  std::uint64_t total = 0, cost = 0;
  for (const World& w : before.worlds) {
    all.push_back(ways(w, chain->move));
    total += all.back().count;
    cost += cost_to_narrow(all.back());
  }
  if (total > most_tried() && game_.shared_->sees.apart) {
    Fits known;
    while (cost > most_tried_for_some() / 4 && all.size() > 1) {  // not all can be looked at
      std::swap(all.back(), all[rng.below(all.size())]);
      cost -= cost_to_narrow(all.back());
      all.pop_back();
    }
    total = 0;
    for (Ways& w : all) {
      narrow(w, *chain, known);
      total += w.count;
    }
  }
  const bool every = total <= most_tried();
  out->exact = before.exact && every && all.size() == before.worlds.size();
  std::vector<bool> fits(all.size());
  const auto try_in = [&](std::size_t i, std::uint64_t most) {
    const std::size_t found = out->worlds.size();
    follow(all[i], chain, turn, over, most, rng, out->worlds);
    if (out->worlds.size() > found) fits[i] = true;
  };
  // If not all, then as often in each world, until there are more than can be kept.
  for (std::uint64_t tried = 0; tried < (every ? 1 : most_tried()) && out->worlds.size() < 2 * most();
       tried += all.size())
    for (std::size_t i = 0; i < all.size(); ++i) try_in(i, every ? all[i].count : 1);
  out->from = std::count(fits.begin(), fits.end(), true);
  thin(*out, chain->hash);
  return out;
}

// What was seen is so rare that hardly any try has shown it: world after world, in random order, all moves if they are
// not too many, until it has been found in a few worlds.
std::shared_ptr<Beliefs::Set> Beliefs::some(const Set& before, const std::shared_ptr<const Glimpse>& chain,
                                            std::uint32_t turn, bool over) {
  auto out = std::make_shared<Set>();
  out->exact = before.exact;
  Rng rng(mix(chain->hash, 5));
  std::vector<const World*> left;
  for (const World& w : before.worlds) left.push_back(&w);
  std::uint64_t budget = most_tried_for_some();
  Fits known;
  const auto spend = [&budget](std::uint64_t cost) { budget -= std::min(budget, cost); };
  while (!left.empty() && out->from < enough() && budget > 0) {
    std::swap(left.back(), left[rng.below(left.size())]);
    Ways w = ways(*left.back(), chain->move);
    if (game_.shared_->sees.apart) {
      spend(cost_to_narrow(w));
      narrow(w, *chain, known);
    }
    const std::uint64_t share = left.size() == 1 ? budget : std::max<std::uint64_t>(budget / 4, most_tried());
    const std::uint64_t tried = std::min(w.count, share);
    spend(tried);
    out->exact &= tried == w.count;
    const std::size_t before_it = out->worlds.size();
    follow(w, chain, turn, over, tried, rng, out->worlds);
    out->from += out->worlds.size() > before_it;
    left.pop_back();
  }
  out->exact &= left.empty();
  thin(*out, chain->hash);
  return out;
}

Beliefs::Ways Beliefs::ways(const World& world, Action own) const {
  Ways out{&world, {}, 1};
  for (int i = 0; i < game_.roles(); ++i) {
    out.choices[i] = i == own_ ? std::vector<Action>{own} : world.memory->of[i]->legal;
    out.count = std::min<std::uint64_t>(out.count * out.choices[i].size(), 1'000'000'000);
  }
  return out;
}

std::uint64_t Beliefs::cost_to_narrow(const Ways& ways) const {
  std::uint64_t out = 0;
  for (const auto& moves : ways.choices)
    if (moves.size() > 1) out += std::count_if(moves.begin(), moves.end(), [this](Action a) { return tied(a); });
  return out;
}

// Whether it depends on the position what the move shows.
bool Beliefs::tied(Action a) const {
  const Percepts& sees = game_.shared_->sees;
  return sees.any_tied || sees.tied.contains(game_.shared_->program->terms.functor(game_.shared_->moves->term(a)));
}

// Which of a role's moves may have shown what was seen. Percepts are told by the move of one role each: what the seat
// sees with one move of a role and not with another, the others doing the same, that move shows it, whatever the others
// do.
std::vector<bool> Beliefs::fitting(const Ways& ways, std::size_t role, const std::vector<Action>& tried,
                                   const Glimpse& seen) const {
  Reasoner& reasoner = game_.reasoner(ways.world->position);
  const std::size_t n = game_.roles();
  std::array<Action, kMostRoles> moves;
  for (std::size_t r = 0; r < n; ++r)
    moves[r] = static_cast<int>(r) == own_ ? seen.move : ways.world->memory->of[r]->legal[0];
  std::vector<std::vector<TermId>> shown(tried.size());
  std::vector<TermId> always, both;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    moves[role] = tried[i];
    reasoner.sees({moves.data(), n}, own_, shown[i]);
    both.clear();
    std::set_intersection(always.begin(), always.end(), shown[i].begin(), shown[i].end(), std::back_inserter(both));
    always = i == 0 ? shown[i] : both;
  }
  std::vector<bool> out;
  for (const auto& all : shown) {
    both.clear();
    std::set_difference(all.begin(), all.end(), always.begin(), always.end(), std::back_inserter(both));
    out.push_back(std::includes(seen.sees.begin(), seen.sees.end(), both.begin(), both.end()));
  }
  return out;
}

// Leaves out moves that show the seat something that it has not seen.
void Beliefs::narrow(Ways& ways, const Glimpse& seen, Fits& known) const {
  const std::size_t n = game_.roles();
  ways.count = 1;
  for (std::size_t r = 0; r < n; ++r) {
    auto& list = ways.choices[r];
    if (const Percepts& sees = game_.shared_->sees; sees.any_tied || !sees.tied.empty())
      std::erase_if(known[r], [this](const auto& one) { return tied(one.first); });
    std::vector<Action> tried;
    for (Action a : list)
      if (!known[r].contains(a)) tried.push_back(a);
    if (list.size() > 1 && !tried.empty()) {
      if (tried.size() < list.size()) tried.push_back(list[0] == tried[0] ? list.back() : list[0]);  // to compare with
      const auto fits = fitting(ways, r, tried, seen);
      for (std::size_t i = 0; i < tried.size(); ++i) known[r].emplace(tried[i], fits[i]);
    }
    if (list.size() > 1) std::erase_if(list, [&](Action a) { return !known[r].at(a); });
    ways.count = std::min<std::uint64_t>(ways.count * list.size(), 1'000'000'000);
  }
}

std::uint64_t Beliefs::follow(const Ways& ways, const std::shared_ptr<const Glimpse>& chain, std::uint32_t turn,
                              bool over, std::uint64_t most, Rng& rng, std::vector<World>& out, std::size_t limit) {
  const std::size_t n = game_.roles();
  std::array<std::size_t, kMostRoles> at{};
  std::array<Action, kMostRoles> moves;
  if (ways.count == 0) return 0;
  const int random = game_.shared_->random;
  const auto& chances = ways.world->memory->of[std::max(random, 0)]->legal;
  const double odds = random < 0 ? 1 : 1.0 / chances.size();
  const bool all = ways.count <= most;
  const double draws = all ? 1 : static_cast<double>(ways.count) / static_cast<double>(most);
  std::uint64_t k = 0;
  for (; k < (all ? ways.count : most) && out.size() < limit; ++k) {
    for (std::size_t r = 0; r < n; ++r) {
      const auto& choices = ways.choices[r];
      moves[r] = choices[all ? at[r] : rng.below(choices.size())];
    }
    try_moves(*ways.world, chain, turn, over, {moves.data(), n}, ways.world->weight * odds * draws, out);
    for (std::size_t r = 0; all && r < n; ++r) {
      if (++at[r] < ways.choices[r].size()) break;
      at[r] = 0;
    }
  }
  return k;
}

// Whether the seat would have seen what it saw; then the world is one more.
bool Beliefs::try_moves(const World& world, const std::shared_ptr<const Glimpse>& chain, std::uint32_t turn, bool over,
                        std::span<const Action> moves, double weight, std::vector<World>& out) {
  Reasoner& r = game_.reasoner(world.position);
  std::vector<TermId> sees;
  r.sees(moves, own_, sees);
  if (sees != chain->sees) return false;
  auto memory = std::make_shared<Memory>(*game_.remember(*world.memory, moves, r));
  auto& own = memory->of[own_];
  if ((own->legal != chain->legal && !chain->any_legal) || game_.over(r, turn) != over) return false;
  if (!chain->any_legal) own = chain;
  World next{Words(), std::move(memory), weight};
  next.position = world.position;
  r.read(next.position);
  out.push_back(std::move(next));
  return true;
}

// One history by trial and error, in random order, again from the start while there is anything left to try.
void Beliefs::search(const std::shared_ptr<const Glimpse>& chain, bool over, std::vector<World>& out) {
  constexpr std::size_t kTried = 50;  // ways on from a world
  std::vector<const std::shared_ptr<const Glimpse>*> way;
  for (auto at = &chain; (*at)->before; at = &(*at)->before) way.push_back(at);
  std::reverse(way.begin(), way.end());
  Rng rng(chain->hash);
  std::uint64_t budget = most_tried_for_some();
  const auto start = first(nullptr, false);
  std::vector<std::vector<World>> levels;  // [turn] worlds that are still to be followed
  while (budget > 0 && levels.size() <= way.size()) {
    while (!levels.empty() && levels.back().empty()) levels.pop_back();
    if (levels.empty()) levels.push_back({start->worlds[0]});
    auto& here = levels.back();
    std::swap(here.back(), here[rng.below(here.size())]);
    const World world = std::move(here.back());
    here.pop_back();
    const auto& seen = *way[levels.size() - 1];
    Ways all = ways(world, seen->move);
    Fits known;
    if (all.count > most_tried() && game_.shared_->sees.apart) narrow(all, *seen, known);
    const std::uint32_t turn = levels.size();
    std::vector<World> next;
    const std::uint64_t tried = follow(all, seen, turn, over && turn == way.size(), most_tried(), rng, next, kTried);
    budget -= std::min(budget, 1 + tried);
    if (turn == 1 && all.count <= tried && next.empty()) return;  // all was tried
    if (!next.empty()) levels.push_back(std::move(next));
  }
  if (levels.size() > way.size()) out.push_back(std::move(levels.back().back()));
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
      for (sum += w.weight * most() / total; next < sum && some.size() < most(); next += 1) some.push_back(w);
    set.worlds = std::move(some);
    for (World& w : set.worlds) w.weight = 1;
  } else {
    for (World& w : set.worlds) w.weight /= total;
  }
}

State Beliefs::sample(const Gdl& game, const View& view, Rng& rng) {
  const int own = game.role(view.seat);
  const auto& chain = view.known.memory->of[own];
  const auto set = of(game, view.seat, chain, view.known.turn, view.known.to_act == kOver);
  // Who has chosen already has done so uniformly, as far as we know: more choices, more worlds.
  const auto pending = [&](const World& w) {
    double ways = 1;
    for (int seat = 0; seat < view.known.to_act; ++seat)
      if (seat != view.seat) ways *= w.memory->of[game.role(seat)]->legal.size();
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
    const auto& legal = s.memory->of[game.role(seat)]->legal;
    s.pending[seat] = legal[rng.below(legal.size())];
  }
  return s;
}

}  // namespace kibitz::gdl
