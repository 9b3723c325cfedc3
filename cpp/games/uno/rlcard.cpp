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

// What happens to a hand is noted for its seat's memory, unless nobody will ask any more: the end of a play-out.
template <bool kNotes>
inline void Uno::note(State& s, int seat, int event) const {
  if constexpr (kNotes) s.memory[seat].note(event, s.last);
}

// The drawn card resolves at once: any wild is played, with a random colour and no effect; a card of the target's
// colour is played and takes effect (then: true); anything else is kept.
template <bool kNotes>
inline bool Uno::draw_rlcard(State& s) const {
  const int seat = s.turn, target = s.target();
  if (s.pile == 0) {
    note<kNotes>(s, seat, kNothingFits + target);  // before the reshuffle, if there is one
    reshuffle(s);
    if (s.pile == 0) {
      ++s.idle;
      return false;
    }
  }
  s.idle = 0;
  const Card c = take(s);
  if (colour_of(c) == s.colour) {
    note<kNotes>(s, seat, kNothingFits + target);
    discard(s, c);
    s.trait = trait_of(c);
    return true;
  }
  if (is_wild(c)) {
    note<kNotes>(s, seat, kNothingFits + target);
    discard(s, c);
    s.trait = c;
    s.colour = s.stream.below(kColours);
  } else {
    s.hands[seat].add(c);
    ++s.counts[seat];
    note<kNotes>(s, seat, kDrewAndKept + target);
  }
  return false;
}

// A Draw 2 or a Wild Draw 4 hits the seat; it gets what there is.
template <bool kNotes>
inline void Uno::punish_rlcard(State& s, int seat, int n) const {
  if (s.pile < n) reshuffle(s);
  n = std::min<int>(n, s.pile);
  if (n == 0) return;
  for (int i = 0; i < n; ++i) s.hands[seat].add(take(s));
  s.counts[seat] += n;
  note<kNotes>(s, seat, kGained + n - 1);
}

template <bool kNotes>
inline void Uno::step_rlcard(State& s, Action a) const {
  const int seat = s.turn;
  if (a == kDraw) {
    if (!draw_rlcard<kNotes>(s)) {
      pass_to(s, next(s, seat));
      if (s.idle >= options_.players) finish(s, State::kNobody);  // nobody finds a card any more
      return;
    }
  } else {
    const Played& play = kPlayed[a];
    s.hands[seat].remove(play.card);
    --s.counts[seat];
    note<kNotes>(s, seat, play.trait == kWild4Trait ? kWild4Instead + s.target() : play.card);
    discard(s, play.card);
    s.colour = play.colour;
    s.trait = play.trait;
    s.idle = 0;
  }
  // What the new target does. Only penalties are a branch: which of the others it is cannot be predicted.
  const int trait = s.trait;
  s.direction = trait == kReverse ? -s.direction : s.direction;
  int to = next(s, seat);
  if (trait == kDraw2 || trait == kWild4Trait) [[unlikely]] {
    punish_rlcard<kNotes>(s, to, trait == kDraw2 ? 2 : 4);
    to = next(s, to);
  }
  const int after = next(s, to);
  pass_to(s, trait == kSkip ? after : to);
  if (s.counts[seat] == 0) finish(s, seat);  // the last card takes effect, too
}

void Uno::apply_rlcard(State& s, Action a) const { step_rlcard<true>(s, a); }

std::uint32_t Uno::playout_rlcard(State& s, Rng& rng) const {
  std::uint32_t decisions = 0;
  for (; s.actor >= 0; ++decisions) step_rlcard<false>(s, random_legal(s, rng));
  return decisions;
}

}  // namespace kibitz::uno
