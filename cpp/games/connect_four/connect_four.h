// Connect Four on any board whose bits fit two words. README.md beside this file has actions and positions.
#pragma once

#include <cstdlib>

#include "games/board/board.h"

namespace kibitz::connect_four {

// 128 bits in portable arithmetic, with the few operators that the rules need.
struct Wide {
  Bits low = 0, high = 0;
  friend constexpr bool operator==(const Wide&, const Wide&) = default;
  friend constexpr Wide operator|(Wide a, Wide b) { return {a.low | b.low, a.high | b.high}; }
  friend constexpr Wide operator&(Wide a, Wide b) { return {a.low & b.low, a.high & b.high}; }
  friend constexpr Wide operator+(Wide a, Wide b) {
    const Bits low = a.low + b.low;
    return {low, a.high + b.high + (low < a.low)};
  }
  friend constexpr Wide operator>>(Wide a, int n) {  // n > 0
    if (n >= 64) return {n < 128 ? a.high >> (n - 64) : 0, 0};
    return {a.low >> n | a.high << (64 - n), a.high >> n};
  }
};

constexpr bool any(Bits b) { return b != 0; }
constexpr bool any(Wide b) { return (b.low | b.high) != 0; }

struct State {
  // Column after column, each from the bottom with an empty guard cell on top, which keeps lines from running over the
  // edge. Boards of up to 64 bits use the low words alone.
  std::array<Wide, 2> stones{};
  std::uint8_t turn = 0;
  std::uint8_t result = board::kRunning;
  friend bool operator==(const State&, const State&) = default;
};

class ConnectFour : public board::PerfectInformation<ConnectFour, State, 20> {
  using Base = board::PerfectInformation<ConnectFour, State, 20>;

 public:
  static constexpr const char* kName = "connect_four";
  static constexpr int kMaxSide = 20, kBits = 128;

  ConnectFour(int rows, int columns);
  static ConnectFour make(const Value& options);

  State deal(Rng&) const { return {}; }
  using Base::legal;
  void legal(const State& s, Legal& out) const;
  Action random_legal(const State& s, Rng& rng) const {
    if (wide_) return random_wide(s, rng);
    const Bits open = tops_.low & ~(s.stones[0].low | s.stones[1].low);
    return column_of_[choose_bit(open, rng)];
  }
  void apply(State& s, Action a) const {
    if (wide_) return drop(s, a, [](auto& w) -> auto& { return w; });
    drop(s, a, [](auto& w) -> auto& { return w.low; });
  }
  void encode(const State& s, Seat seat, int encoder, std::span<float> out) const;
  using Base::position;
  Value position(const State& s) const;
  State from_position(const Value& json) const;
  std::string text(Action a) const { return std::to_string(a + 1); }
  Action parse(const std::string& text) const;
  using Base::picture;
  std::string picture(const State& s) const;

  // Everything that matters for the rest of the game: turn and result follow from the stones.
  std::array<std::uint64_t, 4> solver_key(const State& s) const {
    return {s.stones[0].low, s.stones[1].low, s.stones[0].high, s.stones[1].high};
  }
  // Columns near the middle first.
  int promise(const State&, Action a) const { return -std::abs(2 * a - columns_ + 1); }

 private:
  // Four in a row, in any of the four directions: shifting the stones onto themselves finds pairs, and pairs of pairs.
  template <class Word>
  bool four(Word b) const {
    bool found = false;
    for (int step : {1, rows_, rows_ + 1, rows_ + 2}) {
      const Word pairs = b & (b >> step);
      found |= any(pairs & (pairs >> (2 * step)));
    }
    return found;
  }

  // `part` picks the word to work on. Adding a stone to the bottom of a column carries it to the first free cell.
  template <class Part>
  void drop(State& s, Action a, Part part) const {
    auto& mine = part(s.stones[s.turn]);
    const auto taken = mine | part(s.stones[s.turn ^ 1]);
    const auto stone = (taken + part(bottom_[a])) & part(column_[a]);
    mine = mine | stone;
    const bool full = ((taken | stone) & part(tops_)) == part(tops_);
    s.result = four(mine) ? board::won_by(s.turn) : full ? board::kDraw : board::kRunning;
    s.turn ^= 1;
  }

  Action random_wide(const State& s, Rng& rng) const;
  Bits open_columns(const State& s) const;
  // The bit of a cell, cells row by row from the top.
  int bit_of(int cell) const { return cell % columns_ * (rows_ + 1) + rows_ - 1 - cell / columns_; }
  board::Cells cells(const State& s) const;

  int rows_, columns_;
  bool wide_;  // more than 64 bits
  Wide tops_;  // the highest cell of every column
  std::array<Wide, kMaxSide> bottom_{}, column_{};
  std::array<std::uint8_t, 64> column_of_{};  // [bit]
};

static_assert(PlainGame<ConnectFour>);
static_assert(has_exactly<ConnectFour>({Hook::kRandomLegal, Hook::kEachWorld, Hook::kSolverKey, Hook::kPromise}));

}  // namespace kibitz::connect_four
