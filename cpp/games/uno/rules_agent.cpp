#include "games/uno/rules_agent.h"

#include <cmath>

namespace kibitz::uno {

namespace {

// Everything below looks at its own hand and at what everybody sees. their counts stand.
struct Sitting {
  const Uno& game;
  const State& s;
  int seat;
  const Hand& hand;

  int next(int from) const {
    const int n = game.options().players, to = from + s.direction;
    return to < 0 ? n - 1 : to == n ? 0 : to;
  }
};

int cards_of(const Hand& h, Bits where) { return std::popcount(h.one & where) + std::popcount(h.two & where); }

// How well the hand could go on if the target were this: cards of the colour, and of the number or symbol elsewhere.
double follow_up(const Hand& rest, int colour, int trait) {
  const double same = cards_of(rest, row(colour));
  const double across = trait < kWildTrait ? cards_of(rest, column(trait) & ~row(colour)) : 0;
  return same + 0.7 * across;
}

// Worth of playing card id `a`: go on with what the hand has most of, hit a neighbour who is about to go out, keep
// wilds as long as something else can be played, and when somebody is close to going out, get rid of expensive cards.
double worth_of_card(const Sitting& t, Action a) {
  const int colour = a / kTraits, trait = a % kTraits;
  const Card c = trait >= kWildTrait ? trait : a;
  Hand rest = t.hand;
  rest.remove(c);
  const int size = rest.size();
  if (size == 0) return 1000;
  double worth = follow_up(rest, colour, trait);
  const int victim = t.next(t.seat);
  const int after = t.s.counts[victim];
  const bool again =
      t.game.options().players == 2 && (trait == kSkip || trait == kDraw2 || (trait == kReverse && !t.game.rlcard()));
  const double danger = after <= 2 ? 6 : after <= 4 ? 2 : 0.5;
  if (trait == kSkip) worth += danger;
  if (trait == kDraw2) worth += 1 + 1.5 * danger;
  if (trait == kWild4Trait) worth += 1.5 + 2 * danger;
  if (trait == kReverse && t.game.options().players > 2) {
    const int before = t.s.counts[((t.seat - t.s.direction) % t.game.options().players + t.game.options().players) %
                                  t.game.options().players];
    worth += after < before ? 0.5 * danger : -0.5;
  }
  if (again && follow_up(rest, colour, trait) > 0) worth += 3;
  if (is_wild(c)) worth -= size <= 1 ? 0 : after <= 2 ? 3 : 8;  // a wild as last card always goes
  int closest = kCards;
  for (int i = 0; i < t.game.options().players; ++i)
    if (i != t.seat) closest = std::min<int>(closest, t.s.counts[i]);
  if (t.game.options().points) worth += points(c) * (closest <= 2 ? 0.3 : 0.05);
  return worth;
}

// The chance that the player of a Wild Draw 4 held a card of the colour, were the cards dealt blindly.
bool looks_like_a_bluff(const Sitting& t) {
  const Memory& m = t.s.memory[t.s.turn];
  const int blind = std::max(0, t.s.counts[t.s.turn] - m.colours()[t.s.before]);
  return 1 - std::pow(0.77, blind) > 0.6;
}

int fewest_cards(const Sitting& t) {
  int best = -1;
  for (int i = 0; i < t.game.options().players; ++i)
    if (i != t.seat && (best < 0 || t.s.counts[i] < t.s.counts[best])) best = i;
  return best;
}

double worth(const Sitting& t, Action a) {
  if (a < kDraw) return worth_of_card(t, a);
  if (a == kPlayDrawn) return is_wild(t.s.drawn) && t.hand.size() > 4 ? 0 : 2;
  if (a == kKeep) return 1;
  if (a == kChallenge) return looks_like_a_bluff(t) ? 1 : -1;
  if (a == kAccept) return 0;
  if (a == kCallUno || a == kCatch) return 1;
  if (a >= kSwap) return a - kSwap == fewest_cards(t) ? 1 : 0;
  if (a >= kNameColour) return follow_up(t.hand, a - kNameColour, kWildTrait);
  return a == kDraw ? -100 : 0;  // draw only when there is nothing else
}

}  // namespace

Action RulesAgent::act_within(const Uno& game, const State& s, Seat seat, const Uno::Legal& list, Rng& rng) const {
  const Sitting t{game, s, seat, s.hands[seat]};
  return worthiest(list, rng, [&](Action a) { return worth(t, a); });
}

std::vector<NamedAgent<Uno>> named_agents(const Uno& game) { return only_rules<RulesAgent>(game); }

}  // namespace kibitz::uno
