// The tree of UCT, ISMCTS and PIMC, and the UCB formula that chooses between its children. (Value MCTS has a tree and a
// formula of its own, those of its paper: search/value_mcts.h.)
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/game.h"

namespace kibitz {

// A node is an action and what came of it. The children of a node lie side by side in the order of their actions, in a
// block with room for some more.
struct Node {
  double mean = 0;                          // of the rewards in [0, 1] of the seat that chose the action
  std::uint32_t visits = 0, available = 0;  // how often it was chosen; how often it could have been
  std::uint32_t first = 0;                  // where the children are
  float doubt = 0;                          // 1 / sqrt(visits): asked for much more often than it changes
  std::uint16_t children = 0;
  Action action = 0;
  Seat mover = kOver;     // who chose the action
  std::uint8_t room = 0;  // the block has space for 1 << (room - 1) children; 0: there is no block
  bool complete = false;  // every legal action has a child: known only where all iterations see the same state

  void add(double reward) {
    ++visits;
    mean += (reward - mean) / visits;
    doubt = 1 / std::sqrt(static_cast<float>(visits));
  }
};

static_assert(sizeof(Node) == 32);

// Nodes in one array that grows up to `most`. Blocks that became too small are used again.
class Tree {
 public:
  static constexpr std::uint32_t kRoot = 0, kNone = 0;

  explicit Tree(std::size_t most) : most_(most) { clear(); }

  void clear() {
    nodes_.clear();
    nodes_.emplace_back();
    used_ = 1;
    for (auto& list : free_) list.clear();
  }
  Node& operator[](std::uint32_t i) { return nodes_[i]; }
  const Node& operator[](std::uint32_t i) const { return nodes_[i]; }
  std::size_t size() const { return used_; }
  bool full() const { return used_ >= most_; }

  std::span<Node> children(std::uint32_t parent) {
    return {nodes_.data() + nodes_[parent].first, nodes_[parent].children};
  }
  std::span<const Node> children(std::uint32_t parent) const {
    return {nodes_.data() + nodes_[parent].first, nodes_[parent].children};
  }

  // A new child, put where the order of actions wants it; its siblings may move.
  std::uint32_t add(std::uint32_t parent, Action action, Seat mover) {
    if (nodes_[parent].children == capacity(nodes_[parent].room)) enlarge(parent);
    Node* const begin = nodes_.data() + nodes_[parent].first;
    Node* at = begin + nodes_[parent].children;
    for (; at > begin && at[-1].action > action; --at) *at = at[-1];
    *at = Node();
    at->action = action;
    at->mover = mover;
    at->available = 1;
    ++nodes_[parent].children;
    ++used_;
    return at - nodes_.data();
  }

  // A node that is nobody's child and never moves.
  std::uint32_t add_alone() {
    const std::uint32_t at = new_block(1);
    nodes_[at] = Node();
    ++used_;
    return at;
  }

 private:
  static std::uint32_t capacity(int room) { return room == 0 ? 0 : 1u << (room - 1); }

  void enlarge(std::uint32_t parent) {
    const int before = nodes_[parent].room, room = before + 1;
    const std::uint32_t from = nodes_[parent].first, to = new_block(room);
    std::copy_n(nodes_.begin() + from, nodes_[parent].children, nodes_.begin() + to);
    if (before > 0) free_[before].push_back(from);
    nodes_[parent].first = to;
    nodes_[parent].room = room;
  }

  std::uint32_t new_block(int room) {
    auto& free = free_[room];
    if (!free.empty()) {
      const std::uint32_t block = free.back();
      free.pop_back();
      return block;
    }
    const std::uint32_t block = nodes_.size();
    nodes_.resize(nodes_.size() + capacity(room));
    return block;
  }

  std::vector<Node> nodes_;
  std::array<std::vector<std::uint32_t>, 18> free_;  // blocks by their room
  std::size_t used_ = 0, most_;
};

// How a search weighs what it has seen little of: mean + c * sqrt(ln n / visits), rewards in [0, 1].
struct Exploration {
  double c = 0.7;
  bool fitted = true;        // c is made smaller where payoffs are points that seldom differ much (uct.h)
  bool seen = false;         // c is meant for rewards that differ as much as those seen at the root (SeenSpread)
  bool availability = true;  // n: how often the child was available (ISMCTS), else how often its parent was visited
  bool plus_one = false;     // ln(n + 1), as in Wang's GGP players
};

// Twice the standard deviation of the rewards seen so far: 1 where they are won and lost evenly, and 1 where nothing is
// known of it, so that what has always been the same is tried evenly.
class SeenSpread {
 public:
  void add(double reward) {
    ++n_;
    const double before = reward - mean_;
    mean_ += before / n_;
    squares_ += before * (reward - mean_);
  }
  double factor() const { return squares_ > 0 ? 2 * std::sqrt(squares_ / n_) : 1; }

 private:
  double n_ = 0, mean_ = 0, squares_ = 0;
};

// sqrt(ln n); small ones from a table, because every node on the way asks for one, or every child of it.
inline constexpr std::uint32_t kRootsOfLogs = 1 << 16;
extern const std::array<float, kRootsOfLogs> roots_of_logs;

inline float root_of_log(std::uint32_t n) {
  return n < kRootsOfLogs ? roots_of_logs[n] : std::sqrt(std::log(static_cast<float>(n)));
}

// UCB1 of a child, for all searches in this tree: `bonus` is c * sqrt(ln n).
inline float ucb(const Node& child, float bonus) { return static_cast<float>(child.mean) + bonus * child.doubt; }

}  // namespace kibitz
