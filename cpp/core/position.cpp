#include "core/position.h"

namespace kibitz {

void check_header(const GameInfo& info, int version, const Value& json, const std::vector<std::string>& members,
                  const std::string& renamed) {
  const std::string what = "a position of " + info.name;
  std::vector<std::string> allowed = {"game", "version", "seat"};
  allowed.insert(allowed.end(), members.begin(), members.end());
  for (const auto& [name, value] : *info.options.get<Value::Object>())
    allowed.push_back(name == renamed ? name + "_option" : name);
  for (const auto& [name, value] : json.object(what)) one_of("member of " + what + ":", name, allowed);
  if (const Value* name = json.find("game"); name && name->string("game") != info.name)
    throw BadInput("this is a position of " + quoted(name->string("game")) + ", not of " + info.name);
  if (const Value* v = json.find("version")) v->integer("version of " + what, 1, version);
  for (const auto& [name, value] : *info.options.get<Value::Object>())
    if (const Value* v = json.find(name == renamed ? name + "_option" : name); v && v->describe() != value.describe())
      throw BadInput("the position has " + name + " " + v->describe() + ", this game has " + value.describe());
}

void refuse_view(const Value& json) {
  if (json.find("seat"))
    throw BadInput("this is the position of a view (it has a seat): cards are unknown, it cannot be played");
}

Seat view_seat(const Value& json, int seats) {
  const Value* seat = json.find("seat");
  if (!seat) throw BadInput("the position of a view needs a seat");
  return static_cast<Seat>(seat->integer("seat", 0, seats - 1));
}

const Value& per_seat(const Value& list, const std::string& what, int seat, int seats) {
  const auto& entries = list.list(what);
  if (static_cast<int>(entries.size()) != seats)
    throw BadInput(what + " must have one entry per seat, " + std::to_string(seats) + ", not " +
                   std::to_string(entries.size()));
  return entries[static_cast<std::size_t>(seat)];
}

const Value& hand_entry(const GameInfo& info, const Value& json, int seat) {
  const Value* hands = json.find("hands");
  if (!hands) throw BadInput("a position of " + info.name + " needs hands, the cards of each seat");
  return per_seat(*hands, "hands", seat, info.seats);
}

int hidden_count(const Value& hand, int seat, int most) {
  const Value* count = hand.find("count");
  if (!count) throw BadInput("in a view's position " + hand_of(seat) + " is {\"count\": n}");
  return static_cast<int>(count->integer("count of cards", 0, most));
}

std::string hand_of(int seat) { return "the hand of seat " + std::to_string(seat); }

}  // namespace kibitz
