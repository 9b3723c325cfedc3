#include "games/connect_four/connect_four.h"

namespace kibitz::connect_four {

namespace {

constexpr Wide wide_bit(int i) { return i < 64 ? Wide{bit(i), 0} : Wide{0, bit(i - 64)}; }

bool has(const Wide& w, int i) { return any(w & wide_bit(i)); }

}  // namespace

ConnectFour::ConnectFour(int rows, int columns) : rows_(rows), columns_(columns), wide_(columns * (rows + 1) > 64) {
  info_ = board::two_seats(kName, columns, {{"planes", {3, rows, columns}, false, true}},
                           {{"rows", rows}, {"columns", columns}});
  for (int c = 0; c < columns; ++c) {
    const int bottom = c * (rows + 1);
    bottom_[c] = wide_bit(bottom);
    tops_ = tops_ | wide_bit(bottom + rows - 1);
    for (int i = 0; i < rows; ++i) column_[c] = column_[c] | wide_bit(bottom + i);
    if (!wide_)
      for (int i = 0; i <= rows; ++i) column_of_[bottom + i] = c;
  }
}

ConnectFour ConnectFour::make(const Value& options) {
  int rows = 6, columns = 7;
  for (const auto& [name, value] : options.object("options of connect_four"))
    board::read_option(
        kName, name, value,
        {{"rows", [&](const Value& v) { rows = v.integer("rows of connect_four", 1, kMaxSide); }},
         {"columns", [&](const Value& v) { columns = v.integer("columns of connect_four", 1, kMaxSide); }}});
  if (columns * (rows + 1) > kBits)
    throw BadInput("connect_four of " + std::to_string(rows) + " rows and " + std::to_string(columns) +
                   " columns is too large: columns * (rows + 1) must be at most " + std::to_string(kBits) + ", not " +
                   std::to_string(columns * (rows + 1)));
  return ConnectFour(rows, columns);
}

Bits ConnectFour::open_columns(const State& s) const {
  const Wide taken = s.stones[0] | s.stones[1];
  Bits out = 0;
  for (int c = 0; c < columns_; ++c)
    if (!has(taken, c * (rows_ + 1) + rows_ - 1)) out |= bit(c);
  return out;
}

void ConnectFour::legal(const State& s, Legal& out) const {
  out.clear();
  if (s.result == board::kRunning) each_bit(open_columns(s), [&out](int c) { out.push(c); });
}

Action ConnectFour::random_wide(const State& s, Rng& rng) const {
  const Bits open = open_columns(s);
  return (open & (open - 1)) == 0 ? lowest(open) : random_bit(open, rng);
}

void ConnectFour::encode(const State& s, Seat seat, int, std::span<float> out) const {
  float* at = out.data();
  for (const Wide& stones : {s.stones[seat], s.stones[1 - seat]})
    at = board::write_plane(at, rows_ * columns_, [&](int cell) { return has(stones, bit_of(cell)); });
  const bool mine = to_act(s) == seat;
  board::write_plane(at, rows_ * columns_, [mine](int) { return mine; });
}

board::Cells ConnectFour::cells(const State& s) const {
  board::Cells out{{rows_, columns_}, {}};
  for (int cell = 0; cell < rows_ * columns_; ++cell)
    out.at.push_back(has(s.stones[0], bit_of(cell)) ? 0 : has(s.stones[1], bit_of(cell)) ? 1 : board::kEmpty);
  return out;
}

Value ConnectFour::position(const State& s) const { return board::write_position(info_, cells(s), s.turn); }

State ConnectFour::from_position(const Value& json) const {
  const board::Cells cells = board::read_position(info_, {rows_, columns_}, json);
  const auto stones = [this](const board::Cells& from, int seat) {
    Wide out;
    for (int cell = 0; cell < rows_ * columns_; ++cell)
      if (from.at[cell] == seat) out = out | wide_bit(bit_of(cell));
    return out;
  };
  for (int cell = columns_; cell < rows_ * columns_; ++cell)
    if (cells.at[cell] == board::kEmpty && cells.at[cell - columns_] != board::kEmpty)
      throw BadInput("a stone in column " + text(cell % columns_) +
                     " of the board hangs in the air: stones fall to the bottom");
  const int turn = board::read_turn(json, cells);
  board::check_winner(
      cells, turn, [&](const board::Cells& c, int seat) { return four(stones(c, seat)); }, "four in a row");
  State s;
  s.stones = {stones(cells, 0), stones(cells, 1)};
  s.turn = turn;
  const bool full = ((s.stones[0] | s.stones[1]) & tops_) == tops_;
  s.result = four(s.stones[1 - turn]) ? board::won_by(1 - turn) : full ? board::kDraw : board::kRunning;
  return s;
}

Action ConnectFour::parse(const std::string& text) const {
  for (int c = 0; c < columns_; ++c)
    if (this->text(c) == text) return c;
  throw BadInput(quoted(text) + " is no action of connect_four; actions are columns from 1 to " +
                 std::to_string(columns_));
}

std::string ConnectFour::picture(const State& s) const {
  return board::caption(info_, static_cast<board::Result>(s.result), s.turn) +
         board::draw(cells(s), false, false, false);
}

}  // namespace kibitz::connect_four
