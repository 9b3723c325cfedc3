#include "games/gdl/state.h"

#include <utility>

namespace kibitz::gdl {

// Not by recursion: a chain is as long as the game.
Glimpse::~Glimpse() {
  auto next = std::move(before);
  while (next && next.use_count() == 1) next = std::move(const_cast<Glimpse&>(*next).before);
}

bool same_chain(const Glimpse* a, const Glimpse* b) {
  for (; a != b; a = a->before.get(), b = b->before.get())
    if (!a || !b || a->hash != b->hash || a->move != b->move || a->sees != b->sees || a->legal != b->legal)
      return false;
  return true;
}

bool operator==(const State& a, const State& b) {
  if (!(a.position == b.position && a.pending == b.pending && a.stream == b.stream && a.turn == b.turn &&
        a.to_act == b.to_act && !a.memory == !b.memory))
    return false;
  if (a.memory != b.memory)
    for (std::size_t r = 0; r < kMostRoles; ++r)
      if (!same_chain(a.memory->of[r].get(), b.memory->of[r].get())) return false;
  return true;
}

}  // namespace kibitz::gdl
