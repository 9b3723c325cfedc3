// Options, names, pictures, and positions: JSON <-> State and View. README.md has the format.
#include "core/position.h"

#include "games/mini_doudizhu/mini_doudizhu.h"

namespace kibitz::mini_doudizhu {

namespace {

constexpr int kVersion = 1;
constexpr char kNames[] = "3456BR";

std::string hand_text(Hand h) {
  std::string out;
  for (int rank = 0; rank < kRanks; ++rank) out += std::string(count(h, rank), kNames[rank]);
  return out;
}

int size(Hand h) { return hand_text(h).size(); }

// Cards as one text, "3346B"; never more of a rank than the deck has left.
Hand read_cards(const Value& json, const std::string& where, Hand& left) {
  Hand out = 0;
  for (char c : json.string(where)) {
    const std::size_t rank = std::string(kNames).find(c);
    if (rank == std::string::npos)
      throw BadInput("unknown card " + quoted(std::string(1, c)) + " in " + where + "; cards are 3, 4, 5, 6, B, R");
    const int r = rank;
    if (count(left, r) == 0)
      throw BadInput(std::string("too many ") + c + ": the deck has " + std::to_string(copies(r)) +
                     ", one more is in " + where);
    left -= cards(r, 1);
    out += cards(r, 1);
  }
  return out;
}

const std::vector<std::string> kMembers = {"to_act", "to_beat", "hands", "played"};

void read_played(const Value& json, int seat, State& s, Hand& left) {
  if (const Value* v = json.find("played"))
    s.played[seat] =
        read_cards(per_seat(*v, "played", seat, 2), "the cards played by seat " + std::to_string(seat), left);
}

void check_count(int in_hand, Hand played, int seat) {
  if (in_hand + size(played) != kHandSize)
    throw BadInput("seat " + std::to_string(seat) + " has " + std::to_string(in_hand) + " cards in hand and " +
                   std::to_string(size(played)) + " played; together it must be 7");
}

// Turn and the group on the table, once hands and played cards are known.
void read_turn(const MiniDouDiZhu& game, const Value& json, State& s) {
  if (const Value* v = json.find("to_act")) s.turn = v->integer("to_act", 0, 1);
  if (const Value* v = json.find("to_beat")) {
    const Action a = game.parse(v->string("to_beat"));
    if (a == kPass) throw BadInput("to_beat must be a group of cards; leave it out where the seat to act leads");
    if (count(s.played[1 - s.turn], rank_of(a)) < size_of(a))
      throw BadInput("to_beat must be among the cards that the other seat has played");
    s.to_beat = a;
  }
  if (s.counts[s.turn] == 0) throw BadInput("the seat to act has no cards left");
  s.over = s.counts[1 - s.turn] == 0;
  if (s.over && s.to_beat == kPass) throw BadInput("the last group that was played, to_beat, is missing");
}

void write_table(const MiniDouDiZhu& game, const State& s, Value& out) {
  out.set("to_act", s.turn);
  if (s.to_beat != kPass) out.set("to_beat", game.text(s.to_beat));
}

Value header() { return Value::Object{{"game", MiniDouDiZhu::kName}, {"version", kVersion}}; }

// With both hands; of a view with its own alone.
std::string table_text(const MiniDouDiZhu& game, const State& s, std::optional<Seat> own = {}) {
  std::string out = s.to_beat == kPass ? "mini_doudizhu, a free lead" : "mini_doudizhu, on the table: ";
  if (s.to_beat != kPass) out += game.text(s.to_beat);
  for (int i = 0; i < 2; ++i) {
    out += std::string(game.to_act(s) == i ? "\n> " : "\n  ") + "seat " + std::to_string(i) + "  " +
           std::to_string(s.counts[i]) + (s.counts[i] == 1 ? " card " : " cards");
    if (!own || *own == i) out += "  " + hand_text(s.hands[i]);
    if (s.played[i]) out += "  (played " + hand_text(s.played[i]) + ")";
  }
  if (s.over) out += std::string("\nover: seat ") + (s.counts[0] == 0 ? "0" : "1") + " won";
  return out;
}

}  // namespace

MiniDouDiZhu MiniDouDiZhu::make(const Value& options) {
  for (const auto& [name, value] : options.object("options of mini_doudizhu")) {
    if (name != "players") throw BadInput("option of mini_doudizhu: " + quoted(name) + " is unknown; it takes none");
    value.integer("players of mini_doudizhu", 2, 2);
  }
  return MiniDouDiZhu();
}

std::string MiniDouDiZhu::text(Action a) const {
  if (a == kPass) return "pass";
  return std::string(size_of(a), kNames[rank_of(a)]);
}

Action MiniDouDiZhu::parse(const std::string& text) const {
  for (Action a = 0; a < kActions; ++a)
    if (this->text(a) == text) return a;
  throw BadInput(quoted(text) +
                 " is no action of mini_doudizhu; actions are pass, B, R, and one to four of 3, 4, 5 or "
                 "6, for example 3 or 555");
}

std::string MiniDouDiZhu::picture(const State& s) const { return table_text(*this, s); }
std::string MiniDouDiZhu::picture(const View& v) const { return table_text(*this, v.known, v.seat); }

Value MiniDouDiZhu::position(const State& s) const {
  Value out = header();
  write_table(*this, s, out);
  out.set("hands", Value::List{hand_text(s.hands[0]), hand_text(s.hands[1])});
  out.set("played", Value::List{hand_text(s.played[0]), hand_text(s.played[1])});
  return out;
}

Value MiniDouDiZhu::position(const View& v) const {
  Value out = header();
  out.set("seat", v.seat);
  write_table(*this, v.known, out);
  const State& s = v.known;
  out.set("hands",
          view_hands(2, v.seat, [&](int i) { return hand_text(s.hands[i]); }, [&](int i) { return s.counts[i]; }));
  out.set("played", Value::List{hand_text(v.known.played[0]), hand_text(v.known.played[1])});
  return out;
}

std::vector<HeldCards> MiniDouDiZhu::hands(const State& s) const {
  return show_hands(2, [&](int i) { return letters(hand_text(s.hands[i])); });
}

std::vector<HeldCards> MiniDouDiZhu::hands(const View& v) const {
  return show_hands(2, [&](int i) { return letters(hand_text(v.known.hands[i])); }, v.seat);
}

State MiniDouDiZhu::from_position(const Value& json) const {
  check_header(info_, kVersion, json, kMembers);
  refuse_view(json);
  State s;
  Hand left = kDeck;
  for (int i = 0; i < 2; ++i) {
    s.hands[i] = read_cards(hand_entry(info_, json, i), hand_of(i), left);
    read_played(json, i, s, left);
    s.counts[i] = size(s.hands[i]);
    check_count(s.counts[i], s.played[i], i);
  }
  read_turn(*this, json, s);
  return s;
}

View MiniDouDiZhu::from_view(const Value& json) const {
  check_header(info_, kVersion, json, kMembers);
  View v{State{}, view_seat(json, 2)};
  State& s = v.known;
  Hand left = kDeck;
  for (int i = 0; i < 2; ++i) {
    const Value& hand = hand_entry(info_, json, i);
    read_played(json, i, s, left);
    if (i == v.seat) {
      s.hands[i] = read_cards(hand, hand_of(i), left);
      s.counts[i] = size(s.hands[i]);
    } else {
      s.counts[i] = hidden_count(hand, i, kHandSize);
    }
    check_count(s.counts[i], s.played[i], i);
  }
  read_turn(*this, json, s);
  return v;
}

}  // namespace kibitz::mini_doudizhu
