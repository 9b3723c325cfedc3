// Walking over the set bits of a word.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

namespace kibitz {

using Bits = std::uint64_t;

constexpr Bits bit(int i) { return Bits{1} << i; }
constexpr int lowest(Bits b) { return std::countr_zero(b); }
constexpr int highest(Bits b) { return 63 - std::countl_zero(b); }

// Choosing one of the set bits. Without branches or loops, because how many bits are set is hard to predict, and
// without popcount, which baseline x86-64 lacks: byte-wise running counts tell the byte, a table the bit within it.
namespace detail {
inline constexpr Bits kOnes = 0x0101010101010101ULL, kHigh = 0x80 * kOnes;

inline constexpr auto kSelectInByte = [] {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (int byte = 0; byte < 256; ++byte)
    for (int i = 0, k = 0; i < 8; ++i)
      if (byte >> i & 1) table[byte][k++] = i;
  return table;
}();

// Byte i: bits set in bytes 0..i.
constexpr Bits running_counts(Bits b) {
  Bits counts = b - ((b >> 1) & 0x5555555555555555ULL);
  counts = (counts & 0x3333333333333333ULL) + ((counts >> 2) & 0x3333333333333333ULL);
  counts = (counts + (counts >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
  return counts * kOnes;
}

// Where the byte with the k-th set bit begins.
constexpr int byte_with(Bits running, Bits k) {
  const Bits passed = ((k * kOnes | kHigh) - running) & kHigh;  // bytes whose running count is at most k
  return (((passed >> 7) * kOnes) >> 56) * 8;
}

constexpr int select(Bits b, Bits running, Bits k, int byte) {
  const Bits before = ((running << 8) >> byte) & 255;
  return byte + kSelectInByte[(b >> byte) & 255][k - before];
}
constexpr int select(Bits b, Bits running, Bits k) { return select(b, running, k, byte_with(running, k)); }
}  // namespace detail

constexpr int count_bits(Bits b) { return detail::running_counts(b) >> 56; }

// The k-th lowest set bit, from 0, of a word that has so many.
constexpr int nth_bit(Bits b, int k) { return detail::select(b, detail::running_counts(b), k); }

// A uniformly random set bit of a word that has one: the k-th lowest for k = rng.below(number of set bits).
template <class Generator>
constexpr int random_bit(Bits b, Generator& rng) {
  const Bits running = detail::running_counts(b);
  return detail::select(b, running, rng.below(running >> 56));
}

// n random ones of the set bits, drawn one after the other; there must be so many. The counts are kept up to date, not
// made again: each draw would have to wait for them.
template <class Generator>
constexpr Bits random_bits(Bits b, int n, Generator& rng) {
  Bits running = detail::running_counts(b), left = b;
  std::uint32_t size = running >> 56;
  for (; n > 0; --n) {
    const Bits k = rng.below(size--);
    const int byte = detail::byte_with(running, k);
    left ^= bit(detail::select(left, running, k, byte));
    running -= detail::kOnes << byte;
  }
  return b ^ left;
}

// A random set bit without a draw where there is no choice, as random_of does: for random_legal from a set of actions.
template <class Generator>
constexpr int choose_bit(Bits b, Generator& rng) {
  return (b & (b - 1)) == 0 ? lowest(b) : random_bit(b, rng);
}

// Each bit of a byte as a number of its own: copies of rows of it write many bits at a time.
template <class T>
inline constexpr auto kSpread = [] {
  std::array<std::array<T, 8>, 256> table{};
  for (int byte = 0; byte < 256; ++byte)
    for (int i = 0; i < 8; ++i) table[byte][i] = (byte >> i) & 1;
  return table;
}();

// The lowest N bits as N numbers. Unrolled: shifts by constants cost next to nothing.
template <int N, class T>
void spread(Bits b, T* out) {
  static_assert(N >= 8 && N <= 64);
  const auto eight = [&](int at) { std::memcpy(out + at, kSpread<T>[(b >> at) & 255].data(), 8 * sizeof(T)); };
  [&]<int... I>(std::integer_sequence<int, I...>) { (eight(8 * I), ...); }(std::make_integer_sequence<int, N / 8>());
  if constexpr (N % 8 > 0) eight(N - 8);  // some of them once more
}

template <class F>
constexpr void each_bit(Bits b, F&& f) {
  for (; b; b &= b - 1) f(lowest(b));
}

}  // namespace kibitz
