#include "games/kuhn/kuhn.h"

#include <algorithm>

#include "core/position.h"

namespace kibitz::kuhn {

namespace {

constexpr int kVersion = 1;
constexpr char kNames[] = "?JQK";
const std::vector<std::string> kTexts{"pass", "bet"};

std::string card_text(int card) { return {kNames[card]}; }

std::uint8_t read_card(const Value& json, int seat) {
  const std::vector<std::string> allowed{"J", "Q", "K"};
  return static_cast<std::uint8_t>(1 + one_of(hand_of(seat), json.string(hand_of(seat)), allowed));
}

void refuse_twins(const State& s) {
  if (s.cards[0] != 0 && s.cards[0] == s.cards[1]) throw BadInput("both seats hold " + card_text(s.cards[0]));
}

Value played_json(const State& s) {
  Value::List out;
  for (int i = 0; i < s.length; ++i) out.push_back(kTexts[s.played[i]]);
  return out;
}

}  // namespace

// ------------------------------------------------------------------------------------------------ play

Kuhn::Kuhn() {
  info_ = {kName, kSeats, kActions, -2, 2, true, {0, 1}, {{"seen", {9}, false, true}}, Value(Value::Object{})};
}

State Kuhn::deal(Rng& rng) const {
  State s;
  s.cards[0] = static_cast<std::uint8_t>(1 + rng.below(kCards));
  // One of the other two: the next card or the one after it, in a circle.
  s.cards[1] = static_cast<std::uint8_t>(1 + (s.cards[0] + rng.below(kCards - 1)) % kCards);
  return s;
}

void Kuhn::legal(const State& s, Legal& out) const {
  out.clear();
  if (over(s)) return;
  out.push(kPass);
  out.push(kBet);
}

void Kuhn::legal(const View& v, Legal& out) const {
  out.clear();
  if (to_act(v.known) == v.seat) legal(v.known, out);
}

void Kuhn::payoff(const State& s, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  if (!over(s)) return;
  // After a fold it would be the winner's turn.
  const int winner = folded(s) ? s.length % kSeats : s.cards[0] > s.cards[1] ? 0 : 1;
  const double stake = bet(s) ? 2 : 1;
  out[winner] = stake;
  out[1 - winner] = -stake;
}

// ------------------------------------------------------------------------------------------------ views and worlds

View Kuhn::view(const State& s, Seat seat) const {
  View v{s, seat};
  for (int i = 0; i < kSeats; ++i)
    if (i != seat && !shown(s)) v.known.cards[i] = 0;
  return v;
}

std::uint64_t Kuhn::key(const View& v) const {
  std::uint64_t out = static_cast<std::uint64_t>(v.seat);
  for (std::uint8_t x : v.known.cards) out = mix(out, x);
  for (std::uint8_t x : v.known.played) out = mix(out, x);
  return mix(out, v.known.length);
}

State Kuhn::sample(const View& v, Rng& rng) const {
  State s = v.known;
  std::uint8_t& other = s.cards[1 - v.seat];
  if (other == 0) other = static_cast<std::uint8_t>(1 + (s.cards[v.seat] + rng.below(kCards - 1)) % kCards);
  return s;
}

double Kuhn::worlds(const View& v) const { return v.known.cards[1 - v.seat] == 0 ? kCards - 1 : 1; }

void Kuhn::each_world(const View& v, const WorldVisitor<State>& f) const {
  State s = v.known;
  if (s.cards[1 - v.seat] != 0) return f(s, 1);
  for (std::uint8_t card = 1; card <= kCards; ++card) {
    if (card == s.cards[v.seat]) continue;
    s.cards[1 - v.seat] = card;
    f(s, 1);
  }
}

void Kuhn::encode(const State& s, Seat seat, int, std::span<float> out) const {
  std::fill(out.begin(), out.end(), 0.0f);
  out[s.cards[seat] - 1] = 1;
  for (int i = 0; i < s.length; ++i) out[kCards + kActions * i + s.played[i]] = 1;
}

// ------------------------------------------------------------------------------------------------ positions

Value Kuhn::position(const State& s) const {
  return Value::Object{{"game", kName},
                       {"version", kVersion},
                       {"hands", Value::List{card_text(s.cards[0]), card_text(s.cards[1])}},
                       {"played", played_json(s)}};
}

Value Kuhn::position(const View& v) const {
  Value::List hands;
  for (int card : v.known.cards)
    hands.push_back(card != 0 ? Value(card_text(card)) : Value(Value::Object{{"count", 1}}));
  return Value::Object{{"game", kName},
                       {"version", kVersion},
                       {"seat", static_cast<int>(v.seat)},
                       {"hands", std::move(hands)},
                       {"played", played_json(v.known)}};
}

void Kuhn::read_played(const Value& json, State& s) const {
  const Value* played = json.find("played");
  if (!played) return;
  for (const Value& action : played->list("played")) {
    if (over(s)) throw BadInput("played goes on after the end of the game");
    apply(s, parse(action.string("an action in played")));
  }
}

State Kuhn::from_position(const Value& json) const {
  check_header(info_, kVersion, json, {"hands", "played"});
  refuse_view(json);
  State s;
  read_played(json, s);
  for (int seat = 0; seat < kSeats; ++seat) s.cards[seat] = read_card(hand_entry(info_, json, seat), seat);
  refuse_twins(s);
  return s;
}

View Kuhn::from_view(const Value& json) const {
  check_header(info_, kVersion, json, {"hands", "played"});
  View v{State{}, view_seat(json, kSeats)};
  State& s = v.known;
  read_played(json, s);
  for (int seat = 0; seat < kSeats; ++seat) {
    const Value& hand = hand_entry(info_, json, seat);
    if (seat == v.seat || shown(s))
      s.cards[seat] = read_card(hand, seat);
    else if (hidden_count(hand, seat, 1) != 1)
      throw BadInput(hand_of(seat) + " must be {\"count\": 1}");
  }
  refuse_twins(s);
  return v;
}

// ------------------------------------------------------------------------------------------------ names and pictures

Kuhn Kuhn::make(const Value& options) {
  for (const auto& [name, value] : options.object("options of kuhn")) {
    // Callers that count the agents tell every game the number of players.
    if (name != "players") throw BadInput("option of kuhn: " + quoted(name) + " is unknown; it takes none");
    value.integer("players of kuhn", kSeats, kSeats);
  }
  return Kuhn();
}

std::string Kuhn::text(Action a) const { return kTexts[a]; }
Action Kuhn::parse(const std::string& text) const {
  return static_cast<Action>(one_of("action of kuhn:", text, kTexts));
}

std::string Kuhn::picture(const State& s) const {
  std::string out = "kuhn";
  for (int i = 0; i < s.length; ++i) out += (i == 0 ? ", played: " : ", ") + kTexts[s.played[i]];
  for (int seat = 0; seat < kSeats; ++seat)
    out += (to_act(s) == seat ? "\n> seat " : "\n  seat ") + std::to_string(seat) + "  " + card_text(s.cards[seat]);
  return out;
}
std::string Kuhn::picture(const View& v) const { return picture(v.known); }

std::vector<HeldCards> Kuhn::hands(const State& s) const {
  return show_hands(kSeats, [&](int seat) { return letters(card_text(s.cards[seat])); });
}
std::vector<HeldCards> Kuhn::hands(const View& v) const {
  if (shown(v.known)) return hands(v.known);
  return show_hands(kSeats, [&](int seat) { return letters(card_text(v.known.cards[seat])); }, v.seat);
}

}  // namespace kibitz::kuhn
