// Places in trees that are found by what a seat has seen. Views have perfect recall, so where a seat is in its tree
// follows from its view, and a table finds it. All trees lie in one Tree.
#pragma once

#include <unordered_map>

#include "search/uct.h"

namespace kibitz {

// Whose knowledge tells decisions apart; the searching seat always knows its own view.
enum class Observer : std::uint8_t {
  kMoves,    // others know the moves since the root, as in the paper: their cards only limit what they can play
  kViews,    // others know all that they see, their cards included; statistics are spread over all hands they may have
  kSearcher  // all decisions are told apart by what the searching seat sees, those of others, too
};

template <Game G>
class ViewPlaces {
 public:
  ViewPlaces(const G& game, Seat me, Observer observer) : game_(&game), me_(me), observer_(observer) {}

  void begin() { moves_ = 0; }

  // The place of `seat`, which is to act now that `child` was played; a new one where it never was there before. kNone:
  // there is no room for it.
  std::uint32_t next(Tree& tree, std::uint32_t child, const typename G::State& world, Seat seat) {
    moves_ = mix(moves_, tree[child].action);
    const std::uint64_t seen = mix(seen_by(world, seat), seat);
    auto it = places_.find(seen);
    if (it == places_.end()) {
      if (tree.full()) return Tree::kNone;
      it = places_.emplace(seen, tree.add_alone()).first;
    }
    ++tree[it->second].visits;
    return it->second;
  }

 private:
  std::uint64_t seen_by(const typename G::State& world, Seat seat) const {
    if (observer_ == Observer::kMoves && seat != me_) return moves_;
    return game_->key(game_->view(world, observer_ == Observer::kSearcher ? me_ : seat));
  }

  const G* game_;
  Seat me_;
  Observer observer_;
  std::uint64_t moves_ = 0;  // of this iteration, as a hash
  std::unordered_map<std::uint64_t, std::uint32_t> places_;
};

}  // namespace kibitz
