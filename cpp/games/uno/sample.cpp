// Views and worlds: what a seat may know, and states it could be in.
//
// A world puts every unseen card (and every card whose slot a token leaves open, memory.h) into a place: a slot of
// another hand, or the pile. All assignments that respect what is known are equally likely. Most views are left to
// filling.h. Below is what also knows reshuffles, found bluffs and seen hands: it fills the slots from the oldest,
// which admits fewest cards, to the newest with random cards that may lie there. Exchanges follow, each of two random
// places, done if both cards may lie where they come: a Markov chain whose stationary distribution is the uniform one.
// Where filling gets stuck, augmenting paths complete it. README.md says how far from uniform the result is, measured.
//
// A reshuffle splits the copies of a card: those put back lie in newer slots or the pile, those held then in old slots.
// Each copy gets a side, drawn by lot where what was seen since leaves it open; the exchanges then also let two copies
// of a card change sides.
#include <initializer_list>

#include "games/uno/filling.h"
#include "games/uno/uno.h"

namespace kibitz::uno {

View Uno::view(const State& s, Seat seat) const {
  View v{s, seat};
  State& k = v.known;
  k.fold();
  k.stream = Rng();
  for (int i = 0; i < options_.players; ++i)
    if (i != seat) k.hands[i] = k.held[i] = {};
  for (int i = 0; i < kCards - k.discards; ++i) k.cards[i] = 0;
  if (k.phase == Phase::kDrawn && k.actor != seat) k.drawn = kNoCard;
  if (k.turn != seat) k.guilty = false;
  for (int i = 0; i < kMaxSeats; ++i)
    if (i != seat) k.sights[i] = {};
  return v;
}

std::uint64_t Uno::key(const View& v) const {
  const State& k = v.known;
  std::uint64_t h = mix(v.seat, options_.players);
  const auto hash = [&h](std::uint64_t x) { h = mix(h, x); };
  const auto hash_hand = [&hash](const Hand& hand) {
    hash(hand.one);
    hash(hand.two);
  };
  const bool seated = v.seat != kPublic;
  hash_hand(seated ? k.hands[v.seat] : Hand{});
  Hand discards;  // as a multiset: the order does not matter any more
  for (int i = kCards - k.discards; i < kCards; ++i) discards.add(k.cards[i]);
  hash_hand(discards);
  hash_hand(k.last.fresh);
  hash_hand(seated ? k.held[v.seat] : Hand{});
  hash(static_cast<std::uint64_t>(k.colour) | k.trait << 8 | k.before << 16 | (k.direction > 0) << 24);
  hash(static_cast<std::uint64_t>(k.turn) | static_cast<std::uint8_t>(k.actor) << 8 | static_cast<int>(k.phase) << 16 |
       k.pending << 24);
  hash(static_cast<std::uint64_t>(k.drawn) | k.guilty << 8 | k.idle << 16 | k.winner << 24);
  hash(static_cast<std::uint64_t>(k.bluff_slots) | k.last.remainder << 8 | k.pile << 16);
  for (int i = 0; i < options_.players; ++i) {
    const Memory& m = k.memory[i];
    hash(k.counts[i]);
    m.each_word(hash);
  }
  if (!seated) return h;
  for (const Sight& sight : k.sights[v.seat]) {
    hash(sight.owner);
    hash_hand(sight.hand);
  }
  return h;
}

namespace {

struct Item {
  Card card;
  Side side;
  std::int8_t owner;  // -1: may be anywhere; else in this seat's slots first..end-1 alone
  std::uint8_t first, end;
  bool gone;  // a token: the card has been played, its slot is empty now
};

struct Twins {
  std::int16_t a, b;
};

struct Place {
  std::int8_t seat;  // -1: the pile
  std::uint8_t slot;
};

class Sampler {
 public:
  Sampler(const Uno& game, const View& v, Rng& rng)
      : s_(v.known), me_(v.seat), players_(game.options().players), options_(game.options()), rng_(rng) {
    add_places();
    add_items();
  }

  void run() {
    place_all();
    exchange();
    for (int round = 0; promises_ && round < 3; ++round)  // to keep one may break another
      for (int seat = 0; seat < players_; ++seat)
        for (int c = 0; c < kColours; ++c)
          if (seat != me_ && !promise_kept(seat, c)) keep_promise(seat, c);
  }

  // Calls f(card, place) for every card that is really there.
  template <class F>
  void each(F&& f) const {
    for (int p = 0; p < size_; ++p) {
      const Item& item = items_[item_at_[p]];
      if (!item.gone) f(item.card, places_[p]);
    }
  }

 private:
  static constexpr int kMax = kCards + kMaxSeats * Memory::kTokens;
  static constexpr int kSweeps = 48;  // exchanges per slot
  static constexpr int kKinds = kColours * kTraits, kMaxTwins = 256, kTries = 64;
  struct Copies {  // of one card, somewhere we cannot see
    int held, piled;
  };

  void add_places() {
    for (int seat = 0; seat < players_; ++seat) {
      if (seat == me_) continue;
      const Memory& m = s_.memory[seat];
      for (int j = 0; j < m.slots(); ++j)
        places_[slots_++] = {static_cast<std::int8_t>(seat), static_cast<std::uint8_t>(j)};
      promises_ |= m.promised();
      forgotten_ |= m.forgotten();
    }
    size_ = slots_;
    for (int i = 0; i < s_.pile; ++i) places_[size_++] = {-1, 0};
  }

  void add_items() {
    Hand unseen = kFullDeck;
    s_.hands[me_].each([&](Card c) { unseen.remove(c); });
    for (int i = kCards - s_.discards; i < kCards; ++i) unseen.remove(s_.cards[i]);
    int n = 0;
    for (int seat = 0; seat < players_; ++seat)
      for (int t = 0; seat != me_ && t < s_.memory[seat].tokens(); ++t) {
        const Token token = s_.memory[seat].token(t);
        items_[n++] = {token.card, Side::kUnknown, static_cast<std::int8_t>(seat), token.first, token.end, true};
      }
    // A drawn wild that is just being played lies open, though it still counts as a card of the hand.
    if (s_.phase == Phase::kName && s_.drawn != kNoCard && s_.actor != me_) {
      const std::uint8_t end = s_.memory[s_.actor].slots();
      items_[n++] = {s_.drawn, Side::kUnknown, s_.actor, static_cast<std::uint8_t>(end - 1), end, false};
      unseen.remove(s_.drawn);
    }
    for (const Sight& sight : s_.sights[me_]) {
      if (sight.hand.one == 0) continue;
      // Cards not seen came later: the newest slots are theirs.
      const int later = s_.counts[sight.owner] - sight.hand.size();
      const std::uint8_t end = s_.memory[sight.owner].slots() - later;
      sight.hand.each([&](Card c) {
        items_[n++] = {c, Side::kUnknown, static_cast<std::int8_t>(sight.owner), 0, end, false};
        unseen.remove(c);
      });
    }
    bound_ = n;
    unseen.each([&](Card c) { items_[n++] = {c, Side::kUnknown, -1, 0, 0, false}; });
  }

  // How many copies of a card that were held by others / put back at the last reshuffle have not been seen since. What
  // came from the pile was put back, unless there were no such copies: rlcard mixes in what was left of the pile. (Were
  // it one of the few that were left, the other copy could be in fewer places: no world is lost.)
  Copies unseen_copies(Card c, const Hand& discards) const {
    const bool swaps = options_.seven_zero;  // then nobody can say who had what
    const Card top = options_.rules == Rules::kRlcard ? kNoCard : s_.cards[kCards - 1];  // it stayed where it was
    const int put_back = s_.last.fresh.count(c), mine = swaps ? 0 : s_.held[me_].count(c);
    int held = copies(c) - put_back - (c == top) - mine;
    if (forgotten_ & bit(c)) return {put_back == 0 ? held : 0, held <= 0 ? put_back : 0};  // both: all are unknown
    int from_pile = discards.count(c) - (c == top);  // first those that were in no hand, drawn and played at once
    for (int seat = 0; seat < players_; ++seat) {
      const Memory& m = s_.memory[seat];
      from_pile -= played_from(m, c);
      if (seat == me_ && !swaps) {
        from_pile += s_.hands[me_].count(c) + played_from(m, c) - mine;
      } else {
        held -= m.left_held().count(c);
        from_pile += m.left_piled().count(c);
      }
    }
    return {held - std::max(from_pile - put_back, 0), std::max(put_back - from_pile, 0)};
  }

  // Since the last reshuffle.
  static int played_from(const Memory& m, Card c) {
    int n = m.left_held().count(c) + m.left_piled().count(c);
    for (int t = 0; t < m.tokens(); ++t) n += m.token(t).card == c && crosses(m, m.token(t).first, m.token(t).end);
    return n;
  }

  static bool crosses(const Memory& m, int first, int end) { return first < m.old() && end > m.old(); }

  // Whatever may be on one side only is; the rest draws lots from the copies that are left.
  void find_sides() {
    Copies left[kKinds];
    Hand discards;
    for (int i = kCards - s_.discards; i < kCards; ++i) discards.add(s_.cards[i]);
    for (int c = 0; c < kKinds; ++c) left[c] = unseen_copies(c, discards);
    std::int16_t choosing[kMax];
    int open = 0;
    for (int i = 0; i < size_; ++i) {
      Item& item = items_[i];
      item.side = Side::kUnknown;
      const Memory& m = s_.memory[item.owner >= 0 ? item.owner : 0];
      if (item.owner < 0 || crosses(m, item.first, item.end))
        choosing[open++] = i;
      else if (!item.gone)  // the sides of what was played are counted already
        give_side(item, left[item.card], item.first < m.old() ? Side::kHeld : Side::kPiled);
    }
    for (int k = 0; k < open; ++k) {  // in the order of items: owned ones first
      Item& item = items_[choosing[k]];
      Copies& there = left[item.card];
      const int held = std::max(there.held, 0), piled = std::max(there.piled, 0);
      if (held + piled > 0) give_side(item, there, below(held + piled) < held ? Side::kHeld : Side::kPiled);
    }
  }

  static void give_side(Item& item, Copies& left, Side side) {
    item.side = side;
    --(side == Side::kHeld ? left.held : left.piled);
  }

  bool fits(const Item& item, const Place& place) const {
    if (!slots_matter_) return item.owner < 0 || item.owner == place.seat;
    if (item.owner >= 0) {
      if (place.seat != item.owner || place.slot < item.first || place.slot >= item.end) return false;
    } else if (place.seat >= 0 && place.slot < s_.memory[place.seat].barred(item.card)) {
      return false;
    }
    if (item.side == Side::kUnknown || !sides_matter_) return true;
    const bool old = place.seat >= 0 && place.slot < s_.memory[place.seat].old();
    // rlcard mixes what was left of the pile in, so that a card that was not discarded may be anywhere.
    return item.side == Side::kPiled ? !old : old || s_.last.remainder > 0;
  }

  void put(int item, int place) {
    place_of_[item] = place;
    item_at_[place] = item;
  }

  int below(int n) { return rng_.below(n); }

  // Not every lot leaves room for all cards, so a few may be drawn. Which side of a reshuffle a card was on is the one
  // thing that the summary may get wrong (memory.h settles tokens without it): it goes if not everything can be had.
  void place_all() {
    sides_matter_ = s_.last.fresh.one != 0;
    for (int tries = 0; tries < (sides_matter_ ? kTries : 0); ++tries) {
      clear();
      find_sides();
      fill();
      if (complete()) return find_twins();
    }
    sides_matter_ = false;
    clear();
    fill();
    if (complete()) return;
    slots_matter_ = false;  // a position written by hand, or a settled token that was one too many
    complete();
  }

  void clear() {
    for (int i = 0; i < size_; ++i) place_of_[i] = item_at_[i] = -1;
  }

  // Places what `fill` left over; false if it cannot.
  bool complete() {
    for (int i = 0; i < size_; ++i)
      if (place_of_[i] < 0 && !augment(i)) return false;
    return true;
  }

  // Copies of a card that might change sides, at least one of them bound to a seat (others change nothing).
  void find_twins() {
    twins_ = 0;
    for (int a = 0; a < bound_; ++a)
      for (int b = 0; b < size_ && twins_ < kMaxTwins && items_[a].side != Side::kUnknown; ++b)
        if (items_[a].card == items_[b].card && items_[b].side != Side::kUnknown && (b > a || b >= bound_))
          twin_[twins_++] = {static_cast<std::int16_t>(a), static_cast<std::int16_t>(b)};
  }

  // What is bound to a seat first, then slot after slot, oldest first, then the pile. May leave gaps.
  void fill() {
    for (int i = 0; i < bound_; ++i) put_somewhere(i);
    Item* const loose = items_ + bound_;
    int left = size_ - bound_;
    for (int p = 0; p < size_ && left > 0; ++p) {
      if (item_at_[p] >= 0) continue;
      int pick = below(left);
      for (int tries = 0; tries < 64 && !fits(loose[pick], places_[p]); ++tries) pick = below(left);
      if (!fits(loose[pick], places_[p])) pick = look_for(loose, left, places_[p]);
      if (pick < 0) continue;
      --left;
      std::swap(loose[pick], loose[left]);  // placed items gather at the end
      put(bound_ + left, p);
    }
  }

  // A random one of the items that fit, after many random picks did not; -1 if there is none.
  int look_for(const Item* items, int count, const Place& place) {
    int found = -1, seen = 0;
    for (int i = 0; i < count; ++i)
      if (fits(items[i], place) && below(++seen) == 0) found = i;
    return found;
  }

  // A random free place of a seat's window.
  void put_somewhere(int item) {
    int found = -1, seen = 0;
    for (int p = 0; p < slots_; ++p)
      if (item_at_[p] < 0 && fits(items_[item], places_[p]) && below(++seen) == 0) found = p;
    if (found >= 0) put(item, found);
  }

  // Finds a place for the item along an augmenting path (breadth first), if there is one.
  bool augment(int item) {
    std::int16_t from[kMax], queue[kMax];
    for (int p = 0; p < size_; ++p) from[p] = -1;
    int head = 0, tail = 0, at = item;
    while (true) {
      for (int p = 0; p < size_; ++p) {
        if (from[p] >= 0 || p == locked_ || !fits(items_[at], places_[p])) continue;
        from[p] = at;
        if (item_at_[p] < 0) {
          shift_along(p, from, item);
          return true;
        }
        queue[tail++] = p;
      }
      if (head == tail) return false;
      at = item_at_[queue[head++]];
    }
  }

  void shift_along(int place, const std::int16_t* from, int item) {
    while (true) {
      const int mover = from[place], before = place_of_[mover];
      put(mover, place);
      if (mover == item) return;
      place = before;
    }
  }

  void exchange() {
    for (int i = kSweeps * slots_; i > 0; --i) {
      move({below(slots_), below(size_)});
      if (twins_ > 0) change_sides(twin_[below(twins_)], below(size_), below(2) == 0);
    }
  }

  // The items at the places move on in a circle, if they may.
  bool move(std::initializer_list<int> places) {
    int items[3], n = 0;
    for (int p : places) items[n++] = item_at_[p];
    int k = 0;
    for (int p : places)
      if (!fits(items_[items[(k++ + n - 1) % n]], places_[p])) return false;
    const bool before = promises_ && promises_kept(places);
    k = 0;
    for (int p : places) put(items[(k++ + n - 1) % n], p);
    if (!before || promises_kept(places)) return true;
    k = 0;
    for (int p : places) put(items[k++], p);
    return false;
  }

  // Two copies on different sides take each other's, and a third card makes room. Forwards and backwards are equally
  // likely and undo each other, so the chain stays symmetric.
  void change_sides(const Twins& twins, int third, bool forwards) {
    Item &a = items_[twins.a], &b = items_[twins.b];
    const int p = place_of_[twins.a], q = place_of_[twins.b];
    if (a.side == b.side || third == p) return;
    std::swap(a.side, b.side);
    const bool moved = third == q ? move({p, q}) : forwards ? move({p, q, third}) : move({q, p, third});
    if (!moved) std::swap(a.side, b.side);
  }

  bool promises_kept(std::initializer_list<int> places) const {
    for (int place : places)
      for (int c = 0; c < kColours; ++c)
        if (places_[place].seat >= 0 && !promise_kept(places_[place].seat, c)) return false;
    return true;
  }

  // Is there a card of the colour, or was one played since, wherever a bluff was found out?
  bool promise_kept(int seat, int colour) const {
    const int must = s_.memory[seat].must(colour);
    if (must == 0) return true;
    for (int p = 0; p < slots_; ++p)
      if (places_[p].seat == seat && places_[p].slot < must && proves(items_[item_at_[p]], colour, must)) return true;
    return false;
  }

  static bool proves(const Item& item, int colour, int must) {
    return colour_of(item.card) == colour && (!item.gone || item.end > must);  // not one that had left before
  }

  // Brings a card of the colour where it must have been, and whatever lay there elsewhere.
  void keep_promise(int seat, int colour) {
    const int must = s_.memory[seat].must(colour);
    for (int p = 0; p < slots_; ++p) {
      if (places_[p].seat != seat || places_[p].slot >= must) continue;
      for (int b = 0; b < size_; ++b)
        if (proves(items_[b], colour, must) && fits(items_[b], places_[p]) && move_to(b, p)) return;
    }
  }

  bool move_to(int item, int place) {
    const int there = item_at_[place], from = place_of_[item];
    put(item, place);
    item_at_[from] = -1;
    place_of_[there] = -1;
    locked_ = place;
    const bool ok = augment(there);
    locked_ = -1;
    if (!ok) {
      put(item, from);
      put(there, place);
    }
    return ok;
  }

  const State& s_;
  const int me_, players_;
  const Options& options_;
  Rng& rng_;
  Item items_[kMax];    // the first bound_ belong to a seat
  Place places_[kMax];  // the first slots_ are slots of hands
  std::int16_t item_at_[kMax], place_of_[kMax];
  Twins twin_[kMaxTwins];
  int size_ = 0, slots_ = 0, bound_ = 0, twins_ = 0;
  int locked_ = -1;     // a place that no augmenting path may use
  Bits forgotten_ = 0;  // copies of these have been played, and it is not known any more from which side
  bool promises_ = false, sides_matter_ = true, slots_matter_ = true;
};

}  // namespace

State Uno::sample(const View& v, Rng& rng) const {
  State s = v.known;
  bool bluff = false;
  int at = 0;
  const auto put = [&](Card card, int seat, int slot) {
    if (seat < 0) {
      s.cards[at++] = card;
      return;
    }
    s.hands[seat].add(card);
    bluff |= seat == s.turn && slot < s.bluff_slots && colour_of(card) == s.before;
    const bool newest = seat == s.actor && slot + 1 == s.memory[s.actor].slots();
    if (newest && s.phase == Phase::kDrawn) s.drawn = card;
  };
  if (Filling filling(v.known, v.seat, options_); filling.run(rng)) {
    filling.each(put);
  } else {
    Sampler sampler(*this, v, rng);
    sampler.run();
    sampler.each([&](Card card, const Place& place) { put(card, place.seat, place.slot); });
  }
  if (s.turn != v.seat && s.before != kNoColour) s.guilty = bluff;
  const std::uint64_t a = rng.next();
  s.stream = Rng(a, rng.next() | 1);
  return s;
}

}  // namespace kibitz::uno
