// States and views of a rulesheet's game, and what the roles remember in games with hidden information.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/game.h"
#include "games/gdl/engine/reasoner.h"

namespace kibitz::gdl {

// What one role experienced in one turn: its move, its percepts, and its legal moves in the position reached. A linked
// list back to the start, whose nodes states and worlds share. Only rulesheets with `sees` have it.
struct Glimpse {
  std::shared_ptr<const Glimpse> before;
  Action move = kNoMove;  // kNoMove at the start
  std::vector<TermId> sees;
  std::vector<Action> legal;
  bool any_legal = false;  // `legal` is not known yet: every list is taken to fit
  std::uint64_t hash = 0;  // of the whole chain

  ~Glimpse();
};

// Whether two chains tell the same, from the start on.
bool same_chain(const Glimpse* a, const Glimpse* b);

// The chains of all roles; in a view that of its seat alone, in a public view none.
struct Memory {
  std::array<std::shared_ptr<const Glimpse>, kMostRoles> of;
  bool of_view = false;  // the other roles' chains are missing, and so is the position of the state
};

struct State {
  Words position;                            // in a view empty, if the rulesheet has `sees`
  std::array<Action, kMostRoles> pending{};  // [seat] its choice in this turn; kNoMove elsewhere
  Rng stream;                                // of the role random
  std::uint32_t turn = 0;
  Seat to_act = kOver;
  std::shared_ptr<const Memory> memory;  // null without `sees`

  friend bool operator==(const State& a, const State& b);
};

using View = ViewOf<State>;

}  // namespace kibitz::gdl
