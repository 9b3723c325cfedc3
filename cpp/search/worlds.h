// The worlds that a search puts its answer together from: all of them, or some that are drawn.
#pragma once

#include <algorithm>
#include <vector>

#include "core/agent.h"
#include "search/search.h"

namespace kibitz {

inline constexpr int kAllWorlds = 0;  // as a number of worlds

template <Game G>
struct World {
  typename G::State state;
  double weight;  // they sum to the number of worlds, so that drawn ones weigh 1 each
  Rng stream;     // of its own, so that the number of threads changes nothing but the time
};

// Weights that sum to the number of worlds.
template <Game G>
void normalise(std::vector<World<G>>& worlds) {
  double sum = 0;
  for (const auto& w : worlds) sum += w.weight;
  for (auto& w : worlds) w.weight *= static_cast<double>(worlds.size()) / sum;
}

// What can be told of the worlds from the past; search/belief.h has one that asks a model of the others.
template <Game G>
class Belief {
 public:
  virtual ~Belief() = default;
  // All worlds of the view, or many, with their weights, of which some are not zero; none where the past does not lead
  // there.
  virtual std::vector<World<G>> worlds(const G& game, const typename G::View& view, const Past<G>& past,
                                       Rng& rng) const = 0;
};

// What a search may use of the past: nothing, unless both are there.
template <Game G>
struct Evidence {
  const Belief<G>* belief = nullptr;
  const Past<G>* past = nullptr;
};

// Draws worlds by what is believed of them; uniformly where nothing is.
template <Game G>
class WorldSource {
 public:
  // Always the state of the view.
  WorldSource(const G& game, const typename G::View& view) : game_(game), view_(view), fixed_(true) {}
  WorldSource(const G& game, const typename G::View& view, const Evidence<G>& evidence, Rng& rng)
      : game_(game), view_(view) {
    if (!evidence.belief || !evidence.past) return;
    believed_ = evidence.belief->worlds(game, view, *evidence.past, rng);
    normalise<G>(believed_);
    for (const auto& world : believed_) up_to_.push_back(world.weight + (up_to_.empty() ? 0 : up_to_.back()));
  }
  const std::vector<World<G>>& believed() const { return believed_; }

  typename G::State operator()(Rng& rng) const {
    if (fixed_) return view_.known;
    if (believed_.empty()) return game_.sample(view_, rng);
    const double at = rng.unit() * up_to_.back();
    const auto found = std::upper_bound(up_to_.begin(), up_to_.end() - 1, at) - up_to_.begin();
    return believed_[static_cast<std::size_t>(found)].state;
  }

 private:
  const G& game_;
  typename G::View view_;
  std::vector<World<G>> believed_;
  std::vector<double> up_to_;  // sums of weights
  bool fixed_ = false;
};

// `n` worlds drawn from the view, or kAllWorlds.
template <Game G>
std::vector<World<G>> gather_worlds(const G& game, const typename G::View& view, int n, const Evidence<G>& evidence,
                                    Rng& rng) {
  const std::uint64_t seed = rng.next();
  std::vector<World<G>> out;
  const auto stream = [&] { return Rng(mix(seed, out.size())); };
  Rng trace(mix(seed, ~std::uint64_t{0}));
  const WorldSource<G> source(game, view, evidence, trace);
  if (n == kAllWorlds && !source.believed().empty()) {
    for (const auto& world : source.believed()) out.push_back({world.state, world.weight, stream()});
    return out;
  }
  if (n != kAllWorlds) {
    for (int i = 0; i < n; ++i) {
      Rng own = stream();
      const auto state = source(own);
      out.push_back({state, 1, own});
    }
    return out;
  }
  if constexpr (ListsWorlds<G>)
    game.each_world(view, [&](const auto& state, double weight) { out.push_back({state, weight, stream()}); });
  if (out.empty()) throw BadInput("the worlds of this view of " + game.info().name + " cannot be listed");
  normalise<G>(out);
  return out;
}

// Of searches that look into each world by itself; `answers` that have no visits leave theirs out.
template <Game G>
Matrix<typename G::State> matrix_of(const std::vector<World<G>>& worlds, const std::vector<Thought>& answers,
                                    bool drawn) {
  if (!drawn) throw BadInput("worlds=all weighs its worlds, and shows none; give a number of worlds");
  Matrix<typename G::State> out;
  for (std::size_t w = 0; w < worlds.size(); ++w) {
    if (answers[w].iterations == 0) continue;
    out.worlds.push_back(worlds[w].state);
    for (const Opinion& o : answers[w].opinions) out.payoffs.push_back(o.visits > 0 ? o.value : kUnknown);
  }
  return out;
}

}  // namespace kibitz
