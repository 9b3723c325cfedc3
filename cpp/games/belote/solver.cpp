// The exact solver: alpha-beta with a transposition table. Cards are renumbered so that trump is the lowest byte and a
// higher bit of a byte is a stronger card; then "above" is arithmetic. The value searched for is U, what seats 0 and 2
// take, with capot as +55 or -45 in place of the last trick's 10 or 0: so that 2 U - total is the difference of both
// sides in all cases. Since the deal is fixed, the unplayed cards, the leader and whether capot is still possible are a
// whole position: 36 bits are the key of the transposition table, which holds bounds of what is still to come. Every
// question is a null window; the values of the first cards are found one after the other, each starting from the last
// one's, with one table.
#include <algorithm>
#include <bit>

#include "core/transpositions.h"
#include "games/belote/belote.h"

namespace kibitz::belote {

namespace {

constexpr int kCapot0 = 55, kCapot1 = -45, kLast = 10;

// Who can still take every trick: nobody, seats 0 and 2, seats 1 and 3, or both (before the first trick is over).
enum Chance : int { kNone = 0, kFirst = 1, kSecond = 2, kBoth = 3 };

constexpr std::uint8_t kCardPoints[kDeck] = {0, 0, 3, 4, 10, 11, 14, 20, 0, 0, 0, 2, 3, 4, 10, 11,
                                             0, 0, 0, 2, 3,  4,  10, 11, 0, 0, 0, 2, 3, 4, 10, 11};
constexpr Cards kTrumps = 0xff;
// Cards that have a worthless neighbour below and are worthless themselves.
constexpr Cards kWorthless = 0x06060602, kThird = 0x04040400;

// Points of any byte of cards, so that a set is four look-ups.
struct SetPoints {
  std::uint8_t trump[256] = {}, plain[256] = {};
};
constexpr SetPoints kSetPoints = [] {
  SetPoints t;
  for (int b = 0; b < 256; ++b)
    for (int i = 0; i < 8; ++i)
      if (b >> i & 1) {
        t.trump[b] += kCardPoints[i];
        t.plain[b] += kCardPoints[8 + i];
      }
  return t;
}();

int points_of(Cards c) {
  return kSetPoints.trump[c & 255] + kSetPoints.plain[c >> 8 & 255] + kSetPoints.plain[c >> 16 & 255] +
         kSetPoints.plain[c >> 24];
}

constexpr int top_bit(Cards c) { return 31 - std::countl_zero(c); }
constexpr Cards above_in_suit(int c) { return (Cards{0xff} << (c & 24)) & ~((Cards{2} << c) - 1); }

// Of points, which are whole numbers.
struct Range {
  int low, high;
};

// What is known of the beginning of a trick. The nearer the end, the sooner it is forgotten.
struct Known {
  std::int16_t low = 0, high = 0;
  std::uint8_t move = 0, cards = 0;  // the best card to lead; how many the leader has
  bool used() const { return cards != 0; }
  bool replaces(const Known& other) const { return other.cards <= cards + 1; }
};

// The trick on the table.
struct Trick {
  int seat = 0;    // to play
  int count = 0;   // cards in it
  int led = 0;     // lowest bit of the suit led
  int winner = 0;  // who holds it, with which card
  int best = 0;
  int stake = 0;
  Cards above = kTrumps;  // trumps that would overtrump it
  Cards cards = 0;
};

class Search {
 public:
  Search(const Options& o, const std::array<Cards, kSeats>& hands, Budget budget)
      : hands_(hands),
        strict_(o.strict),
        discard_(o.discard),
        bonus_(o.rules == Rules::kOfficial),
        budget_(budget),
        table_(entries(hands), entries(hands)) {}

  std::uint64_t nodes() const { return budget_.nodes(); }
  bool aborted() const { return budget_.out(); }

  // The value of U still to come after card c is played to the trick, within the window.
  int after(const Trick& t, int c, int chance, int alpha, int beta);
  // The legal cards; of cards that are as good as each other only the lowest if `reduce`.
  Cards moves(const Trick& t, bool reduce) const;

 private:
  int lead(int leader, int chance, int alpha, int beta);
  int follow(const Trick& t, int chance, int alpha, int beta);
  int finish(const Trick& t, int chance, int alpha, int beta);
  Range bounds(int leader, int chance, Cards left) const;
  int sure(int leader, Cards left, bool& all) const;
  int order_lead(int seat, Cards moves, int hash, Cards left, std::uint8_t* out) const;
  int order_follow(const Trick& t, Cards moves, std::uint8_t* out) const;
  bool can_beat(int seat, const Trick& t, int card) const;
  // As large as the cards left make it worthwhile, from the start: growing would cost more than clearing it.
  static std::size_t entries(const std::array<Cards, kSeats>& hands) {
    const int cards = std::popcount(hands[0] | hands[1] | hands[2] | hands[3]);
    return std::size_t{1} << std::clamp(cards * 3 / 4 - 4, 8, 18);
  }

  std::array<Cards, kSeats> hands_;
  bool strict_, discard_, bonus_;
  Budget budget_;
  Transpositions<1, Known, 1> table_;
};

Cards Search::moves(const Trick& t, bool reduce) const {
  const Cards hand = hands_[t.seat];
  Cards m = hand;
  if (t.count > 0) {
    const Cards following = hand & (Cards{255} << t.led), trumps = hand & kTrumps, over = trumps & t.above;
    if (t.led == 0) {
      m = over ? over : trumps ? trumps : hand;
    } else if (following) {
      m = following;
    } else if (trumps && (strict_ || ((t.winner ^ t.seat) & 1))) {
      m = over ? over : discard_ ? hand : trumps;
    }
  }
  if (!reduce) return m;
  // Worthless neighbours are the same card; 9 and 7 are neighbours once the 8 is gone.
  const Cards gone = ~(hands_[0] | hands_[1] | hands_[2] | hands_[3] | t.cards);
  return m & ~(m << 1 & kWorthless) & ~(m << 2 & gone << 1 & kThird);
}

int Search::after(const Trick& t, int c, int chance, int alpha, int beta) {
  if (budget_.spent()) return alpha;
  Trick next = t;
  hands_[t.seat] ^= one(c);
  next.cards |= one(c);
  next.stake += kCardPoints[c];
  if (t.count == 0) {
    next.led = c & 24;
    next.winner = t.seat;
    next.best = c;
  } else if ((c & 24) == (t.best & 24) ? c > t.best : c < 8) {
    next.winner = t.seat;
    next.best = c;
  }
  if (c < 8 && !strict_) next.above &= above_in_suit(c);
  next.seat = (t.seat + 1) & 3;
  ++next.count;
  const int value = next.count < kSeats ? follow(next, chance, alpha, beta) : finish(next, chance, alpha, beta);
  hands_[t.seat] ^= one(c);
  return value;
}

int Search::finish(const Trick& t, int chance, int alpha, int beta) {
  const bool first = (t.winner & 1) == 0;
  chance &= first ? kFirst : kSecond;
  const int gain = first ? t.stake : 0;
  if (hands_[0] == 0) {
    if (!bonus_) return gain;
    if (chance == kFirst) return gain + kCapot0;
    if (chance == kSecond) return gain + kCapot1;
    return gain + (first ? kLast : 0);
  }
  return gain + lead(t.winner, chance, alpha - gain, beta - gain);
}

// Points that the leader takes whatever the others do: top trumps, then, once these have drawn all trumps of the
// opponents, top cards of other suits. `all`: these are all its cards.
int Search::sure(int leader, Cards left, bool& all) const {
  const Cards mine = hands_[leader], others = left & ~mine;
  const int highest = top_bit((others & kTrumps) << 1 | 1);  // one above the best trump of the others; 0 if none
  Cards cash = mine & kTrumps & ~((Cards{1} << highest) - 1);
  const int drawn = std::popcount(cash);
  const auto drawn_out = [&](int seat) { return std::popcount(hands_[seat] & kTrumps) <= drawn; };
  const bool clear = drawn_out((leader + 1) & 3) && drawn_out((leader + 3) & 3);
  if (clear && (!strict_ || drawn_out(leader ^ 2)))
    for (int suit = 8; suit < kDeck; suit += 8) {
      const Cards theirs = others >> suit & 255;
      const int limit = top_bit(theirs << 1 | 1);
      cash |= mine & (Cards{255} << suit) & ~(((Cards{1} << limit) - 1) << suit);
    }
  all = cash == mine;
  return points_of(cash);
}

Range Search::bounds(int leader, int chance, Cards left) const {
  const int all = points_of(left);
  const int mine = (hands_[0] | hands_[2]) & kTrumps, theirs = (hands_[1] | hands_[3]) & kTrumps;
  Range b{0, all + (bonus_ ? kLast : 0)};
  // The side with the highest trumps takes a trick with each, or plays two to the same one.
  if (mine > theirs) {
    b.low = kSetPoints.trump[mine & ~((1 << (top_bit(theirs << 1 | 1))) - 1)];
    chance &= kFirst;
  } else if (theirs > mine) {
    b.high -= kSetPoints.trump[theirs & ~((1 << (top_bit(mine << 1 | 1))) - 1)];
    chance &= kSecond;
  }
  bool everything = false;
  const int cash = sure(leader, left, everything);
  if ((leader & 1) == 0) {
    if (everything) b.low = b.high = all + (!bonus_ ? 0 : chance & kFirst ? kCapot0 : kLast);
    if (everything) return b;
    if (cash > 0) chance &= kFirst;
    b.low = std::max(b.low, cash);
  } else {
    if (everything) b.low = b.high = bonus_ && (chance & kSecond) ? kCapot1 : 0;
    if (everything) return b;
    if (cash > 0) chance &= kSecond;
    b.high = std::min(b.high, all + (bonus_ ? kLast : 0) - cash);
  }
  if (bonus_ && (chance & kFirst)) b.high = std::max(b.high, all + kCapot0);
  if (bonus_ && (chance & kSecond)) b.low = std::min(b.low, kCapot1);
  return b;
}

int Search::lead(int leader, int chance, int alpha, int beta) {
  const Cards left = hands_[0] | hands_[1] | hands_[2] | hands_[3];
  const std::array<std::uint64_t, 1> key{left | static_cast<std::uint64_t>(leader | chance << 2) << 32};
  const Known* known = table_.find(key);
  Range b = known ? Range{known->low, known->high} : bounds(leader, chance, left);
  const int hash = known ? known->move : -1;
  if (b.low >= beta || b.low == b.high) return b.low;
  if (b.high <= alpha) return b.high;
  Trick t;
  t.seat = leader;
  std::uint8_t order[8];
  const int n = order_lead(leader, moves(t, true), hash, left, order);
  const bool maximise = (leader & 1) == 0;
  int best = maximise ? -1000 : 1000, move = order[0], a = alpha, z = beta;
  for (int i = 0; i < n && a < z; ++i) {
    const int v = after(t, order[i], chance, a, z);
    if (aborted()) return alpha;
    if (maximise ? v > best : v < best) {
      best = v;
      move = order[i];
    }
    if (maximise)
      a = std::max(a, best);
    else
      z = std::min(z, best);
  }
  if (best > alpha) b.low = std::max(b.low, best);
  if (best < beta) b.high = std::min(b.high, best);
  table_.store(key, {static_cast<std::int16_t>(b.low), static_cast<std::int16_t>(b.high),
                     static_cast<std::uint8_t>(move), static_cast<std::uint8_t>(std::popcount(hands_[leader]))});
  return best;
}

int Search::follow(const Trick& t, int chance, int alpha, int beta) {
  std::uint8_t order[8];
  const int n = order_follow(t, moves(t, true), order);
  const bool maximise = (t.seat & 1) == 0;
  int best = maximise ? -1000 : 1000, a = alpha, z = beta;
  for (int i = 0; i < n && a < z; ++i) {
    const int v = after(t, order[i], chance, a, z);
    if (aborted()) return alpha;
    if (maximise)
      a = std::max(a, best = std::max(best, v));
    else
      z = std::min(z, best = std::min(best, v));
  }
  return best;
}

// ---------------------------------------------------------------------------------------------------- move ordering

int sorted(Cards moves, std::uint8_t* out, const int* score) {
  int n = 0;
  each_bit(moves, [&](int c) {
    int i = n++;
    for (; i > 0 && score[out[i - 1]] < score[c]; --i) out[i] = out[i - 1];
    out[i] = c;
  });
  return n;
}

int Search::order_lead(int seat, Cards moves, int hash, Cards left, std::uint8_t* out) const {
  int score[kDeck];
  const Cards next = hands_[(seat + 1) & 3], last = hands_[(seat + 3) & 3], partner = hands_[seat ^ 2];
  const Cards opponents = next | last;
  each_bit(moves, [&](int c) {
    const Cards suit = Cards{255} << (c & 24), higher = above_in_suit(c);
    const bool ruffed = c >= 8 && ((!(next & suit) && (next & kTrumps)) || (!(last & suit) && (last & kTrumps)));
    const bool master = !(left & higher);
    int s = 0;
    if (c < 8) {
      s = master ? (opponents & kTrumps ? 40 + kCardPoints[c] : -20) : !(opponents & higher) ? 10 : -kCardPoints[c];
    } else if (ruffed) {
      s = -10 - kCardPoints[c];
    } else if (!(opponents & higher)) {
      s = 30 + kCardPoints[c];
    } else if ((partner & suit & ~0u) && (partner & higher) > (opponents & higher)) {
      s = 20 - kCardPoints[c];
    } else {
      s = !(partner & suit) && (partner & kTrumps) ? 15 + kCardPoints[c] : -kCardPoints[c];
    }
    score[c] = c == hash ? 1000 : s;
  });
  return sorted(moves, out, score);
}

// Whether an opponent who still has to play can take the trick from this card.
bool Search::can_beat(int seat, const Trick& t, int card) const {
  const Cards hand = hands_[seat], suit = Cards{255} << t.led;
  if (hand & suit) return (card & 24) == t.led && (hand & above_in_suit(card));
  if (t.led == 0) return false;
  return card < 8 ? (hand & above_in_suit(card)) != 0 : (hand & kTrumps) != 0;
}

int Search::order_follow(const Trick& t, Cards moves, std::uint8_t* out) const {
  if ((moves & (moves - 1)) == 0) {
    out[0] = lowest(moves);
    return 1;
  }
  int score[kDeck];
  const bool partner_holds = t.winner == (t.seat ^ 2) && t.count >= 2;
  const int next = (t.seat + 1) & 3;
  each_bit(moves, [&](int c) {
    const bool takes = (c & 24) == (t.best & 24) ? c > t.best : c < 8;
    const int best = takes ? c : t.best;
    bool ours = takes || partner_holds;
    if (ours && t.count < 3 && can_beat(next, t, best)) ours = false;
    if (!ours && t.count == 1 && can_beat(t.seat ^ 2, t, best)) ours = true;
    const int p = kCardPoints[c];
    int s = ours ? 100 + p : -p;
    if (c < 8 && t.led != 0) s -= ours ? 2 * p + 5 : 10;  // a trump for the least
    if (ours && takes && partner_holds && t.led == 0) s -= 2 * p;
    score[c] = s;
  });
  return sorted(moves, out, score);
}

// ---------------------------------------------------------------------------------------------------- the root

// Our numbering -> the solver's.
struct Renumber {
  std::uint8_t to[kDeck];
  explicit Renumber(int trump) {
    for (int c = 0; c < kDeck; ++c) {
      const int suit = suit_of(c);
      const int byte = suit == trump ? 0 : suit < trump ? suit + 1 : suit;
      to[c] = 8 * byte + (kTables.strength[trump][suit][c] - 1) % 8;
    }
  }
  Cards set(Cards cards) const {
    Cards out = 0;
    each_bit(cards, [&](int c) { out |= one(to[c]); });
    return out;
  }
};

Trick trick_of(const State& s, const Renumber& number, bool strict) {
  Trick t;
  t.seat = s.actor;
  t.count = s.in_trick;
  t.winner = s.winner;
  t.stake = s.at_stake;
  for (int i = 0; i < s.in_trick; ++i) {
    const int c = number.to[s.trick[i]];
    t.cards |= one(c);
    if (c < 8 && !strict) t.above &= above_in_suit(c);
    if (((s.actor - s.in_trick + i) & 3) == s.winner) t.best = c;
  }
  if (s.in_trick) t.led = number.to[s.trick[0]] & 24;
  return t;
}

// Narrows the range of one first card by null windows around a guess, until it is exact or `enough`.
template <class F>
void narrow(Search& search, const Trick& t, int card, int chance, int guess, Range& b, F&& enough) {
  while (b.low < b.high && !enough(b)) {
    const int beta = std::clamp(guess, b.low + 1, b.high);
    const int v = search.after(t, card, chance, beta - 1, beta);
    if (search.aborted()) return;
    if (v >= beta) {
      b.low = std::max(b.low, v);
      guess = b.low + 1;
    } else {
      b.high = std::min(b.high, v);
      guess = b.high;
    }
  }
}

// What belote adds to the side of seats 0 and 2, less what it adds to the other.
int belote_of(const Belote& game, const State& s) {
  const auto royals = one(card(s.trump, kQueen)) | one(card(s.trump, kKing));
  for (int seat = 0; seat < kSeats; ++seat)
    if (((s.hands[seat] | s.played[seat]) & royals) == royals)
      return game.official() ? (seat & 1 ? -Belote::kBelote : Belote::kBelote) : 0;
  return 0;
}

}  // namespace

void Belote::check_solvable(const State& s) const {
  if (s.phase != Phase::kPlay) throw BadInput("only the play of belote is solved, not the bidding");
}

Solution Belote::solve(const State& s, const SolverSettings& settings, const std::atomic<bool>* stop) const {
  if (settings.epsilon > 0) throw BadInput("belote is solved without a tie-break");
  const Renumber number(s.trump);
  std::array<Cards, kSeats> hands;
  for (int seat = 0; seat < kSeats; ++seat) hands[seat] = number.set(s.hands[seat]);
  Search search(options_, hands, Budget(settings.nodes, stop));
  const Trick t = trick_of(s, number, options_.strict);
  const int chance = !official() ? kNone : (s.tricks[1] ? 0 : kFirst) | (s.tricks[0] ? 0 : kSecond);
  const int bonus = official() ? kLastTrick : 0;
  const int left = points_of(hands[0] | hands[1] | hands[2] | hands[3]) + t.stake;
  const bool first = (s.actor & 1) == 0;
  const Cards distinct = search.moves(t, true);
  Legal list;
  legal(s, list);
  std::array<Range, kDeck> known;
  const Range widest{chance & kSecond ? kCapot1 : 0, left + (chance & kFirst ? kCapot0 : bonus)};
  int best = first ? widest.low : widest.high, guess = left / 2;  // the best for the side to act so far
  for (Action a : list) {
    const int c = number.to[a];
    Range& r = known[c] = widest;
    if (!(distinct >> c & 1)) continue;
    const auto enough = [&](const Range& x) { return !settings.all && (first ? x.high <= best : x.low >= best); };
    if (!search.aborted()) narrow(search, t, c, chance, guess, r, enough);
    best = first ? std::max(best, r.low) : std::min(best, r.high);
    guess = settings.all ? (r.low + r.high + 1) / 2 : first ? best + 1 : best;
  }
  Solution out;
  const int total = (options_.cards == kDeck ? 152 : 80) + bonus, extra = belote_of(*this, s);
  for (Action a : list) {
    int c = number.to[a];
    while (!(distinct >> c & 1)) --c;  // worth the same as its lower neighbour
    const auto difference = [&](int u) { return (first ? 1 : -1) * (2 * (u + s.points[0]) - total + extra); };
    const double x = difference(known[c].low), y = difference(known[c].high);
    out.actions.push_back(a);
    out.values.push_back({std::min(x, y), std::max(x, y)});
  }
  out.conclude();
  out.nodes = search.nodes();
  out.complete = !search.aborted();
  return out;
}

}  // namespace kibitz::belote
