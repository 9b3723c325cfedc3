// The propositional network of a rulesheet: what holds, as gates over fluents and moves, laid out for Runner.
//
// Every gate counts: it is on while at least as many of its inputs are as it needs, all of them or one. The positions
// of nodes are in an order in which inputs come first, and in ranges of whole 64-bit words:
//
//   fluents | gates for legal, terminal | moves done | gates for next | for sees | for goal | outputs
//
// so that one pass over the positions settles everything, and each range can wait until somebody asks for it.
#pragma once

#include <cstdint>
#include <vector>

#include "games/gdl/ground.h"

namespace kibitz::gdl {

struct Network {
  // Something an output says, and the term it is about.
  struct Output {
    std::uint32_t position;
    TermId term;
  };
  struct RolePart {
    std::uint32_t legal_word = 0, legal_words = 0;  // the bits of its moves, in the order of `moves`
    std::uint32_t does = 0;                         // position of its first move as an input
    std::vector<TermId> moves;
    std::vector<Output> goals, sees;
  };
  // Gates that depend on each other in a cycle. They begin as off, and get on for a reason from outside. The position
  // before them is their guard: it is marked when such a reason is lost, and all of them must be settled anew.
  struct Block {
    std::uint32_t begin, end;
  };
  enum Special : std::uint8_t { kPlain, kFeedsBlock, kInBlock, kGuard };

  std::vector<TermId> fluents;      // [bit]
  std::vector<std::uint64_t> init;  // the bits that hold first
  std::vector<RolePart> roles;
  std::uint32_t words = 0;
  std::uint32_t state_words = 0, legal_end = 0, does_word = 0, next_end = 0, sees_end = 0, goal_end = 0;  // of words
  std::uint32_t next_word = 0;  // the bits of the fluents after the moves
  std::uint32_t terminal = 0;   // position
  std::uint32_t last_word = 0;  // where the outputs of terminal, sees and goal begin; they end at `words`

  std::vector<std::uint32_t> edge_begin;  // [position], and one more
  std::vector<std::uint32_t> edges;       // 2 * position + (1 if negated)
  std::vector<std::int32_t> bias;         // [position] the count while all inputs are off; on from 0
  std::vector<std::uint8_t> special;      // [position]
  std::vector<std::uint32_t> inner;       // [position] how many of its edges stay in its block; they come first
  std::vector<std::uint32_t> block_of;    // [position]
  std::vector<Block> blocks;
  std::size_t gates = 0;
};

// OverBudget where it takes too much.
Network build_network(Program& program, const Grounding& grounding, Budget& budget);

}  // namespace kibitz::gdl
