// The moves of a game and their action ids.
#pragma once

#include <cstdint>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/action_list.h"
#include "games/gdl/logic/program.h"

namespace kibitz::gdl {

inline constexpr Action kNoMove = 0xffff;

// A bijection between moves, as terms, and action ids. Closed if grounding has found all moves: ids are then in the
// order of sort_terms, the same in every process. Open otherwise: a move gets the next free id when it is first met, so
// that ids hold within one process only. Thread-safe. The terms must outlive it.
class Moves {
 public:
  Moves() = default;
  // Closed; per role all its moves, in the order of sort_terms. OverBudget if there are more than kMostMoves.
  Moves(const Terms& terms, const std::vector<std::vector<TermId>>& of_role, Budget& budget);
  explicit Moves(const Terms& terms);  // open

  bool open() const { return open_; }
  std::size_t size() const { return open_ ? kMostMoves : terms_.size(); }
  std::size_t met() const;  // how many have an id by now
  // The id of a move. In a closed table kNoMove if it is none; an open table adds it, OverBudget if it is full.
  Action number(TermId term) const;
  Action known(TermId term) const;  // the same, but adds nothing
  TermId term(Action a) const { return terms_[a]; }
  std::string text(Action a) const;  // a placeholder for an id without a move
  // The moves that the role can ever have, ascending; only of a closed table.
  const std::vector<Action>& of_role(std::size_t role) const { return of_role_[role]; }

 private:
  const Terms* names_ = nullptr;
  bool open_ = false;
  mutable std::vector<TermId> terms_;  // [action]
  mutable std::unordered_map<TermId, Action> numbers_;
  std::vector<std::vector<Action>> of_role_;
  mutable std::shared_mutex mutex_;
};

}  // namespace kibitz::gdl
