#include "games/doudizhu/rules_agent.h"

#include <algorithm>

#include "games/doudizhu/turns.h"

namespace kibitz::doudizhu {

namespace {

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
  const double stay = -turns_of(t.s.hands[t.seat]);
  if (!t.enemy(t.s.leader)) return stay + 0.6;  // the partner has the lead
  const int left = t.s.counts[t.s.leader];
  return stay - (left <= 2 ? 3 : left <= 5 ? 1.6 : 0.9);
}

double worth_of_cards(const Table& t, const Move& m) {
  const Bits rest = t.s.hands[t.seat] - m.cards;
  if (rest == 0) return 1000;
  double worth = -turns_of(rest);
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
    if (!small && turns_of(rest) > 0.5) worth -= 2;
  }
  return worth;
}

Action bid(const Table& t, const DouDiZhu::Legal& list) {
  const Bits hand = t.s.hands[t.seat];
  const double quality = landlord_score(hand) - 1.2 * (turns_of(hand) - 6);
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
