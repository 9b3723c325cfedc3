// The flow of a turn as rlcard 1.2.0 plays it. This is the hot loop of random play.
#include <algorithm>

#include "games/uno/uno.h"

namespace kibitz::uno {

namespace {

struct Played {
  Card card;
  std::uint8_t colour, trait;
};

constexpr auto kPlayed = [] {
  std::array<Played, kDraw> table{};
  for (int a = 0; a < kDraw; ++a) {
    const int trait = a % kTraits;
    table[a] = {static_cast<Card>(trait >= kWildTrait ? trait : a), static_cast<std::uint8_t>(a / kTraits),
                static_cast<std::uint8_t>(trait)};
  }
  return table;
}();

}  // namespace

void Uno::apply_rlcard(State& s, Action a) const {
  const int seat = s.turn;
  if (a == kDraw) {
    if (!draw_rlcard(s)) {
      pass_to(s, next(s, seat));
      if (s.idle >= options_.players) finish(s, State::kNobody);  // nobody finds a card any more
      return;
    }
  } else {
    const Played& play = kPlayed[a];
    s.hands[seat].remove(play.card);
    --s.counts[seat];
    s.memory[seat].note(play.trait == kWild4Trait ? kWild4Instead + s.target() : play.card, s.last);
    discard(s, play.card);
    s.colour = play.colour;
    s.trait = play.trait;
    s.idle = 0;
  }
  // What the new target does. Only penalties are a branch: which of the others it is cannot be predicted.
  const int trait = s.trait;
  s.direction = static_cast<std::int8_t>(trait == kReverse ? -s.direction : s.direction);
  int to = next(s, seat);
  if (trait == kDraw2 || trait == kWild4Trait) [[unlikely]] {
    const int n = trait == kDraw2 ? 2 : 4;
    if (s.pile < n) reshuffle(s);
    give(s, to, std::min<int>(n, s.pile));
    to = next(s, to);
  }
  const int after = next(s, to);
  pass_to(s, trait == kSkip ? after : to);
  if (s.counts[seat] == 0) finish(s, seat);  // the last card takes effect, too
}

// The drawn card resolves at once: any wild is played, with a random colour and no effect; a card of the target's
// colour is played and takes effect (then: true); anything else is kept.
bool Uno::draw_rlcard(State& s) const {
  const int seat = s.turn, target = s.target();
  if (s.pile == 0) {
    s.memory[seat].note(kNothingFits + target, s.last);  // before the reshuffle, if there is one
    reshuffle(s);
    if (s.pile == 0) {
      ++s.idle;
      return false;
    }
  }
  s.idle = 0;
  const Card c = take(s);
  if (colour_of(c) == s.colour) {
    s.memory[seat].note(kNothingFits + target, s.last);
    discard(s, c);
    s.trait = static_cast<std::uint8_t>(trait_of(c));
    return true;
  }
  if (is_wild(c)) {
    s.memory[seat].note(kNothingFits + target, s.last);
    discard(s, c);
    s.trait = c;
    s.colour = static_cast<std::uint8_t>(s.stream.below(kColours));
  } else {
    s.hands[seat].add(c);
    ++s.counts[seat];
    s.memory[seat].note(kDrewAndKept + target, s.last);
  }
  return false;
}

}  // namespace kibitz::uno
