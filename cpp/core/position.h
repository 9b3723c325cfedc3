// What the readers of positions check in the same way in all games. Everything throws BadInput that says what is wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/optional.h"

namespace kibitz {

// The header of a position: it is of this game, of a version from 1 to `version`, with the options of this game as far
// as it names them, and has no members but these, the options, "game", "version" and "seat". `renamed` is an option
// that stands there as NAME_option, because NAME is something else in positions of the game.
void check_header(const GameInfo& info, int version, const Value& json, const std::vector<std::string>& members,
                  const std::string& renamed = "");

// A state's position has no seat; a view's has one, which is kPublic in that of a public view.
void refuse_view(const Value& json);
Seat view_seat(const Value& json, int seats);

// The entry of a seat in a list that has one per seat.
const Value& per_seat(const Value& list, const std::string& what, int seat, int seats);

// A stream of random numbers: two texts of up to 16 hexadecimal digits, never both zero.
Value stream_json(const Rng& stream);
Rng read_stream(const Value& json, const std::string& what = "stream");

// What the position says of a seat's hand: cards, or {"count": n} of a hidden one in a view's position.
const Value& hand_entry(const GameInfo& info, const Value& json, int seat);
int hidden_count(const Value& hand, int seat, int most);
// The entries of a view's position: cards(seat) of the own hand, count(seat) of the others.
template <class Cards, class Count>
Value view_hands(int seats, Seat own, Cards&& cards, Count&& count) {
  Value::List out;
  for (int seat = 0; seat < seats; ++seat)
    out.push_back(seat == own ? Value(cards(seat)) : Value(Value::Object{{"count", count(seat)}}));
  return out;
}
std::string hand_of(int seat);  // "the hand of seat 2", for messages

// The hook `hands` without a position: names(seat) of every seat, or of `own` alone where the others' are hidden.
template <class Names>
std::vector<HeldCards> show_hands(int seats, Names&& names, std::optional<Seat> own = {}) {
  std::vector<HeldCards> out(seats);
  for (int seat = 0; seat < seats; ++seat) {
    out[seat].hidden = own && *own != seat;
    if (!out[seat].hidden) out[seat].cards = names(seat);
  }
  return out;
}
// The names of cards where a hand is a text with one letter for each.
std::vector<std::string> letters(const std::string& cards);

}  // namespace kibitz
