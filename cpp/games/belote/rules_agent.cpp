#include "games/belote/rules_agent.h"

#include <cmath>

namespace kibitz::belote {

namespace {

int count(Cards cards) { return std::popcount(cards); }

// Everything below looks at its own hand and at what everybody sees.
struct Table {
  const Belote& game;
  const State& s;
  int seat;
  Cards hand, unseen;

  Table(const Belote& g, const State& state, int me) : game(g), s(state), seat(me), hand(s.hands[me]) {
    unseen = g.deck() & ~hand;
    for (Cards played : s.played) unseen &= ~played;
  }

  int points(int c) const { return kTables.points[s.trump][c]; }
  bool is_trump(int c) const { return suit_of(c) == s.trump; }
  // Unseen cards of its suit that are stronger.
  Cards stronger(int c) const {
    const auto& strength = kTables.strength[s.trump][suit_of(c)];
    Cards out = 0;
    each_bit(unseen & whole_suit(suit_of(c)), [&](int d) {
      if (strength[d] > strength[c]) out |= one(d);
    });
    return out;
  }
  // The chance that a seat has none of these cards, were the unseen cards dealt blindly to those who may have them.
  double has_none(int who, Cards cards) const {
    const Cards possible = unseen & ~s.barred[who];
    const double all = std::max(1, count(possible)), held = game.hand_size() - count(s.played[who]);
    return std::pow(std::max(0.0, 1 - held / all), count(cards & possible));
  }
};

// ---------------------------------------------------------------------------------------------------- bidding

// A hand's worth with this trump, about in tricks' worth of points: J and 9 above all, length, aces beside.
double strength_of(Cards hand, int trump) {
  static constexpr double kTrumpWorth[kRanks] = {8, 8, 17, 12, 26, 10, 10, 14};
  double worth = 0;
  const Cards trumps = hand & whole_suit(trump);
  each_bit(trumps, [&](int c) { worth += kTrumpWorth[rank_of(c)]; });
  if (count(trumps) < 3) worth -= 15;  // too short to stand the first rounds
  const Cards royals = one(card(trump, kQueen)) | one(card(trump, kKing));
  if ((trumps & royals) == royals) worth += 15;
  for (int suit = 0; suit < kSuits; ++suit) {
    if (suit == trump) continue;
    const Cards cards = hand >> (8 * suit) & 255;
    if (cards & one(kAce)) worth += 12;
    if ((cards & one(k10)) && count(cards) > 1) worth += cards & one(kAce) ? 8 : 3;
    if (cards == 0 && count(trumps) >= 3) worth += 6;
  }
  return worth;
}

Action bid(const Table& t) {
  const bool first = t.s.phase == Phase::kFirst;
  const double needed = first ? 50 : 46;
  Action best = kPass;
  double most = needed;
  for (int suit = 0; suit < kSuits; ++suit) {
    if ((suit == suit_of(t.s.turned)) != first) continue;
    const double worth = strength_of(t.hand | one(t.s.turned), suit);
    if (worth < most) continue;
    most = worth;
    best = kTake + suit;
  }
  return best;
}

// ---------------------------------------------------------------------------------------------------- play

// The chance that our side takes the trick if c is played now, the seats behind playing to win where they can.
double chance(const Table& t, int c) {
  const State& s = t.s;
  const int led = s.in_trick ? suit_of(s.trick[0]) : suit_of(c);
  const auto& strength = kTables.strength[s.trump][led];
  const bool wins = strength[c] > s.strength;
  const int best = wins ? strength[c] : s.strength;
  double ours = wins || (s.in_trick && s.winner == (t.seat ^ 2)) ? 1 : 0;
  Cards beats_led = 0, beats_trump = 0;
  each_bit(t.unseen & (whole_suit(led) | whole_suit(s.trump)), [&](int d) {
    if (strength[d] > best) (suit_of(d) == led ? beats_led : beats_trump) |= one(d);
  });
  for (int behind = 1; behind < kSeats - s.in_trick; ++behind) {
    const int who = (t.seat + behind) & 3;
    const double is_void = t.has_none(who, whole_suit(led));
    const double beaten = (1 - t.has_none(who, beats_led)) + is_void * (1 - t.has_none(who, beats_trump));
    const double q = std::min(1.0, beaten);
    ours = (behind & 1) ? ours * (1 - q) : ours + (1 - ours) * q;
  }
  return ours;
}

// What the card would still do for us later.
double keeping(const Table& t, int c) {
  const bool master = t.stronger(c) == 0;
  if (t.is_trump(c)) return 8 + t.points(c) + (master ? 4 : 0);
  return (master ? 0.15 : 0.5) * t.points(c);
}

double worth(const Table& t, int c) {
  const State& s = t.s;
  double out = (2 * chance(t, c) - 1) * (s.at_stake + t.points(c)) - keeping(t, c);
  if (s.in_trick > 0) return out;
  // Leading: takers with good trumps draw those of the others; a master in a plain suit is best led early.
  const bool ours = s.taker == State::kNobody ? (t.seat & 1) == 0 : ((s.taker ^ t.seat) & 1) == 0;
  const Cards trumps = t.hand & whole_suit(s.trump);
  if (t.is_trump(c) && ours && t.stronger(c) == 0 && (t.unseen & whole_suit(s.trump)) && count(trumps) >= 3) out += 18;
  if (t.is_trump(c) && !ours) out -= 6;
  if (!t.is_trump(c) && count(t.hand & whole_suit(suit_of(c))) == 1 && trumps) out += 2;  // to trump it next time
  return out;
}

}  // namespace

Action RulesAgent::act_within(const Belote& game, const State& s, Seat seat, const Belote::Legal& list,
                              Rng& rng) const {
  const Table t(game, s, seat);
  if (s.phase != Phase::kPlay) return bid(t);
  if (list.size() == 1) return list[0];
  return worthiest(list, rng, [&](Action a) { return worth(t, a); });
}

std::vector<NamedAgent<Belote>> named_agents(const Belote& game) { return only_rules<RulesAgent>(game); }

}  // namespace kibitz::belote
