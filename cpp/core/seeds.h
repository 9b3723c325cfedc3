// Seeds, derived one way. All seeds of a match come from the match's own by a keyed pseudo-random function with a tag
// per purpose: what an agent is given leads neither back to the match seed nor across to a deal, and one opened deal
// opens no other. `mix` (core/rng.h) is a bijection and keeps no secret; it serves where every seed is the caller's.
#pragma once

#include <array>
#include <cstdint>

#include "core/rng.h"

namespace kibitz {

// SipHash-2-4 of `words` under a key of 128 bits (Aumasson and Bernstein, 2012).
template <std::size_t N>
constexpr std::uint64_t siphash(std::uint64_t key0, std::uint64_t key1, const std::array<std::uint64_t, N>& words) {
  std::uint64_t v0 = key0 ^ 0x736f6d6570736575ULL, v1 = key1 ^ 0x646f72616e646f6dULL;
  std::uint64_t v2 = key0 ^ 0x6c7967656e657261ULL, v3 = key1 ^ 0x7465646279746573ULL;
  const auto rotl = [](std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); };
  const auto rounds = [&](int n) {
    while (n-- > 0) {
      v0 += v1, v1 = rotl(v1, 13) ^ v0, v0 = rotl(v0, 32);
      v2 += v3, v3 = rotl(v3, 16) ^ v2;
      v0 += v3, v3 = rotl(v3, 21) ^ v0;
      v2 += v1, v1 = rotl(v1, 17) ^ v2, v2 = rotl(v2, 32);
    }
  };
  const auto absorb = [&](std::uint64_t word) {
    v3 ^= word;
    rounds(2);
    v0 ^= word;
  };
  for (std::uint64_t word : words) absorb(word);
  absorb((std::uint64_t{8 * N} & 0xff) << 56);  // the length in bytes; no bytes are left over
  v2 ^= 0xff;
  rounds(4);
  return v0 ^ v1 ^ v2 ^ v3;
}

// What a seed is for. The numbers enter the function: a new purpose gets a new one, and none is ever given anew.
enum class Purpose : std::uint64_t {
  kDeal = 1,
  kAgent = 2,
  kNature = 3,
  kKibitzer = 4,
  kSeries = 5,
  kLot = 6,
  kScramble = 7,
  kSample = 16,
  kStream = 17,
  kTables = 18,
};

constexpr std::uint64_t derive(std::uint64_t seed, Purpose purpose, std::uint64_t a = 0, std::uint64_t b = 0,
                               std::uint64_t c = 0) {
  constexpr std::uint64_t kOwn = 0x6b696269747a2e31ULL;  // "kibitz.1": the other half of the key, and a version
  return siphash<4>(seed, kOwn, {static_cast<std::uint64_t>(purpose), a, b, c});
}

// The seeds of a match, a tournament game or a table, all from one that nobody at the table sees.
class Seeds {
 public:
  constexpr explicit Seeds(std::uint64_t seed) : seed_(seed) {}

  constexpr std::uint64_t deal(std::uint64_t d) const { return derive(seed_, Purpose::kDeal, d); }
  // What the agent in `seat` begins deal d with, in seating k.
  constexpr std::uint64_t agent(std::uint64_t d, std::uint64_t k, std::uint64_t seat) const {
    return derive(seed_, Purpose::kAgent, d, k, seat);
  }
  // Chance in games where kNature acts: the same in every seating of a deal.
  constexpr std::uint64_t nature(std::uint64_t d) const { return derive(seed_, Purpose::kNature, d); }
  constexpr std::uint64_t kibitzer(std::uint64_t d) const { return derive(seed_, Purpose::kKibitzer, d); }
  // The match seed of series g, whose rounds are deals of it.
  constexpr std::uint64_t series(std::uint64_t g) const { return derive(seed_, Purpose::kSeries, g); }
  // What is drawn by lot before the first deal, such as who sits where.
  constexpr std::uint64_t lot(std::uint64_t n) const { return derive(seed_, Purpose::kLot, n); }
  // The names that a rulesheet is scrambled with, which its players see.
  constexpr std::uint64_t scramble(std::uint64_t n) const { return derive(seed_, Purpose::kScramble, n); }

 private:
  std::uint64_t seed_;
};

// Streams for those who look at a deal: equal numbers never give them the stream that dealt it. A worlds' stream for
// view.sample(seed), an agent's own from agent.begin(seed), a search's at table b of Tables.
inline Rng sample_stream(std::uint64_t seed) { return Rng(derive(seed, Purpose::kSample)); }
inline Rng agent_stream(std::uint64_t seed) { return Rng(derive(seed, Purpose::kStream)); }
inline Rng table_stream(std::uint64_t seed, std::uint64_t b) { return Rng(derive(seed, Purpose::kTables, b)); }

}  // namespace kibitz
