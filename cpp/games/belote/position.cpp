// Positions: JSON <-> State and View. README.md has the format.
#include "core/position.h"

#include <algorithm>

#include "games/belote/belote.h"

namespace kibitz::belote {

namespace {

constexpr int kVersion = 1;
const std::vector<std::string> kPhases = {"first", "second", "play", "over"};
const std::vector<std::string> kSuitWords = {"s", "h", "d", "c"};

// ---------------------------------------------------------------------------------------------------- writing

// Five each while there is no trump, then what has not been played.
int cards_in_hand(const Belote& game, const State& s, int seat) {
  return s.trump == kNoSuit ? 5 : game.hand_size() - std::popcount(s.played[seat]);
}

std::vector<std::string> card_names(Cards cards) {
  std::vector<std::string> out;
  each_bit(cards, [&out](int c) { out.push_back(card_text(c)); });
  return out;
}

Value cards_json(Cards cards) {
  const auto names = card_names(cards);
  return Value::List(names.begin(), names.end());
}

Value seats_json(const std::array<Cards, kSeats>& sets) {
  Value::List out;
  for (Cards cards : sets) out.push_back(cards_json(cards));
  return out;
}

Value pair_json(const std::array<std::uint8_t, 2>& pair) { return Value::List{pair[0], pair[1]}; }

// `cards`, `rules` and what differs from the defaults of these rules, so that a position says which game it belongs to.
Value header(const Belote& game) {
  Value out(Value::Object{{"game", "belote"}, {"version", kVersion}});
  const Value rules(Value::Object{{"rules", game.official() ? "official" : "olech"}});
  const GameInfo plain = Belote::make(rules).info();
  for (const auto& [name, value] : *game.info().options.get<Value::Object>())
    if (name == "cards" || name == "rules" || value.describe() != plain.options.find(name)->describe())
      out.set(name == "trump" ? "trump_option" : name, value);
  return out;
}

void write_table(const State& s, Value& out) {
  out.set("phase", kPhases[static_cast<std::size_t>(s.phase)]);
  out.set("to_act", s.actor);
  if (s.trump != kNoSuit) out.set("trump", kSuitWords[s.trump]);
  if (s.turned != kNoCard) out.set("turned", card_text(s.turned));
  if (s.taker != State::kNobody) out.set("taker", s.taker);
  if (s.trump == kNoSuit) return;
  Value::List trick;
  for (int i = 0; i < s.in_trick; ++i) trick.emplace_back(card_text(s.trick[i]));
  out.set("trick", trick);
  out.set("played", seats_json(s.played));
  out.set("points", pair_json(s.points));
  out.set("tricks", pair_json(s.tricks));
  out.set("barred", seats_json(s.barred));
}

// ---------------------------------------------------------------------------------------------------- reading

const std::vector<std::string> kMembers = {"trump",  "phase",  "to_act", "turned", "taker", "trick",
                                           "played", "points", "tricks", "barred", "hands", "talon"};

// Takes cards out of what the deck still has, so that none is there twice.
class Deck {
 public:
  explicit Deck(Cards cards) : left_(cards) {}

  Card take(const Value& v, const std::string& where) {
    const Card c = read(v, where);
    if (!(left_ & one(c))) throw BadInput(card_text(c) + " in " + where + " is elsewhere already, or not in this deck");
    left_ ^= one(c);
    return c;
  }
  Cards take_all(const Value& v, const std::string& where) {
    Cards out = 0;
    for (const Value& item : v.list(where)) out |= one(take(item, where));
    return out;
  }
  static Card read(const Value& v, const std::string& where) {
    const std::string& text = v.string("a card in " + where);
    const Card c = parse_card(text);
    if (c == kNoCard)
      throw BadInput("unknown card " + quoted(text) + " in " + where + "; cards are 7s to As, 7h to Ah, 7d, 7c");
    return c;
  }
  Cards left() const { return left_; }

 private:
  Cards left_;
};

std::uint8_t read_small(const Value& json, const char* name, int missing, int high) {
  const Value* v = json.find(name);
  return v ? v->integer(name, 0, high) : missing;
}

void read_pair(const Value& json, const char* name, int high, std::array<std::uint8_t, 2>& out) {
  const Value* v = json.find(name);
  if (!v) return;
  if (v->list(name).size() != 2) throw BadInput(std::string(name) + " is [of seats 0 and 2, of seats 1 and 3]");
  for (std::size_t i = 0; i < 2; ++i) out[i] = v->list(name)[i].integer(name, 0, high);
}

void read_contract(const Belote& game, const Value& json, State& s) {
  const bool bidding = game.options().bidding;
  if (const Value* v = json.find("phase")) s.phase = static_cast<Phase>(one_of("phase", v->string("phase"), kPhases));
  if (!bidding && s.phase < Phase::kPlay) throw BadInput("without bidding the phase is 'play' or 'over'");
  s.actor = read_small(json, "to_act", 0, kSeats - 1);
  if (const Value* v = json.find("trump")) s.trump = one_of("trump", v->string("trump"), kSuitWords);
  if (const Value* v = json.find("turned")) s.turned = Deck::read(*v, "turned");
  if (json.find("taker")) s.taker = read_small(json, "taker", 0, kSeats - 1);
  if (!bidding) {
    if (s.turned != kNoCard || s.taker != State::kNobody)
      throw BadInput("without bidding there is no turned, no taker");
    const int option = game.options().trump;
    if (s.trump == kNoSuit && option != Options::kRandomTrump) s.trump = option;
    if (s.trump == kNoSuit) throw BadInput("a position of this game needs a trump: s, h, d or c");
    if (option != Options::kRandomTrump && s.trump != option)
      throw BadInput("trump is fixed to " + kSuitWords[option] + " in this game");
    return;
  }
  if (s.turned == kNoCard) throw BadInput("with bidding a position needs the card turned up, \"turned\"");
  const bool taken = s.trump != kNoSuit;
  if (taken != (s.taker != State::kNobody)) throw BadInput("trump and taker go together");
  if (s.phase == Phase::kPlay && !taken) throw BadInput("phase 'play' needs trump and taker");
  if (s.phase < Phase::kPlay && taken) throw BadInput("in the bidding there is no trump and no taker yet");
  if (s.phase == Phase::kOver && !taken && s.actor != 0) throw BadInput("when all have passed, to_act is 0");
}

// Puts the trick's cards down once more: who holds it, and what would overtrump it.
void read_trick(const Belote& game, const Value& json, State& s) {
  s.above = whole_suit(s.trump);
  const Value* v = json.find("trick");
  if (!v) return;
  const auto& cards = v->list("trick");
  if (cards.size() >= kSeats) throw BadInput("a trick on the table has at most 3 cards");
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const Card c = Deck::read(cards[i], "trick");
    const int seat = (s.actor + i - cards.size()) & 3;
    if (!(s.played[seat] & one(c)))
      throw BadInput(card_text(c) + " is in the trick, so it must be among what seat " + std::to_string(seat) +
                     " has played");
    s.trick[i] = c;
    s.at_stake += kTables.points[s.trump][c];
    if (!game.options().strict) s.above &= kTables.above[s.trump][c];
    const std::uint8_t strength = kTables.strength[s.trump][suit_of(s.trick[0])][c];
    if (strength > s.strength) {
      s.strength = strength;
      s.winner = seat;
    }
  }
  s.in_trick = cards.size();
}

// Numbers that must agree with the cards played.
void check_tricks(const Belote& game, const State& s) {
  const int done = s.tricks[0] + s.tricks[1];
  Cards taken = 0;
  for (int seat = 0; seat < kSeats; ++seat) {
    const bool in_trick = ((s.actor - seat - 1) & 3) < s.in_trick;
    if (std::popcount(s.played[seat]) != done + in_trick)
      throw BadInput("after " + std::to_string(done) + " tricks seat " + std::to_string(seat) + " must have played " +
                     std::to_string(done + in_trick) + " cards, not " + std::to_string(std::popcount(s.played[seat])));
    taken |= s.played[seat];
  }
  for (int i = 0; i < s.in_trick; ++i) taken &= ~one(s.trick[i]);
  int points = 0;
  each_bit(taken, [&](int c) { points += kTables.points[s.trump][c]; });
  if (s.points[0] + s.points[1] != points)
    throw BadInput("the points must add up to those of the tricks taken, " + std::to_string(points));
  for (int team : {0, 1})
    if (s.tricks[team] == 0 && s.points[team] > 0) throw BadInput("points without a trick");
  if ((done == game.hand_size()) != (s.phase == Phase::kOver))
    throw BadInput("the phase is 'over' exactly after " + std::to_string(game.hand_size()) + " tricks");
  if (s.phase == Phase::kOver && s.tricks[s.actor & 1] == 0)
    throw BadInput("to_act is who took the last trick, but that team has none");
  if (s.phase == Phase::kPlay && s.in_trick == 0 && done > 0 && s.tricks[s.actor & 1] == 0)
    throw BadInput("the seat that leads took the last trick, but its team has none");
}

void read_play(const Belote& game, const Value& json, State& s, Deck& deck) {
  if (const Value* v = json.find("played"))
    for (int seat = 0; seat < kSeats; ++seat)
      s.played[seat] = deck.take_all(per_seat(*v, "played", seat, kSeats), "played by seat " + std::to_string(seat));
  read_trick(game, json, s);
  read_pair(json, "points", 152, s.points);
  read_pair(json, "tricks", game.hand_size(), s.tricks);
  check_tricks(game, s);
  const Cards unplayed = game.deck() & ~(s.played[0] | s.played[1] | s.played[2] | s.played[3]);
  for (int seat = 0; seat < kSeats; ++seat) {
    if (const Value* v = json.find("barred"))
      for (const Value& item : per_seat(*v, "barred", seat, kSeats).list("barred"))
        s.barred[seat] |= one(Deck::read(item, "barred"));
    if (s.taker != State::kNobody && seat != s.taker) s.barred[seat] |= one(s.turned);
    s.barred[seat] &= unplayed;
  }
  if (s.taker == State::kNobody) return;
  for (int seat = 0; seat < kSeats; ++seat)
    if (seat != s.taker && (s.played[seat] & one(s.turned))) throw BadInput("the taker has the card turned up");
}

void check_hand(const Belote& game, const State& s, int seat) {
  const int want = cards_in_hand(game, s, seat);
  if (std::popcount(s.hands[seat]) != want)
    throw BadInput(hand_of(seat) + " must have " + std::to_string(want) + " cards, not " +
                   std::to_string(std::popcount(s.hands[seat])));
  if (const Cards wrong = s.hands[seat] & s.barred[seat])
    throw BadInput("seat " + std::to_string(seat) + " holds " + card_text(lowest(wrong)) +
                   ", which is among the cards it is barred from");
}

void read_talon(const Value& json, State& s, Deck& deck) {
  if (s.phase == Phase::kOver) return;
  const Value* v = json.find("talon");
  int at = 0;
  if (!v) {
    each_bit(deck.left(), [&](int c) { s.talon[at++] = c; });
    return;
  }
  if (v->list("talon").size() != State::kTalon) throw BadInput("the talon must have 11 cards");
  for (const Value& item : v->list("talon")) s.talon[at++] = deck.take(item, "talon");
}

// Everything but the hands and the talon.
State read_table(const Belote& game, const Value& json, Deck& deck) {
  State s;
  read_contract(game, json, s);
  if (s.trump != kNoSuit) {
    read_play(game, json, s, deck);
    return s;
  }
  for (const char* name : {"trick", "played", "points", "tricks", "barred"})
    if (json.find(name)) throw BadInput(std::string("in the bidding a position has no ") + name);
  deck.take(Value(card_text(s.turned)), "turned");
  return s;
}

}  // namespace

Value Belote::position(const State& s) const {
  Value out = header(*this);
  write_table(s, out);
  out.set("hands", seats_json(s.hands));
  if (s.phase < Phase::kPlay) {
    Value::List talon;
    for (Card c : s.talon) talon.emplace_back(card_text(c));
    out.set("talon", talon);
  }
  return out;
}

Value Belote::position(const View& v) const {
  Value out = header(*this);
  out.set("seat", v.seat);
  write_table(v.known, out);
  const auto count = [&](int i) { return cards_in_hand(*this, v.known, i); };
  out.set("hands", view_hands(kSeats, v.seat, [&](int i) { return cards_json(v.known.hands[i]); }, count));
  return out;
}

std::vector<HeldCards> Belote::hands(const State& s) const {
  return show_hands(kSeats, [&](int i) { return card_names(s.hands[i]); });
}

std::vector<HeldCards> Belote::hands(const View& v) const {
  return show_hands(kSeats, [&](int i) { return card_names(v.known.hands[i]); }, v.seat);
}

State Belote::from_position(const Value& json) const {
  check_header(info_, kVersion, json, kMembers, "trump");
  refuse_view(json);
  Deck deck(this->deck());
  State s = read_table(*this, json, deck);
  for (int i = 0; i < kSeats; ++i) {
    s.hands[i] = deck.take_all(hand_entry(info_, json, i), hand_of(i));
    check_hand(*this, s, i);
  }
  if (s.trump == kNoSuit) read_talon(json, s, deck);
  return s;
}

View Belote::from_view(const Value& json) const {
  check_header(info_, kVersion, json, kMembers, "trump");
  Deck deck(this->deck());
  View v{read_table(*this, json, deck), view_seat(json, kSeats)};
  for (int i = 0; i < kSeats; ++i) {
    const Value& hand = hand_entry(info_, json, i);
    if (i == v.seat) {
      v.known.hands[i] = deck.take_all(hand, hand_of(i));
      check_hand(*this, v.known, i);
      continue;
    }
    const int want = cards_in_hand(*this, v.known, i);
    const int count = hidden_count(hand, i, kDeck);
    if (count != want)
      throw BadInput(hand_of(i) + " must have " + std::to_string(want) + " cards, not " + std::to_string(count));
  }
  if (v.seat != kPublic && worlds(v) == 0)
    throw BadInput("no world fits: the hidden cards cannot be shared out as barred and counts say");
  return v;
}

}  // namespace kibitz::belote
