// The propositional network of a rulesheet, laid out for Runner: legal, terminal, next, sees and goal as a circuit over
// fluents and moves.
//
// Every gate is a counter: it is on while the number of its inputs that are on reaches a threshold, all of them (and)
// or one (or). Nodes are numbered ("positions") in topological order, in ranges of whole 64-bit words:
//
//   fluents | gates for legal, terminal | moves done | gates for next | for sees | for goal | outputs
//
// so that one pass in ascending order settles everything, and a range need not be evaluated before it is asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "games/gdl/logic/ground.h"

namespace kibitz::gdl {

// Immutable once built; shared by all threads.
struct Network {
  // A percept or a goal, and the node that says whether it holds.
  struct Output {
    std::uint32_t position;
    TermId term;
  };
  struct RolePart {
    std::uint32_t legal_word = 0, legal_words = 0;  // one output bit per move, in the order of `moves`
    std::uint32_t does = 0;                         // the input of its first move; the others follow
    std::vector<TermId> moves;
    std::vector<Output> goals, sees;
  };
  // The gates of a strongly connected component, from `begin` to `end`. Their value is the least fixed point: all start
  // off, and are turned on by inputs from outside. The node before them is their guard: it is marked when such an input
  // is lost, and the whole block must then be evaluated from scratch.
  struct Block {
    std::uint32_t begin, end;
  };
  enum Special : std::uint8_t { kPlain, kFeedsBlock, kInBlock, kGuard };

  std::vector<TermId> fluents;      // [bit]
  std::vector<std::uint64_t> init;  // the initial position, one bit per fluent
  std::vector<RolePart> roles;
  std::uint32_t words = 0;  // of all positions; the ends of the ranges follow, in words
  std::uint32_t state_words = 0, legal_end = 0, does_word = 0, next_end = 0, sees_end = 0, goal_end = 0;
  std::uint32_t next_word = 0;  // outputs: one bit per fluent of the next position
  std::uint32_t terminal = 0;   // position
  std::uint32_t last_word = 0;  // where the outputs of terminal, sees and goal begin; they end at `words`

  std::vector<std::uint32_t> edge_begin;  // [position] its first outgoing edge, and one entry more
  std::vector<std::uint32_t> edges;       // 2 * position + (1 if negated)
  std::vector<std::int32_t> bias;         // [position] the counter while all inputs are off; the node is on from 0
  std::vector<std::uint8_t> special;      // [position]
  std::vector<std::uint32_t> inner;       // [position] how many of its edges stay in its block; they come first
  std::vector<std::uint32_t> block_of;    // [position]
  std::vector<Block> blocks;
  std::size_t gates = 0;
};

// OverBudget if the budget runs out.
Network build_network(Program& program, const Grounding& grounding, Budget& budget);

}  // namespace kibitz::gdl
