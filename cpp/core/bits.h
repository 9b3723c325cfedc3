// Walking over the set bits of a word.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace kibitz {

using Bits = std::uint64_t;

constexpr Bits bit(int i) { return Bits{1} << i; }
constexpr int lowest(Bits b) { return std::countr_zero(b); }
constexpr int highest(Bits b) { return 63 - std::countl_zero(b); }

// A uniformly random set bit of a word that has one: the k-th lowest for k = rng.below(number of set bits). Without
// branches or loops, because how many bits are set is hard to predict, and without popcount, which baseline x86-64
// lacks: byte-wise running counts tell the byte, a table the bit within it.
namespace detail {
inline constexpr auto kSelectInByte = [] {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (int byte = 0; byte < 256; ++byte)
    for (int i = 0, k = 0; i < 8; ++i)
      if (byte >> i & 1) table[byte][k++] = static_cast<std::uint8_t>(i);
  return table;
}();
}  // namespace detail

template <class Generator>
constexpr int random_bit(Bits b, Generator& rng) {
  constexpr Bits kOnes = 0x0101010101010101ULL, kHigh = 0x80 * kOnes;
  Bits counts = b - ((b >> 1) & 0x5555555555555555ULL);
  counts = (counts & 0x3333333333333333ULL) + ((counts >> 2) & 0x3333333333333333ULL);
  counts = (counts + (counts >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
  const Bits running = counts * kOnes;  // byte i: bits set in bytes 0..i
  const Bits k = rng.below(static_cast<std::uint32_t>(running >> 56));
  const Bits passed = ((k * kOnes | kHigh) - running) & kHigh;  // bytes whose running count is at most k
  const int shift = static_cast<int>(((passed >> 7) * kOnes) >> 56) * 8;
  const Bits before = ((running << 8) >> shift) & 255;
  return shift + detail::kSelectInByte[(b >> shift) & 255][k - before];
}

template <class F>
constexpr void each_bit(Bits b, F&& f) {
  for (; b; b &= b - 1) f(lowest(b));
}

}  // namespace kibitz
