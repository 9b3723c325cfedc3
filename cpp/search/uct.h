// One iteration of tree search (select, expand, evaluate, back up), and UCT and SO-ISMCTS, which differ only in the
// state each iteration begins with: always the same, or a new world.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

#include "core/game.h"
#include "core/parallel.h"
#include "eval/rollout.h"
#include "search/search.h"
#include "search/tree.h"

namespace kibitz {

enum class Pick : std::uint8_t { kVisits, kMean };  // which action of the root is played

struct TreeSettings {
  Effort effort{10'000, 0};
  Exploration exploration;
  Pick pick = Pick::kVisits;
  int threads = 1;
  int trees = 1;                // root-parallel: grown apart, their roots summed; at least one per thread
  std::size_t nodes = 4 << 20;  // most nodes of a tree, 32 bytes each
};

// Grows a tree, one iteration at a time. Every node serves the seat that chose its action, so two players, more of them
// (max-n) and teams need nothing of their own.
template <Game G, class E = Rollout<G>>
class TreeSearch {
 public:
  using State = typename G::State;

  // `fixed`: every iteration begins with the same state, so that a node's legal actions are always the same.
  TreeSearch(const G& game, const TreeSettings& settings, const E& evaluator, bool fixed)
      : game_(game),
        evaluator_(evaluator),
        c_(static_cast<float>(settings.exploration.c)),
        plus_one_(settings.exploration.plus_one ? 1 : 0),
        availability_(settings.exploration.availability),
        fixed_(fixed),
        scale_(game.info()),
        tree_(settings.nodes) {}

  const Tree& tree() const { return tree_; }
  void clear() { tree_.clear(); }

  // From `world`, which is changed.
  void iterate(State& world, Rng& rng) {
    if (descend(world, rng) >= 0)
      evaluator_(game_, world, rng, payoff_);
    else
      game_.payoff(world, payoff_);
    back_up(payoff_);
  }

  // Walks to the edge of the tree and one action further; says who is to act there.
  Seat descend(State& world, Rng& rng) {
    path_.clear();
    path_.push_back(Tree::kRoot);
    Seat seat = game_.to_act(world);
    for (bool expanded = false; seat >= 0 && !expanded;) {
      const std::uint32_t child = step(path_.back(), world, seat, rng, expanded);
      if (child == Tree::kNone) break;  // the tree is full
      game_.apply(world, tree_[child].action);
      path_.push_back(child);
      seat = game_.to_act(world);
    }
    return seat;
  }

  // The payoffs at the end of the last walk.
  void back_up(std::span<const double> payoffs) {
    ++tree_[Tree::kRoot].visits;
    for (std::size_t i = 1; i < path_.size(); ++i) {
      Node& node = tree_[path_[i]];
      node.add(scale_.reward(payoffs[static_cast<std::size_t>(node.mover)]));
    }
  }

  // For walks whose payoffs come later (search/waves.h). Until then they count as lost, for everybody on the way, so
  // that the next walk goes elsewhere. Nodes may move meanwhile: actions tell the way.
  void suppose_lost() {
    ++tree_[Tree::kRoot].visits;
    for (std::size_t i = 1; i < path_.size(); ++i) tree_[path_[i]].add(0);
  }
  std::vector<Action> way() const {
    std::vector<Action> out;
    for (std::size_t i = 1; i < path_.size(); ++i) out.push_back(tree_[path_[i]].action);
    return out;
  }
  void walk_again(const std::vector<Action>& way) {
    path_.assign(1, Tree::kRoot);
    for (Action a : way) {
      const auto children = tree_.children(path_.back());
      const auto child = std::ranges::lower_bound(children, a, {}, &Node::action);
      path_.push_back(tree_[path_.back()].first + static_cast<std::uint32_t>(child - children.begin()));
    }
  }
  void correct(std::span<const double> payoffs) {
    for (std::size_t i = 1; i < path_.size(); ++i) {
      Node& node = tree_[path_[i]];
      node.mean += scale_.reward(payoffs[static_cast<std::size_t>(node.mover)]) / node.visits;
    }
  }

 private:
  using Legal = typename G::Legal;

  // The child to go to, a new one if there is an action without. kNone: there is none, and no room for it.
  std::uint32_t step(std::uint32_t at, const State& world, Seat seat, Rng& rng, bool& expanded) {
    if (tree_[at].complete) return best_of_all(at);
    Legal list, untried;
    game_.legal(world, list);
    const auto children = tree_.children(at);
    fitting_.clear();
    std::size_t c = 0;
    for (Action a : list) {
      while (c < children.size() && children[c].action < a) ++c;
      if (c < children.size() && children[c].action == a) {
        ++children[c].available;
        fitting_.push_back(tree_[at].first + static_cast<std::uint32_t>(c));
      } else {
        untried.push(a);
      }
    }
    if (untried.empty() || tree_.full()) return best_of_fitting(at);
    expanded = true;
    if (fixed_ && untried.size() == 1) tree_[at].complete = true;
    return tree_.add(at, random_of(untried, rng), seat);
  }

  // Where the state is always the same, a child is available whenever its parent is visited.
  std::uint32_t best_of_all(std::uint32_t at) const {
    const float bonus = c_ * root_of_log(tree_[at].visits + plus_one_);
    const auto children = tree_.children(at);
    std::size_t best = 0;
    float most = -1;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const float mark = ucb(children[i], bonus);
      best = mark > most ? i : best;
      most = mark > most ? mark : most;
    }
    return tree_[at].first + static_cast<std::uint32_t>(best);
  }

  std::uint32_t best_of_fitting(std::uint32_t at) const {
    const float bonus = c_ * root_of_log(tree_[at].visits + plus_one_);
    std::uint32_t best = Tree::kNone;
    float most = -1;
    for (std::uint32_t i : fitting_) {
      const Node& child = tree_[i];
      const float mark = ucb(child, availability_ ? c_ * root_of_log(child.available + plus_one_) : bonus);
      best = mark > most ? i : best;
      most = mark > most ? mark : most;
    }
    return best;
  }

  const G& game_;
  E evaluator_;
  float c_;
  std::uint32_t plus_one_;
  bool availability_, fixed_;
  Scale scale_;
  Tree tree_;
  std::vector<std::uint32_t> path_, fitting_;
  std::array<double, 64> payoff_{};
};

// What a grown tree says of the actions at its root, added to what others have said.
inline void add_root(const Tree& tree, const Scale& scale, Thought& thought) {
  auto at = thought.opinions.begin();
  for (const Node& child : tree.children(Tree::kRoot)) {
    while (at->action < child.action) ++at;
    at->value += scale.payoff(child.mean) * child.visits;  // a sum, until finish() divides
    at->visits += child.visits;
  }
  thought.iterations += tree[Tree::kRoot].visits;
  thought.nodes += static_cast<std::int64_t>(tree.size());
  thought.full |= tree.full();
}

inline void finish(Thought& thought, Pick pick) {
  for (auto& o : thought.opinions)
    if (o.visits > 0) o.value /= o.visits;
  if (pick == Pick::kVisits)
    give_shares(thought, [](const Opinion& o) { return o.visits; });
  else
    share_to_best(thought, [](const Opinion& o) { return o.visits > 0 ? o.value : -1e300; });
}

// Several trees, each from a stream of its own, so that the number of threads changes nothing but the time; new_world
// (stream) gives the state of an iteration.
template <Game G, Evaluator<G> E, class NewWorld>
Thought grow_trees(const G& game, const typename G::View& view, const TreeSettings& settings, const E& evaluator,
                   bool fixed, Rng& rng, const std::atomic<bool>* stop, NewWorld&& new_world) {
  Thought out = blank_thought(game, view);
  if (only_choice(out)) return out;
  const std::uint64_t seed = rng.next();
  const int trees = std::max(settings.trees, settings.threads);
  std::vector<Thought> parts(static_cast<std::size_t>(trees), out);
  const Scale scale(game.info());
  parallel(settings.threads, trees, 1, nullptr, [&](std::int64_t begin, std::int64_t end) {
    TreeSearch<G, E> search(game, settings, evaluator, fixed);
    for (std::int64_t t = begin; t < end; ++t) {
      Rng stream(mix(seed, static_cast<std::uint64_t>(t)));
      Meter meter(settings.effort.part(t, trees, settings.threads), stop);
      search.clear();
      while (meter.more()) {
        auto world = new_world(stream);
        search.iterate(world, stream);
      }
      add_root(search.tree(), scale, parts[static_cast<std::size_t>(t)]);
    }
  });
  for (const Thought& part : parts) add_thought(part, out);
  finish(out, settings.pick);
  return out;
}

// UCT from the state of the view: honest where nothing is hidden, cheating elsewhere.
template <Game G, Evaluator<G> E>
Thought uct(const G& game, const typename G::View& view, const TreeSettings& settings, const E& evaluator, Rng& rng,
            const std::atomic<bool>* stop) {
  return grow_trees(game, view, settings, evaluator, true, rng, stop, [&view](Rng&) { return view.known; });
}

}  // namespace kibitz
