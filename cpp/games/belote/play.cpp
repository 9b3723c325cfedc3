// The flow of the game: deal, legal, apply, payoff, and what a card shows of the hand it came from.
#include <algorithm>

#include "games/belote/belote.h"

namespace kibitz::belote {

namespace {

constexpr int team_of(int seat) { return seat & 1; }

// The first n cards of a shuffled deck are random; the rest is, as a set, too.
void shuffle(std::array<Card, kDeck>& cards, int size, int n, Rng& rng) {
  for (int i = 0; i < n; ++i) std::swap(cards[i], cards[i + static_cast<int>(rng.below(size - i))]);
}

}  // namespace

Belote::Belote(const Options& options) : options_(options), deck_(options.cards == kDeck ? ~Cards{0} : kTwelve) {
  const auto& o = options_;
  info_.name = kName;
  info_.seats = kSeats;
  info_.actions = o.bidding ? kBiddingActions : kCardActions;
  const int cards = o.cards == kDeck ? kWholeDeck : 80;
  const int most = official() ? cards + kCapot + (o.cards == kDeck ? kBelote : 0) : cards;
  info_.low = o.scoring == Scoring::kWin ? -1 : o.scoring == Scoring::kDifference ? -most : 0;
  info_.high = o.scoring == Scoring::kWin ? 1 : most;
  info_.zero_sum = o.scoring != Scoring::kPoints;
  info_.team = {0, 1, 0, 1};
  info_.point_scoring = "points";
  info_.encoders = {{"full", {kFullSize}, false}};
  static const char* const kTrumps[] = {"spades", "hearts", "diamonds", "clubs", "random"};
  static const char* const kScorings[] = {"points", "difference", "win"};
  info_.options = Value(Value::Object{{"cards", o.cards},
                                      {"rules", official() ? "official" : "olech"},
                                      {"trumping", o.strict ? "strict" : "official"},
                                      {"discard", o.discard},
                                      {"bidding", o.bidding},
                                      {"trump", o.bidding ? "bid" : kTrumps[o.trump]},
                                      {"scoring", kScorings[static_cast<int>(o.scoring)]}});
  if (official() && o.cards == kDeck) royals_ = 0x01010101u * (one(kQueen) | one(kKing));
}

State Belote::deal(Rng& rng) const {
  std::array<Card, kDeck> cards;
  int size = 0;
  each_bit(deck(), [&](int c) { cards[size++] = c; });
  State s;
  if (options_.bidding) {
    shuffle(cards, size, size, rng);
    int at = 0;
    for (auto& hand : s.hands)
      for (int i = 0; i < State::kFirstCards; ++i) hand |= one(cards[at++]);
    s.turned = cards[at++];
    for (auto& c : s.talon) c = cards[at++];
    s.phase = Phase::kFirst;
    return s;
  }
  const int each = hand_size();
  shuffle(cards, size, size - each, rng);
  int at = 0;
  for (auto& hand : s.hands)
    for (int i = 0; i < each; ++i) hand |= one(cards[at++]);
  const int trump = options_.trump;
  s.trump = trump == Options::kRandomTrump ? rng.below(kSuits) : trump;
  begin_play(s);
  return s;
}

// ---------------------------------------------------------------------------------------------------- legal

Cards Belote::playable(const State& s) const {
  const Cards hand = s.hands[s.actor];
  if (s.in_trick == 0) return hand;
  const int led = suit_of(s.trick[0]);
  const Cards following = hand & whole_suit(led), trumps = hand & whole_suit(s.trump);
  const Cards over = trumps & s.above;  // with `strict`, every trump is "above"
  if (led == s.trump) return over ? over : trumps ? trumps : hand;
  if (following) return following;
  const bool partner_wins = s.winner == (s.actor ^ 2);
  if ((partner_wins && !options_.strict) || !trumps) return hand;
  if (over) return over;
  return options_.discard ? hand : trumps;
}

void Belote::legal(const State& s, Legal& out) const {
  out.clear();
  if (s.phase == Phase::kOver) return;
  if (s.phase == Phase::kPlay) {
    each_bit(playable(s), [&out](int c) { out.push(c); });
    return;
  }
  out.push(kPass);
  for (int suit = 0; suit < kSuits; ++suit)
    if ((suit == suit_of(s.turned)) == (s.phase == Phase::kFirst)) out.push(kTake + suit);
}

void Belote::legal(const View& v, Legal& out) const {
  out.clear();
  if (v.known.actor == v.seat) legal(v.known, out);
}

Action Belote::random_legal(const State& s, Rng& rng) const {
  if (s.phase != Phase::kPlay) {
    Legal list;
    legal(s, list);
    return random_of(list, rng);
  }
  return choose_bit(playable(s), rng);
}

// ---------------------------------------------------------------------------------------------------- apply

void Belote::bid(State& s, Action a) const {
  if (a == kPass) {
    s.actor = (s.actor + 1) & 3;
    if (s.actor != 0) return;
    s.phase = s.phase == Phase::kFirst ? Phase::kSecond : Phase::kOver;  // all passed twice: nobody scores
    if (s.phase == Phase::kOver) s.talon = {};
    return;
  }
  s.taker = s.actor;
  s.trump = a - kTake;
  int at = 0;
  for (int seat = 0; seat < kSeats; ++seat) {
    const bool takes = seat == s.taker;
    if (takes) s.hands[seat] |= one(s.turned);
    if (!takes) s.barred[seat] |= one(s.turned);  // everybody saw where it went
    for (int i = takes ? 1 : 0; i < 3; ++i) s.hands[seat] |= one(s.talon[at++]);
  }
  s.talon = {};
  s.actor = 0;
  begin_play(s);
}

void Belote::begin_play(State& s) const {
  s.phase = Phase::kPlay;
  s.above = whole_suit(s.trump);
}

// What playing c shows that the seat does not hold. Every obligation is of the form "if you hold one of these, play one
// of these", so a card outside shows that there is none; hands only shrink, so it stays true.
void Belote::learn(State& s, Card c) const {
  const int led = suit_of(s.trick[0]);
  const bool followed = suit_of(c) == led, is_trump = suit_of(c) == s.trump;
  const bool opponent_wins = ((s.winner ^ s.actor) & 1) != 0;
  Cards shown = followed ? 0 : whole_suit(led);
  const bool obliged = followed ? is_trump : led != s.trump && (opponent_wins || options_.strict);
  if (obliged && !(s.above & one(c))) {
    const Cards all = whole_suit(s.trump);
    const bool had_choice = is_trump || (options_.discard && s.above != all);
    shown |= had_choice ? s.above : all;
  }
  s.barred[s.actor] |= shown;
}

// Whoever has K and Q of trump says "belote" with the first: so everybody knows where the other one is, or is not.
void Belote::announce(State& s, Card c) const {
  const Cards other = royals_ & whole_suit(s.trump) & ~one(c);
  if (other & (s.played[0] | s.played[1] | s.played[2] | s.played[3])) return;
  const bool both = (s.hands[s.actor] & other) != 0;
  for (int seat = 0; seat < kSeats; ++seat)
    if ((seat == s.actor) != both) s.barred[seat] |= other;
}

// What the card shows is remembered, unless nobody will ask any more: in a play-out.
template <bool kRemember>
inline void Belote::play(State& s, Card c) const {
  const int me = s.actor;
  if constexpr (kRemember) {
    if (s.in_trick > 0) learn(s, c);
    if (royals_ & whole_suit(s.trump) & one(c)) announce(s, c);
  }
  s.hands[me] ^= one(c);
  s.played[me] |= one(c);
  if constexpr (kRemember) {
    const Cards unplayed = deck_ & ~(s.played[0] | s.played[1] | s.played[2] | s.played[3]);
    for (auto& barred : s.barred) barred &= unplayed;
  }
  s.trick[s.in_trick++] = c;
  s.at_stake += kTables.points[s.trump][c];
  if (!options_.strict) s.above &= kTables.above[s.trump][c];
  const std::uint8_t strength = kTables.strength[s.trump][suit_of(s.trick[0])][c];
  const bool wins = strength > s.strength;
  s.winner = wins ? s.actor : s.winner;
  s.strength = wins ? strength : s.strength;
  s.actor = (s.actor + 1) & 3;
  if (s.in_trick < kSeats) return;
  const int team = team_of(s.winner);
  s.points[team] += s.at_stake;
  ++s.tricks[team];
  s.actor = s.winner;
  s.in_trick = s.at_stake = s.winner = s.strength = 0;
  s.trick = {};
  s.above = whole_suit(s.trump);
  if (s.hands[s.actor] == 0) s.phase = Phase::kOver;
}

void Belote::apply(State& s, Action a) const {
  if (s.phase == Phase::kPlay) {
    play<true>(s, a);
  } else {
    bid(s, a);
  }
}

std::uint32_t Belote::playout(State& s, Rng& rng) const {
  std::uint32_t decisions = 0;
  for (; s.phase < Phase::kPlay; ++decisions) bid(s, random_legal(s, rng));
  for (; s.phase == Phase::kPlay; ++decisions) play<false>(s, choose_bit(playable(s), rng));
  return decisions;
}

// ---------------------------------------------------------------------------------------------------- payoff

std::array<int, 2> Belote::taken(const State& s) const {
  std::array<int, 2> out = {s.points[0], s.points[1]};
  if (!official() || s.trump == kNoSuit) return out;
  const bool capot = s.tricks[0] == 0 || s.tricks[1] == 0;
  out[team_of(s.actor)] += capot ? kCapot : kLastTrick;
  const Cards royals = royals_ & whole_suit(s.trump);
  for (int seat = 0; seat < kSeats; ++seat)
    if (royals && (s.played[seat] & royals) == royals) out[team_of(seat)] += kBelote;
  return out;
}

std::array<int, 2> Belote::scores(const State& s) const {
  auto out = taken(s);
  if (!options_.bidding || s.taker == State::kNobody) return out;
  const int takers = team_of(s.taker), defence = 1 - takers;
  if (out[takers] > out[defence]) return out;
  if (out[takers] == out[defence]) {
    out[takers] = 0;  // held in suspense: nobody has them yet
    return out;
  }
  const Cards royals = royals_ & whole_suit(s.trump);
  const auto has_belote = [&](int seat) { return (s.played[seat] & royals) == royals; };
  const int kept = has_belote(s.taker) || has_belote(s.taker ^ 2) ? kBelote : 0;  // nobody can lose these
  out[defence] += out[takers] - kept;
  out[takers] = kept;
  return out;
}

void Belote::payoff(const State& s, std::span<double> out) const {
  if (s.phase != Phase::kOver) {
    std::fill_n(out.begin(), kSeats, 0.0);
    return;
  }
  const auto score = options_.scoring == Scoring::kWin ? taken(s) : scores(s);
  for (int seat = 0; seat < kSeats; ++seat) {
    const int mine = score[team_of(seat)], theirs = score[1 - team_of(seat)];
    switch (options_.scoring) {
      case Scoring::kPoints: out[seat] = mine; break;
      case Scoring::kDifference: out[seat] = mine - theirs; break;
      case Scoring::kWin: out[seat] = (mine > theirs) - (mine < theirs); break;
    }
  }
}

// A deal that is won or lost shares out 162 points or more. Only in a tie the takers score nothing and the defence its
// half, which is as much as is held.
double Belote::held(std::span<const double> payoffs) const {
  if (!options_.bidding || options_.scoring != Scoring::kPoints) return 0;
  const auto [least, most] = std::minmax_element(payoffs.begin(), payoffs.end());
  return *least == 0 && *most < kWholeDeck + kLastTrick ? *most : 0;
}

}  // namespace kibitz::belote
