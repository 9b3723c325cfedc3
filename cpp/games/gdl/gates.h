// The gates of a network, before they get their positions.
#pragma once

#include <unordered_map>
#include <vector>

#include "games/gdl/simplify.h"

namespace kibitz::gdl {

// 2 * gate + (1 if negated).
using Ref = std::uint32_t;

struct Gate {
  enum Kind : std::uint8_t { kInput, kAll, kAny };
  Kind kind;
  std::uint32_t block = kNone;  // of gates in a cycle
  std::vector<Ref> inputs;
};

// Equal gates are merged, gates with one input left out. The order of gates is one in which inputs come first, but for
// cycles, whose gates lie side by side.
class Gates {
 public:
  Gates(const Simplified& atoms, Budget& budget);

  std::vector<Gate> list;
  std::vector<Ref> of;  // [atom] kNone where its truth is settled
  std::uint32_t blocks = 0;

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
