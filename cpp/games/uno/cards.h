// Cards and hands of Uno as bit sets.
//
// A bit is an action id below 60: 15 * colour (r g b y) + trait (0-9 skip reverse draw_2 wild wild_draw_4), so what a
// hand holds and what it may play are the same bits:
//
//     bit   0..9   10    11       12      13    14            row of red; +15 green, +30 blue, +45 yellow
//           0..9   skip  reverse  draw_2  wild  wild_draw_4
//
// A coloured card is one bit. Wilds have no colour until they are played: as cards they are 13 and 14, and k of them
// in a hand are the k lowest of the four bits 13, 28, 43, 58 (or 14, 29, 44, 59).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/bits.h"

namespace kibitz::uno {

using Card = std::uint8_t;

inline constexpr int kColours = 4, kTraits = 15, kCards = 108;
inline constexpr int kSkip = 10, kReverse = 11, kDraw2 = 12, kWildTrait = 13, kWild4Trait = 14;
inline constexpr Card kWild = 13, kWild4 = 14, kNoCard = 255;
inline constexpr std::uint8_t kNoColour = 4;  // an opening Wild before its colour is named

inline constexpr Bits kWildBits = bit(13) | bit(28) | bit(43) | bit(58);
inline constexpr Bits kWild4Bits = kWildBits << 1;
inline constexpr Bits kAllBits = bit(60) - 1;
inline constexpr Bits kColoured = kAllBits & ~(kWildBits | kWild4Bits);

constexpr Bits row(int colour) { return ((bit(15) - 1) << (15 * colour)) & kColoured; }
constexpr Bits column(int trait) {
  return (bit(trait) | bit(trait + 15) | bit(trait + 30) | bit(trait + 45)) & kColoured;
}

constexpr bool is_wild(Card c) { return c == kWild || c == kWild4; }
constexpr int colour_of(Card c) { return is_wild(c) ? kNoColour : c / kTraits; }
constexpr int trait_of(Card c) { return c % kTraits; }

// How many copies of a card the deck has.
constexpr int copies(Card c) { return is_wild(c) ? 4 : trait_of(c) == 0 ? 1 : 2; }

// The coloured bits that fit a target: its colour, and its number or symbol. A wild has neither: its column is empty.
inline constexpr auto kFits = [] {
  std::array<std::array<Bits, kTraits>, kColours + 1> table{};
  for (int c = 0; c < kColours; ++c)
    for (int t = 0; t < kTraits; ++t) table[c][t] = row(c) | column(t);
  return table;
}();

// A multiset of cards: `one` has a bit for each card held at least once, `two` for those held twice.
struct Hand {
  Bits one = 0, two = 0;

  constexpr void add(Card c) {
    if (is_wild(c)) [[unlikely]] {
      const Bits free = ~one & wild_bits(c);
      one |= free & (0 - free);
    } else {
      two |= one & bit(c);
      one |= bit(c);
    }
  }

  constexpr void remove(Card c) {
    if (is_wild(c)) [[unlikely]] {
      one ^= bit(highest(one & wild_bits(c)));
    } else {
      const Bits second = two & bit(c);
      two ^= second;
      one ^= bit(c) ^ second;
    }
  }

  constexpr int count(Card c) const {
    if (is_wild(c)) return std::popcount(one & wild_bits(c));
    return ((one >> c) & 1) + ((two >> c) & 1);
  }

  constexpr int size() const { return std::popcount(one) + std::popcount(two); }

  template <class F>
  constexpr void each(F&& f) const {  // every card, copies included, in the order of ids, wilds last
    each_bit(one & kColoured, [&](Card c) {
      f(c);
      if (two & bit(c)) f(c);
    });
    each_bit(one & kWildBits, [&](int) { f(kWild); });
    each_bit(one & kWild4Bits, [&](int) { f(kWild4); });
  }

  static constexpr Bits wild_bits(Card c) { return c == kWild ? kWildBits : kWild4Bits; }
  friend constexpr bool operator==(const Hand&, const Hand&) = default;
};

inline constexpr Hand kFullDeck{kAllBits, kColoured & ~column(0)};
static_assert(kFullDeck.size() == kCards);

// Face value, 20 for action cards, 50 for wilds.
constexpr int points(Card c) { return is_wild(c) ? 50 : trait_of(c) >= kSkip ? 20 : trait_of(c); }

// "r-5", "wild": cards; "b-wild": a wild with the colour it was given.
std::string card_text(Card c);
std::string target_text(int colour, int trait);
// The card or target a text names; kNoCard where there is none.
Card parse_card(const std::string& text);

}  // namespace kibitz::uno
