#include "eval/columns.h"

#include <algorithm>
#include <array>
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define KIBITZ_FOURS  // four numbers are compared at once
#endif

namespace kibitz {

namespace {

constexpr std::size_t kLanes = 8;  // partial sums of a dot product

// Adds up lanes in one order, whatever the registers.
float total(const float* lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

void add_columns_plain(const float* weights, const float* bias, std::size_t stride, const Wanted& wanted, float* sums) {
  std::copy_n(bias, stride, sums);
  for (std::size_t i = 0; i < wanted.n; ++i)
    for (std::size_t j = 0; j < stride; ++j)
      sums[j] += wanted.in[wanted.places[i]] * weights[wanted.places[i] * stride + j];
}

void dot_columns_plain(const float* weights, const float* slope, std::size_t stride, const Wanted& wanted, float* out) {
  for (std::size_t i = 0; i < wanted.n; ++i) {
    float lanes[kLanes] = {};
    for (std::size_t j = 0; j < stride; ++j) lanes[j % kLanes] += weights[wanted.places[i] * stride + j] * slope[j];
    out[wanted.places[i]] = total(lanes);
  }
}

constexpr Kernels kPlain{add_columns_plain, dot_columns_plain, "plain"};

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors are passed to nobody

// The same text for every width of register: a template would be compiled for the narrow ones before it could be
// inlined into a function for the wide ones. `Wide` vectors need not be aligned.
#define KIBITZ_WIDE(WIDTH) typedef float Wide __attribute__((vector_size(4 * WIDTH), aligned(4), may_alias))

#define KIBITZ_ADD_COLUMNS(NAME, WIDTH)                                                                       \
  void NAME(const float* weights, const float* bias, std::size_t stride, const Wanted& wanted, float* sums) { \
    KIBITZ_WIDE(WIDTH);                                                                                       \
    constexpr std::size_t kWides = kBlock / WIDTH;                                                            \
    for (std::size_t block = 0; block < stride; block += kBlock) {                                            \
      Wide sum[kWides];                                                                                       \
      for (std::size_t j = 0; j < kWides; ++j) sum[j] = reinterpret_cast<const Wide*>(bias + block)[j];       \
      for (std::size_t i = 0; i < wanted.n; ++i) {                                                            \
        const Wide* column = reinterpret_cast<const Wide*>(weights + wanted.places[i] * stride + block);      \
        if (wanted.ones) {                                                                                    \
          for (std::size_t j = 0; j < kWides; ++j) sum[j] += column[j];                                       \
        } else {                                                                                              \
          const float factor = wanted.in[wanted.places[i]];                                                   \
          for (std::size_t j = 0; j < kWides; ++j) sum[j] += factor * column[j];                              \
        }                                                                                                     \
      }                                                                                                       \
      for (std::size_t j = 0; j < kWides; ++j) reinterpret_cast<Wide*>(sums + block)[j] = sum[j];             \
    }                                                                                                         \
  }

#define KIBITZ_DOT_COLUMNS(NAME, WIDTH)                                                                       \
  void NAME(const float* weights, const float* slope, std::size_t stride, const Wanted& wanted, float* out) { \
    KIBITZ_WIDE(WIDTH);                                                                                       \
    constexpr std::size_t kWides = kLanes / WIDTH;                                                            \
    for (std::size_t i = 0; i < wanted.n; ++i) {                                                              \
      const Wide* column = reinterpret_cast<const Wide*>(weights + wanted.places[i] * stride);                \
      const Wide* by = reinterpret_cast<const Wide*>(slope);                                                  \
      Wide sum[kWides] = {};                                                                                  \
      for (std::size_t k = 0; k < stride / WIDTH; k += kWides)                                                \
        for (std::size_t j = 0; j < kWides; ++j) sum[j] += column[k + j] * by[k + j];                         \
      float lanes[kLanes];                                                                                    \
      for (std::size_t j = 0; j < kWides; ++j) reinterpret_cast<Wide*>(lanes)[j] = sum[j];                    \
      out[wanted.places[i]] = total(lanes);                                                                   \
    }                                                                                                         \
  }

KIBITZ_ADD_COLUMNS(add_columns_narrow, 4)
KIBITZ_DOT_COLUMNS(dot_columns_narrow, 4)
constexpr Kernels kNarrow{add_columns_narrow, dot_columns_narrow, "128 bits"};
#if defined(__x86_64__)
// clang-format off
__attribute__((target("avx2"))) KIBITZ_ADD_COLUMNS(add_columns_wide, 8)
__attribute__((target("avx2"))) KIBITZ_DOT_COLUMNS(dot_columns_wide, 8)
constexpr Kernels kWide{add_columns_wide, dot_columns_wide, "AVX2"};
// clang-format on
#endif
#undef KIBITZ_ADD_COLUMNS
#undef KIBITZ_DOT_COLUMNS
#undef KIBITZ_WIDE
#endif

#if defined(KIBITZ_FOURS)
// For every pattern of four: the places of those that pass, at the front, and how many they are.
constexpr auto kFront = [] {
  std::array<std::array<std::uint32_t, 4>, 16> out{};
  for (std::uint32_t pattern = 0; pattern < 16; ++pattern)
    for (std::uint32_t i = 0, n = 0; i < 4; ++i)
      if (pattern >> i & 1) out[pattern][n++] = i;
  return out;
}();
constexpr std::array<std::uint8_t, 16> kHowMany{0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
#endif

struct NotZero {
  bool operator()(float x) const { return x != 0; }
#if defined(KIBITZ_FOURS)
  __m128 operator()(__m128 x) const { return _mm_cmpneq_ps(x, _mm_setzero_ps()); }
#endif
};

struct Positive {
  bool operator()(float x) const { return x > 0; }
#if defined(KIBITZ_FOURS)
  __m128 operator()(__m128 x) const { return _mm_cmpgt_ps(x, _mm_setzero_ps()); }
#endif
};

// The places of those that pass, four at a time where that is possible. Without branches: which inputs are zero is
// anybody's guess. What is written behind the places found so far is written over, or never read.
template <typename Passes>
std::size_t gather(const float* in, std::size_t n, std::uint32_t* places, Passes passes) {
  std::size_t i = 0, found = 0;
#if defined(KIBITZ_FOURS)
  __m128i first = _mm_setzero_si128();
  for (; i + 4 <= n; i += 4, first = _mm_add_epi32(first, _mm_set1_epi32(4))) {
    const auto pattern = static_cast<std::size_t>(_mm_movemask_ps(passes(_mm_loadu_ps(in + i))));
    const __m128i front = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kFront[pattern].data()));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(places + found), _mm_add_epi32(front, first));
    found += kHowMany[pattern];
  }
#endif
  for (; i < n; ++i) {
    places[found] = static_cast<std::uint32_t>(i);
    found += passes(in[i]);
  }
  return found;
}

}  // namespace

Wanted not_zero(const float* in, std::size_t n, std::uint32_t* places) {
  const std::size_t found = gather(in, n, places, NotZero{});
  return {in, places, found, static_cast<std::size_t>(std::count(in, in + n, 1.0F)) == found};
}

Wanted positive(const float* in, std::size_t n, std::uint32_t* places) {
  return {in, places, gather(in, n, places, Positive{}), false};
}

std::vector<Kernels> all_kernels() {
  std::vector<Kernels> out{kPlain};
#if defined(__GNUC__)
  out.push_back(kNarrow);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) out.push_back(kWide);
#endif
#endif
  return out;
}

const Kernels& kernels() {
  static const Kernels chosen = all_kernels().back();
  return chosen;
}

}  // namespace kibitz
