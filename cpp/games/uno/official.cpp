// The flow of a turn under the official rules, with the house rules.
#include <algorithm>
#include <utility>

#include "games/uno/uno.h"

namespace kibitz::uno {

namespace {

void forget_penalty(State& s) {
  s.pending = 0;
  s.guilty = false;
  s.bluff_slots = 0;
  s.before = kNoColour;
}

void drop_sight(State& s, int viewer, int k) {
  auto& sights = s.sights[viewer];
  std::move(sights.begin() + k + 1, sights.end(), sights.begin() + k);
  sights.back() = {};
}

// `viewer` sees a hand. There is room for two: the one of which least is left makes place, which depends on nothing
// that anybody else knows.
void see(State& s, int viewer, int owner, const Hand& hand) {
  auto& sights = s.sights[viewer];
  int k = 0;
  while (k < State::kSights && sights[k].hand.one && sights[k].owner != owner) ++k;
  if (k == State::kSights) {
    k = sights[0].hand.size() <= sights[1].hand.size() ? 0 : 1;
    drop_sight(s, viewer, k);
    k = State::kSights - 1;
  }
  sights[k] = {hand, static_cast<std::uint8_t>(owner)};
}

// Calls f(viewer, k) for every sight there is.
template <class F>
void each_sight(const State& s, F&& f) {
  for (int viewer = 0; viewer < kMaxSeats; ++viewer)
    for (int k = State::kSights - 1; k >= 0; --k)  // backwards: f may drop it
      if (s.sights[viewer][k].hand.one) f(viewer, k);
}

// Hands have changed places: what was seen of a hand is now about its new owner, unless that is who saw it.
template <class F>
void move_sights(State& s, F&& new_owner) {
  each_sight(s, [&](int viewer, int k) {
    Sight& sight = s.sights[viewer][k];
    sight.owner = new_owner(sight.owner);
    if (sight.owner == viewer) drop_sight(s, viewer, k);
  });
}

}  // namespace

// Moves the card from the hand to the discards and makes it the target.
void Uno::play(State& s, Action a) const {
  const int seat = s.turn;
  const int colour = a / kTraits, trait = a % kTraits;
  const Card c = trait >= kWildTrait ? trait : a;
  Hand& hand = s.hands[seat];
  hand.remove(c);
  --s.counts[seat];
  if (s.drawn != kNoCard) {
    s.memory[seat].lose_newest(c, s.last);
  } else {
    s.memory[seat].note(c, s.last);
    each_sight(s, [&](int viewer, int k) {
      Sight& sight = s.sights[viewer][k];
      if (sight.owner != seat || sight.hand.count(c) == 0) return;
      sight.hand.remove(c);
      if (sight.hand.one == 0) drop_sight(s, viewer, k);
    });
  }
  if (trait == kWild4Trait) {
    s.before = s.colour;
    s.guilty = (hand.one & row(s.colour)) != 0;
    s.memory[seat].fold(s.last);
    s.bluff_slots = s.memory[seat].slots();
  }
  discard(s, c);
  s.colour = colour;
  s.trait = trait;
  s.idle = 0;
}

void Uno::draw(State& s) const {
  if (options_.draw_until) return draw_until_fits(s);
  if (s.pile == 0) reshuffle(s);
  if (s.pile == 0) return found_nothing(s);
  const int seat = s.turn;
  s.drawn = take(s);
  s.hands[seat].add(s.drawn);
  ++s.counts[seat];
  s.memory[seat].note(kGained, s.last);
  s.idle = 0;
  s.phase = Phase::kDrawn;
}

// Everybody sees that nothing in the hand fitted, and that no card did that came before the last.
void Uno::draw_until_fits(State& s) const {
  const int seat = s.turn;
  s.memory[seat].note(kNothingFits + s.target(), s.last);
  for (bool any = false;; any = true) {
    if (s.pile == 0) reshuffle(s);
    if (s.pile == 0) {
      if (!any) return found_nothing(s);
      s.idle = 0;
      return pass_to(s, next(s, seat));
    }
    const Card c = take(s);
    s.hands[seat].add(c);
    ++s.counts[seat];
    s.memory[seat].note(kGained, s.last);
    if (is_wild(c)) {
      s.drawn = c;
      s.phase = Phase::kName;
      return;
    }
    if (kFits[s.colour][s.trait] & bit(c)) {
      play(s, c);
      return after_play(s);
    }
    s.memory[seat].note(kNothingFits + s.target(), s.last);
  }
}

// A card lies on the table; its player is s.turn. The last card's effect still resolves, without anybody's decision.
void Uno::after_play(State& s) const {
  const int seat = s.turn;
  s.drawn = kNoCard;
  if (s.counts[seat] == 0) {
    if (s.trait == kDraw2 || s.trait == kWild4Trait) give(s, next(s, seat), s.pending + (s.trait == kDraw2 ? 2 : 4));
    forget_penalty(s);
    return finish(s, seat);
  }
  if (options_.call && s.counts[seat] == 1) {
    s.actor = s.turn;
    s.phase = Phase::kCall;
    return;
  }
  resolve(s);
}

void Uno::resolve(State& s) const {
  const int seat = s.turn;
  const int to = next(s, seat);
  switch (s.trait) {
    case kSkip: return pass_to(s, next(s, to));
    case kReverse: s.direction = -s.direction; return pass_to(s, options_.players == 2 ? seat : next(s, seat));
    case kDraw2:
    case kWild4Trait:
      s.pending = s.pending + (s.trait == kDraw2 ? 2 : 4);
      s.actor = to;
      s.phase = Phase::kPenalty;
      if (s.trait == kDraw2 && !options_.stacking) accept_penalty(s);
      return;
    case 0:
      if (options_.seven_zero) pass_hands_on(s);
      return pass_to(s, to);
    case 7:
      if (!options_.seven_zero) return pass_to(s, to);
      s.actor = s.turn;
      s.phase = Phase::kSwap;
      return;
    default: return pass_to(s, to);
  }
}

void Uno::apply_official(State& s, Action a) const {
  if (a < kDraw) {
    if (s.phase == Phase::kPenalty) s.turn = s.actor;  // stacking: the answer is a turn of its own
    play(s, a);
    return after_play(s);
  }
  switch (a) {
    case kDraw: return draw(s);
    case kPlayDrawn:
      if (is_wild(s.drawn)) {
        s.phase = Phase::kName;
        return;
      }
      play(s, s.drawn);
      return after_play(s);
    case kKeep: s.drawn = kNoCard; return pass_to(s, next(s, s.turn));
    case kChallenge: return challenge(s);
    case kAccept: return accept_penalty(s);
    case kCallUno: return resolve(s);
    case kSilent:
      s.actor = next(s, s.turn);
      s.phase = Phase::kCatch;
      return;
    case kCatch: give(s, s.turn, 2); return resolve(s);
    case kLetPass:
      s.actor = next(s, s.actor);
      if (s.actor == s.turn) resolve(s);
      return;
    default: break;
  }
  if (a >= kSwap) {
    swap_hands(s, s.turn, a - kSwap);
    return pass_to(s, next(s, s.turn));
  }
  const int colour = a - kNameColour;
  if (s.drawn != kNoCard) {  // the drawn wild is played
    play(s, colour * kTraits + s.drawn);
    return after_play(s);
  }
  s.colour = colour;  // the opening Wild
  pass_to(s, s.turn);
}

// The seat to act draws what is pending and loses its turn.
void Uno::accept_penalty(State& s) const {
  const int seat = s.actor;
  give(s, seat, s.pending);
  forget_penalty(s);
  pass_to(s, next(s, seat));
}

// The challenger, s.actor, sees the hand of s.turn, alone. Guilty: the bluffer draws instead, and the challenger plays.
void Uno::challenge(State& s) const {
  const int bluffer = s.turn, challenger = s.actor;
  see(s, challenger, bluffer, s.hands[bluffer]);
  Memory& memory = s.memory[bluffer];
  memory.fold(s.last);
  if (!s.guilty) {
    memory.bar_colour(s.before, s.bluff_slots);
    s.pending += 2;
    return accept_penalty(s);
  }
  memory.require_colour(s.before, s.bluff_slots);
  give(s, bluffer, s.pending);
  forget_penalty(s);
  pass_to(s, challenger);
}

// ---------------------------------------------------------------------------------------------------- seven-zero

// What is known of a hand goes with it; whoever gave a hand away knows it.
void Uno::swap_hands(State& s, int a, int b) const {
  std::swap(s.hands[a], s.hands[b]);
  std::swap(s.counts[a], s.counts[b]);
  std::swap(s.memory[a], s.memory[b]);
  move_sights(s, [a, b](int owner) { return owner == a ? b : owner == b ? a : owner; });
  see(s, a, b, s.hands[b]);
  see(s, b, a, s.hands[a]);
}

void Uno::pass_hands_on(State& s) const {
  const auto hands = s.hands;
  const auto counts = s.counts;
  const auto memory = s.memory;
  for (int seat = 0; seat < options_.players; ++seat) {
    const int to = next(s, seat);
    s.hands[to] = hands[seat];
    s.counts[to] = counts[seat];
    s.memory[to] = memory[seat];
  }
  move_sights(s, [this, &s](int owner) { return next(s, owner); });
  for (int seat = 0; seat < options_.players; ++seat) see(s, seat, next(s, seat), hands[seat]);
}

}  // namespace kibitz::uno
