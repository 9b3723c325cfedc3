#include "games/tictactoe/tictactoe.h"

namespace kibitz::tictactoe {

TicTacToe::TicTacToe(int size) : size_(size), all_((std::uint32_t{1} << (size * size)) - 1) {
  info_ = board::two_seats(kName, size * size, {{"planes", {3, size, size}, false, true}}, {{"size", size}});
  std::uint32_t down = 0, up = 0;
  for (int i = 0; i < size; ++i) {
    down |= std::uint32_t{1} << (i * size + i);
    up |= std::uint32_t{1} << (i * size + size - 1 - i);
  }
  for (int cell = 0; cell < size * size; ++cell) {
    const int row = cell / size, column = cell % size;
    std::uint32_t across = 0, along = 0;
    for (int i = 0; i < size; ++i) {
      across |= std::uint32_t{1} << (row * size + i);
      along |= std::uint32_t{1} << (i * size + column);
    }
    const bool on_down = row == column, on_up = row + column == size - 1;
    lines_[cell] = {across, along, on_down ? down : across, on_up ? up : across};
    on_lines_[cell] = 2 + on_down + on_up;
  }
}

TicTacToe TicTacToe::make(const Value& options) {
  int size = 3;
  for (const auto& [name, value] : options.object("options of tictactoe"))
    board::read_option(kName, name, value,
                       {{"size", [&size](const Value& v) { size = v.integer("size of tictactoe", kLeast, kMost); }}});
  return TicTacToe(size);
}

void TicTacToe::encode(const State& s, Seat seat, int, std::span<float> out) const {
  float* at = out.data();
  for (std::uint32_t stones : {s.stones[seat], s.stones[1 - seat]})
    at = board::write_plane(at, size_ * size_, [stones](int cell) { return stones >> cell & 1; });
  const bool mine = to_act(s) == seat;
  board::write_plane(at, size_ * size_, [mine](int) { return mine; });
}

board::Cells TicTacToe::cells(const State& s) const {
  board::Cells out{{size_, size_}, std::vector<int>(size_ * size_, board::kEmpty)};
  for (int seat = 0; seat < 2; ++seat) each_bit(s.stones[seat], [&](int cell) { out.at[cell] = seat; });
  return out;
}

Value TicTacToe::position(const State& s) const { return board::write_position(info_, cells(s), s.turn); }

bool TicTacToe::has_line(std::uint32_t stones) const {
  for (const auto& lines : lines_)
    for (std::uint32_t mask : lines)
      if (mask && (stones & mask) == mask) return true;
  return false;
}

State TicTacToe::from_position(const Value& json) const {
  const board::Cells cells = board::read_position(info_, {size_, size_}, json);
  const auto stones = [](const board::Cells& from, int seat) {
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < from.at.size(); ++i) out |= (from.at[i] == seat) << i;
    return out;
  };
  const int turn = board::read_turn(json, cells);
  board::check_winner(
      cells, turn, [&](const board::Cells& c, int seat) { return has_line(stones(c, seat)); }, "a full line");
  State s;
  s.stones = {stones(cells, 0), stones(cells, 1)};
  s.turn = turn;
  s.result = has_line(s.stones[1 - turn])          ? board::won_by(1 - turn)
             : (s.stones[0] | s.stones[1]) == all_ ? board::kDraw
                                                   : board::kRunning;
  return s;
}

std::string TicTacToe::picture(const State& s) const {
  return board::caption(info_, static_cast<board::Result>(s.result), s.turn) + board::draw(cells(s), true, true, false);
}

}  // namespace kibitz::tictactoe
