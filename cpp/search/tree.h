// The one tree of all tree searches, and the one formula that chooses between its children.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/game.h"

namespace kibitz {

// A node is an action and what came of it. The children of a node are a list in the order of their actions.
struct Node {
  double total = 0;                         // rewards in [0, 1] of the seat that chose the action
  std::uint32_t visits = 0, available = 0;  // how often it was chosen; how often it could have been
  std::uint32_t first = 0, next = 0;        // child, sibling; 0: none, for the root is neither
  Action action = 0;
  Seat mover = kOver;     // who chose the action
  bool complete = false;  // every legal action has a child: known only where all iterations see the same state

  double mean() const { return total / visits; }
};

static_assert(sizeof(Node) == 32);

// Nodes in one array that grows up to `most` and is never freed node by node.
class Tree {
 public:
  static constexpr std::uint32_t kRoot = 0, kNone = 0;

  explicit Tree(std::size_t most) : most_(most) { clear(); }

  void clear() {
    nodes_.clear();
    nodes_.emplace_back();
  }
  Node& operator[](std::uint32_t i) { return nodes_[i]; }
  const Node& operator[](std::uint32_t i) const { return nodes_[i]; }
  std::size_t size() const { return nodes_.size(); }
  bool full() const { return nodes_.size() >= most_; }

  // A new child, put where the order of actions wants it.
  std::uint32_t add(std::uint32_t parent, Action action, Seat mover) {
    const auto added = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    std::uint32_t* link = &nodes_[parent].first;
    while (*link != kNone && nodes_[*link].action < action) link = &nodes_[*link].next;
    nodes_[added].action = action;
    nodes_[added].mover = mover;
    nodes_[added].available = 1;
    nodes_[added].next = *link;
    *link = added;
    return added;
  }

  template <class F>
  void each_child(std::uint32_t parent, F&& f) const {
    for (std::uint32_t c = nodes_[parent].first; c != kNone; c = nodes_[c].next) f(c, nodes_[c]);
  }

 private:
  std::vector<Node> nodes_;
  std::size_t most_;
};

// How a search weighs what it has seen little of: mean + c * sqrt(ln n / visits), rewards in [0, 1].
struct Exploration {
  double c = 0.7;
  bool availability = true;  // n: how often the child was available (ISMCTS), else how often its parent was visited
  bool plus_one = false;     // ln(n + 1), as in Wang's GGP players
};

// ln n; small ones from a table, because every child of every node on the way asks for one.
inline float log_of(std::uint32_t n) {
  static const auto table = [] {
    std::array<float, 1 << 12> t{};
    for (std::size_t i = 1; i < t.size(); ++i) t[i] = std::log(static_cast<float>(i));
    return t;
  }();
  return n < table.size() ? table[n] : std::log(static_cast<float>(n));
}

// The one UCB formula; n is what Exploration says it is.
inline double ucb(const Node& child, std::uint32_t n, const Exploration& e) {
  const auto visits = static_cast<float>(child.visits);
  return static_cast<float>(child.total) / visits +
         static_cast<float>(e.c) * std::sqrt(log_of(n + (e.plus_one ? 1 : 0)) / visits);
}

}  // namespace kibitz
