// Random games without leaving C++.
#pragma once

#include <array>
#include <atomic>

#include "core/game.h"
#include "core/parallel.h"

namespace kibitz {

// `n` random games: lengths[n], payoffs[n * seats]. Game i has the stream mix(seed, i), whoever plays it.
template <Game G>
void playouts(const G& game, std::int64_t n, std::uint64_t seed, int threads, const std::atomic<bool>* stop,
              std::uint32_t* lengths, float* payoffs) {
  const int seats = game.info().seats;
  parallel(threads, n, 256, stop, [&](std::int64_t begin, std::int64_t end) {
    Payoffs payoff{};
    for (std::int64_t i = begin; i < end; ++i) {
      Rng rng(mix(seed, static_cast<std::uint64_t>(i)));
      auto state = game.deal(rng);
      lengths[i] = playout(game, state, rng);
      game.payoff(state, payoff);
      for (int s = 0; s < seats; ++s) payoffs[i * seats + s] = static_cast<float>(payoff[s]);
    }
  });
}

}  // namespace kibitz
