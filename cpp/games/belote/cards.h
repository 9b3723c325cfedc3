// Cards of Belote as bit sets, and the tables that make a move cheap.
//
// A card is 8 * suit + rank, suits s h d c, ranks 7 8 9 10 J Q K A: a hand is 32 bits, a suit one byte of it. Strength
// and points depend on whether the suit is trump:
//
//     trump   J 20   9 14   A 11   10 10   K 4   Q 3   8 0   7 0      strongest first
//     plain   A 11   10 10  K 4    Q 3     J 2   9 0   8 0   7 0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/bits.h"

namespace kibitz::belote {

using Card = std::uint8_t;
using Cards = std::uint32_t;  // a set of cards

inline constexpr int kSeats = 4, kSuits = 4, kRanks = 8, kDeck = 32;
inline constexpr Card kNoCard = 255;
inline constexpr std::uint8_t kNoSuit = 4;

enum Rank : int { k7, k8, k9, k10, kJack, kQueen, kKing, kAce };

constexpr int suit_of(int c) { return c >> 3; }
constexpr int rank_of(int c) { return c & 7; }
constexpr Card card(int suit, int rank) { return 8 * suit + rank; }
constexpr Cards one(int c) { return Cards{1} << c; }
constexpr Cards whole_suit(int suit) { return Cards{255} << (8 * suit); }

inline constexpr std::array<int, kRanks> kTrumpOrder = {k7, k8, kQueen, kKing, k10, kAce, k9, kJack};  // weakest first
inline constexpr std::array<int, kRanks> kPlainOrder = {k7, k8, k9, kJack, kQueen, kKing, k10, kAce};
inline constexpr std::array<int, kRanks> kTrumpPoints = {0, 0, 14, 10, 20, 3, 4, 11};  // by rank
inline constexpr std::array<int, kRanks> kPlainPoints = {0, 0, 0, 10, 2, 3, 4, 11};

// The 12-card deck: 9, 10 and J of every suit.
inline constexpr Cards kTwelve = 0x01010101u * (one(k9) | one(k10) | one(kJack));

// What one card is worth and does, for each trump suit.
struct Tables {
  std::uint8_t points[kSuits][kDeck] = {};
  // [trump][suit led][card]: 0 for a card that cannot win, 1-8 for the suit led, 9-16 for trumps.
  std::uint8_t strength[kSuits][kSuits][kDeck] = {};
  // [trump][card]: the trumps above a trump; every card for others. ANDed over a trick: what would overtrump it.
  Cards above[kSuits][kDeck] = {};
};

inline constexpr Tables kTables = [] {
  Tables t;
  for (int trump = 0; trump < kSuits; ++trump)
    for (int c = 0; c < kDeck; ++c) {
      const bool is_trump = suit_of(c) == trump;
      t.points[trump][c] = (is_trump ? kTrumpPoints : kPlainPoints)[rank_of(c)];
      const auto& order = is_trump ? kTrumpOrder : kPlainOrder;
      int place = 0;
      while (order[place] != rank_of(c)) ++place;
      for (int led = 0; led < kSuits; ++led)
        if (is_trump || led == suit_of(c)) t.strength[trump][led][c] = place + (is_trump ? 9 : 1);
      t.above[trump][c] = is_trump ? 0 : ~Cards{0};
      for (int p = place + 1; is_trump && p < kRanks; ++p) t.above[trump][c] |= one(card(trump, order[p]));
    }
  return t;
}();

std::string card_text(Card c);             // "10h", "Js"
Card parse_card(const std::string& text);  // kNoCard where there is none
std::string cards_text(Cards cards);       // "7s 10h", in the order of ids
inline constexpr char kSuitLetters[] = "shdc";

}  // namespace kibitz::belote
