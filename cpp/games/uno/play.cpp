// The flow of the game: deal, legal, apply, payoff.
#include <utility>

#include "games/uno/uno.h"

namespace kibitz::uno {

namespace {

// A full pile in the order of ids; the order does not matter, draws pick by the stream.
State blank_state() {
  State s;
  kFullDeck.each([&s](Card c) { s.cards[s.pile++] = c; });
  return s;
}

void push_bits(Bits b, Uno::Legal& out) {
  each_bit(b, [&out](int id) { out.push(static_cast<Action>(id)); });
}

// Where all copies of the card were at the last reshuffle, if they were together.
Side side_of(const State& s, Card c) {
  if (s.fresh.one == 0 || s.remainder > 0) return Side::kUnknown;
  const int piled = s.fresh.count(c);
  return piled == 0 ? Side::kHeld : piled == copies(c) ? Side::kPiled : Side::kUnknown;
}

void forget_penalty(State& s) {
  s.pending = 0;
  s.guilty = false;
  s.bluff_slots = 0;
  s.before = kNoColour;
}

void drop_sight(State& s, int i) {
  s.sights[i] = s.sights[--s.num_sights];
  s.sights[s.num_sights] = {};
}

}  // namespace

Uno::Uno(const Options& options) : options_(options), blank_(blank_state()) {
  const auto& o = options_;
  info_.name = kName;
  info_.seats = o.players;
  info_.actions = rlcard() ? kRlcardActions : kOfficialActions;
  const double deck = 360 + 24 * 20 + 8 * 50;  // points of all cards
  info_.low = o.points ? -deck : -1;
  info_.high = o.points ? deck : 1;
  info_.zero_sum = o.points || !rlcard() || o.players == 2;
  for (int i = 0; i < o.players; ++i) {
    info_.team.push_back(i);
    next_[0][i] = static_cast<std::uint8_t>(i == 0 ? o.players - 1 : i - 1);
    next_[1][i] = static_cast<std::uint8_t>(i == o.players - 1 ? 0 : i + 1);
  }
  info_.encoders = {{"li", {4, 4, 15}, false},
                    {"brown", {7, 4, 15}, true},
                    {"brown-fair", {7, 4, 15}, false},
                    {"full", {kFullSize}, false}};
  info_.options = Value(Value::Object{{"players", o.players},
                                      {"rules", rlcard() ? "rlcard" : "official"},
                                      {"scoring", o.points ? "points" : "win"},
                                      {"uno_call", o.call ? "decision" : "auto"},
                                      {"opening_wild", o.opening_back ? "back" : "name"},
                                      {"stacking", o.stacking},
                                      {"draw_until", o.draw_until},
                                      {"seven_zero", o.seven_zero}});
}

// ---------------------------------------------------------------------------------------------------- piles

void Uno::discard(State& s, Card c) const { s.cards[kCards - ++s.discards] = c; }

// A random card of the pile, which is not empty.
Card Uno::take(State& s) const {
  Card& place = s.cards[s.stream.below(s.pile)];
  const Card c = place;
  place = s.cards[--s.pile];
  s.cards[s.pile] = 0;  // equal states have equal bytes
  return c;
}

// Official: all discards but the top one become the pile. rlcard: all of them, the live target included, join it.
void Uno::reshuffle(State& s) const {
  const int kept = rlcard() || s.discards == 0 ? 0 : 1;
  if (s.discards == kept) return;  // nothing comes back, nothing is learnt
  s.remainder = s.pile;
  s.fresh = {};
  const int top = kCards - s.discards;
  const Card target = s.cards[top];
  for (int i = top + kept; i < kCards; ++i) {
    const Card c = s.cards[i];
    s.fresh.add(c);
    s.cards[s.pile++] = c;  // the pile never reaches what is still to be read: it has at most i cards
  }
  s.discards = static_cast<std::uint8_t>(kept);
  for (int i = s.pile; i < kCards; ++i) s.cards[i] = 0;
  if (kept) s.cards[kCards - 1] = target;
  for (int seat = 0; seat < options_.players; ++seat) s.memory[seat].reshuffled();
}

// Hidden cards from the pile to a hand; fewer where there are not enough. Returns how many.
int Uno::give(State& s, int seat, int n) const {
  int given = 0;
  for (; given < n; ++given) {
    if (s.pile == 0) reshuffle(s);
    if (s.pile == 0) break;
    add_to_hand(s, seat, take(s));
  }
  return given;
}

// One by one, so that a reshuffle between two cards finds the first already in its slot.
void Uno::add_to_hand(State& s, int seat, Card c) const {
  s.hands[seat].add(c);
  ++s.counts[seat];
  s.memory[seat].gain();
}

void Uno::see(State& s, int viewer, int owner, const Hand& hand) const {
  for (int i = 0; i < s.num_sights; ++i)
    if (s.sights[i].viewer == viewer && s.sights[i].owner == owner) drop_sight(s, i--);
  if (hand.one == 0) return;
  if (s.num_sights == State::kSights) {  // forget where least is known
    int least = 0;
    for (int i = 1; i < s.num_sights; ++i)
      if (s.sights[i].hand.size() < s.sights[least].hand.size()) least = i;
    drop_sight(s, least);
  }
  s.sights[s.num_sights++] = {static_cast<std::uint8_t>(viewer), static_cast<std::uint8_t>(owner), hand};
}

// ---------------------------------------------------------------------------------------------------- deal

State Uno::deal(Rng& rng) const {
  State s = blank_;
  const std::uint64_t a = rng.next();
  s.stream = Rng(a, rng.next() | 1);  // never the all-zero stream
  for (int seat = 0; seat < options_.players; ++seat) give(s, seat, 7);
  open(s);
  return s;
}

// Turns the first card and does what it says. The dealer is the last seat, seat 0 would start.
void Uno::open(State& s) const {
  Card first = take(s);
  while (first == kWild4 || (first == kWild && options_.opening_back && !rlcard())) {
    s.cards[s.pile++] = first;
    first = take(s);
  }
  discard(s, first);
  s.trait = static_cast<std::uint8_t>(trait_of(first));
  s.colour = static_cast<std::uint8_t>(colour_of(first));
  const int dealer = options_.players - 1;
  switch (s.trait) {
    case kSkip: pass_to(s, 1); break;
    case kReverse:
      s.direction = -1;
      pass_to(s, dealer);
      break;
    case kDraw2:
      give(s, 0, 2);
      pass_to(s, rlcard() ? 0 : 1);
      break;
    case kWildTrait:
      if (rlcard())
        s.colour = static_cast<std::uint8_t>(s.stream.below(kColours));
      else
        s.phase = Phase::kName;
      break;
    default: break;
  }
}

// ---------------------------------------------------------------------------------------------------- legal

// The legal ids in the phase kPlay, all below 64, as bits.
Bits Uno::plays(const State& s) const {
  const Hand& h = s.hands[s.actor];
  Bits ids = fitting(s, h);
  if (h.one & kWildBits) ids |= kWildBits;
  const bool wild4 = (h.one & kWild4Bits) != 0;
  if (rlcard()) {
    if (!ids) ids = wild4 ? kWild4Bits : bit(kDraw);
  } else {
    if (wild4) ids |= kWild4Bits;  // perhaps a bluff
    if (!ids || !options_.draw_until) ids |= bit(kDraw);
  }
  return ids;
}

void Uno::legal(const State& s, Legal& out) const {
  out.clear();
  if (s.phase == Phase::kPlay)
    push_bits(plays(s), out);
  else
    legal_special(s, out);
}

Action Uno::random_legal(const State& s, Rng& rng) const {
  if (s.phase == Phase::kPlay) {
    const Bits ids = plays(s);
    if ((ids & (ids - 1)) == 0) return static_cast<Action>(lowest(ids));
    return static_cast<Action>(random_bit(ids, rng));
  }
  Legal list;
  legal_special(s, list);
  return random_of(list, rng);
}

void Uno::legal(const View& v, Legal& out) const {
  out.clear();
  if (to_act(v.known) == v.seat) legal(v.known, out);
}

void Uno::legal_special(const State& s, Legal& out) const {
  const Hand& h = s.hands[s.actor];
  switch (s.phase) {
    case Phase::kDrawn:
      if (is_wild(s.drawn) || (kFits[s.colour][s.trait] & bit(s.drawn))) out.push(kPlayDrawn);
      out.push(kKeep);  // always a decision, so that nobody learns whether the card fitted
      break;
    case Phase::kName:
      for (int c = 0; c < kColours; ++c) out.push(static_cast<Action>(kNameColour + c));
      break;
    case Phase::kSwap:
      for (int seat = 0; seat < options_.players; ++seat)
        if (seat != s.actor) out.push(static_cast<Action>(kSwap + seat));
      break;
    case Phase::kCall:
      out.push(kCallUno);
      out.push(kSilent);
      break;
    case Phase::kCatch:
      out.push(kCatch);
      out.push(kLetPass);
      break;
    case Phase::kPenalty:
      if (options_.stacking)
        push_bits(s.trait == kDraw2 ? h.one & column(kDraw2) : h.one & kWild4Bits ? kWild4Bits : 0, out);
      if (s.trait == kWild4Trait) out.push(kChallenge);
      out.push(kAccept);
      break;
    case Phase::kPlay:
    case Phase::kOver: break;
  }
}

// ---------------------------------------------------------------------------------------------------- apply

void Uno::apply(State& s, Action a) const {
  if (++s.turns >= kMaxTurns) return finish(s, State::kNobody);
  if (a < kDraw) {
    if (s.phase == Phase::kPenalty) s.turn = s.actor;  // stacking: the answer is a turn of its own
    play(s, a);
    if (rlcard())
      effect_rlcard(s);
    else
      after_play(s);
  } else if (a == kDraw) {
    if (rlcard())
      draw_rlcard(s);
    else
      draw_official(s);
  } else {
    act(s, a);
  }
}

void Uno::pass_to(State& s, int seat) const {
  s.turn = s.actor = static_cast<std::uint8_t>(seat);
  s.phase = Phase::kPlay;
}

void Uno::finish(State& s, int winner) const {
  s.winner = static_cast<std::uint8_t>(winner);
  s.phase = Phase::kOver;
}

// Moves the card from the hand to the discards and makes it the target.
void Uno::play(State& s, Action a) const {
  const int seat = s.turn;
  const int colour = a / kTraits, trait = a % kTraits;
  const Card c = static_cast<Card>(trait >= kWildTrait ? trait : a);
  Hand& hand = s.hands[seat];
  Memory& memory = s.memory[seat];
  hand.remove(c);
  --s.counts[seat];
  memory.lose(c, side_of(s, c));
  for (int i = 0; i < s.num_sights; ++i)
    if (s.sights[i].owner == seat && s.sights[i].hand.count(c)) {
      s.sights[i].hand.remove(c);
      if (s.sights[i].hand.one == 0) drop_sight(s, i--);
    }
  if (trait == kWild4Trait) {
    if (rlcard()) {  // only legal because nothing else was
      memory.bar_all_but_wild4(s.colour, s.trait);
    } else {
      s.before = s.colour;
      s.guilty = (hand.one & row(s.colour)) != 0;
      s.bluff_slots = static_cast<std::uint8_t>(memory.slots());
    }
  }
  discard(s, c);
  s.colour = static_cast<std::uint8_t>(colour);
  s.trait = static_cast<std::uint8_t>(trait);
  s.idle = 0;
}

// ---------------------------------------------------------------------------------------------------- rlcard

// What the target does under rlcard rules, whoever played it, also when it was the last card.
void Uno::effect_rlcard(State& s) const {
  const int seat = s.turn;
  int to = next(s, seat);
  switch (s.trait) {
    case kReverse:
      s.direction = static_cast<std::int8_t>(-s.direction);
      to = next(s, seat);
      break;
    case kSkip: to = next(s, to); break;
    case kDraw2:
    case kWild4Trait: {
      const int n = s.trait == kDraw2 ? 2 : 4;
      if (s.pile < n) reshuffle(s);
      give(s, to, std::min<int>(n, s.pile));
      to = next(s, to);
      break;
    }
    default: break;
  }
  pass_to(s, to);
  if (s.counts[seat] == 0) finish(s, seat);
}

// The drawn card resolves at once: any wild is played, with a random colour and no effect; a card of the target's
// colour is played with its effect; anything else is kept.
void Uno::draw_rlcard(State& s) const {
  const int seat = s.turn;
  Memory& memory = s.memory[seat];
  memory.bar_fitting(s.colour, s.trait);
  if (s.pile == 0) reshuffle(s);
  if (s.pile == 0) return found_nothing(s);
  s.idle = 0;
  const Card c = take(s);
  if (is_wild(c)) {
    discard(s, c);
    s.colour = static_cast<std::uint8_t>(s.stream.below(kColours));
    s.trait = c;
    return pass_to(s, next(s, seat));
  }
  if (colour_of(c) == s.colour) {
    discard(s, c);
    s.trait = static_cast<std::uint8_t>(trait_of(c));
    return effect_rlcard(s);
  }
  add_to_hand(s, seat, c);
  memory.bar_colour_and_wilds(s.colour);
  pass_to(s, next(s, seat));
}

// No card is left to draw. When every seat in turn has found that, the game gets nowhere: it ends as a draw.
void Uno::found_nothing(State& s) const {
  pass_to(s, next(s, s.turn));
  if (++s.idle >= options_.players) finish(s, State::kNobody);
}

// ---------------------------------------------------------------------------------------------------- official

void Uno::draw_official(State& s) const {
  const int seat = s.turn;
  if (!options_.draw_until) {
    if (s.pile == 0) reshuffle(s);
    if (s.pile == 0) return found_nothing(s);
    s.drawn = take(s);
    add_to_hand(s, seat, s.drawn);
    s.idle = 0;
    s.phase = Phase::kDrawn;
    return;
  }
  s.memory[seat].bar_fitting(s.colour, s.trait);
  for (bool any = false;; any = true) {
    if (s.pile == 0) reshuffle(s);
    if (s.pile == 0) {
      if (!any) return found_nothing(s);
      s.idle = 0;
      return pass_to(s, next(s, seat));
    }
    const Card c = take(s);
    add_to_hand(s, seat, c);
    if (is_wild(c)) {
      s.drawn = c;
      s.phase = Phase::kName;
      return;
    }
    if (kFits[s.colour][s.trait] & bit(c)) {
      play(s, c);
      return after_play(s);
    }
    s.memory[seat].bar_fitting(s.colour, s.trait);
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
    case kReverse:
      s.direction = static_cast<std::int8_t>(-s.direction);
      return pass_to(s, options_.players == 2 ? seat : next(s, seat));
    case kDraw2:
    case kWild4Trait:
      s.pending = static_cast<std::uint8_t>(s.pending + (s.trait == kDraw2 ? 2 : 4));
      s.actor = static_cast<std::uint8_t>(to);
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

// The decisions that are not plays or draws.
void Uno::act(State& s, Action a) const {
  switch (a) {
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
      s.actor = static_cast<std::uint8_t>(next(s, s.turn));
      s.phase = Phase::kCatch;
      return;
    case kCatch: give(s, s.turn, 2); return resolve(s);
    case kLetPass:
      s.actor = static_cast<std::uint8_t>(next(s, s.actor));
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
    play(s, static_cast<Action>(colour * kTraits + s.drawn));
    return after_play(s);
  }
  s.colour = static_cast<std::uint8_t>(colour);  // the opening Wild
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
  if (!s.guilty) {
    memory.bar_colour(s.before, s.bluff_slots);
    s.pending = static_cast<std::uint8_t>(s.pending + 2);
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
  for (int i = 0; i < s.num_sights; ++i) {
    auto& sight = s.sights[i];
    if (sight.owner == a || sight.owner == b) sight.owner = static_cast<std::uint8_t>(a + b - sight.owner);
    if (sight.owner == sight.viewer) drop_sight(s, i--);
  }
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
  for (int i = 0; i < s.num_sights; ++i) {
    auto& sight = s.sights[i];
    sight.owner = static_cast<std::uint8_t>(next(s, sight.owner));
    if (sight.owner == sight.viewer) drop_sight(s, i--);
  }
  for (int seat = 0; seat < options_.players; ++seat) see(s, seat, next(s, seat), hands[seat]);
}

// ---------------------------------------------------------------------------------------------------- payoff

void Uno::payoff(const State& s, std::span<double> out) const {
  const int n = options_.players;
  for (int i = 0; i < n; ++i) out[i] = 0;
  if (s.phase != Phase::kOver || s.winner == State::kNobody) return;
  for (int i = 0; i < n; ++i) {
    if (i == s.winner) continue;
    double loss = rlcard() ? 1 : 1.0 / (n - 1);
    if (options_.points) {
      loss = 0;
      s.hands[i].each([&loss](Card c) { loss += points(c); });
    }
    out[i] = -loss;
    out[s.winner] += options_.points ? loss : 0;
  }
  if (!options_.points) out[s.winner] = 1;
}

}  // namespace kibitz::uno
