// Value MCTS, Algorithm 1 of Li ("Improve Value Estimation of Q Function and Reshape Reward with Monte Carlo Tree
// Search"): a tree of the states of one seat, whose actions are valued by a Q network. The others follow their
// policies, and nothing is played out. Its results are training targets: Q_m of every legal action, and r_m.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/agent.h"
#include "eval/net_agent.h"
#include "search/search.h"

namespace kibitz {

inline constexpr int kMostSimulations = 10'000'000;  // memory of a search grows with them

struct ValueSettings {
  int simulations = 50;
  double c = 0.2;          // the paper gives none; payoffs of Uno are -1 and 1
  double discount = 0.99;  // lambda
  int per_world = 1;       // simulations in each world that is drawn; more are faster where drawing takes long
  bool peek = false;       // simulate in the real state (worlds "true"), not in a world drawn for each simulation
};

// For many searches in a row, on one thread.
template <Game G>
class ValueSearch {
 public:
  using State = typename G::State;
  using View = typename G::View;

  struct Edge {
    Action action;
    std::uint32_t visits;  // N(s, a)
    double q;              // Q_m(s, a)
  };

  ValueSearch(const G& game, std::shared_ptr<const Net> net, const ValueSettings& settings)
      : game_(game), net_(game, std::move(net)), settings_(settings) {
    if (net_.net().meaning.output == Output::kPolicy) throw BadInput("value MCTS needs a net of payoffs, not a policy");
    if (!settings.peek && net_.peeks(game)) throw BadInput("an encoder that peeks at hidden cards needs worlds=true");
  }

  // A search from this view, which holds the real state where settings.peek.
  void begin(const View& view) {
    view_ = view;
    seat_ = view.seat;
    nodes_.clear();
    edges_.clear();
    slots_.assign(std::bit_ceil(static_cast<std::size_t>(settings_.simulations) * 2 + 2), kNone);
    rewards_ = 0;
    leaves_ = 0;
    done_ = 0;
    drawn_ = view.known;
  }

  // As many simulations as the meter allows, and in all no more than settings.simulations. policy(seat) gives the agent
  // that decides for another seat.
  template <class Policy>
  void go_on(Policy&& policy, Rng& rng, Meter meter) {
    for (; done_ < settings_.simulations && meter.more(); ++done_) {
      if (!settings_.peek && done_ % settings_.per_world == 0) drawn_ = game_.sample(view_, rng);
      State world = drawn_;
      simulate(world, policy, rng);
    }
  }

  // All of it.
  template <class Policy>
  void run(const View& view, Policy&& policy, Rng& rng, const std::atomic<bool>* stop = nullptr) {
    begin(view);
    go_on(policy, rng, Meter({settings_.simulations, 0}, stop));
  }

  std::span<const Edge> root() const { return edges_of(nodes_[0]); }
  double reward() const { return rewards_ / done_; }  // Equation 5
  std::int64_t leaves() const { return leaves_; }
  std::int64_t done() const { return done_; }
  std::size_t states() const { return nodes_.size(); }

  Thought thought() const {
    Thought out;
    for (const Edge& e : root()) out.opinions.push_back({e.action, e.q, static_cast<double>(e.visits), 0});
    share_to_best(out, [](const Opinion& o) { return o.value; });
    out.iterations = done_;
    out.asked = settings_.simulations;
    out.nodes = static_cast<std::int64_t>(nodes_.size());
    return out;
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;

  struct Node {
    std::uint64_t key;
    std::uint32_t first, count, visits;  // edges; N(s)
  };

  // SIMULATE: to a state that was never seen, or to the end.
  template <class Policy>
  void simulate(State& world, Policy&& policy, Rng& rng) {
    path_.clear();
    double value = 0, reward = 0;  // max Q(s', a') and r(s') where the simulation ends
    for (;;) {
      bool fresh = false;
      const std::uint32_t at = find(world, fresh);
      if (fresh) {
        value = best_of(nodes_[at]);
        break;
      }
      const std::uint32_t edge = select(nodes_[at]);
      path_.push_back({at, edge});
      game_.apply(world, edges_[edge].action);
      let_others_move(world, policy, rng);
      if (game_.to_act(world) >= 0) continue;
      Payoffs payoffs{};
      game_.payoff(world, payoffs);
      reward = payoffs[static_cast<std::size_t>(seat_)];
      rewards_ += reward;
      break;
    }
    back_up(value, reward);
  }

  // STEP, after the own action.
  template <class Policy>
  void let_others_move(State& world, Policy&& policy, Rng& rng) {
    for (Seat s; (s = game_.to_act(world)) >= 0 && s != seat_;) {
      game_.legal(world, list_);
      game_.apply(world, choose(game_, world, s, list_, *policy(s), rng));
    }
  }

  // Equation 3, the first of equals.
  std::uint32_t select(const Node& node) const {
    std::uint32_t best = node.first;
    double most = -1e300;
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      const double mark =
          edges_[i].q + settings_.c * std::sqrt(static_cast<double>(node.visits) / (1.0 + edges_[i].visits));
      if (mark <= most) continue;
      best = i;
      most = mark;
    }
    return best;
  }

  // Equation 4, from the last own state to the root; each hands on the best that it knows after its update.
  void back_up(double value, double reward) {
    for (auto it = path_.rbegin(); it != path_.rend(); ++it) {
      Node& node = nodes_[it->first];
      Edge& edge = edges_[it->second];
      edge.q = (edge.q * edge.visits + settings_.discount * value + reward) / (edge.visits + 1.0);
      ++edge.visits;
      ++node.visits;
      value = best_of(node);
      reward = 0;  // only the last step can pay
    }
  }

  double best_of(const Node& node) const {
    double best = edges_[node.first].q;
    for (const Edge& e : edges_of(node)) best = std::max(best, e.q);
    return best;
  }

  std::span<const Edge> edges_of(const Node& node) const { return {edges_.data() + node.first, node.count}; }

  // A state is what the seat sees of it, as the encoder writes it, and what is legal. New ones are valued by the net.
  std::uint32_t find(const State& world, bool& fresh) {
    game_.legal(world, list_);
    const std::uint64_t key = hash(net_.look(game_, world, seat_));
    std::size_t slot = key & (slots_.size() - 1);
    for (; slots_[slot] != kNone; slot = (slot + 1) & (slots_.size() - 1))
      if (nodes_[slots_[slot]].key == key) return slots_[slot];
    fresh = true;
    ++leaves_;
    const auto at = static_cast<std::uint32_t>(nodes_.size()), first = static_cast<std::uint32_t>(edges_.size());
    slots_[slot] = at;
    nodes_.push_back({key, first, static_cast<std::uint32_t>(list_.size()), 0});
    net_.ask(game_, world, list_, [&](int i, float q) { edges_.push_back({list_[i], 0, static_cast<double>(q)}); });
    return at;
  }

  std::uint64_t hash(std::span<const float> seen) const {
    constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ULL;
    std::uint64_t h = 0;
    const auto add = [&](std::uint64_t x) { h = std::rotl((h ^ x) * kFactor, 29); };
    std::size_t i = 0;
    for (; i + 2 <= seen.size(); i += 2) {
      std::uint64_t two;
      std::memcpy(&two, seen.data() + i, sizeof two);
      add(two);
    }
    if (i < seen.size()) add(std::bit_cast<std::uint32_t>(seen[i]));
    for (Action a : list_) add(static_cast<std::uint64_t>(a));
    return h ^ (h >> 32);
  }

  const G& game_;
  ActionNet<G> net_;
  ValueSettings settings_;
  View view_{};
  State drawn_{};  // the world of the simulations at work
  Seat seat_ = 0;
  typename G::Legal list_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> slots_;                           // nodes by key, open addressing
  std::vector<std::pair<std::uint32_t, std::uint32_t>> path_;  // (node, edge)
  int done_ = 0;                                               // simulations
  double rewards_ = 0;
  std::int64_t leaves_ = 0;
};

// The same for one seat at a table, whose opponents all follow one policy.
template <Game G>
class ValueMcts final : public Search {
 public:
  ValueMcts(const G& game, const typename G::View& view, std::shared_ptr<const Net> net, const ValueSettings& settings,
            std::shared_ptr<const Agent<G>> others, Rng& rng)
      : search_(game, std::move(net), settings),
        others_(std::move(others)),
        rng_(rng),
        blank_(blank_thought(game, view)) {
    search_.begin(view);
  }

  void run(const Effort& more, const std::atomic<bool>* stop) override {
    search_.go_on([this](Seat) { return others_.get(); }, rng_, Meter(more, stop, search_.done() > 0));
  }
  Thought thought() const override { return search_.done() > 0 ? search_.thought() : blank_; }

 private:
  ValueSearch<G> search_;
  std::shared_ptr<const Agent<G>> others_;
  Rng& rng_;
  Thought blank_;
};

}  // namespace kibitz
