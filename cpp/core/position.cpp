#include "core/position.h"

#include <charconv>

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

namespace {

std::string hex(std::uint64_t x) {
  const char* digits = "0123456789abcdef";
  std::string out(16, '0');
  for (int i = 15; i >= 0; --i, x >>= 4) out[i] = digits[x & 15];
  return out;
}

}  // namespace

Value stream_json(const Rng& stream) { return Value::List{hex(stream.a()), hex(stream.b())}; }

Rng read_stream(const Value& json, const std::string& what) {
  const auto fail = [&] { throw BadInput(what + " must be two texts of up to 16 hexadecimal digits"); };
  const auto& parts = json.list(what);
  if (parts.size() != 2) fail();
  std::uint64_t words[2] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string& text = parts[i].string(what);
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, words[i], 16);
    if (text.size() > 16 || read.ec != std::errc() || read.ptr != end) fail();
  }
  const Rng out(words[0], words[1]);
  if (out == Rng()) throw BadInput(what + " must not be all zero");
  return out;
}

void refuse_view(const Value& json) {
  if (json.find("seat"))
    throw BadInput("this is the position of a view (it has a seat): cards are unknown, it cannot be played");
}

Seat view_seat(const Value& json, int seats) {
  const Value* seat = json.find("seat");
  if (!seat) throw BadInput("the position of a view needs a seat");
  return seat->integer("seat", kPublic, seats - 1);
}

const Value& per_seat(const Value& list, const std::string& what, int seat, int seats) {
  const auto& entries = list.list(what);
  if (static_cast<int>(entries.size()) != seats)
    throw BadInput(what + " must have one entry per seat, " + std::to_string(seats) + ", not " +
                   std::to_string(entries.size()));
  return entries[seat];
}

const Value& hand_entry(const GameInfo& info, const Value& json, int seat) {
  const Value* hands = json.find("hands");
  if (!hands) throw BadInput("a position of " + info.name + " needs hands, the cards of each seat");
  return per_seat(*hands, "hands", seat, info.seats);
}

int hidden_count(const Value& hand, int seat, int most) {
  const Value* count = hand.find("count");
  if (!count) throw BadInput("in a view's position " + hand_of(seat) + " is {\"count\": n}");
  return count->integer("count of cards", 0, most);
}

std::vector<std::string> letters(const std::string& cards) {
  std::vector<std::string> out;
  for (char c : cards) out.emplace_back(1, c);
  return out;
}

std::string hand_of(int seat) { return "the hand of seat " + std::to_string(seat); }

}  // namespace kibitz
