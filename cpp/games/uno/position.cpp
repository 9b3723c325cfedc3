// Positions: JSON <-> State and View. README.md has the format.
#include "core/position.h"

#include <algorithm>

#include "games/uno/uno.h"

namespace kibitz::uno {

namespace {

constexpr int kVersion = 1;
const std::vector<std::string> kPhases = {"play", "drawn", "name", "swap", "call", "catch", "penalty", "over"};

// ---------------------------------------------------------------------------------------------------- writing

std::vector<std::string> card_names(const Hand& h) {
  std::vector<std::string> out;
  h.each([&out](Card c) { out.push_back(card_text(c)); });
  return out;
}

Value cards_json(const Hand& h) {
  const auto names = card_names(h);
  return Value::List(names.begin(), names.end());
}

template <class Numbers>
Value numbers_json(const Numbers& numbers) {
  Value::List out;
  for (auto n : numbers) out.emplace_back(static_cast<int>(n));
  return out;
}

Value memory_json(const Memory& m) {
  Value::List tokens;
  for (int i = 0; i < m.tokens(); ++i)
    tokens.push_back(Value::List{card_text(m.token(i).card), m.token(i).first, m.token(i).end});
  Value out = Value::Object{{"slots", m.slots()},
                            {"no_colour", numbers_json(m.colours())},
                            {"no_trait", numbers_json(m.traits())},
                            {"no_wild", numbers_json(m.wilds())},
                            {"had_colour", numbers_json(m.musts())},
                            {"old", m.old()},
                            {"played", tokens}};
  if (m.left_held().one) out.set("left_held", cards_json(m.left_held()));
  if (m.left_piled().one) out.set("left_piled", cards_json(m.left_piled()));
  if (m.forgotten()) out.set("left_unknown", cards_json({m.forgotten(), 0}));
  return out;
}

// The part of the options that differs from the default, so that a position says which game it belongs to.
void write_options(const Uno& game, Value& out) {
  const GameInfo plain = Uno(Options{}).info();
  for (const auto& [name, value] : *game.info().options.get<Value::Object>()) {
    const bool always = name == "players" || name == "rules";
    if (always || value.describe() != plain.options.find(name)->describe()) out.set(name, value);
  }
}

// What is public, or known to whoever the position is written for.
void write_table(const Uno& game, State s, Value& out) {
  s.fold();
  const bool over = s.phase == Phase::kOver;  // then: whose turn it would be
  out.set("to_act", over ? s.turn : s.actor);
  if (!over && s.turn != s.actor) out.set("turn", s.turn);
  out.set("direction", s.direction);
  out.set("phase", kPhases[static_cast<std::size_t>(s.phase)]);
  out.set("target", target_text(s.colour, s.trait));
  if (s.pending) out.set("pending", s.pending);
  if (s.before != kNoColour) {
    out.set("before", std::string(1, "rgby"[s.before]));
    out.set("bluff", Value::List{s.guilty, s.bluff_slots});
  }
  if (s.drawn != kNoCard) out.set("drawn", card_text(s.drawn));
  if (s.idle) out.set("idle", s.idle);
  if (s.phase == Phase::kOver) out.set("winner", s.winner == State::kNobody ? -1 : s.winner);
  Value::List discards;
  for (int i = kCards - 1; i >= kCards - s.discards; --i) discards.emplace_back(card_text(s.cards[i]));
  out.set("discards", discards);
  Value::List memory, sights;
  bool known = false;
  for (int i = 0; i < game.options().players; ++i) {
    const Memory& m = s.memory[i];
    known |= m.top() > 0 || m.tokens() > 0 || m.left_held().one || m.left_piled().one || m.forgotten();
    memory.push_back(memory_json(m));
  }
  if (known) out.set("memory", memory);
  for (int viewer = 0; viewer < game.options().players; ++viewer)
    for (const Sight& sight : s.sights[viewer])
      if (sight.hand.one)
        sights.push_back(Value::Object{{"viewer", viewer}, {"owner", sight.owner}, {"cards", cards_json(sight.hand)}});
  if (!sights.empty()) out.set("seen", sights);
  if (s.last.fresh.one) {
    out.set("reshuffled", cards_json(s.last.fresh));
    out.set("remainder", s.last.remainder);
    out.set("reshuffles", s.last.number);
    Value::List held;  // in a view: its own hand alone
    for (int i = 0; i < game.options().players; ++i) held.push_back(cards_json(s.held[i]));
    out.set("held", held);
  }
}

Value header(const Uno& game) {
  Value out(Value::Object{{"game", "uno"}, {"version", kVersion}});
  write_options(game, out);
  return out;
}

// ---------------------------------------------------------------------------------------------------- reading

Card read_card(const Value& v, const std::string& where) {
  const std::string& text = v.string("a card in " + where);
  const Card c = parse_card(text);
  if (c == kNoCard)
    throw BadInput("unknown card " + quoted(text) + " in " + where +
                   "; cards are r-0 to y-9, r-skip, r-reverse, r-draw_2 (r, g, b, y), wild, wild_draw_4");
  return c;
}

// Takes cards out of what the deck still has, so that none is there twice too often.
class Deck {
 public:
  void take(Card c, const std::string& where) {
    if (left_.count(c) == 0)
      throw BadInput("too many " + card_text(c) + ": the deck has " + std::to_string(copies(c)) + ", one more is in " +
                     where);
    left_.remove(c);
  }
  void take_hand(const Value& v, const std::string& where, Hand& out) {
    for (const Value& card : v.list(where)) {
      const Card c = read_card(card, where);
      take(c, where);
      out.add(c);
    }
  }
  const Hand& left() const { return left_; }

 private:
  Hand left_ = kFullDeck;
};

std::uint8_t read_small(const Value& json, const char* key, int fallback, int low, int high) {
  const Value* v = json.find(key);
  return v ? v->integer(key, low, high) : fallback;
}

// Calls set(index, n) for the numbers of a list of `size` that are not zero.
template <class F>
void read_numbers(const Value& json, const char* key, std::size_t size, int high, F&& set) {
  const Value* v = json.find(key);
  if (!v) return;
  const auto& list = v->list(key);
  if (list.size() != size) throw BadInput(std::string(key) + " must have " + std::to_string(size) + " numbers");
  for (std::size_t i = 0; i < size; ++i)
    if (const auto n = list[i].integer(key, 0, high)) set(i, n);
}

Token read_token(const Value& item) {
  const auto& parts = item.list("a played card in memory");
  if (parts.size() != 3) throw BadInput("a played card in memory is [card, first slot, end]");
  const auto end = parts[2].integer("end of a played card", 1, 127);
  const auto first = parts[1].integer("first slot of a played card", 0, end - 1);
  return {read_card(parts[0], "memory"), static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(end)};
}

// `gone` is the deck without what other seats have played.
Memory read_memory(const Value& json, int count, Deck& gone) {
  Memory m;
  if (const Value* played = json.find("played")) {
    const auto& list = played->list("played in memory");
    if (list.size() > Memory::kTokens)
      throw BadInput("memory keeps at most " + std::to_string(Memory::kTokens) + " played cards");
    for (const Value& item : list) m.add_token(read_token(item));
  }
  const int slots = count + m.tokens();
  if (read_small(json, "slots", slots, 0, 127) != slots)
    throw BadInput("memory: slots must be the cards in hand plus the played cards, " + std::to_string(slots));
  m.set_slots(slots);
  for (int i = 0; i < m.tokens(); ++i)
    if (m.token(i).end > slots) throw BadInput("memory: a played card ends beyond the slots");
  if (const int old = read_small(json, "old", 0, 0, slots)) {
    m.set_slots(old);  // as many as there were at the reshuffle
    m.reshuffled();
    m.set_slots(slots);
  }
  read_numbers(json, "no_colour", kColours, slots, [&m](int i, int n) { m.bar_colour(i, n); });
  read_numbers(json, "no_trait", 13, slots, [&m](int i, int n) { m.bar_trait(i, n); });
  read_numbers(json, "no_wild", 2, slots, [&m](int i, int n) { m.bar_trait(kWildTrait + i, n); });
  read_numbers(json, "had_colour", kColours, slots, [&m](int i, int n) { m.require_colour(i, n); });
  Hand left[2];
  const char* const names[] = {"left_held", "left_piled"};
  for (int k = 0; k < 2; ++k)
    if (const Value* cards = json.find(names[k])) gone.take_hand(*cards, std::string(names[k]) + " in memory", left[k]);
  Bits forgotten = 0;
  if (const Value* cards = json.find("left_unknown"))
    for (const Value& card : cards->list("left_unknown in memory"))
      forgotten |= bit(read_card(card, "left_unknown in memory"));
  m.set_left(left[0], left[1], forgotten);
  return m;
}

void read_target(const Value& json, State& s) {
  const Value* v = json.find("target");
  if (!v) throw BadInput("a position of uno needs a target, for example \"target\": \"r-5\"");
  const std::string& text = v->string("target");
  for (int colour = 0; colour <= kColours; ++colour)
    for (int trait = 0; trait < kTraits; ++trait)
      if (target_text(colour, trait) == text && (colour < kColours || trait == kWildTrait)) {
        s.colour = colour;
        s.trait = trait;
        return;
      }
  throw BadInput("unknown target " + quoted(text) + "; targets look like r-5, g-skip, b-wild");
}

const std::vector<std::string> kMembers = {"to_act", "turn",  "direction",  "phase",     "target",     "pending",
                                           "before", "bluff", "drawn",      "idle",      "winner",     "discards",
                                           "memory", "seen",  "reshuffled", "remainder", "reshuffles", "held",
                                           "hands",  "pile",  "stream"};

void read_discards(const Value& json, State& s, Deck& deck) {
  const Card target = s.trait >= kWildTrait ? s.trait : s.colour * kTraits + s.trait;
  const auto put = [&](Card c) {
    deck.take(c, "discards");
    s.cards[kCards - ++s.discards] = c;
  };
  if (const Value* v = json.find("discards"))
    for (const Value& card : v->list("discards")) put(read_card(card, "discards"));
  else
    put(target);
}

// The top of the discards is the target, unless rlcard's reshuffle took it away.
void check_target(const Uno& game, const State& s) {
  const Card target = s.trait >= kWildTrait ? s.trait : s.colour * kTraits + s.trait;
  const bool gone = s.discards == 0 && game.rlcard();
  if (!gone && (s.discards == 0 || s.cards[kCards - s.discards] != target))
    throw BadInput("the last of the discards must be the target " + target_text(s.colour, s.trait));
}

void read_phase(const Uno& game, const Value& json, State& s) {
  const int seats = game.options().players;
  s.actor = read_small(json, "to_act", 0, 0, seats - 1);
  s.turn = read_small(json, "turn", s.actor, 0, seats - 1);
  if (const Value* v = json.find("direction")) {
    if (v->integer("direction", -1, 1) == 0) throw BadInput("direction must be 1 or -1, not 0");
    s.direction = v->integer("direction", -1, 1);
  }
  if (const Value* v = json.find("phase")) s.phase = static_cast<Phase>(one_of("phase", v->string("phase"), kPhases));
  const std::string& phase = kPhases[static_cast<std::size_t>(s.phase)];
  const bool both = s.phase == Phase::kPlay || s.phase == Phase::kOver;
  if (game.rlcard() && !both) throw BadInput("rules 'rlcard' have no phase '" + phase + "', only play, over");
  const bool another = s.phase == Phase::kCatch || s.phase == Phase::kPenalty;
  if (another == (s.turn == s.actor))
    throw BadInput("in phase '" + phase + "' turn and to_act must be " +
                   (another ? "different seats" : "the same seat"));
  s.pending = read_small(json, "pending", 0, 0, 120);
  s.idle = read_small(json, "idle", 0, 0, seats - 1);
  const Value* winner = json.find("winner");
  if (winner) s.winner = winner->integer("winner", -1, seats - 1);
  if ((winner != nullptr) != (s.phase == Phase::kOver))
    throw BadInput("a position has a winner (-1: a draw) exactly in phase 'over'");
  if (s.phase == Phase::kOver) s.actor = kOver;
}

constexpr Seat kAll = -2;  // in place of a view's seat: a state's position, in which nothing is hidden

// Whether it was a bluff, its player alone knows: `seat` is whose view it is, or kAll.
void read_bluff(const Value& json, State& s, int seat) {
  if (const Value* v = json.find("before")) s.before = one_of("before", v->string("before"), {"r", "g", "b", "y"});
  if (const Value* v = json.find("bluff")) {
    const auto& parts = v->list("bluff");
    if (parts.size() != 2) throw BadInput("bluff is [guilty, slots]");
    s.guilty = parts[0].boolean("bluff");
    if (s.guilty && seat != kAll && s.turn != seat)
      throw BadInput("bluff must be [false, slots] in a view of another seat than the one that played, seat " +
                     std::to_string(s.turn) + ", which alone knows");
    s.bluff_slots = parts[1].integer("slots of a bluff", 0, s.memory[s.turn].slots());
  }
  if (s.phase == Phase::kPenalty && (s.pending == 0 || (s.trait != kDraw2 && s.trait != kWild4Trait)))
    throw BadInput("phase 'penalty' needs pending cards and a draw card as target");
  const bool open = s.phase == Phase::kPenalty || s.phase == Phase::kCall || s.phase == Phase::kCatch;
  if (open && s.trait == kWild4Trait && s.before == kNoColour)
    throw BadInput("this phase after a Wild Draw 4 needs the colour before it, \"before\"");
}

// The hands at the reshuffle: what was not put back. A view has that of its `seat` alone.
void read_held(const Value& json, State& s, int seats, int seat, Deck& rest) {
  const Value* held = json.find("held");
  if (!held) return;
  if (static_cast<int>(held->list("held").size()) != seats) throw BadInput("held must have one list of cards per seat");
  for (int i = 0; i < seats; ++i) {
    rest.take_hand(held->list("held")[i], "held", s.held[i]);
    if (seat != kAll && i != seat && s.held[i].one)
      throw BadInput("held of seat " + std::to_string(i) + " must be an empty list: " +
                     (seat == kPublic ? "a public view knows none"
                                      : "a view of seat " + std::to_string(seat) + " knows its own alone"));
  }
}

void read_memories(const Uno& game, const Value& json, State& s, int seat) {
  const int seats = game.options().players;
  const Value* memory = json.find("memory");
  if (memory && static_cast<int>(memory->list("memory").size()) != seats)
    throw BadInput("memory must have one entry per seat, " + std::to_string(seats));
  const Value empty = Value::Object{};
  Deck gone;
  for (int i = 0; i < seats; ++i)
    s.memory[i] = read_memory(memory ? memory->list("memory")[i] : empty, s.counts[i], gone);
  if (const Value* v = json.find("reshuffled")) {
    Deck whole;
    whole.take_hand(*v, "reshuffled", s.last.fresh);
    s.last.remainder = read_small(json, "remainder", 0, 0, 3);
    const Value* number = json.find("reshuffles");
    s.last.number = number ? number->integer("reshuffles", 1, Uno::kMaxReshuffles) : 1;
    read_held(json, s, seats, seat, whole);
  }
}

bool holds(const Hand& hand, const Hand& part) {
  bool all = true;
  part.each([&](Card c) { all &= part.count(c) <= hand.count(c); });
  return all;
}

// What somebody saw of another hand must be there. In a view, `seat` has only what it saw itself, taken from the deck.
void read_sights(const Value& json, State& s, int seats, int seat, Deck& deck) {
  const Value* seen = json.find("seen");
  if (!seen) return;
  for (const Value& item : seen->list("seen")) {
    const int viewer = read_small(item, "viewer", 255, 0, seats - 1),
              owner = read_small(item, "owner", 255, 0, seats - 1);
    const Value* cards = item.find("cards");
    if (viewer == 255 || owner == 255 || viewer == owner || !cards || cards->list("seen").empty())
      throw BadInput("an entry of seen needs viewer, owner (another seat) and cards");
    int k = 0;
    while (k < State::kSights && s.sights[viewer][k].hand.one && s.sights[viewer][k].owner != owner) ++k;
    if (k == State::kSights || s.sights[viewer][k].hand.one)
      throw BadInput("seen has too many entries: at most two for a viewer, and one for a viewer and an owner");
    Sight& sight = s.sights[viewer][k];
    sight.owner = owner;
    Deck whole;
    whole.take_hand(*cards, "seen", sight.hand);
    if (seat == viewer) {
      sight.hand.each([&deck](Card c) { deck.take(c, "seen"); });
      if (sight.hand.size() > s.counts[owner]) throw BadInput("more cards seen than the owner holds");
    } else if (seat != kAll || !holds(s.hands[owner], sight.hand)) {
      throw BadInput("an entry of seen has cards that its owner does not hold, or that this view cannot know");
    }
  }
}

// Who has no cards left has won.
void check_count(const State& s, int seat) {
  const bool won = s.phase == Phase::kOver && s.winner == seat;
  if ((s.counts[seat] == 0) != won)
    throw BadInput("seat " + std::to_string(seat) + " has " + std::to_string(s.counts[seat]) + " cards, but " +
                   (won ? "is the winner" : "the position says otherwise: who has none has won"));
}

void read_pile(const Value& json, State& s, Deck& deck) {
  const auto put = [&s](Card c) { s.cards[s.pile++] = c; };
  const Value* pile = json.find("pile");
  if (!pile) return deck.left().each(put);  // whatever is nowhere else
  for (const Value& card : pile->list("pile")) {
    const Card c = read_card(card, "pile");
    deck.take(c, "pile");
    put(c);
  }
  if (const int missing = deck.left().size())
    throw BadInput("the position has " + std::to_string(kCards - missing) + " cards, uno has 108; missing: " +
                   card_text(lowest(deck.left().one & (kColoured | bit(kWild) | bit(kWild4)))) +
                   (missing > 1 ? " and others" : ""));
}

// A view knows how many cards the pile has, and neither which nor what will be drawn.
void read_hidden_pile(const Value& json, State& s, int cards) {
  if (json.find("stream")) throw BadInput("stream must be left out of a view's position: no seat knows it");
  const Value* pile = json.find("pile");
  const Value* count = pile ? pile->find("count") : nullptr;
  if (pile && !count) throw BadInput("pile in a view's position must be {\"count\": n}: no seat knows its cards");
  if (cards < 0 || (count && count->integer("count of the pile", 0, kCards) != cards))
    throw BadInput("hands, discards and pile must be 108 cards: with these hands and discards the pile has " +
                   std::to_string(cards));
  s.pile = cards;
}

void read_drawn(const Value& json, State& s, bool hidden) {
  if (const Value* v = json.find("drawn")) {
    s.drawn = read_card(*v, "drawn");
    if (s.phase != Phase::kDrawn && s.phase != Phase::kName)
      throw BadInput("only phases 'drawn' and 'name' have a drawn card");
    if (!hidden && s.hands[s.actor].count(s.drawn) == 0)
      throw BadInput("the drawn card must be in the hand of the seat to act");
  }
  if (s.phase == Phase::kDrawn && (s.drawn == kNoCard) != hidden)
    throw BadInput("phase 'drawn' needs the drawn card, where it is known");
  if (s.phase == Phase::kName && s.drawn != kNoCard && !is_wild(s.drawn))
    throw BadInput("only for a drawn wild a colour is named");
  // The opening Wild waits for its colour; every other target has one.
  if ((s.phase == Phase::kName && s.drawn == kNoCard) != (s.colour == kNoColour))
    throw BadInput(
        "target 'wild' needs its colour (r-wild, g-wild, b-wild, y-wild), but for an opening Wild in phase 'name'");
}

}  // namespace

Value Uno::position(const State& s) const {
  Value out = header(*this);
  write_table(*this, s, out);
  Value::List hands, pile;
  for (int i = 0; i < options_.players; ++i) hands.push_back(cards_json(s.hands[i]));
  for (int i = 0; i < s.pile; ++i) pile.emplace_back(card_text(s.cards[i]));
  out.set("hands", hands);
  out.set("pile", pile);
  out.set("stream", stream_json(s.stream));
  return out;
}

Value Uno::position(const View& v) const {
  Value out = header(*this);
  out.set("seat", v.seat);
  write_table(*this, v.known, out);
  const State& s = v.known;
  out.set("hands", view_hands(
                       options_.players, v.seat, [&](int i) { return cards_json(s.hands[i]); },
                       [&](int i) { return s.counts[i]; }));
  out.set("pile", Value::Object{{"count", v.known.pile}});
  return out;
}

std::vector<HeldCards> Uno::hands(const State& s) const {
  return show_hands(options_.players, [&](int i) { return card_names(s.hands[i]); });
}

std::vector<HeldCards> Uno::hands(const View& v) const {
  return show_hands(options_.players, [&](int i) { return card_names(v.known.hands[i]); }, v.seat);
}

State Uno::from_position(const Value& json) const {
  check_header(info_, kVersion, json, kMembers);
  refuse_view(json);
  State s;
  Deck deck;
  read_target(json, s);
  read_phase(*this, json, s);
  for (int i = 0; i < options_.players; ++i) {
    deck.take_hand(hand_entry(info_, json, i), hand_of(i), s.hands[i]);
    s.counts[i] = s.hands[i].size();
    check_count(s, i);
  }
  read_discards(json, s, deck);
  check_target(*this, s);
  read_pile(json, s, deck);
  read_memories(*this, json, s, kAll);
  read_sights(json, s, options_.players, kAll, deck);
  read_bluff(json, s, kAll);
  read_drawn(json, s, false);
  const Value* stream = json.find("stream");
  s.stream = stream ? read_stream(*stream) : Rng(std::uint64_t{0});
  return s;
}

View Uno::from_view(const Value& json) const {
  check_header(info_, kVersion, json, kMembers);
  View v{State{}, view_seat(json, options_.players)};
  State& s = v.known;
  Deck deck;
  read_target(json, s);
  read_phase(*this, json, s);
  int hidden = 0;
  for (int i = 0; i < options_.players; ++i) {
    const Value& hand = hand_entry(info_, json, i);
    if (i == v.seat) {
      deck.take_hand(hand, hand_of(i), s.hands[i]);
      s.counts[i] = s.hands[i].size();
    } else {
      s.counts[i] = hidden_count(hand, i, kCards);
      hidden += s.counts[i];
    }
    check_count(s, i);
  }
  read_discards(json, s, deck);
  check_target(*this, s);
  read_hidden_pile(json, s, deck.left().size() - hidden);
  read_memories(*this, json, s, v.seat);
  read_sights(json, s, options_.players, v.seat, deck);
  read_bluff(json, s, v.seat);
  read_drawn(json, s, s.actor != v.seat);
  if (s.drawn != kNoCard && s.actor != v.seat) deck.take(s.drawn, "drawn");
  return v;
}

}  // namespace kibitz::uno
