// Multiple-observer information set Monte Carlo tree search: a tree for every seat, each over what that seat can tell
// apart, all grown by the same iterations. Cowling, Powley, Whitehouse 2012.
//
// Nobody walks down several trees at once here. Views have perfect recall, so a seat's place in its tree follows from
// what it has seen, and a table finds it. All trees lie in one Tree.
#pragma once

#include <unordered_map>

#include "search/uct.h"
#include "search/worlds.h"

namespace kibitz {

// What the other seats can tell apart in their trees; the searching seat always knows its view.
enum class Observer : std::uint8_t {
  kMoves,  // the moves since the root, as in the paper: their cards only limit what they can play
  kViews   // all that they know, their cards included; statistics are spread over all hands that they may have
};

template <Game G>
class ManyTrees {
 public:
  ManyTrees(const G& game, Seat me, Observer observer) : game_(&game), me_(me), observer_(observer) {}

  void begin() { moves_ = 0; }

  // The place of `seat`, which is to act now that `child` was played; a new one where it never was there before. kNone:
  // there is no room for it.
  std::uint32_t next(Tree& tree, std::uint32_t child, const typename G::State& world, Seat seat) {
    moves_ = mix(moves_, static_cast<std::uint64_t>(tree[child].action));
    const bool sees = seat == me_ || observer_ == Observer::kViews;
    const std::uint64_t seen = sees ? game_->key(game_->view(world, seat)) : moves_;
    const auto it = places_.try_emplace(mix(seen, static_cast<std::uint64_t>(seat)), Tree::kNone).first;
    if (it->second == Tree::kNone && !tree.full()) it->second = tree.add_alone();
    if (it->second != Tree::kNone) ++tree[it->second].visits;
    return it->second;
  }
  void clear() { places_.clear(); }

 private:
  const G* game_;
  Seat me_;
  Observer observer_;
  std::uint64_t moves_ = 0;  // of this iteration, as a hash
  std::unordered_map<std::uint64_t, std::uint32_t> places_;
};

template <Game G, Evaluator<G> E>
Thought mo_ismcts(const G& game, const typename G::View& view, const TreeSettings& settings, Observer observer,
                  const E& evaluator, Rng& rng, const std::atomic<bool>* stop, const Evidence<G>& evidence = {}) {
  const WorldSource<G> new_world(game, view, evidence, rng);
  return grow_trees(game, view, settings, evaluator, false, rng, stop, new_world,
                    ManyTrees<G>(game, view.seat, observer));
}

}  // namespace kibitz
