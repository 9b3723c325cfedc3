#include "games/hex/hex.h"

namespace kibitz::hex {

namespace {

bool has(const Board& b, int cell) { return b[cell >> 6] >> (cell & 63) & 1; }
void add(Board& b, int cell) { b[cell >> 6] |= bit(cell & 63); }

}  // namespace

Hex::Hex(int size, bool swap) : size_(size), cells_(size * size), small_(size <= kSmall), swap_(swap) {
  info_ = board::two_seats(kName, cells_ + swap, {{"planes", {4, size, size}, false, true}},
                           {{"size", size}, {"swap", swap}});
  for (int cell = 0; cell < cells_; ++cell) {
    const int row = cell / size, column = cell % size;
    add(all_, cell);
    if (!small_) ++blank_.free[cell >> 6];
    if (row == 0) add(first_edge_[0], cell);
    if (row == size - 1) add(last_edge_[0], cell);
    if (column == 0) add(first_edge_[1], cell);
    if (column == size - 1) add(last_edge_[1], cell);
    constexpr int kSteps[6][2] = {{-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}};
    for (int i = 0; i < 6; ++i) {
      const int r = row + kSteps[i][0], c = column + kSteps[i][1];
      const bool on_board = r >= 0 && r < size && c >= 0 && c < size;
      const int next = on_board ? r * size + c : cell;
      neighbours_[cell][i] = next;
      if (small_ && on_board) near_[cell] |= bit(next);
    }
  }
  left_column_ = first_edge_[1][0];
}

Hex Hex::make(const Value& options) {
  int size = 11;
  bool swap = false;
  for (const auto& [name, value] : options.object("options of hex"))
    board::read_option(kName, name, value,
                       {{"size", [&](const Value& v) { size = v.integer("size of hex", kLeast, kMaxSide); }},
                        {"swap", [&](const Value& v) { swap = v.boolean("swap of hex"); }}});
  return Hex(size, swap);
}

bool Hex::first_move_made(const State& s) const {
  int stones = 0;
  for (Bits word : s.stones[0]) stones += count_bits(word);
  return stones == 1 && s.stones[1] == Board{};
}

void Hex::legal(const State& s, Legal& out) const {
  out.clear();
  if (s.result != board::kRunning) return;
  for (int w = 0; w * 64 < cells_; ++w)
    each_bit(all_[w] & ~(s.stones[0][w] | s.stones[1][w]), [&out, w](int i) { out.push(w * 64 + i); });
  if (may_swap(s)) out.push(cells_);
}

Action Hex::random_large(const State& s, Rng& rng) const {
  const auto open = [&](int w) { return all_[w] & ~(s.stones[0][w] | s.stones[1][w]); };
  std::array<std::uint8_t, kWords> free = s.free;
  if (small_) free[0] = count_bits(open(0));
  int total = may_swap(s);
  for (int n : free) total += n;
  int k = total == 1 ? 0 : rng.below(total);
  int w = 0;
  for (; w < kWords && k >= free[w]; ++w) k -= free[w];
  if (w == kWords) return cells_;  // the swap comes last
  return w * 64 + nth_bit(open(w), k);
}

void Hex::link_large(State& s, int seat, int cell) const {
  Board& linked = s.linked[seat];
  bool joins = has(first_edge_[seat], cell);
  for (int next : neighbours_[cell]) joins |= has(linked, next);
  if (!joins) return;
  std::array<std::int16_t, kMaxCells> stack;
  int depth = 0;
  const auto enter = [&](int at) {
    add(linked, at);
    stack[depth++] = at;
    if (has(last_edge_[seat], at)) s.result = board::won_by(seat);
  };
  enter(cell);
  while (depth > 0)
    for (int next : neighbours_[stack[--depth]])
      if (has(s.stones[seat], next) && !has(linked, next)) enter(next);
}

// The second player takes the first stone, as its own and mirrored, so that the seats keep their edges.
void Hex::take_over(State& s) const {
  int cell = 0;
  while (!has(s.stones[0], cell)) ++cell;
  State after = blank_;
  const int mirrored = cell % size_ * size_ + cell / size_;
  after.turn = 1;
  apply(after, mirrored);
  s = after;
}

void Hex::encode(const State& s, Seat seat, int, std::span<float> out) const {
  float* at = out.data();
  for (const Board& stones : {s.stones[seat], s.stones[1 - seat]})
    at = board::write_plane(at, cells_, [&stones](int cell) { return has(stones, cell); });
  const bool mine = to_act(s) == seat, down = seat == 0;
  at = board::write_plane(at, cells_, [mine](int) { return mine; });
  board::write_plane(at, cells_, [down](int) { return down; });
}

board::Cells Hex::cells(const State& s) const {
  board::Cells out{{size_, size_}, {}};
  for (int cell = 0; cell < cells_; ++cell)
    out.at.push_back(has(s.stones[0], cell) ? 0 : has(s.stones[1], cell) ? 1 : board::kEmpty);
  return out;
}

Value Hex::position(const State& s) const { return board::write_position(info_, cells(s), s.turn); }

State Hex::from_position(const Value& json) const {
  const board::Cells cells = board::read_position(info_, {size_, size_}, json);
  const auto read = [this](const board::Cells& from) {
    State s = blank_;
    for (int cell = 0; cell < cells_; ++cell)
      if (const int seat = from.at[cell]; seat != board::kEmpty) {
        s.turn = seat;
        apply(s, cell);
      }
    return s;
  };
  // Chains of both colours at once cannot be, so one result tells who has one.
  const auto connected = [&](const board::Cells& c, int seat) { return read(c).result == board::won_by(seat); };
  int turn = 0;
  if (swap_) {
    const int more = cells.stones(0) - cells.stones(1);
    const Value* to_act = json.find("to_act");
    turn = to_act ? to_act->integer("to_act", 0, 1) : more > 0;
    // After a swap seat 1 is one stone ahead of where it would be, and it was seat 0's first stone that went.
    if (more != turn && (more != turn - 1 || cells.stones(1) == 0))
      throw BadInput(
          "the board has " + std::to_string(cells.stones(0)) + " x and " + std::to_string(cells.stones(1)) +
          " o; with seat " + std::to_string(turn) + " to act there must be " +
          (turn ? "as many x as o (after a swap), or one more" : "as many x as o, or one less (after a swap)"));
  } else {
    turn = board::read_turn(json, cells);
  }
  board::check_winner(cells, turn, connected, "a chain");
  State s = read(cells);
  s.turn = turn;
  return s;
}

Action Hex::parse(const std::string& text) const {
  if (swap_ && text == "swap") return cells_;
  return board::parse_cell(info_, {size_, size_}, text);
}

std::string Hex::picture(const State& s) const {
  return board::caption(info_, static_cast<board::Result>(s.result), s.turn) + board::draw(cells(s), true, true, true);
}

}  // namespace kibitz::hex
