// Worlds of the usual kind, drawn at once: no reshuffle yet, no found bluff, no cards seen in another hand.
//
// Tokens go into a free slot of their windows, rather into one that few cards may lie in; then slot after slot, seat by
// seat from the oldest, gets a random unseen card that may lie there. Fillings do not come up equally often, but how
// often is known: the product of the odds of its steps. A filling is kept with a probability inverse to it and thrown
// away otherwise, so that what is kept is uniform. That probability needs a bound: the most choices that a step can
// have. With two players the bound holds. With more it supposes that cards of other hands take away a usual number of
// choices (kDeviations below the mean); the rare fillings beyond it are kept always, and come up a little too seldom.
//
// Many tokens make the bound useless. If kTries fillings (more of short ones) were thrown away, one of them is taken by
// lot, with the same inverse odds as weights: nearly uniform (README.md says how nearly).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "games/uno/uno.h"

namespace kibitz::uno {

class Filling {
 public:
  Filling(const State& s, int me, const Options& options) : s_(s), me_(me), players_(options.players) {}

  // Draws a world; false if this view is of another kind, or no filling was found.
  bool run(Rng& rng) {
    if (!prepare()) return false;
    double total = 0, ratio = 0;
    for (int tries = std::max(kTries, kWork / std::max(1, slots_)); tries > 0; --tries) {
      if (!fill(rng, ratio)) continue;
      if (ratio >= 1 - 1e-9 || rng.unit() < ratio) {
        finish(rng);
        return true;
      }
      total += ratio;
      if (rng.unit() * total < ratio) lot_ = at_;
    }
    if (total == 0) return false;
    recall();
    finish(rng);
    return true;
  }

  // Calls f(card, seat, slot) for every card in a hand, and f(card, -1, 0) for those in the pile.
  template <class F>
  void each(F&& f) const {
    for (int i = 0; i < slots_; ++i)
      if (at_[i] != kNoCard) f(at_[i], seat_[i], i - first_[seat_[i]]);
    for (int i = 0; i < left_; ++i) f(loose_[i], -1, 0);
  }

 private:
  static constexpr double kDeviations = 2.5;
  static constexpr int kTries = 6, kWork = 256, kMaxBound = 64, kMaxSlots = 64;
  static constexpr Card kFree = 254;               // beside kNoCard: a token, nothing lies there any more
  static constexpr std::uint32_t kUnit = 1 << 20;  // of weights

  struct Bound {  // a token, or a card that everybody saw
    Card stays;   // kNoCard: it was played
    std::uint8_t seat, first, end;
  };

  bool prepare() {
    if (s_.last.fresh.one != 0) return false;
    for (const Sight& sight : s_.sights[me_])
      if (sight.hand.one != 0) return false;
    unseen_ = kFullDeck;
    s_.hands[me_].each([&](Card c) { unseen_.remove(c); });
    for (int i = kCards - s_.discards; i < kCards; ++i) unseen_.remove(s_.cards[i]);
    for (int seat = 0; seat < players_; ++seat)
      if (seat != me_ && !add_tokens(seat)) return false;
    // A drawn wild that is just being played lies open, though it still counts as a card of the hand.
    if (s_.phase == Phase::kName && s_.drawn != kNoCard && s_.actor != me_) {
      const std::uint8_t end = s_.memory[s_.actor].slots();
      open_ = bound_;
      bind({s_.drawn, static_cast<std::uint8_t>(s_.actor), static_cast<std::uint8_t>(end - 1), end});
      unseen_.remove(s_.drawn);
    }
    for (int seat = 0; seat < players_; ++seat)
      if (seat != me_ && !add_slots(seat)) return false;
    unseen_.each([&](Card c) { loose_[all_++] = c; });
    add_bounds();
    return true;
  }

  bool add_tokens(int seat) {
    const Memory& m = s_.memory[seat];
    if (m.promised() || bound_ + m.tokens() >= kMaxBound) return false;
    for (int t = 0; t < m.tokens(); ++t)
      bind({kNoCard, static_cast<std::uint8_t>(seat), m.token(t).first, m.token(t).end});
    return true;
  }

  void bind(const Bound& b) {
    bounds_[bound_++] = b;
    ++bound_of_[b.seat];
  }

  // What may lie in each slot. Slots that all cards may lie in come last, unless tokens may lie there, too.
  bool add_slots(int seat) {
    const Memory& m = s_.memory[seat];
    if (m.slots() > kMaxSlots || slots_ + m.slots() > kCards) return false;
    first_[seat] = slots_;
    for (int j = 0; j < m.slots(); ++j) {
      seat_[slots_ + j] = seat;
      may_[slots_ + j] = kAllBits;
    }
    const auto bar = [&](int prefix, Bits bits) {
      for (int j = 0; j < prefix; ++j) may_[slots_ + j] &= ~bits;
    };
    if (m.top() > 0) {
      for (int c = 0; c < kColours; ++c) bar(m.colours()[c], row(c));
      for (int t = 0; t < 13; ++t) bar(m.traits()[t], column(t));
      bar(m.wilds()[0], kWildBits);
      bar(m.wilds()[1], kWild4Bits);
    }
    narrow_[seat] = bound_of_[seat] > 0 ? m.slots() : m.top();
    slots_ += m.slots();
    return true;
  }

  // What a filling's odds are measured by. A step of a token contributes the weights of its free slots (1 / cards that
  // may lie there), a step of a slot the share of those cards that is still there; what is left is the same for all.
  void add_bounds() {
    int before = 0;  // cards in the seats before
    double most = 1;
    for (int seat = 0; seat < players_; ++seat) {
      if (seat == me_ || narrow_[seat] == 0) continue;
      before_[seat] = before;
      most *= most_shares(seat);
      before += narrow_[seat] - bound_of_[seat];
      counted_ = before_[seat] > 0;  // by the last of them
    }
    for (int i = 0; i < bound_; ++i) most *= most_weight(i);
    scale_ = 1 / most;
  }

  double most_shares(int seat) {
    const int first = first_[seat], tokens = bound_of_[seat], slots = narrow_[seat];
    std::array<double, kMaxSlots> shares;
    double product = 1;
    for (int j = 0; j < slots; ++j) {
      const int may = std::max(1, choices(unseen_, may_[first + j]));
      size_[first + j] = may;
      inverse_[first + j] = 1.0 / may;
      weight_[first + j] = kUnit / may;
      shares[j] = std::max(1.0, may - std::max(0, j - tokens) - others(before_[seat], may)) / may;
      product *= shares[j];
    }
    for (int t = 0; t < tokens; ++t) {  // at least so many slots drop out: the smallest, at most
      const auto least = std::min_element(shares.begin(), shares.begin() + slots);
      product /= *least;
      *least = 2;
    }
    return product;
  }

  // How many of the cards in seats before could lie in a slot for which there are `may`, at least, but for rare cases.
  double others(int before, int may) const {
    if (before == 0) return 0;
    const double p = may / static_cast<double>(all_), mean = before * p;
    return std::max(0.0, mean - kDeviations * std::sqrt(mean * (1 - p)));
  }

  double most_weight(int i) const {
    const Bound& b = bounds_[i];
    std::uint32_t sum = 0, least = kUnit, inside = 0;  // tokens before it that are sure to take a slot of its window
    for (int k = 0; k < i; ++k)
      inside += bounds_[k].seat == b.seat && bounds_[k].first >= b.first && bounds_[k].end <= b.end;
    for (int j = first_[b.seat] + b.first; j < first_[b.seat] + b.end; ++j) {
      sum += weight_[j];
      least = std::min(least, weight_[j]);
    }
    return std::max(sum - std::min(sum, inside * least), least);
  }

  static int choices(const Hand& hand, Bits may) { return count_bits(hand.one & may) + count_bits(hand.two & may); }

  // One filling of the slots that not all cards may lie in. False at a dead end.
  bool fill(Rng& rng, double& ratio) {
    left_ = all_;
    rest_ = unseen_;
    ratio = scale_;
    std::fill_n(at_.begin(), slots_, kFree);
    if (bound_ > 0) std::copy_n(weight_.begin(), slots_, free_.begin());
    for (int i = 0; i < bound_; ++i)
      if (!place_bound(bounds_[i], rng, ratio)) return false;
    for (int seat = 0; seat < players_; ++seat)
      if (seat != me_ && !place_loose(seat, rng, ratio)) return false;
    return true;
  }

  bool place_bound(const Bound& b, Rng& rng, double& ratio) {
    const int from = first_[b.seat] + b.first, to = first_[b.seat] + b.end;
    std::uint32_t sum = 0;
    for (int i = from; i < to; ++i) sum += free_[i];
    if (sum == 0) return false;
    std::uint32_t lot = rng.below(sum);
    int found = from;
    for (; lot >= free_[found]; ++found) lot -= free_[found];
    free_[found] = 0;
    at_[found] = b.stays;
    ratio *= sum;
    return true;
  }

  bool place_loose(int seat, Rng& rng, double& ratio) {
    const int first = first_[seat];
    for (int i = first, k = 0; i < first + narrow_[seat]; ++i) {
      if (at_[i] != kFree) continue;
      const int n = before_[seat] == 0 ? size_[i] - k++ : choices(rest_, may_[i]);
      const int pick = n > 0 ? pick_for(may_[i], rng) : -1;
      if (pick < 0) return false;
      ratio *= n * inverse_[i];
      if (counted_) rest_.remove(loose_[pick]);
      take(i, pick);
    }
    return true;
  }

  // A random loose card of those; by a look at all after many random picks did not fit.
  int pick_for(Bits may, Rng& rng) {
    for (int tries = 0; tries < 32 && left_ > 0; ++tries) {
      const int pick = rng.below(left_);
      if (may & bit(loose_[pick])) return pick;
    }
    int found = -1;
    std::uint32_t seen = 0;
    for (int i = 0; i < left_; ++i)
      if ((may & bit(loose_[i])) && rng.below(++seen) == 0) found = i;
    return found;
  }

  void take(int slot, int pick) {
    at_[slot] = loose_[pick];
    std::swap(loose_[pick], loose_[--left_]);  // the same cards lie in loose_ for the next filling
  }

  // The loose cards are again those that the chosen filling leaves.
  void recall() {
    at_ = lot_;
    Hand rest = unseen_;
    for (int i = 0; i < slots_; ++i)
      if (at_[i] < kFree && !lies_open(i)) rest.remove(at_[i]);
    left_ = 0;
    rest.each([&](Card c) { loose_[left_++] = c; });
  }

  bool lies_open(int slot) const { return open_ >= 0 && slot == first_[bounds_[open_].seat] + bounds_[open_].first; }

  void finish(Rng& rng) {
    for (int i = 0; i < slots_; ++i)
      if (at_[i] == kFree) take(i, rng.below(left_));
  }

  const State& s_;
  const int me_, players_;
  Hand unseen_, rest_;
  std::array<Card, kCards> loose_;            // the first left_ of all_ lie in no slot
  std::array<Card, kCards> at_, lot_;         // [slot]
  std::array<Bits, kCards> may_;              // [slot]
  std::array<int, kCards> size_;              // [slot]: cards that may lie there
  std::array<std::uint32_t, kCards> weight_;  // [slot]: kUnit / size
  std::array<std::uint32_t, kCards> free_;    // the same; 0 where a token lies
  std::array<double, kCards> inverse_;        // [slot]: 1 / size
  std::array<std::int8_t, kCards> seat_;
  std::array<Bound, kMaxBound> bounds_;
  // Of a seat: its first slot; slots to be filled by weight; tokens; cards in the seats before.
  std::array<int, kMaxSeats> first_{}, narrow_{}, bound_of_{}, before_{};
  int slots_ = 0, all_ = 0, left_ = 0, bound_ = 0;
  int open_ = -1;         // the card among bounds_ that everybody saw
  double scale_ = 1;      // the ratio of a filling is its weight times this
  bool counted_ = false;  // do the choices of a seat depend on the seats before?
};

}  // namespace kibitz::uno
