// Tic-Tac-Toe on k×k cells, k = 3, 4, 5: a full line of k wins. README.md beside this file has actions and positions.
#pragma once

#include "games/board/board.h"

namespace kibitz::tictactoe {

struct State {
  std::array<std::uint32_t, 2> stones{};  // bit = cell, row by row from the top
  std::uint8_t turn = 0;
  std::uint8_t result = board::kRunning;
  friend bool operator==(const State&, const State&) = default;
};

class TicTacToe : public board::PerfectInformation<TicTacToe, State, 25> {
  using Base = board::PerfectInformation<TicTacToe, State, 25>;

 public:
  static constexpr const char* kName = "tictactoe";
  static constexpr int kLeast = 3, kMost = 5;

  explicit TicTacToe(int size);
  static TicTacToe make(const Value& options);

  State deal(Rng&) const { return {}; }
  using Base::legal;
  void legal(const State& s, Legal& out) const {
    out.clear();
    if (s.result == board::kRunning) each_bit(empty(s), [&out](int cell) { out.push(cell); });
  }
  Action random_legal(const State& s, Rng& rng) const { return board::random_cell(empty(s), rng); }
  void apply(State& s, Action a) const {
    const std::uint32_t mine = s.stones[s.turn] |= std::uint32_t{1} << a;
    bool line = false;
    for (std::uint32_t mask : lines_[a]) line |= (mine & mask) == mask;
    const bool full = (mine | s.stones[s.turn ^ 1]) == all_;
    s.result = line ? board::won_by(s.turn) : full ? board::kDraw : board::kRunning;
    s.turn ^= 1;
  }
  void encode(const State& s, Seat seat, int encoder, std::span<float> out) const;
  using Base::position;
  Value position(const State& s) const;
  State from_position(const Value& json) const;
  std::string text(Action a) const { return board::cell_text({size_, size_}, a); }
  Action parse(const std::string& text) const { return board::parse_cell(info_, {size_, size_}, text); }
  using Base::picture;
  std::string picture(const State& s) const;

  // Everything that matters for the rest of the game: turn and result follow from the stones.
  std::array<std::uint64_t, 1> solver_key(const State& s) const {
    return {s.stones[0] | std::uint64_t{s.stones[1]} << 32};
  }
  // Cells on more lines first.
  int promise(const State&, Action a) const { return on_lines_[a]; }

 private:
  Bits empty(const State& s) const { return all_ & ~(s.stones[0] | s.stones[1]); }
  board::Cells cells(const State& s) const;
  bool has_line(std::uint32_t stones) const;

  int size_;
  std::uint32_t all_;
  // The row, the column and, where the cell lies on them, the diagonals. Unused ones repeat the row, so that `apply`
  // tests four lines without a branch.
  std::array<std::array<std::uint32_t, 4>, 25> lines_{};
  std::array<std::uint8_t, 25> on_lines_{};
};

static_assert(PlainGame<TicTacToe>);
static_assert(has_exactly<TicTacToe>({Hook::kRandomLegal, Hook::kEachWorld, Hook::kSolverKey, Hook::kPromise}));

}  // namespace kibitz::tictactoe
