// The gates of a propositional network as a graph, before network.h lays them out in memory.
#pragma once

#include <unordered_map>
#include <vector>

#include "games/gdl/logic/simplify.h"

namespace kibitz::gdl {

// An input of a gate: 2 * gate + (1 if negated).
using Ref = std::uint32_t;

struct Gate {
  enum Kind : std::uint8_t { kInput, kAll, kAny };  // a fluent or a move; conjunction; disjunction
  Kind kind;
  std::uint32_t block = kNone;  // the cycle that it belongs to
  std::vector<Ref> inputs;
};

// Builds the gates of all open atoms. Structurally equal gates are merged, gates with a single input are elided, and
// conditions that many rules of an atom share (as frame axioms do) are factored out. The list is in topological order,
// except within cycles, whose gates are contiguous. `atoms` and the budget must outlive the construction.
class Gates {
 public:
  Gates(const Simplified& atoms, Budget& budget);

  std::vector<Gate> list;
  std::vector<Ref> of;       // [atom] its gate; kNone if the atom is constant
  std::uint32_t blocks = 0;  // number of cycles

 private:
  Ref add(Gate gate, bool merge);
  Ref all_of(std::vector<std::uint32_t> body, bool& never);  // of atoms
  Ref any_of(std::vector<Ref> refs);
  void make_single(std::uint32_t atom);
  Ref factor(std::vector<std::vector<std::uint32_t>> bodies);
  void make_block(const std::uint32_t* begin, const std::uint32_t* end, const Components& parts);
  Ref ref(std::uint32_t literal) const { return of[literal / 2] ^ (literal & 1); }

  const Simplified& atoms_;
  Budget& budget_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> same_;  // by their hash
};

}  // namespace kibitz::gdl
