// Constant folding of a grounding: atoms that are always true or always false, and the rules that remain.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "games/gdl/logic/ground.h"
#include "games/gdl/logic/scc.h"

namespace kibitz::gdl {

// The instances of a grounding over densely numbered atoms, with constants propagated to a fixed point. The program and
// the budget must outlive it.
class Simplified {
 public:
  enum Truth : std::uint8_t { kOpen, kTrue, kFalse };

  Simplified(Program& program, const Grounding& grounding, Budget& budget);

  std::uint32_t atoms() const { return truth_.size(); }
  std::uint32_t find(Symbol relation,
                     std::initializer_list<TermId> args) const;  // kNone: the atom occurs nowhere, so it is false
  Truth truth(std::uint32_t atom) const { return truth_[atom]; }
  bool input(std::uint32_t atom) const { return input_[atom]; }  // a fluent or a move: given, not concluded
  // [instance that concludes the atom] its open conditions, as 2 * atom + (1 if negated).
  std::vector<std::vector<std::uint32_t>> bodies(std::uint32_t atom) const;
  std::vector<std::uint32_t> conditions(std::uint32_t atom) const;  // of all bodies
  std::size_t weight(std::uint32_t atom) const;                     // of all bodies, settled conditions included

 private:
  std::uint32_t number(TermId term);
  void settle(std::uint32_t atom, Truth truth);
  void run();
  void kill(std::size_t instance);
  bool settle_fluents(const Grounding& grounding);
  void link();

  Program& p_;
  Budget& budget_;
  std::unordered_map<TermId, std::uint32_t> numbers_;
  std::vector<Truth> truth_;
  std::vector<bool> input_;
  std::vector<std::uint32_t> head_;      // [instance]
  std::vector<std::size_t> begin_;       // [instance], and one more
  std::vector<std::uint32_t> literals_;  // 2 * atom + negated
  std::vector<std::uint32_t> missing_;   // [instance] open conditions
  std::vector<bool> dead_;               // [instance]
  std::vector<std::uint32_t> alive_;     // [atom] instances that may conclude it
  std::vector<std::size_t> use_begin_, by_head_begin_;
  std::vector<std::uint32_t> uses_, by_head_;  // instances
  std::vector<std::uint32_t> queue_;
};

}  // namespace kibitz::gdl
