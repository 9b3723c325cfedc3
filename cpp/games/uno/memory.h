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
//
// Most games are played to their end without anybody asking for a world, so what happens is only noted, one byte an
// event, and worked into the summary when the notes are full, before a reshuffle, or when a view is made.
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

// The last reshuffle.
struct Reshuffle {
  Hand fresh;                  // what became the pile; nothing: there was none yet
  std::uint8_t remainder = 0;  // cards that were still in the pile and got mixed with them
  std::uint16_t number = 0;    // how many there have been

  // Where all copies of the card were then, if they were together.
  Side side_of(Card c) const {
    if (fresh.one == 0) return Side::kUnknown;
    const int piled = fresh.count(c);
    if (piled == copies(c)) return Side::kPiled;
    return piled == 0 && remainder == 0 ? Side::kHeld : Side::kUnknown;
  }
  friend bool operator==(const Reshuffle&, const Reshuffle&) = default;
};

struct Token {
  Card card;
  std::uint8_t first, end;
};

// What happened to a hand, as a byte: a card below 60 was played from it, or one of these. A target is its action id.
enum Event : std::uint8_t {
  kGained = 60,         // + n - 1: n cards came, nobody knows which
  kNothingFits = 64,    // + target: the seat showed that nothing fits, and that it has no wild
  kDrewAndKept = 128,   // + target: the same, then a card came that is neither of the colour nor a wild (rlcard rules)
  kWild4Instead = 192,  // + target: a Wild Draw 4 was played, which shows that nothing else fits (rlcard rules)
};
inline constexpr int kMostGained = 4;

class Memory {
 public:
  static constexpr int kTokens = 16, kNotes = 12;

  void note(int event, const Reshuffle& last) {
    notes_[pending_++] = event;
    if (pending_ == kNotes) [[unlikely]]
      fold(last);
  }
  // Works all notes into the summary. Everything below is about a folded memory.
  void fold(const Reshuffle& last);

  // The card that came last is played: everybody knows which slot it left.
  void lose_newest(Card c, const Reshuffle& last);

  // How many of the oldest slots cannot hold the card.
  int barred(Card c) const { return std::max(prefix_[kBars[c][0]], prefix_[kBars[c][1]]); }

  // The first `n` slots hold no card of this colour / with this trait, where wilds have traits 13 and 14.
  void bar_colour(int c, int n) { raise(prefix_[c], n); }
  void bar_trait(int t, int n) { raise(prefix_[kTraitsFrom + t], n); }

  // Among the first `n` slots was a card of this colour. If that was known of fewer slots already, and no card of the
  // colour may have left them since, it says nothing new.
  void require_colour(int c, int n);

  void reshuffled() {
    raise(prefix_[kOld], slots_);
    left_held_ = left_piled_ = {};
    forgotten_ = 0;
  }

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
  // Played since the last reshuffle, and everybody knows that it was in this hand then / among what became the pile.
  const Hand& left_held() const { return left_held_; }
  const Hand& left_piled() const { return left_piled_; }
  // Cards played since then whose token was settled before anybody knew.
  Bits forgotten() const { return forgotten_; }
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
    for (const Hand* hand : {&left_held_, &left_piled_}) {
      f(hand->one);
      f(hand->two);
    }
    f(forgotten_);
  }

  // From a position: the parts as they were written.
  void set_slots(int n) { slots_ = n; }
  void add_token(Token t) {
    card_[tokens_] = t.card;
    first_[tokens_] = t.first;
    end_[tokens_++] = t.end;
  }
  void set_left(const Hand& held, const Hand& piled, Bits forgotten) {
    left_held_ = held;
    left_piled_ = piled;
    forgotten_ = forgotten;
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
      table[c][0] = trait >= kWilds ? trait : c / kTraits;
      table[c][1] = trait;
    }
    return table;
  }();

  void lose(Card c, const Reshuffle& last);
  void tell_side(Card c, int first, int end, const Reshuffle& last);
  std::uint8_t bar_colour_and_wilds(int colour) {
    return prefix_[colour] = prefix_[kWilds] = prefix_[kWilds + 1] = top_ = slots_;
  }
  // The trait of a wild target is a wild's own place: no trait is barred then.
  void bar_fitting(int target) { prefix_[kTraitsFrom + target % kTraits] = bar_colour_and_wilds(target / kTraits); }
  void raise(std::uint8_t& prefix, int n) {
    prefix = std::max<std::uint8_t>(prefix, n);
    top_ = std::max(top_, prefix);
  }
  void find_top();
  void settle_one();

  Hand left_held_, left_piled_;
  Bits forgotten_ = 0;
  std::array<std::uint8_t, kPrefixes> prefix_{};
  std::array<std::uint8_t, kTokens> card_{}, first_{}, end_{};
  std::uint8_t slots_ = 0, tokens_ = 0, top_ = 0, pending_ = 0;
  std::array<std::uint8_t, kNotes> notes_{};
};

static_assert(sizeof(Memory) == 128);  // a power of two: seats are looked up by shifting

}  // namespace kibitz::uno
