#include "games/board/board.h"

#include <algorithm>
#include <cctype>

namespace kibitz::board {

namespace {

constexpr char kStones[] = {'.', 'x', 'o'};  // [seat + 1]

std::string letter(int column) { return std::string(1, static_cast<char>('a' + column)); }

}  // namespace

int Cells::stones(int seat) const { return std::count(at.begin(), at.end(), seat); }

Value write_position(const GameInfo& info, const Cells& cells, int to_act) {
  Value out(Value::Object{{"game", info.name}, {"version", kVersion}});
  for (const auto& [name, value] : *info.options.get<Value::Object>()) out.set(name, value);
  Value::List rows;
  for (int r = 0; r < cells.shape.rows; ++r) {
    std::string row;
    for (int c = 0; c < cells.shape.columns; ++c) row += kStones[cells.at[r * cells.shape.columns + c] + 1];
    rows.emplace_back(row);
  }
  out.set("board", rows);
  out.set("to_act", to_act);
  return out;
}

Cells read_position(const GameInfo& info, Shape shape, const Value& json) {
  check_header(info, kVersion, json, {"board", "to_act"});
  const Value* board = json.find("board");
  if (!board) throw BadInput("a position of " + info.name + " needs a board: a list of rows, from the top");
  const auto& rows = board->list("board");
  const std::size_t n = shape.rows, m = shape.columns;
  if (rows.size() != n)
    throw BadInput("board must have " + std::to_string(n) + " rows, not " + std::to_string(rows.size()));
  Cells cells{shape, {}};
  for (const Value& row : rows) {
    const std::string& text = row.string("a row of the board");
    if (text.size() != m)
      throw BadInput("every row of the board must have " + std::to_string(m) + " cells, not " + quoted(text));
    for (char c : text) {
      if (c != '.' && c != 'x' && c != 'o')
        throw BadInput("unknown cell " + quoted(std::string(1, c)) + " in the board; allowed: x, o, .");
      cells.at.push_back(c == '.' ? kEmpty : c == 'o');
    }
  }
  return cells;
}

int read_turn(const Value& json, const Cells& cells) {
  const int x = cells.stones(0), o = cells.stones(1);
  if (x != o && x != o + 1)
    throw BadInput("the board has " + std::to_string(x) + " x and " + std::to_string(o) +
                   " o; x begins, so there must be as many x as o, or one more");
  const int turn = x > o;
  if (const Value* v = json.find("to_act"); v && v->integer("to_act", 0, 1) != turn)
    throw BadInput("to_act must be " + std::to_string(turn) + " with " + std::to_string(x) + " x and " +
                   std::to_string(o) + " o on the board");
  return turn;
}

void check_winner(const Cells& cells, int to_act, const std::function<bool(const Cells&, int seat)>& wins,
                  const std::string& what) {
  if (wins(cells, to_act))
    throw BadInput(std::string(1, kStones[to_act + 1]) + " has " + what + ", but the other side has moved since");
  const int last = 1 - to_act;
  if (!wins(cells, last)) return;
  Cells before = cells;
  for (int& cell : before.at) {
    if (cell != last) continue;
    cell = kEmpty;
    if (!wins(before, last)) return;
    cell = last;
  }
  throw BadInput(std::string(1, kStones[last + 1]) + " has " + what + " that no single move can have finished");
}

std::string draw(const Cells& cells, bool letters, bool numbers, bool slant) {
  const int width = numbers ? std::to_string(cells.shape.rows).size() : 0;
  std::string out(width, ' ');
  for (int c = 0; c < cells.shape.columns; ++c) {
    if (numbers || c) out += ' ';
    out += letters ? letter(c) : std::to_string((c + 1) % 10);  // one character each, so that columns stay in line
  }
  for (int r = 0; r < cells.shape.rows; ++r) {
    std::string row = numbers ? std::to_string(r + 1) : "";
    row.insert(0, width - row.size(), ' ');
    if (slant) row += std::string(r, ' ');
    for (int c = 0; c < cells.shape.columns; ++c) {
      if (numbers || c) row += ' ';
      row += kStones[cells.at[r * cells.shape.columns + c] + 1];
    }
    out += "\n" + row;
  }
  return out;
}

std::string caption(const GameInfo& info, Result result, int to_act) {
  static const char* const kWords[] = {"", "over: x (seat 0) won", "over: o (seat 1) won", "over: a draw"};
  if (result != kRunning) return info.name + ", " + kWords[result] + "\n";
  return info.name + ", " + (to_act == 0 ? "x (seat 0)" : "o (seat 1)") + " to move\n";
}

std::string cell_text(Shape shape, int cell) {
  return letter(cell % shape.columns) + std::to_string(cell / shape.columns + 1);
}

Action parse_cell(const GameInfo& info, Shape shape, const std::string& text) {
  if (text.size() == 2 || text.size() == 3) {
    int row = 0;
    for (char c : text.substr(1)) row = row * 10 + (c - '0');
    const int column = text[0] - 'a', cell = (row - 1) * shape.columns + column;
    // What is no cell, or another way to write one (a01), does not come back as the same text.
    if (column >= 0 && column < shape.columns && row >= 1 && row <= shape.rows && cell_text(shape, cell) == text)
      return cell;
  }
  throw BadInput(quoted(text) + " is no action of " + info.name + "; actions are cells from a1 to " +
                 cell_text(shape, shape.cells() - 1));
}

void read_option(const std::string& game, const std::string& name, const Value& value,
                 const std::vector<std::pair<std::string, std::function<void(const Value&)>>>& allowed) {
  // Callers that count the agents tell every game the number of players.
  if (name == "players") {
    value.integer("players of " + game, 2, 2);
    return;
  }
  std::vector<std::string> names;
  for (const auto& [known, read] : allowed) names.push_back(known);
  allowed[one_of("option of " + game + ":", name, names)].second(value);
}

GameInfo two_seats(const std::string& name, int actions, std::vector<EncoderInfo> encoders, Value::Object options) {
  return {name, 2, actions, -1, 1, true, {0, 1}, std::move(encoders), Value(std::move(options)), false};
}

}  // namespace kibitz::board
