// What the board games share: two seats in turn, nothing hidden, stones of two kinds on a rectangle of cells.
//
// With perfect information a view is the state and the one consistent world is the state itself, so a game class only
// writes what differs: deal, legal, apply, encode, position, text, parse, picture of a state, and solver_key.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/bits.h"
#include "core/optional.h"
#include "core/position.h"

namespace kibitz::board {

// How a game stands. Numbers, because a table is read with them.
enum Result : std::uint8_t { kRunning, kFirstWon, kSecondWon, kDraw };

constexpr Result won_by(int seat) { return seat == 0 ? kFirstWon : kSecondWon; }

// A uniformly random one of the free cells of a board of one word: no draw where there is no choice, as random_of does.
// Boards of nine cells, and the ends of games on larger ones, are looked up; that is twice as fast as counting bits.
inline constexpr int kLookup = 512;

struct Choices {
  std::uint8_t count;
  std::array<std::uint8_t, 15> cells;
};

inline constexpr auto kChoices = [] {
  std::array<Choices, kLookup> table{};
  for (int free = 0; free < kLookup; ++free)
    for (int i = 0; i < 9; ++i)
      if (free >> i & 1) table[free].cells[table[free].count++] = i;
  return table;
}();

inline Action random_cell(Bits free, Rng& rng) {
  if ((free & (free - 1)) == 0) return lowest(free);
  if (free >= kLookup) return random_bit(free, rng);
  const Choices& choices = kChoices[free];
  return choices.cells[rng.below(choices.count)];
}

// --- positions: rows of text from the top, '.' empty, 'x' seat 0, 'o' seat 1 (board.cpp)

inline constexpr int kVersion = 1;
inline constexpr int kEmpty = -1;

struct Shape {
  int rows, columns;
  int cells() const { return rows * columns; }
};

struct Cells {
  Shape shape;
  std::vector<int> at;  // row by row from the top: kEmpty, or the seat whose stone it is
  int stones(int seat) const;
};

Value write_position(const GameInfo& info, const Cells& cells, int to_act);
Cells read_position(const GameInfo& info, Shape shape, const Value& json);  // checks everything but the stones

// The seat to act: as the position says, or as the numbers of stones do. Seat 0 begins, so it has as many stones as
// seat 1, or one more once it has moved.
int read_turn(const Value& json, const Cells& cells);

// The seats with a finished line (chain) in `wins`; at most one, the one that moved last, and with its last stone:
// some stone of its exists without which nothing is finished.
void check_winner(const Cells& cells, int to_act, const std::function<bool(const Cells&, int seat)>& wins,
                  const std::string& what);

// "x" or "o" by row with letters above and numbers on the left; `slant` moves each row half a cell to the right.
std::string draw(const Cells& cells, bool letters, bool numbers, bool slant);
std::string caption(const GameInfo& info, Result result, int to_act);

// 'b2': the column's letter, the row's number from the top.
std::string cell_text(Shape shape, int cell);
Action parse_cell(const GameInfo& info, Shape shape, const std::string& text);

// Reads the option `name` where `allowed` has it; every game takes players=2.
void read_option(const std::string& game, const std::string& name, const Value& value,
                 const std::vector<std::pair<std::string, std::function<void(const Value&)>>>& allowed);

GameInfo two_seats(const std::string& name, int actions, std::vector<EncoderInfo> encoders, Value::Object options);

// --- the contract's functions that are the same for all of them

inline constexpr std::uint64_t hash_words(std::span<const std::uint64_t> words, std::uint64_t seed) {
  for (std::uint64_t w : words) seed = mix(seed, w);
  return seed;
}

// Self has: State with `turn` (the seat to act) and `result`; solver_key(State), an array of words that differ for
// states that differ.
template <class Self, class S, int Capacity>
class PerfectInformation {
 public:
  using State = S;
  using View = ViewOf<S>;
  using Legal = ActionList<Capacity>;

  Seat to_act(const S& s) const { return s.result == kRunning ? s.turn : kOver; }

  void legal(const View& v, Legal& out) const {
    out.clear();
    if (to_act(v.known) == v.seat) self().legal(v.known, out);
  }

  void payoff(const S& s, std::span<double> out) const {
    constexpr double kFirst[] = {0, 1, -1, 0};
    out[0] = kFirst[s.result];
    out[1] = -out[0];
  }

  View view(const S& s, Seat seat) const { return {s, seat}; }
  S sample(const View& v, Rng&) const { return v.known; }  // nothing is hidden: there is one world
  void each_world(const View& v, const WorldVisitor<S>& f) const { f(v.known, 1); }
  std::uint64_t key(const View& v) const { return hash_words(self().solver_key(v.known), v.seat); }

  Value position(const View& v) const {
    Value out = self().position(v.known);
    out.set("seat", v.seat);
    return out;
  }

  View from_view(const Value& json) const { return {self().from_position(json), view_seat(json, 2)}; }

  std::string picture(const View& v) const { return self().picture(v.known); }
  const GameInfo& info() const { return info_; }

 protected:
  GameInfo info_;

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
};

// Planes of the encoders: `is(cell)` tells where the ones are, cells row by row from the top.
template <class F>
float* write_plane(float* out, int cells, F&& is) {
  for (int i = 0; i < cells; ++i) *out++ = is(i) ? 1.0f : 0.0f;
  return out;
}

}  // namespace kibitz::board
