// What of a grounding is settled once and for all, and the gates that are left.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "games/gdl/ground.h"
#include "games/gdl/scc.h"

namespace kibitz::gdl {

// Instances of rules over numbered atoms, constants folded.
class Simplified {
 public:
  enum Truth : std::uint8_t { kOpen, kTrue, kFalse };

  Simplified(Program& program, const Grounding& grounding, Budget& budget);

  std::uint32_t atoms() const { return static_cast<std::uint32_t>(truth_.size()); }
  std::uint32_t find(Symbol relation, std::initializer_list<TermId> args) const;  // kNone: it never holds
  Truth truth(std::uint32_t atom) const { return truth_[atom]; }
  bool input(std::uint32_t atom) const { return input_[atom]; }
  // The instances that conclude an atom, and what is open of their conditions: 2 * atom + (1 if negated).
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
