// Worlds: the unseen cards dealt anew, uniform over physical cards. README.md says why that is exact.
#include <algorithm>

#include "games/doudizhu/doudizhu.h"

namespace kibitz::doudizhu {

namespace {

struct Unseen {
  Bits cards;                 // in nobody's sight: neither in the own hand, nor played, nor known to be in another
  std::array<int, 2> seats;   // the other two
  std::array<Bits, 2> known;  // what they are known to hold: the landlord's shown cards, an announced main part
  std::array<int, 2> needs;   // how many of the unseen cards each of them holds; the rest is the talon
};

Unseen unseen_of(const View& v, const Moves& moves) {
  const State& s = v.known;
  Unseen u{kDeck - s.hands[v.seat] - s.played[0] - s.played[1] - s.played[2],
           {(v.seat + 1) % kSeats, (v.seat + 2) % kSeats},
           {},
           {}};
  for (std::size_t i = 0; i < 2; ++i) {
    const int seat = u.seats[i];
    if (seat == s.landlord) u.known[i] = shown_left(s);
    if (s.phase == Phase::kKickers && seat == s.turn) {
      const Bits main = moves[kFirstGroup + s.group].cards;
      u.known[i] += without(main, u.known[i]);  // shown cards first, as in play
    }
    u.cards -= u.known[i];
    u.needs[i] = s.counts[seat] - size_of(u.known[i]);
  }
  return u;
}

// `number` cards out of `from`, all equally likely.
Bits draw(Bits from, int number, Rng& rng) {
  std::array<std::uint8_t, kCards> deck;
  int n = 0;
  for (int r = 0; r < kRanks; ++r)
    for (int i = count_of(from, r); i > 0; --i) deck[n++] = 4 * r;
  Bits out = 0;
  for (; number > 0; --number) {
    const auto at = rng.below(n);
    out += Bits{1} << deck[at];
    deck[at] = deck[--n];
  }
  return out;
}

constexpr std::uint64_t kChoose[5][5] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};

std::uint64_t below64(std::uint64_t n, Rng& rng) {
  const std::uint64_t floor = (0 - n) % n;
  for (;;)
    if (const std::uint64_t x = rng.next(); x >= floor) return x % n;
}

// After an announcement its seat must hold kickers. Whether a hand does is a sum over ranks (cards that can be solos,
// or ranks that have a pair) that must reach a number; so a table over (cards given, sum so far) counts the ways, over
// physical cards, and one is drawn.
class KickerSplit {
 public:
  KickerSplit(const Unseen& u, int actor, const Group& g, bool both) : u_(u), actor_(actor), g_(g), both_(both) {
    using enum Category;
    solos_ = g.category == kTrioSolo || g.category == kPlaneSolos || g.category == kQuadSolos;
    const bool quad = g.category == kQuadSolos || g.category == kQuadPairs;
    wanted_ = quad ? 2 : g.length;
    ways_[0][0][0] = 1;
    for (int r = 0; r < kSteps; ++r)
      for (int given = 0; given <= kLandlordSize; ++given)
        for (int sum = 0; sum <= wanted_; ++sum)
          if (const std::uint64_t ways = ways_[r][given][sum])
            for (int a = 0, n = unseen(r); a <= n && given + a <= kLandlordSize; ++a)
              ways_[r + 1][given + a][std::min(wanted_, sum + worth(r, a))] += ways * kChoose[n][a];
  }

  std::uint64_t total() const { return ways_[kSteps][u_.needs[index()]][wanted_]; }

  // What the seat gets beside what it is known to hold.
  Bits draw(Rng& rng) const {
    Bits out = 0;
    int given = u_.needs[index()], sum = wanted_;
    for (int r = kSteps - 1; r >= 0; --r) {
      std::uint64_t k = below64(ways_[r + 1][given][sum], rng);
      const auto [a, before] = step_back(r, given, sum, k);
      out += r < kBlack ? cards_of(r, a) : doudizhu::draw(u_.cards & kJokers, a, rng);
      given -= a;
      sum = before;
    }
    return out;
  }

 private:
  static constexpr int kSteps = kBlack + 1;  // the ranks; the jokers are one step together

  std::size_t index() const { return u_.seats[0] == actor_ ? 0 : 1; }
  int unseen(int r) const { return r < kBlack ? count_of(u_.cards, r) : size_of(u_.cards & kJokers); }

  // What a rank, `given` of which come to those known, adds to the sum.
  int worth(int r, int given) const {
    const Bits known = u_.known[index()];
    if (r == kBlack) {
      const int jokers = given + size_of(known & kJokers);
      return solos_ ? std::min(jokers, both_ ? 2 : 1) : 0;
    }
    if (r >= g_.main && r < g_.main + g_.length) return 0;
    const int n = given + count_of(known, r);
    const bool beside = r != kTwo && (r == g_.main - 1 || r == g_.main + g_.length);
    return solos_ ? std::min(n, beside ? 2 : 3) : n >= 2;
  }

  // Which step led to (given, sum): the k-th of the ways.
  std::pair<int, int> step_back(int r, int given, int sum, std::uint64_t k) const {
    for (int a = 0, n = unseen(r); a <= n && a <= given; ++a)
      for (int before = 0; before <= sum; ++before) {
        if (std::min(wanted_, before + worth(r, a)) != sum) continue;
        const std::uint64_t ways = ways_[r][given - a][before] * kChoose[n][a];
        if (k < ways) return {a, before};
        k -= ways;
      }
    return {0, 0};  // never: the ways add up
  }

  const Unseen& u_;
  int actor_, wanted_;
  const Group& g_;
  bool both_, solos_;
  std::uint64_t ways_[kSteps + 1][kLandlordSize + 1][6] = {};
};

// The hands of 17 before the landlord took the talon: with landlord="strongest" they explain who is landlord.
std::array<Bits, kSeats> first_hands(const State& s) {
  std::array<Bits, kSeats> out;
  for (int i = 0; i < kSeats; ++i) out[i] = s.hands[i] + s.played[i] - (i == s.landlord ? s.talon : 0);
  return out;
}

// How the unseen cards can be split between two seats such that the landlord is the strongest, counted over physical
// cards, and one of those splits drawn. Ranks below the ace matter only as bombs, so a table over (cards given, bombs
// of either) counts them; the others are enumerated.
class StrongestSplit {
 public:
  StrongestSplit(const Unseen& u, const std::array<Bits, kSeats>& fixed, int landlord)
      : u_(u), fixed_(fixed), landlord_(landlord) {
    ways_[0][0][0][0] = 1;
    for (int r = 0; r < kLow; ++r)
      each_low([&](int given, int x, int y) {
        if (const std::uint64_t ways = ways_[r][given][x][y])
          for (int a = 0, n = count_of(u_.cards, r); a <= n && given + a <= kHandSize; ++a)
            ways_[r + 1][given + a][x + bomb(0, r, a)][y + bomb(1, r, n - a)] += ways * kChoose[n][a];
      });
  }

  std::uint64_t total() const {
    std::uint64_t sum = 0;
    each_split([&](std::uint64_t ways, Bits, int, int, int) {
      sum += ways;
      return false;
    });
    return sum;
  }

  // What the first of the two seats gets.
  Bits draw(std::uint64_t total, Rng& rng) const {
    std::uint64_t k = below64(total, rng);
    Bits out = 0;
    each_split([&](std::uint64_t ways, Bits high, int given, int x, int y) {
      if (k >= ways) {
        k -= ways;
        return false;
      }
      out = high + draw_low(given, x, y, rng);
      return true;
    });
    return out;
  }

 private:
  static constexpr int kLow = kTwo - 1;  // ranks 3 to K
  static constexpr int kBombs = 5;       // at most four in seventeen cards

  bool bomb(int i, int rank, int given) const { return count_of(fixed_[u_.seats[i]], rank) + given == 4; }

  template <class F>
  static void each_low(F&& f) {
    for (int given = 0; given <= kHandSize; ++given)
      for (int x = 0; x < kBombs; ++x)
        for (int y = 0; y < kBombs; ++y) f(given, x, y);
  }

  // Calls f(ways, high cards of the first seat, low cards it gets, bombs, bombs) for the splits that explain the
  // landlord, until it returns true.
  template <class F>
  void each_split(F&& f) const {
    constexpr Bits kHigh = ~((Bits{1} << (4 * kLow)) - 1);
    const Bits all = u_.cards & kHigh;
    for (int a = 0; a <= count_of(all, kLow); ++a)
      for (int b = 0; b <= count_of(all, kTwo); ++b)
        for (int c = 0; c <= count_of(all, kBlack); ++c)
          for (int d = 0; d <= count_of(all, kRed); ++d) {
            const Bits high = cards_of(kLow, a) + cards_of(kTwo, b) + cards_of(kBlack, c) + cards_of(kRed, d);
            const int given = u_.needs[0] - size_of(high);
            if (given < 0) continue;
            const std::uint64_t ways = kChoose[count_of(all, kLow)][a] * kChoose[count_of(all, kTwo)][b];
            for (int x = 0; x < kBombs; ++x)
              for (int y = 0; y < kBombs; ++y)
                if (const std::uint64_t low = ways_[kLow][given][x][y]; low && explained(high, all - high, x, y))
                  if (f(ways * low, high, given, x, y)) return;
          }
  }

  bool explained(Bits high0, Bits high1, int x, int y) const {
    constexpr Bits kHigh = ~((Bits{1} << (4 * kLow)) - 1);
    std::array<int, kSeats> score;
    const int own = kSeats - u_.seats[0] - u_.seats[1];
    score[own] = landlord_score(fixed_[own]);
    score[u_.seats[0]] = landlord_score((fixed_[u_.seats[0]] & kHigh) + high0) + 6 * x;
    score[u_.seats[1]] = landlord_score((fixed_[u_.seats[1]] & kHigh) + high1) + 6 * y;
    for (int i = 0; i < kSeats; ++i)
      if (i < landlord_ ? score[i] >= score[landlord_] : score[i] > score[landlord_]) return false;
    return true;
  }

  Bits draw_low(int given, int x, int y, Rng& rng) const {
    Bits out = 0;
    for (int r = kLow - 1; r >= 0; --r) {
      std::uint64_t k = below64(ways_[r + 1][given][x][y], rng);
      for (int a = 0, n = count_of(u_.cards, r);; ++a) {
        const int x0 = x - bomb(0, r, a), y0 = y - bomb(1, r, n - a);
        if (given - a < 0 || x0 < 0 || y0 < 0) continue;
        const std::uint64_t ways = ways_[r][given - a][x0][y0] * kChoose[n][a];
        if (k >= ways) {
          k -= ways;
          continue;
        }
        out += cards_of(r, a);
        given -= a;
        x = x0;
        y = y0;
        break;
      }
    }
    return out;
  }

  const Unseen& u_;
  const std::array<Bits, kSeats>& fixed_;  // what is known of the first hands
  int landlord_;
  std::uint64_t ways_[kLow + 1][kHandSize + 1][kBombs][kBombs] = {};
};

// What a view knows of the first hands.
std::array<Bits, kSeats> known_hands(const View& v) {
  State s = v.known;
  if (s.landlord != v.seat) s.hands[s.landlord] = shown_left(s);
  return first_hands(s);
}

}  // namespace

bool explained(const State& s) { return strongest(first_hands(s)) == s.landlord; }

bool DouDiZhu::possible(const View& v) const {
  const State& s = v.known;
  const Unseen u = unseen_of(v, *moves_);
  if (u.needs[0] < 0 || u.needs[1] < 0) return false;
  if (s.phase == Phase::kKickers && s.turn != v.seat)
    return KickerSplit(u, s.turn, moves_->group(s.group), options_.both_jokers).total() > 0;
  return options_.landlord != Landlord::kStrongest || StrongestSplit(u, known_hands(v), s.landlord).total() > 0;
}

State DouDiZhu::sample(const View& v, Rng& rng) const {
  const Unseen u = unseen_of(v, *moves_);
  State s = v.known;
  const auto give = [&](Bits first, Bits second) {
    s.hands[u.seats[0]] = u.known[0] + first;
    s.hands[u.seats[1]] = u.known[1] + second;
  };
  if (s.phase == Phase::kKickers && s.turn != v.seat) {
    const KickerSplit split(u, s.turn, moves_->group(s.group), options_.both_jokers);
    const Bits drawn = split.draw(rng), rest = u.cards - drawn;
    u.seats[0] == s.turn ? give(drawn, rest) : give(rest, drawn);
    return s;
  }
  if (options_.landlord != Landlord::kStrongest) {
    const Bits first = draw(u.cards, u.needs[0], rng), rest = u.cards - first;
    const Bits second = s.landlord == State::kNobody ? draw(rest, u.needs[1], rng) : rest;
    give(first, second);
    if (s.landlord == State::kNobody) s.talon = rest - second;
    return s;
  }
  // Mostly some deal of the first few explains the landlord; counting all takes about as long as a hundred of them.
  for (int tries = 0; tries < 64; ++tries) {
    const Bits first = draw(u.cards, u.needs[0], rng);
    give(first, u.cards - first);
    if (explained(s)) return s;
  }
  const auto fixed = known_hands(v);
  const StrongestSplit split(u, fixed, s.landlord);
  const Bits first = split.draw(split.total(), rng);
  give(first, u.cards - first);
  return s;
}

// `sample` takes the cards that are left for physical ones; of those played nobody knows which of their rank they were.
// A hand that had k of a rank and has m of them left stands for 1 / k! of the deals in place of 1 / m!; the landlord's
// shown cards are known, and do not count.
Origin<State> DouDiZhu::origin(const State& world, const View& start, Rng&) const {
  static constexpr std::array<double, 5> kFactorials{1, 1, 2, 6, 24};
  State s = start.known;
  const bool before = s.landlord == State::kNobody;
  double weight = 1;
  for (int seat = 0; seat < kSeats; ++seat) {
    s.hands[seat] = world.hands[seat] + world.played[seat] - s.played[seat];
    if (before && seat == world.landlord) s.hands[seat] -= world.talon;
    const bool shown = seat == world.landlord;
    const Bits left = world.hands[seat] - (shown ? shown_left(world) : 0);
    const Bits had = s.hands[seat] - (shown && !before ? shown_left(s) : 0);
    for (int r = 0; r < kRanks; ++r) weight *= kFactorials[count_of(left, r)] / kFactorials[count_of(had, r)];
  }
  if (before) s.talon = world.talon;
  return {s, weight};
}

}  // namespace kibitz::doudizhu
