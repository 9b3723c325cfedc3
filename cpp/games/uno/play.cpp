// What both rule sets share: deal, legal, payoff, piles. The flow of a turn is in official.cpp and rlcard.cpp.
#include <algorithm>

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
  each_bit(b, [&out](int id) { out.push(id); });
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
  info_.point_scoring = "points";
  info_.zero_sum = o.points || !rlcard() || o.players == 2;
  for (int i = 0; i < o.players; ++i) {
    info_.team.push_back(i);
    next_[0][i] = i == 0 ? o.players - 1 : i - 1;
    next_[1][i] = i == o.players - 1 ? 0 : i + 1;
  }
  info_.encoders = {{"li", {4, 4, 15}, false, true},
                    {"brown", {7, 4, 15}, true, true},
                    {"brown-fair", {7, 4, 15}, false, true},
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

// Official: all discards but the top one become the pile. rlcard: all of them, the live target included, join it.
void Uno::reshuffle(State& s) const {
  const int kept = rlcard() || s.discards == 0 ? 0 : 1;
  if (s.discards == kept || s.last.number == kMaxReshuffles) return;  // nothing comes back, nothing is learnt
  s.fold();  // what was noted before the reshuffle belongs before it
  s.held = s.hands;
  s.last = {{}, s.pile, static_cast<std::uint16_t>(s.last.number + 1)};
  const int top = kCards - s.discards;
  const Card target = s.cards[top];
  for (int i = top + kept; i < kCards; ++i) {
    const Card c = s.cards[i];
    s.last.fresh.add(c);
    s.cards[s.pile++] = c;  // the pile never reaches what is still to be read: it has at most i cards
  }
  s.discards = kept;
  for (int i = s.pile; i < kCards; ++i) s.cards[i] = 0;
  if (kept) s.cards[kCards - 1] = target;
  for (int seat = 0; seat < options_.players; ++seat) s.memory[seat].reshuffled();
}

// Hidden cards from the pile to a hand; fewer where there are not enough.
void Uno::give(State& s, int seat, int n) const {
  int given = 0;
  const auto tell = [&] {
    s.counts[seat] += given;
    for (; given > 0; given -= std::min(given, kMostGained))
      s.memory[seat].note(kGained + std::min(given, kMostGained) - 1, s.last);
  };
  for (int i = 0; i < n; ++i, ++given) {
    if (s.pile == 0) {
      tell();  // a reshuffle between two cards must find the first already in its slot
      reshuffle(s);
      if (s.pile == 0) return;
    }
    s.hands[seat].add(take(s));
  }
  tell();
}

// No card is left to draw. When every seat in turn has found that, the game gets nowhere: it ends as a draw.
void Uno::found_nothing(State& s) const {
  pass_to(s, next(s, s.turn));
  if (++s.idle >= options_.players) finish(s, State::kNobody);
}

// ---------------------------------------------------------------------------------------------------- deal

State Uno::deal(Rng& rng) const {
  State s = blank_;
  const std::uint64_t a = rng.next();
  s.stream = Rng(a, rng.next() | 1);  // never the all-zero stream
  for (int seat = 0; seat < options_.players; ++seat) {
    for (int i = 0; i < kDealt; ++i) s.hands[seat].add(take(s));
    s.counts[seat] = kDealt;
    s.memory[seat].set_slots(kDealt);
  }
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
  s.trait = trait_of(first);
  s.colour = colour_of(first);
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
        s.colour = s.stream.below(kColours);
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

ActionSet Uno::legal_set(const State& s) const {
  if (s.phase == Phase::kPlay) return {plays(s), 0};
  Legal list;
  legal_special(s, list);
  ActionSet out{};
  for (Action a : list) out[a / 64] |= bit(a % 64);
  return out;
}

Action Uno::random_legal(const State& s, Rng& rng) const {
  if (s.phase == Phase::kPlay) return choose_bit(plays(s), rng);
  Legal list;
  legal_special(s, list);
  return random_of(list, rng);
}

std::uint32_t Uno::playout(State& s, Rng& rng) const {
  return rlcard() ? playout_rlcard(s, rng) : play_randomly(*this, s, rng);
}

void Uno::legal(const View& v, Legal& out) const {
  out.clear();
  if (to_act(v.known) == v.seat) legal(v.known, out);
}

void Uno::legal_special(const State& s, Legal& out) const {
  switch (s.phase) {
    case Phase::kDrawn:
      if (is_wild(s.drawn) || (kFits[s.colour][s.trait] & bit(s.drawn))) out.push(kPlayDrawn);
      out.push(kKeep);  // always a decision, so that nobody learns whether the card fitted
      break;
    case Phase::kName:
      for (int c = 0; c < kColours; ++c) out.push(kNameColour + c);
      break;
    case Phase::kSwap:
      for (int seat = 0; seat < options_.players; ++seat)
        if (seat != s.actor) out.push(kSwap + seat);
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
      if (options_.stacking) {
        const Bits held = s.hands[s.actor].one;
        push_bits(s.trait == kDraw2 ? held & column(kDraw2) : held & kWild4Bits ? kWild4Bits : 0, out);
      }
      if (s.trait == kWild4Trait) out.push(kChallenge);
      out.push(kAccept);
      break;
    case Phase::kPlay:
    case Phase::kOver: break;
  }
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
