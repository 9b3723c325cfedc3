// Counting sequences of legal actions: the usual check of a rules engine against published numbers, and its speed.
#pragma once

#include <atomic>

#include "core/game.h"

namespace kibitz {

// How many sequences of `depth` legal actions start at `state`; games that end earlier do not count.
template <Game G>
std::uint64_t perft(const G& game, const typename G::State& state, int depth, const std::atomic<bool>& stop) {
  if (depth == 0) return 1;
  if (stop.load(std::memory_order_relaxed)) return 0;
  typename G::Legal list;
  game.legal(state, list);
  if (depth == 1) return list.size();  // no need to play the last ones
  std::uint64_t count = 0;
  for (Action a : list) {
    auto next = state;
    game.apply(next, a);
    count += perft(game, next, depth - 1, stop);
  }
  return count;
}

}  // namespace kibitz
