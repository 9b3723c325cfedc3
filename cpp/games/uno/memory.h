// What everybody knows about the hidden cards of one seat, as a compact summary.
//
// The cards of a hand lie in slots in the order of their arrival, oldest first. What a player shows about its hand at
// some moment ("nothing here fits red 5") concerns the slots filled so far: a prefix. So for each colour and each
// trait one number says it all: no card of it lies in the first that-many slots. Older slots know more than newer
// ones: if a card may lie in a slot, it may lie in every newer one.
//
// When a card is played, nobody sees which slot it left. If all slots where it could have lain are alike, one of them
// goes. Otherwise a token (card, first slot, end) is kept, and `sample` decides. When the tokens run out, the one that
// ends first is settled as having left its oldest possible slot: that never excludes a possible hand (whatever lay
// there could as well lie in the slot that was really left) and never admits an impossible one; only the odds are then
// approximate.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "games/uno/cards.h"

namespace kibitz::uno {

// On which side of the last reshuffle a card was: in a hand, among what became the pile, or unknown.
enum class Side : std::uint8_t { kUnknown, kHeld, kPiled };

struct Token {
  Card card;
  std::uint8_t first, end;
};

class Memory {
 public:
  static constexpr int kTokens = 16;

  // How many of the oldest slots cannot hold the card.
  int barred(Card c) const { return std::max(prefix_[kBars[c][0]], prefix_[kBars[c][1]]); }

  // A card came, nobody knows which.
  void gain() { ++slots_; }

  // A card was played. `side` says where it was at the last reshuffle, if that is known.
  void lose(Card c, Side side) {
    int first = barred(c);
    if (tokens_ == 0 && first >= top_) {
      --slots_;
      return;
    }
    if (tokens_ == kTokens) [[unlikely]] {
      settle_one();
      first = barred(c);
    }
    int end = slots_;
    if (side == Side::kPiled) first = std::max(first, old());
    if (side == Side::kHeld && first < old()) end = old();
    add_token({c, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(end)});
  }

  // Nothing in the hand fits this target, and it has no wild. (The trait of a wild target is a wild's own place: no
  // trait is barred then.)
  void bar_fitting(int colour, int trait) { prefix_[kTraitsFrom + trait] = bar_colour_and_wilds(colour); }
  // The newest card came and stayed, so it is neither of this colour nor a wild, and neither is the rest.
  std::uint8_t bar_colour_and_wilds(int colour) {
    return prefix_[colour] = prefix_[kWilds] = prefix_[kWilds + 1] = top_ = slots_;
  }
  // Among what the hand has, nothing fits the target, and no Wild is; Wild Draw 4s may be.
  void bar_all_but_wild4(int colour, int trait) {
    const std::uint8_t wild4 = prefix_[kWilds + 1];
    bar_fitting(colour, trait);
    prefix_[kWilds + 1] = wild4;
  }
  // The first `n` slots hold no card of this colour / with this trait, where wilds have traits 13 and 14.
  void bar_colour(int c, int n) { raise(prefix_[c], n); }
  void bar_trait(int t, int n) { raise(prefix_[kTraitsFrom + t], n); }

  // Among the first `n` slots was a card of this colour. Two findings of one colour: the older one, about fewer slots,
  // implies the newer.
  void require_colour(int c, int n) {
    std::uint8_t& must = prefix_[kMust + c];
    if (must == 0 || n < must) must = static_cast<std::uint8_t>(n);
    find_top();
  }

  void reshuffled() { raise(prefix_[kOld], slots_); }

  int slots() const { return slots_; }  // hand + tokens
  int tokens() const { return tokens_; }
  Token token(int i) const { return {card_[i], first_[i], end_[i]}; }
  int top() const { return top_; }  // the largest prefix: slots from here on are all alike
  int old() const { return prefix_[kOld]; }
  bool promised() const {  // is there any must?
    std::uint32_t four;
    std::memcpy(&four, prefix_.data() + kMust, 4);
    return four != 0;
  }
  int must(int colour) const { return prefix_[kMust + colour]; }
  // Prefixes by name, for positions and encoders.
  std::span<const std::uint8_t, kColours> colours() const { return std::span(prefix_).subspan<0, kColours>(); }
  std::span<const std::uint8_t, 13> traits() const { return std::span(prefix_).subspan<kTraitsFrom, 13>(); }
  std::span<const std::uint8_t, 2> wilds() const { return std::span(prefix_).subspan<kWilds, 2>(); }
  std::span<const std::uint8_t, kColours> musts() const { return std::span(prefix_).subspan<kMust, kColours>(); }

  // Everything, as numbers for a hash.
  template <class F>
  void each_word(F&& f) const {
    f(slots_ | tokens_ << 8);
    for (auto n : prefix_) f(n);
    for (int i = 0; i < tokens_; ++i) f(card_[i] | first_[i] << 8 | end_[i] << 16);
  }

  // From a position: the parts as they were written.
  void set_slots(int n) { slots_ = static_cast<std::uint8_t>(n); }
  void add_token(Token t) {
    card_[tokens_] = t.card;
    first_[tokens_] = t.first;
    end_[tokens_++] = t.end;
  }

  friend bool operator==(const Memory&, const Memory&) = default;

 private:
  // Places in prefix_: how many of the oldest slots ...
  enum {
    kTraitsFrom = kColours,     // ... have no card with this number or symbol (before: of this colour)
    kWilds = kTraitsFrom + 13,  // ... have no Wild, no Wild Draw 4
    kMust = kWilds + 2,         // ... had a card of this colour among them (a bluff found out); 0: no such
    kOld = kMust + kColours,    // ... were filled before the last reshuffle
    kPrefixes = kOld + 1,
  };
  static_assert(kPrefixes == 24);  // three words: settle_one works on eight bytes at a time

  // The places in prefix_ that bar a card: of its colour and its trait; of its kind alone, for a wild.
  static constexpr auto kBars = [] {
    std::array<std::array<std::uint8_t, 2>, kColours * kTraits> table{};
    for (int c = 0; c < kColours * kTraits; ++c) {
      const int trait = kTraitsFrom + c % kTraits;
      table[c] = {static_cast<std::uint8_t>(trait >= kWilds ? trait : c / kTraits), static_cast<std::uint8_t>(trait)};
    }
    return table;
  }();

  void raise(std::uint8_t& prefix, int n) {
    prefix = std::max<std::uint8_t>(prefix, static_cast<std::uint8_t>(n));
    top_ = std::max(top_, prefix);
  }
  void find_top();
  void settle_one();

  std::array<std::uint8_t, kPrefixes> prefix_{};
  std::array<std::uint8_t, kTokens> card_{}, first_{}, end_{};
  std::uint8_t slots_ = 0, tokens_ = 0, top_ = 0;
};

}  // namespace kibitz::uno
