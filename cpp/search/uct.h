// One iteration of tree search (select, expand, evaluate, back up), and UCT and SO-ISMCTS, which differ only in the
// state each iteration begins with: always the same, or a new world.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/game.h"
#include "core/parallel.h"
#include "eval/evaluator.h"
#include "search/errors.h"
#include "search/prior.h"
#include "search/search.h"
#include "search/tree.h"
#include "search/worlds.h"

namespace kibitz {

enum class Pick : std::uint8_t { kVisits, kMean };  // which action of the root is played

struct TreeSettings {
  Effort effort{10'000, 0};
  Exploration exploration;
  Pick pick = Pick::kVisits;
  int threads = 1;
  int trees = 1;                // root-parallel: grown apart, their roots summed; at least one per thread
  std::size_t nodes = 4 << 20;  // most nodes of a tree, 32 bytes each
  bool difference = false;      // Aim
  RootPrior prior;
  bool common = false;  // the actions of the root are tried in turn, all of a round in the same world; no prior then
};

// Where the next decision is looked up: in one tree, right where the last action led. search/places.h has another.
struct OneTree {
  void begin() {}
  template <class State>
  std::uint32_t next(Tree&, std::uint32_t child, const State&, Seat) {
    return child;
  }
};

// Grows a tree, one iteration at a time. Every node serves the seat that chose its action, so two players, more of them
// (max-n) and teams need nothing of their own.
template <Game G, class Places = OneTree>
class TreeSearch {
 public:
  using State = typename G::State;

  // `fixed`: every iteration begins with the same state, so that a node's legal actions are always the same. Without an
  // evaluator the caller values the leaves: descend, back_up.
  TreeSearch(const G& game, const TreeSettings& settings, std::unique_ptr<Evaluator<G>> evaluator, bool fixed,
             const Scale& scale, Places places = {})
      : game_(game),
        evaluator_(std::move(evaluator)),
        followers_(evaluator_ ? evaluator_->followers() : 0),
        c_(static_cast<float>(settings.exploration.c)),
        usual_c_(settings.exploration.c),
        plus_one_(settings.exploration.plus_one ? 1 : 0),
        availability_(settings.exploration.availability),
        seen_(settings.exploration.seen),
        fixed_(fixed),
        prior_(settings.prior),
        scale_(scale),
        tree_(settings.nodes),
        places_(std::move(places)) {}

  const Tree& tree() const { return tree_; }

  // From `world`, which is changed. `first`: the action to begin with, where the search does not choose it.
  void iterate(State& world, Rng& rng, const Action* first = nullptr) {
    if (descend(world, rng, first) >= 0)
      evaluator_->evaluate(game_, world, rng, payoff_);
    else
      game_.payoff(world, payoff_);
    back_up(payoff_);
  }

  // Walks to the edge of the tree and one action further; says who is to act there.
  Seat descend(State& world, Rng& rng, const Action* first = nullptr) {
    path_.clear();
    places_.begin();
    std::uint32_t at = Tree::kRoot;
    Seat seat = game_.to_act(world);
    for (bool expanded = false; at != Tree::kNone || path_.empty();) {
      const bool told = first && path_.empty();
      const std::uint32_t child = told ? begin_with(*first, seat, expanded) : step(at, world, seat, rng, expanded);
      if (child == Tree::kNone) break;  // the tree is full
      game_.apply(world, tree_[child].action);
      path_.push_back(child);
      seat = game_.to_act(world);
      if (seat < 0 || expanded) break;
      at = places_.next(tree_, child, world, seat);
    }
    return seat;
  }

  // The payoffs at the end of the last walk.
  void back_up(std::span<const double> payoffs) {
    ++tree_[Tree::kRoot].visits;
    for (const std::uint32_t i : path_) {
      Node& node = tree_[i];
      node.add(scale_.reward(node.mover, payoffs));
    }
    see(payoffs);
  }

  // For walks whose payoffs come later (search/waves.h). Until then they count as lost, for everybody on the way, so
  // that the next walk goes elsewhere. Nodes may move meanwhile: actions tell the way.
  void suppose_lost() {
    ++tree_[Tree::kRoot].visits;
    for (const std::uint32_t i : path_) tree_[i].add(0);
  }
  std::vector<Action> way() const {
    std::vector<Action> out;
    for (const std::uint32_t i : path_) out.push_back(tree_[i].action);
    return out;
  }
  void walk_again(const std::vector<Action>& way) {
    path_.clear();
    std::uint32_t at = Tree::kRoot;
    for (Action a : way) path_.push_back(at = find(at, a));
  }
  void correct(std::span<const double> payoffs) {
    for (const std::uint32_t i : path_) {
      Node& node = tree_[i];
      node.mean += scale_.reward(node.mover, payoffs) / node.visits;
    }
    see(payoffs);
  }

 private:
  using Legal = typename G::Legal;

  // Rewards as the seat at the root gets them.
  void see(std::span<const double> payoffs) {
    if (!seen_ || path_.empty()) return;
    spread_.add(scale_.reward(tree_[path_[0]].mover, payoffs));
    c_ = static_cast<float>(usual_c_ * spread_.factor());
  }

  // The child to go to, a new one if there is an action without. kNone: there is none, and no room for it.
  std::uint32_t step(std::uint32_t at, const State& world, Seat seat, Rng& rng, bool& expanded) {
    if (followers_ >> seat & 1) return reply(at, seat, evaluator_->reply(game_, world, seat, rng));
    if (prior_.visits > 0 && path_.empty()) return lean(world, seat, expanded);
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

  // The child of an action; kNone where there is none.
  std::uint32_t find(std::uint32_t at, Action a) const {
    const auto children = tree_.children(at);
    const auto child = std::lower_bound(children.begin(), children.end(), a,
                                        [](const Node& node, Action action) { return node.action < action; });
    const bool found = child != children.end() && child->action == a;
    return found ? tree_[at].first + static_cast<std::uint32_t>(child - children.begin()) : Tree::kNone;
  }

  // Where an opponent does not think: the child of what it plays. A new one is no expansion, since nobody chose it.
  std::uint32_t reply(std::uint32_t at, Seat seat, Action a) {
    const std::uint32_t child = find(at, a);
    return child != Tree::kNone || tree_.full() ? child : tree_.add(at, a, seat);
  }

  // The child of an action of the root.
  std::uint32_t begin_with(Action a, Seat seat, bool& expanded) {
    const std::uint32_t child = find(Tree::kRoot, a);
    expanded = child == Tree::kNone;
    return expanded && !tree_.full() ? tree_.add(Tree::kRoot, a, seat) : child;
  }

  // At the root, by what was thought beforehand. All its actions have children from the beginning, so that none must
  // be tried before the others.
  std::uint32_t lean(const State& world, Seat seat, bool& expanded) {
    if (tree_[Tree::kRoot].children == 0) open_root(world, seat);
    const auto children = tree_.children(Tree::kRoot);
    double sum = 0, visits = 0;
    for (const Node& child : children) {
      sum += child.mean * child.visits;
      visits += child.visits;
    }
    const double usual = visits > 0 ? sum / visits : 0.5;  // what is not known to be better or worse
    const double log = std::log(visits + 1 + (prior_.payoffs ? prior_.visits : 1));
    std::size_t best = 0;
    double most = -1;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const double mark = leaning(children[i], i, seat, usual, log);
      best = mark > most ? i : best;
      most = mark > most ? mark : most;
    }
    expanded = children[best].visits == 0;
    return tree_[Tree::kRoot].first + static_cast<std::uint32_t>(best);
  }

  // UCB1 in which payoffs that were said count as so many visits. The odds of a policy are a bonus of up to c that
  // fades as the action is tried (progressive bias), and half of it is left after so many visits.
  double leaning(const Node& child, std::size_t i, Seat seat, double usual, double log) const {
    const double before = prior_.payoffs ? prior_.visits : 1, visits = before + child.visits;
    const double supposed = prior_.payoffs ? scale_.reward(seat, prior_.said[i]) : usual;
    const double mean = (child.mean * child.visits + supposed * before) / visits;
    const double bias = prior_.payoffs ? 0 : prior_.said[i] * prior_.visits / (prior_.visits + child.visits);
    return mean + static_cast<double>(c_) * (std::sqrt(log / visits) + bias);
  }

  void open_root(const State& world, Seat seat) {
    Legal list;
    game_.legal(world, list);
    for (Action a : list)
      if (!tree_.full()) tree_.add(Tree::kRoot, a, seat);
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
  std::unique_ptr<Evaluator<G>> evaluator_;
  std::uint64_t followers_;  // a bit per seat
  float c_;
  double usual_c_;
  std::uint32_t plus_one_;
  bool availability_, seen_, fixed_;
  SeenSpread spread_;
  RootPrior prior_;
  Scale scale_;
  Tree tree_;
  Places places_;
  std::vector<std::uint32_t> path_, fitting_;
  Payoffs payoff_{};
};

// What a grown tree says of the actions at its root, added to what others have said.
inline void add_root(const Tree& tree, const Scale& scale, Thought& thought) {
  auto at = thought.opinions.begin();
  for (const Node& child : tree.children(Tree::kRoot)) {
    while (at != thought.opinions.end() && at->action < child.action) ++at;
    if (at == thought.opinions.end() || at->action != child.action)
      throw BadInput("legal actions changed during a search: action " + std::to_string(child.action) +
                     " was not legal");
    at->value += scale.payoff(child.mover, child.mean) * child.visits;  // a sum, until finish() divides
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

// What trees that were grown apart say together.
inline void sum_up(const std::vector<Thought>& trees, const Effort& effort, Pick pick, Thought& out) {
  Observations seen(out.opinions.size());
  for (const Thought& tree : trees) {
    add_thought(tree, out);
    seen.add(tree);
  }
  finish(out, pick);
  seen.tell(out);
  out.asked = effort.iterations;
}

inline constexpr std::uint64_t kFit = ~std::uint64_t{0};  // the stream of `fit`, apart from those of trees

// Points of a game may range widely and hardly ever differ by much; then c, which is meant for rewards that are 0 or 1,
// explores far too much. A few play-outs show how much they differ; deviations of 0.5 are those of wins and losses.
// Other evaluators keep c: what they say has a spread of its own.
template <Game G, class NewWorld>
Exploration fit(Exploration out, const Effort& effort, const G& game, Seat seat, const Scale& scale,
                const Evaluator<G>& evaluator, Rng rng, NewWorld&& new_world) {
  constexpr std::int64_t kPlayouts = 64, kPart = 16;  // at most, and of the whole effort
  const std::int64_t n = effort.iterations > 0 ? std::min(kPlayouts, effort.iterations / kPart) : kPlayouts;
  if (!evaluator.plays_out() || !out.fitted || out.seen || n < 2) return out;
  Payoffs payoffs{};
  double sum = 0, squares = 0;
  bool points = false;
  for (std::int64_t i = 0; i < n; ++i) {
    auto world = new_world(rng);
    playout(game, world, rng);
    game.payoff(world, payoffs);
    const double reward = scale.reward(seat, payoffs);
    points |= reward != 0 && reward != 0.5 && reward != 1;
    sum += reward;
    squares += reward * reward;
  }
  const double mean = sum / static_cast<double>(n), variance = squares / static_cast<double>(n) - mean * mean;
  if (points) out.c *= std::clamp(2 * std::sqrt(std::max(0.0, variance)), 0.05, 1.0);
  return out;
}

// Several trees, each from a stream of its own, so that the number of threads changes nothing but the time. The source
// gives the state of an iteration.
template <Game G, class Places = OneTree>
class GrowingTrees final : public Search {
 public:
  GrowingTrees(const G& game, const typename G::View& view, const TreeSettings& settings, const Evaluator<G>& evaluator,
               bool fixed, Rng& rng, WorldSource<G> source, const Places& places = {})
      : settings_(settings),
        source_(std::move(source)),
        scale_(game, view.known, settings.difference),
        blank_(blank_thought(game, view)),
        division_(settings.effort, std::max(settings.trees, settings.threads), settings.threads) {
    if (only_choice(blank_)) return;
    const std::uint64_t seed = rng.next();
    TreeSettings fitted = settings;
    fitted.exploration =
        fit(settings.exploration, settings.effort, game, view.seat, scale_, evaluator, Rng(mix(seed, kFit)), source_);
    const int trees = std::max(settings.trees, settings.threads);
    for (int t = 0; t < trees; ++t)
      trees_.push_back({{game, fitted, evaluator.seen_from(game, view), fixed, scale_, places},
                        Rng(mix(seed, static_cast<std::uint64_t>(t))),
                        view.known});
  }

  void run(const Effort& more, const std::atomic<bool>* stop) override {
    if (trees_.empty()) return;
    std::int64_t done = 0;
    for (const Growing& tree : trees_) done += tree.done();
    division_.begin(more, done);
    parallel(settings_.threads, static_cast<std::int64_t>(trees_.size()), 1, nullptr,
             [&](std::int64_t begin, std::int64_t end) {
               for (std::int64_t t = begin; t < end; ++t) grow(trees_[static_cast<std::size_t>(t)], t, stop);
             });
  }

  Thought thought() const override {
    Thought out = blank_;
    if (trees_.empty()) return out;
    std::vector<Thought> parts(trees_.size(), blank_);
    for (std::size_t t = 0; t < trees_.size(); ++t) add_root(trees_[t].search.tree(), scale_, parts[t]);
    sum_up(parts, settings_.effort, settings_.pick, out);
    return out;
  }

 private:
  struct Growing {
    TreeSearch<G, Places> search;
    Rng stream;
    typename G::State world;  // of this round, and
    std::size_t next = 0;     // the action that is next in it; only where worlds are common

    std::int64_t done() const { return search.tree()[Tree::kRoot].visits; }
  };

  void grow(Growing& tree, std::int64_t index, const std::atomic<bool>* stop) {
    const Effort effort = division_.of(index, tree.done());
    if (effort.none()) return;
    Meter meter(effort, stop, tree.done() > 0);
    while (meter.more()) {
      if (settings_.common) {
        go_round(tree);
        continue;
      }
      auto world = source_(tree.stream);
      tree.search.iterate(world, tree.stream);
    }
  }

  // Common random numbers: luck of the world is the same for all actions, and they compare the better.
  void go_round(Growing& tree) {
    if (tree.next == 0) tree.world = source_(tree.stream);
    auto world = tree.world;
    tree.search.iterate(world, tree.stream, &blank_.opinions[tree.next].action);
    tree.next = (tree.next + 1) % blank_.opinions.size();
  }

  TreeSettings settings_;
  WorldSource<G> source_;
  Scale scale_;
  Thought blank_;
  Division division_;
  std::vector<Growing> trees_;  // none where there is nothing to choose
};

// UCT from the state of the view: honest where nothing is hidden, cheating elsewhere.
template <Game G>
std::unique_ptr<Search> uct(const G& game, const typename G::View& view, const TreeSettings& settings,
                            const Evaluator<G>& evaluator, Rng& rng) {
  return std::make_unique<GrowingTrees<G>>(game, view, settings, evaluator, true, rng, WorldSource<G>(game, view));
}

}  // namespace kibitz
