// Deals, views, worlds and features.
#include <algorithm>

#include "games/mini_doudizhu/mini_doudizhu.h"

namespace kibitz::mini_doudizhu {

namespace {

// `n` cards drawn from `from` one after the other, every physical card being equally likely.
Hand draw(Hand from, int n, Rng& rng) {
  std::array<std::uint8_t, kDeckSize> pool;
  int size = 0;
  for (int rank = 0; rank < kRanks; ++rank)
    for (int i = 0; i < count(from, rank); ++i) pool[size++] = rank;
  Hand out = 0;
  for (; n > 0; --n) {
    const int i = rng.below(size);
    out += cards(pool[i], 1);
    pool[i] = pool[--size];
  }
  return out;
}

Hand unseen(const State& s, int seat) { return kDeck - s.hands[seat] - s.played[0] - s.played[1]; }

std::uint64_t choose(int n, int k) {
  std::uint64_t out = 1;
  for (int i = 0; i < k; ++i) out = out * (n - i) / (i + 1);
  return out;
}

// All sets of `n` cards from `from`, in ascending order of their ranks' counts.
void each_hand(Hand from, int n, int rank, Hand so_far, std::vector<Hand>& out) {
  if (rank == kRanks) {
    if (n == 0) out.push_back(so_far);
    return;
  }
  for (int k = 0; k <= std::min(n, count(from, rank)); ++k)
    each_hand(from, n - k, rank + 1, so_far + cards(rank, k), out);
}

std::vector<Hand> all_hands(Hand from, int n) {
  std::vector<Hand> out;
  each_hand(from, n, 0, 0, out);
  return out;
}

std::uint64_t ways(Hand from, Hand hand) {
  std::uint64_t out = 1;
  for (int rank = 0; rank < kRanks; ++rank) out *= choose(count(from, rank), count(hand, rank));
  return out;
}

State dealt(Hand first, Hand second) {
  State s;
  s.hands = {first, second};
  s.counts = {kHandSize, kHandSize};
  return s;
}

}  // namespace

MiniDouDiZhu::MiniDouDiZhu() {
  info_ = {kName, 2, kActions, -1, 1, true, {0, 1}, {{"cards", {94}, false}}, Value(Value::Object{})};
  for (Action a = 0; a < kPass; ++a)
    for (Action b = 0; b < kPass; ++b)
      if (size_of(a) == size_of(b) && rank_of(b) > rank_of(a)) beats_[a] |= bit(b);
  beats_[kPass] = bit(kPass) - 1;
}

State MiniDouDiZhu::deal(Rng& rng) const {
  const Hand first = draw(kDeck, kHandSize, rng);
  return dealt(first, draw(kDeck - first, kHandSize, rng));
}

std::vector<std::pair<State, std::uint64_t>> MiniDouDiZhu::deals() const {
  std::vector<std::pair<State, std::uint64_t>> out;
  for (Hand first : all_hands(kDeck, kHandSize))
    for (Hand second : all_hands(kDeck - first, kHandSize))
      out.emplace_back(dealt(first, second), ways(kDeck, first) * ways(kDeck - first, second));
  return out;
}

void MiniDouDiZhu::legal(const State& s, Legal& out) const {
  out.clear();
  if (!s.over) each_bit(choices(s), [&out](int a) { out.push(a); });
}

void MiniDouDiZhu::legal(const View& v, Legal& out) const {
  out.clear();
  if (to_act(v.known) == v.seat) legal(v.known, out);
}

void MiniDouDiZhu::payoff(const State& s, std::span<double> out) const {
  out[0] = !s.over ? 0 : s.counts[0] == 0 ? 1 : -1;
  out[1] = -out[0];
}

View MiniDouDiZhu::view(const State& s, Seat seat) const {
  View v{s, seat};
  for (int i = 0; i < 2; ++i)
    if (i != seat) v.known.hands[i] = 0;
  return v;
}

std::uint64_t MiniDouDiZhu::key(const View& v) const {
  const State& s = v.known;
  const std::uint64_t cards = (v.seat == kPublic ? 0 : s.hands[v.seat]) | std::uint64_t{s.played[0]} << 32;
  const std::uint64_t rest = s.played[1] | std::uint64_t{s.to_beat} << 32 | std::uint64_t{s.turn} << 40;
  return mix(mix(v.seat, cards), rest);
}

// Nobody ever has to show what he has not got: a pass is free. So every unseen card is as likely as any other.
State MiniDouDiZhu::sample(const View& v, Rng& rng) const {
  State s = v.known;
  s.hands[1 - v.seat] = draw(unseen(s, v.seat), s.counts[1 - v.seat], rng);
  return s;
}

void MiniDouDiZhu::each_world(const View& v, const WorldVisitor<State>& f) const {
  State s = v.known;
  const Hand left = unseen(s, v.seat);
  for (Hand hand : all_hands(left, s.counts[1 - v.seat])) {
    s.hands[1 - v.seat] = hand;
    f(s, ways(left, hand));
  }
}

double MiniDouDiZhu::worlds(const View& v) const {
  int left = 0;
  for (int rank = 0; rank < kRanks; ++rank) left += count(unseen(v.known, v.seat), rank);
  return choose(left, v.known.counts[1 - v.seat]);
}

void MiniDouDiZhu::encode(const State& s, Seat seat, int, std::span<float> out) const {
  float* at = out.data();
  const auto put = [&at](bool b) { *at++ = b; };
  for (Hand h : {s.hands[seat], s.played[seat], s.played[1 - seat], unseen(s, seat)})
    for (int rank = 0; rank < kRanks; ++rank)
      for (int i = 0; i < copies(rank); ++i) put(count(h, rank) > i);
  for (int a = 0; a < kActions; ++a) put(s.to_beat == a);
  put(to_act(s) == seat);
  *at++ = s.counts[seat] / static_cast<float>(kHandSize);
  *at++ = s.counts[1 - seat] / static_cast<float>(kHandSize);
}

}  // namespace kibitz::mini_doudizhu
