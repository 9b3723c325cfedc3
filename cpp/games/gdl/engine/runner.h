// Incremental evaluation of a propositional network: a step costs what it changes, however large the network is.
#pragma once

#include <cstdint>
#include <vector>

#include "core/bits.h"
#include "games/gdl/engine/network.h"

namespace kibitz::gdl {

// The counters of one thread. The network must outlive it. A copy of a fresh runner is cheaper than another one.
class Runner {
 public:
  // Stands where no fluent holds.
  Runner(const Network& network, Budget* budget);

  // The budget of propagation from now on; null: unlimited. After OverBudget the runner must not be used any more.
  void limit(Budget* budget) { budget_ = budget; }

  bool on(std::uint32_t position) const { return value_[position / 64] >> (position % 64) & 1; }
  const std::uint64_t* words(std::uint32_t word) const { return value_.data() + word; }

  void look(const std::uint64_t* fluents);  // goes to this position; legal and terminal are then up to date
  void act(int role, std::uint32_t move);   // sets the role's move, an index into its moves
  void advance();                           // goes to the next position, by the moves set
  void settle_sees();                       // brings the outputs of sees up to date, for the moves set
  void settle_goals();                      // and those of goal

 private:
  void mark(std::uint32_t position) {
    dirty_[position / 64] ^= bit(position % 64);
    summary_[position / 4096] |= bit(position / 64 % 64);
  }
  void change(std::uint32_t target, std::int32_t by) {
    const std::int32_t before = count_[target], after = before + by;
    count_[target] = after;
    if ((before ^ after) < 0) mark(target);
  }
  void propagate(std::uint32_t from, std::uint32_t to);  // words
  void flush(std::uint32_t from, std::uint32_t to);      // words of outputs
  void send(std::uint32_t position);
  void send_special(std::uint32_t position);
  void send_outside(std::uint32_t position, bool up);
  void settle_block(const Network::Block& block);
  void set_fluents(const std::uint64_t* fluents);

  const Network& n_;
  Budget* budget_;
  std::vector<std::int32_t> count_;
  std::vector<std::uint64_t> value_;    // what has been sent on
  std::vector<std::uint64_t> dirty_;    // where count and value differ
  std::vector<std::uint64_t> summary_;  // which words of dirty_ may have something in them
  std::vector<std::uint32_t> done_;     // [role] the move acted last
  std::vector<std::uint32_t> stack_;
  std::vector<std::uint64_t> before_;
};

}  // namespace kibitz::gdl
