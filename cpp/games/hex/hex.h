// Hex on n×n cells, n = 2 to 19. Seat 0 connects top and bottom, seat 1 left and right. README.md beside this file has
// actions and positions.
#pragma once

#include <cstdlib>

#include "games/board/board.h"

namespace kibitz::hex {

inline constexpr int kMaxSide = 19, kMaxCells = kMaxSide * kMaxSide, kWords = (kMaxCells + 63) / 64;

using Board = std::array<Bits, kWords>;  // bit = cell, row by row from the top

struct State {
  std::array<Board, 2> stones{};
  // The stones that are connected to their owner's first edge (top, left). A stone enters this set once and never
  // leaves it, so keeping it costs little, and a game is won when the set reaches the other edge.
  std::array<Board, 2> linked{};
  std::array<std::uint8_t, kWords> free{};  // empty cells per word; not kept on small boards
  std::uint8_t turn = 0;
  std::uint8_t result = board::kRunning;
  friend bool operator==(const State&, const State&) = default;
};

class Hex : public board::PerfectInformation<Hex, State, kMaxCells + 1> {
  using Base = board::PerfectInformation<Hex, State, kMaxCells + 1>;

 public:
  static constexpr const char* kName = "hex";
  static constexpr int kLeast = 2, kSmall = 8;  // up to 8×8 a board is one word

  Hex(int size, bool swap);
  static Hex make(const Value& options);

  State deal(Rng&) const { return blank_; }
  using Base::legal;
  void legal(const State& s, Legal& out) const;
  Action random_legal(const State& s, Rng& rng) const {
    if (!small_ || may_swap(s)) return random_large(s, rng);
    return board::random_cell(all_[0] & ~(s.stones[0][0] | s.stones[1][0]), rng);
  }
  void apply(State& s, Action a) const {
    if (a == cells_) return take_over(s);
    const int seat = s.turn;
    s.stones[seat][a >> 6] |= bit(a & 63);
    if (small_) {
      link_small(s, seat, a);
    } else {
      --s.free[a >> 6];
      link_large(s, seat, a);
    }
    s.turn ^= 1;
  }
  void encode(const State& s, Seat seat, int encoder, std::span<float> out) const;
  using Base::position;
  Value position(const State& s) const;
  State from_position(const Value& json) const;
  std::string text(Action a) const { return a == cells_ ? "swap" : board::cell_text({size_, size_}, a); }
  Action parse(const std::string& text) const;
  using Base::picture;
  std::string picture(const State& s) const;

  // Everything that matters for the rest of the game. After a swap the stones alone do not tell whose turn it is.
  // Larger boards than the solver takes are told apart by a hash.
  std::array<std::uint64_t, 3> solver_key(const State& s) const {
    if (small_) return {s.stones[0][0], s.stones[1][0], s.turn};
    return {board::hash_words(s.stones[0], 1), board::hash_words(s.stones[1], 2), s.turn};
  }
  void check_solvable(const State&) const {
    if (!small_) throw BadInput("hex can be solved up to size 8, not " + std::to_string(size_));
  }
  // Cells near the middle first.
  int promise(const State&, Action a) const {
    return a == cells_ ? 0 : -std::abs(2 * (a / size_) - size_ + 1) - std::abs(2 * (a % size_) - size_ + 1);
  }

 private:
  void link_small(State& s, int seat, int cell) const {
    Bits& linked = s.linked[seat][0];
    if (((near_[cell] & linked) | (bit(cell) & first_edge_[seat][0])) == 0) return;
    const Bits loose = s.stones[seat][0] & ~linked;
    Bits fresh = bit(cell), grown = 0;
    do {
      grown |= fresh;
      fresh = spread(fresh) & loose & ~grown;
    } while (fresh);
    linked |= grown;
    if (grown & last_edge_[seat][0]) s.result = board::won_by(seat);
  }

  // The neighbours of a set: two in the row, two in the row above (itself and to the right), two below.
  Bits spread(Bits b) const {
    const Bits left = (b & ~left_column_) >> 1, right = (b << 1) & ~left_column_;
    return (left | right | b >> size_ | b << size_ | right >> size_ | left << size_) & all_[0];
  }

  void link_large(State& s, int seat, int cell) const;
  void take_over(State& s) const;
  bool may_swap(const State& s) const { return swap_ && s.turn == 1 && first_move_made(s); }
  bool first_move_made(const State& s) const;  // and nothing since
  Action random_large(const State& s, Rng& rng) const;
  board::Cells cells(const State& s) const;

  int size_, cells_;
  bool small_, swap_;
  State blank_;
  Board all_{};
  Bits left_column_ = 0;
  std::array<Board, 2> first_edge_{}, last_edge_{};                  // [seat]
  std::array<Bits, 64> near_{};                                      // neighbours of a cell, small boards
  std::array<std::array<std::int16_t, 6>, kMaxCells> neighbours_{};  // unused ones are the cell itself
};

static_assert(PlainGame<Hex>);
static_assert(has_exactly<Hex>({Hook::kRandomLegal, Hook::kEachWorld, Hook::kSolverKey, Hook::kPromise,
                                Hook::kCheckSolvable}));

}  // namespace kibitz::hex
