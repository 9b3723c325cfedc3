#include "games/doudizhu/rules_agent.h"

#include <algorithm>

namespace kibitz::doudizhu {

namespace {

constexpr int kAce = kTwo - 1;

// About how many turns a group costs: high cards win the lead back, so they cost less; bombs are worth keeping.
constexpr double kSoloCost[kRanks] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0.95, 0.9, 0.75, 0.45, 0.25, 0.05};
constexpr double kPairCost[kRanks] = {1, 1, 1, 1, 1, 1, 1, 1, 0.95, 0.9, 0.8, 0.6, 0.3};
constexpr double kTrioCost[kRanks] = {1, 1, 1, 0.95, 0.95, 0.9, 0.9, 0.85, 0.8, 0.7, 0.6, 0.4, 0.15};
constexpr double kBombCost = -0.5, kRocketCost = -0.8, kChainCost = 0.85;

// Without chains: bombs, trios that take a small solo or pair along, pairs, solos.
double cost_without_chains(Bits h) {
  double cost = 0;
  if ((h & kJokers) == kJokers) {
    cost += kRocketCost;
    h -= kJokers;
  }
  int trios = 0, small = 0;
  for (Bits left = at_least_1(h); left; left &= left - 1) {
    const int r = rank_at(left), n = count_of(h, r);
    if (n == 4) cost += kBombCost;
    if (n == 3) cost += kTrioCost[r];
    if (n == 2) cost += kPairCost[r];
    if (n == 1) cost += kSoloCost[r];
    trios += n == 3;
    small += n < 3 && r < kAce;
  }
  return cost - 0.9 * std::min(trios, small);
}

// The longest run in a mask of ranks as cards, `copies` each; 0 if it is shorter than `shortest`.
Bits longest_run(Bits mask, int shortest, int copies) {
  mask &= kChainOnes;
  Bits run = mask, best = 0;
  int n = 0;
  for (; run; ++n, run &= mask >> (4 * n)) best = run;
  if (n < shortest) return 0;
  return static_cast<Bits>(copies) * (kOnes & (((Bits{1} << (4 * n)) - 1) << (4 * rank_at(best))));
}

// About how many turns it takes to get rid of a hand; low is good. Tries each kind of chain first.
double cost_of(Bits h, int depth = 3) {
  if (h == 0) return -10;
  double best = cost_without_chains(h);
  if (depth == 0) return best;
  const Bits quads = at_least_4(h);
  for (Bits chain : {longest_run(at_least_3(h) & ~quads, 2, 3), longest_run(at_least_2(h), 3, 2),
                     longest_run(at_least_1(h) & ~quads, 5, 1)}) {
    if (!chain) continue;
    const Bits rest = h - chain;
    const bool plane = at_least_3(chain) != 0;
    const double cost = kChainCost + (rest ? cost_of(rest, depth - 1) : 0) - (plane && rest ? 0.9 : 0);
    best = std::min(best, cost);
  }
  return best;
}

struct Table {
  const DouDiZhu& game;
  const State& s;
  int seat;

  bool enemy(int other) const { return (seat == s.landlord) != (other == s.landlord); }
  int next() const { return (seat + 1) % kSeats; }
  int fewest_of_enemies() const {
    int n = kLandlordSize;
    for (int i = 0; i < kSeats; ++i)
      if (i != seat && enemy(i)) n = std::min<int>(n, s.counts[i]);
    return n;
  }
};

double worth_of_pass(const Table& t) {
  const double stay = -cost_of(t.s.hands[t.seat]);
  if (!t.enemy(t.s.leader)) return stay + 0.6;  // the partner has the lead
  const int left = t.s.counts[t.s.leader];
  return stay - (left <= 2 ? 3 : left <= 5 ? 1.6 : 0.9);
}

double worth_of_cards(const Table& t, const Move& m) {
  const Bits rest = t.s.hands[t.seat] - m.cards;
  if (rest == 0) return 1000;
  double worth = -cost_of(rest);
  const bool lead = t.s.last == kNoMove;
  // The cheapest card that does it; at a lead rather many cards at once.
  worth -= 0.02 * m.main;
  if (lead) worth += 0.02 * m.size;
  for (int r = kAce; r < kRanks; ++r) worth -= 0.03 * count_of(m.cards, r);
  const int enemies = t.fewest_of_enemies();
  const bool solo = m.category == Category::kSolo, pair = m.category == Category::kPair;
  if ((solo && enemies == 1) || (pair && enemies == 2)) worth -= 0.35 * (kRed - m.main);
  const bool helps = lead && t.s.landlord != t.seat && !t.enemy(t.next());  // the partner is next
  if (helps && t.s.counts[t.next()] == 1 && solo) worth += 2 - 0.1 * m.main;
  if (!lead && !t.enemy(t.s.leader)) {
    // Over the partner's head only with a small card, or to finish.
    const bool small = (solo || pair) && m.main < kAce && t.game.moves()[t.s.last].main < 7;
    if (!small && cost_of(rest) > 0.5) worth -= 2;
  }
  return worth;
}

Action bid(const Table& t, const DouDiZhu::Legal& list) {
  const Bits hand = t.s.hands[t.seat];
  const double quality = landlord_score(hand) - 1.2 * (cost_of(hand) - 6);
  const int wish = quality > 9 ? 3 : quality > 7 ? 2 : quality > 5 ? 1 : 0;
  Action best = list[0];
  for (Action a : list)
    if (a - kFirstBid <= wish) best = a;
  return best;
}

double worth(const Table& t, Action a) {
  const Move& m = t.game.moves()[a];
  if (m.category == Category::kPass) return worth_of_pass(t);
  if (m.category != Category::kKickers) return worth_of_cards(t, m);
  Blocks blocks;
  DouDiZhu::Legal list;
  t.game.moves().collect_group(t.s.hands[t.seat], m.group, t.game.options().both_jokers, blocks);
  t.game.moves().list(t.s.hands[t.seat], blocks, list);
  double best = -1e9;
  for (Action b : list) best = std::max(best, worth_of_cards(t, t.game.moves()[b]));
  return best;
}

}  // namespace

Action RulesAgent::act_within(const DouDiZhu& game, const State& s, Seat seat, const DouDiZhu::Legal& list,
                              Rng& rng) const {
  const Table t{game, s, seat};
  if (s.phase == Phase::kBid) return bid(t, list);
  return worthiest(list, rng, [&](Action a) { return worth(t, a); });
}

std::vector<NamedAgent<DouDiZhu>> named_agents(const DouDiZhu& game) { return only_rules<RulesAgent>(game); }

}  // namespace kibitz::doudizhu
