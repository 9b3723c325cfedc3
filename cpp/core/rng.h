// A small seedable generator (xoroshiro128++) whose streams are the same on every platform: only 64-bit integer
// arithmetic, no floating point, no std:: distributions (those differ between standard libraries).
#pragma once

#include <cstdint>

namespace kibitz {

// One step of splitmix64; also our mixing function for seeds.
constexpr std::uint64_t splitmix(std::uint64_t& x) {
  std::uint64_t z = (x += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// A seed for part `b` of the thing seeded with `a` (game 17 of match 1, seat 2 of game 17, ...).
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a ^ (0xd1342543de82ef95ULL * (b + 1));
  return splitmix(x);
}

class Rng {
 public:
  constexpr Rng() = default;  // the all-zero stream: "no stream", as in a view; never draw from it
  constexpr explicit Rng(std::uint64_t seed) : a_(splitmix(seed)), b_(splitmix(seed)) {}
  constexpr Rng(std::uint64_t a, std::uint64_t b) : a_(a), b_(b) {}

  constexpr std::uint64_t next() {
    const std::uint64_t x = a_, y = b_ ^ a_, out = rotl(a_ + b_, 17) + a_;
    a_ = rotl(x, 49) ^ y ^ (y << 21);
    b_ = rotl(y, 28);
    return out;
  }

  // Uniform in 0..n-1, n > 0, without bias: the product's low half tells which draws to repeat.
  constexpr std::uint32_t below(std::uint32_t n) {
    std::uint64_t m = (next() >> 32) * n;
    if (static_cast<std::uint32_t>(m) < n) {
      const std::uint32_t floor = (0u - n) % n;
      while (static_cast<std::uint32_t>(m) < floor) m = (next() >> 32) * n;
    }
    return static_cast<std::uint32_t>(m >> 32);
  }

  // Uniform in [0, 1) with 53 bits.
  constexpr double unit() { return (next() >> 11) * 0x1.0p-53; }

  constexpr std::uint64_t a() const { return a_; }
  constexpr std::uint64_t b() const { return b_; }
  friend constexpr bool operator==(const Rng&, const Rng&) = default;

 private:
  static constexpr std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::uint64_t a_ = 0, b_ = 0;
};

}  // namespace kibitz
