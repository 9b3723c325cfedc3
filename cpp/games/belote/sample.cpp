// Views and worlds: what a seat may know, and states it could be in.
//
// A world gives every unseen card to one of the three other seats, such that each has as many as it must and none that
// it is barred from. Cards that are barred from the same seats are alike, so there are at most seven classes. Those
// with one possible seat are forced; how many of the three two-seat classes go to the first of their seats then fixes
// how many of the free class go where. A split (at most 9 * 9 * 9 of them) stands for a product of binomials of worlds:
// draw a split with that weight, then the subsets. Exactly uniform, and no step is ever taken back.
#include "games/belote/belote.h"

namespace kibitz::belote {

View Belote::view(const State& s, Seat seat) const {
  View v{s, seat};
  for (int i = 0; i < kSeats; ++i)
    if (i != seat) v.known.hands[i] = 0;
  v.known.talon = {};
  return v;
}

std::uint64_t Belote::key(const View& v) const {
  const State& k = v.known;
  std::uint64_t h = mix(v.seat, v.seat == kPublic ? 0 : k.hands[v.seat]);
  const auto hash = [&h](std::uint64_t x) { h = mix(h, x); };
  const auto pair = [&hash](std::uint64_t a, std::uint64_t b) { hash(a << 32 | b); };
  pair(k.played[0], k.played[1]);
  pair(k.played[2], k.played[3]);
  pair(k.barred[0], k.barred[1]);
  pair(k.barred[2], k.barred[3]);
  std::uint64_t trick = k.in_trick;
  for (Card c : k.trick) trick = trick << 8 | c;
  hash(trick << 8 | k.actor);
  std::uint64_t rest = static_cast<std::uint64_t>(k.phase);
  for (int x : {int{k.trump}, int{k.turned}, int{k.taker}, int{k.points[0]}, int{k.points[1]}, int{k.tricks[0]}})
    rest = rest << 8 | x;
  hash(rest << 8 | k.tricks[1]);
  return h;
}

namespace {

using Count = std::uint64_t;  // at most 24! / 8!^3, about 10^10

constexpr int kUnseen = 24;

constexpr auto kChoose = [] {
  std::array<std::array<Count, kUnseen + 1>, kUnseen + 1> c{};
  for (int n = 0; n <= kUnseen; ++n) {
    c[n][0] = 1;
    for (int k = 1; k <= n; ++k) c[n][k] = c[n - 1][k - 1] + (k < n ? c[n - 1][k] : 0);
  }
  return c;
}();

// Uniform in 0..n-1 for n beyond 32 bits.
Count below(Count n, Rng& rng) {
  const Count top = ~Count{0} - (~Count{0} % n + 1) % n;  // the last value before the incomplete block
  Count x = rng.next();
  while (x > top) x = rng.next();
  return x % n;
}

// A random subset of n cards; of what is taken and what is left, the smaller part is drawn.
Cards subset(Cards from, int n, Rng& rng) {
  const int size = count_bits(from);
  const bool taken = 2 * n <= size;
  const Cards drawn = random_bits(from, taken ? n : size - n, rng);
  return taken ? drawn : from & ~drawn;
}

// The unseen cards by the seats that may hold them, and how many each seat needs. The three seats are called 0, 1, 2
// here; classes[m] are the cards that exactly the seats in the bit set m may hold.
struct Problem {
  Cards classes[8] = {};
  int size[8] = {};
  int need[3] = {};
  int seat[3] = {};
  bool possible = true;
};

// Counts of one way to share the classes out: how many of classes 3 (seats 0, 1), 5 (0, 2), 6 (1, 2) go to the first of
// their seats, and how many of class 7 go to seats 0 and 1.
struct Split {
  int a, b, c, free0, free1;
};

Problem problem_of(const Belote& game, const View& v) {
  const State& s = v.known;
  Problem p;
  Cards unseen = game.deck() & ~s.hands[v.seat];
  for (Cards played : s.played) unseen &= ~played;
  Cards may[3];
  for (int i = 0, j = 0; i < kSeats; ++i) {
    if (i == v.seat) continue;
    p.seat[j] = i;
    p.need[j] = game.hand_size() - count_bits(s.played[i]);
    may[j++] = unseen & ~s.barred[i];
  }
  for (int m = 0; m < 8; ++m) {
    p.classes[m] = unseen;
    for (int j = 0; j < 3; ++j) p.classes[m] &= (m >> j & 1) ? may[j] : ~may[j];
    p.size[m] = count_bits(p.classes[m]);
  }
  p.possible = p.size[0] == 0 && p.need[0] + p.need[1] + p.need[2] == count_bits(unseen);
  for (int j = 0; j < 3; ++j) {
    p.need[j] -= p.size[1 << j];
    p.possible &= p.need[j] >= 0;
  }
  return p;
}

// Calls f(split, number of worlds) for every split until it returns false.
template <class F>
void each_split(const Problem& p, F&& f) {
  if (!p.possible) return;
  for (int a = 0; a <= p.size[3]; ++a)
    for (int b = 0; b <= p.size[5]; ++b) {
      const int free0 = p.need[0] - a - b;
      if (free0 < 0 || free0 > p.size[7]) continue;
      const Count outer = kChoose[p.size[3]][a] * kChoose[p.size[5]][b] * kChoose[p.size[7]][free0];
      for (int c = 0; c <= p.size[6]; ++c) {
        const int free1 = p.need[1] - (p.size[3] - a) - c;
        if (free1 < 0 || free1 > p.size[7] - free0) continue;  // what seat 2 gets is then right, too
        const Count worlds = outer * kChoose[p.size[6]][c] * kChoose[p.size[7] - free0][free1];
        if (!f(Split{a, b, c, free0, free1}, worlds)) return;
      }
    }
}

Count total_of(const Problem& p) {
  Count total = 0;
  each_split(p, [&total](const Split&, Count worlds) {
    total += worlds;
    return true;
  });
  return total;
}

Split draw_split(const Problem& p, Rng& rng) {
  Split out{};
  Count left = 0;
  if (p.size[3] + p.size[5] + p.size[6] > 0) left = below(total_of(p), rng);  // else there is one split alone
  each_split(p, [&](const Split& split, Count worlds) {
    out = split;
    if (left < worlds) return false;
    left -= worlds;
    return true;
  });
  return out;
}

// The classes as they are shared out: what the first seat of classes 3, 5 and 6 gets of them, and what seats 0 and 1
// get of class 7.
struct Parts {
  Cards a, b, c, free0, free1;
};

void hand_out(const Problem& p, const Parts& parts, State& s) {
  const Cards free2 = p.classes[7] & ~parts.free0 & ~parts.free1;
  s.hands[p.seat[0]] = p.classes[1] | parts.a | parts.b | parts.free0;
  s.hands[p.seat[1]] = p.classes[2] | (p.classes[3] & ~parts.a) | parts.c | parts.free1;
  s.hands[p.seat[2]] = p.classes[4] | (p.classes[5] & ~parts.b) | (p.classes[6] & ~parts.c) | free2;
}

Parts draw_parts(const Problem& p, const Split& split, Rng& rng) {
  Parts out;
  out.a = subset(p.classes[3], split.a, rng);
  out.b = subset(p.classes[5], split.b, rng);
  out.c = subset(p.classes[6], split.c, rng);
  out.free0 = subset(p.classes[7], split.free0, rng);
  out.free1 = subset(p.classes[7] & ~out.free0, split.free1, rng);
  return out;
}

// Calls f(cards) for every subset of n cards.
template <class F>
void each_subset(Cards from, int n, F&& f, Cards so_far = 0) {
  if (n == 0) {
    f(so_far);
    return;
  }
  for (; count_bits(from) >= n; from &= from - 1) each_subset(from & (from - 1), n - 1, f, so_far | (from & -from));
}

template <class F>
void each_parts(const Problem& p, const Split& split, F&& f) {
  Parts x;
  each_subset(p.classes[3], split.a, [&](Cards a) {
    x.a = a;
    each_subset(p.classes[5], split.b, [&](Cards b) {
      x.b = b;
      each_subset(p.classes[6], split.c, [&](Cards c) {
        x.c = c;
        each_subset(p.classes[7], split.free0, [&](Cards free0) {
          x.free0 = free0;
          each_subset(p.classes[7] & ~free0, split.free1, [&](Cards free1) {
            x.free1 = free1;
            f(x);
          });
        });
      });
    });
  });
}

// In the bidding nothing is known but the own cards and the one turned up: shuffle the rest.
void deal_again(const View& v, State& s, bool talon_left, Rng& rng) {
  std::array<Card, kDeck> cards;
  int left = 0;
  each_bit(~s.hands[v.seat] & ~one(s.turned), [&](int c) { cards[left++] = c; });
  const auto draw = [&] {
    const int i = rng.below(left);
    const Card c = cards[i];
    cards[i] = cards[--left];
    return c;
  };
  for (int seat = 0; seat < kSeats; ++seat)
    for (int i = 0; seat != v.seat && i < 5; ++i) s.hands[seat] |= one(draw());
  if (talon_left)
    for (auto& c : s.talon) c = draw();
}

// A deal that all passed: hands of five, the talon is gone.
bool passed_out(const State& s) { return s.phase == Phase::kOver && s.trump == kNoSuit; }

}  // namespace

State Belote::sample(const View& v, Rng& rng) const {
  State s = v.known;
  if (s.trump == kNoSuit) {
    deal_again(v, s, !passed_out(s), rng);
    return s;
  }
  const Problem p = problem_of(*this, v);
  hand_out(p, draw_parts(p, draw_split(p, rng), rng), s);
  return s;
}

void Belote::each_world(const View& v, const WorldVisitor<State>& f) const {
  if (worlds(v) > kMostWorlds)
    throw BadInput("this view of belote has too many worlds to list: more than " +
                   std::to_string(static_cast<int>(kMostWorlds)) +
                   "; near the end there are fewer, or give a number, as in worlds=20");
  const Problem p = problem_of(*this, v);
  State s = v.known;
  each_split(p, [&](const Split& split, Count) {
    each_parts(p, split, [&](const Parts& parts) {
      hand_out(p, parts, s);
      f(s, 1);
    });
    return true;
  });
}

// Every card has its own face, so a world has one beginning, and all are equally likely. Only which cards of the other
// seats were dealt after the bidding has to be drawn.
Origin<State> Belote::origin(const State& world, const View& start, Rng& rng) const {
  State s = start.known;
  for (int seat = 0; seat < kSeats; ++seat) s.hands[seat] = world.hands[seat] | (world.played[seat] & ~s.played[seat]);
  if (s.trump != kNoSuit) return {s, 1};
  if (world.trump == kNoSuit) {
    s.talon = world.talon;
    return {s, world.phase == Phase::kOver ? 0.0 : 1.0};  // after all have passed nobody asks any more
  }
  int at = 0;
  for (int seat = 0; seat < kSeats; ++seat) {
    const bool takes = seat == world.taker;
    if (takes) s.hands[seat] &= ~one(s.turned);
    for (int i = takes ? 1 : 0; i < 3; ++i) {
      const Cards late = seat == start.seat ? s.hands[seat] & ~start.known.hands[seat] : s.hands[seat];
      s.talon[at] = choose_bit(late, rng);
      s.hands[seat] ^= one(s.talon[at++]);
    }
  }
  return {s, 1};
}

double Belote::worlds(const View& v) const {
  if (v.known.trump != kNoSuit) return total_of(problem_of(*this, v));
  double out = 1;  // 26 unseen cards: 5 to each of three seats, the talon in order
  for (int n = passed_out(v.known) ? 12 : 1; n <= 26; ++n) out *= n;
  return out / (120.0 * 120.0 * 120.0);
}

}  // namespace kibitz::belote
