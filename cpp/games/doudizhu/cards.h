// Sets of cards by rank: suits never matter, so a hand is fifteen counts, one nibble each, in a 64-bit word.
#pragma once

#include <string>

#include "core/bits.h"

namespace kibitz::doudizhu {

inline constexpr int kRanks = 15;       // 3 4 5 6 7 8 9 T J Q K A 2 B R: nibble 0 is the 3, nibble 14 the red joker
inline constexpr int kChainRanks = 12;  // 3 to A: 2 and the jokers are never in chains
inline constexpr int kAce = 11, kTwo = 12, kBlack = 13, kRed = 14;
inline constexpr int kCards = 54, kHandSize = 17, kShown = 3, kLandlordSize = kHandSize + kShown;
inline constexpr char kRankNames[] = "3456789TJQKA2BR";

inline constexpr Bits kOnes = 0x0111111111111111ULL;  // the lowest bit of every rank's nibble
inline constexpr Bits kHighs = kOnes << 3;
inline constexpr Bits kChainOnes = 0x0000111111111111ULL;
inline constexpr Bits kSuitOnes = 0x0001111111111111ULL;  // 3 to 2
inline constexpr Bits kDeck = 0x0114444444444444ULL;
inline constexpr Bits kJokers = 0x0110000000000000ULL;

constexpr Bits cards_of(int rank, int n) { return static_cast<Bits>(n) << (4 * rank); }
constexpr int count_of(Bits hand, int rank) { return (hand >> (4 * rank)) & 15; }

// Which ranks are there so often; the result has the lowest bit of their nibbles. Counts are at most 4.
constexpr Bits at_least_1(Bits h) { return (h | h >> 1 | h >> 2) & kOnes; }
constexpr Bits at_least_2(Bits h) { return (h >> 1 | h >> 2) & kOnes; }
constexpr Bits at_least_3(Bits h) { return ((h & h >> 1) | h >> 2) & kOnes; }
constexpr Bits at_least_4(Bits h) { return h >> 2 & kOnes; }

// How many nibbles are set in such a mask: at most 15, so one multiplication adds them up without a carry.
constexpr int ranks_in(Bits mask) { return mask * 0x1111111111111111ULL >> 60; }
constexpr int rank_at(Bits mask) { return lowest(mask) >> 2; }
constexpr Bits above(int rank) { return ~Bits{0} << (4 * rank + 4); }  // nibbles of higher ranks; rank at most 14

// The rank that is number k among those set in a mask that has more than k.
constexpr int nth_rank(Bits mask, int k) {
  for (; k > 0; --k) mask &= mask - 1;
  return rank_at(mask);
}

constexpr int size_of(Bits hand) {
  constexpr Bits kBytes = 0x0f0f0f0f0f0f0f0fULL;
  return ((hand & kBytes) + (hand >> 4 & kBytes)) * 0x0101010101010101ULL >> 56;
}

constexpr bool contains(Bits hand, Bits cards) { return (((hand | kHighs) - cards) & kHighs) == kHighs; }

// Rank by rank, what is left of `hand` after taking away `cards`, as far as they are there.
constexpr Bits without(Bits hand, Bits cards) {
  const Bits difference = (hand | kHighs) - cards, enough = difference & kHighs;
  return difference & (enough - (enough >> 3));
}

inline std::string cards_text(Bits hand) {
  std::string out;
  for (int r = 0; r < kRanks; ++r) out.append(count_of(hand, r), kRankNames[r]);
  return out;
}

}  // namespace kibitz::doudizhu
