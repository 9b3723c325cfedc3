// Positions: JSON <-> State and View. README.md has the format.
#include "core/position.h"

#include <algorithm>

#include "games/doudizhu/doudizhu.h"

namespace kibitz::doudizhu {

namespace {

constexpr int kVersion = 1;
const std::vector<std::string> kPhases = {"bid", "play", "kickers", "over"};

// ---------------------------------------------------------------------------------------------------- writing

// Game, version, rules, and the options that differ from the default: a position says which game it belongs to.
Value header(const DouDiZhu& game) {
  Value out(Value::Object{{"game", DouDiZhu::kName}, {"version", kVersion}});
  const GameInfo plain = DouDiZhu(Options{}).info();
  for (const auto& [name, value] : *game.info().options.get<Value::Object>())
    if (name == "rules" || value.describe() != plain.options.find(name)->describe()) out.set(name, value);
  return out;
}

template <class Numbers>
Value numbers_json(const Numbers& numbers) {
  Value::List out;
  for (auto n : numbers) out.emplace_back(n == State::kNobody ? -1 : n);
  return out;
}

// What is public.
void write_table(const DouDiZhu& game, const State& s, Value& out) {
  out.set("phase", kPhases[static_cast<std::size_t>(s.phase)]);
  if (s.phase != Phase::kOver) out.set("to_act", s.turn);
  if (s.landlord != State::kNobody) out.set("landlord_seat", s.landlord);
  if (s.talon) out.set("talon", cards_text(s.talon));
  if (game.options().bidding) out.set("bids", numbers_json(s.bids));
  Value::List played;
  for (Bits b : s.played) played.emplace_back(cards_text(b));
  out.set("played", played);
  out.set("moves", numbers_json(s.moves));
  if (s.last != kNoMove) {
    out.set("last", game.text(s.last));
    out.set("last_seat", s.leader);
  }
  if (s.bombs) out.set("bombs", s.bombs);
  if (s.phase == Phase::kKickers) out.set("announced", game.text(kFirstGroup + s.group));
  if (s.phase == Phase::kOver) out.set("winner", s.winner == State::kNobody ? -1 : s.winner);
}

// ---------------------------------------------------------------------------------------------------- reading

// Reads cards and makes sure that none is there too often.
class Deck {
 public:
  Bits take(const Value& v, const std::string& where, bool count = true) {
    const std::string names(kRankNames);
    std::array<int, kRanks> here{};
    Bits out = 0;
    for (char c : v.string(where)) {
      const auto rank = names.find(c);
      if (rank == std::string::npos)
        throw BadInput("unknown card " + quoted(std::string(1, c)) + " in " + where + "; cards are " + names);
      const int r = rank, most = count_of(kDeck, r);
      if (++here[rank] > most || (count && ++all_[rank] > most))
        throw BadInput("too many " + std::string(1, c) + ": the deck has " + std::to_string(most) +
                       ", one more is in " + where);
      out += cards_of(r, 1);
    }
    return out;
  }

 private:
  std::array<int, kRanks> all_{};
};

const std::vector<std::string> kMembers = {"phase",     "to_act", "landlord_seat", "talon",     "bids",
                                           "played",    "moves",  "last",          "last_seat", "bombs",
                                           "announced", "winner", "hands"};

std::uint8_t small(const Value& v, const char* what, int low, int high) { return v.integer(what, low, high); }

void read_phase(const DouDiZhu& game, const Value& json, State& s) {
  if (const Value* v = json.find("phase")) s.phase = static_cast<Phase>(one_of("phase", v->string("phase"), kPhases));
  if (s.phase == Phase::kBid && !game.options().bidding) throw BadInput("phase 'bid' needs a game with bidding");
  if (s.phase == Phase::kKickers && !game.options().separate)
    throw BadInput("phase 'kickers' needs a game with kickers 'separate'");
  const Value* winner = json.find("winner");
  if ((winner != nullptr) != (s.phase == Phase::kOver))
    throw BadInput("a position has a winner (-1: nobody bid) exactly in phase 'over'");
  if (winner) s.winner = small(*winner, "winner", game.options().bidding ? -1 : 0, kSeats - 1);
  const bool none = s.phase == Phase::kBid || (winner && s.winner == State::kNobody);
  const Value* landlord = json.find("landlord_seat");
  if (landlord && none) throw BadInput("there is no landlord before the bidding is over");
  if (!none) s.landlord = landlord ? small(*landlord, "landlord_seat", 0, kSeats - 1) : 0;
  if (s.landlord != 0 && !none && !game.options().bidding && game.options().landlord == Landlord::kFirst)
    throw BadInput("in this game seat 0 is the landlord, not seat " + std::to_string(s.landlord));
  s.turn = none ? 0 : s.landlord;
  if (const Value* v = json.find("to_act"); v && s.phase != Phase::kOver) s.turn = small(*v, "to_act", 0, kSeats - 1);
}

void read_bids(const DouDiZhu& game, const Value& json, State& s) {
  const Value* v = json.find("bids");
  if (!game.options().bidding) {
    if (v) throw BadInput("bids need a game with bidding");
    return;
  }
  s.stake = 0;
  int spoken = 0, best = 0;
  for (int i = 0; i < kSeats; ++i) {
    if (v) s.bids[i] = small(per_seat(*v, "bids", i, kSeats), "a bid", -1, 3);
    if (s.bids[i] == State::kNobody) continue;
    ++spoken;
    for (int j = 0; j < i; ++j)
      if (s.bids[i] && s.bids[j] == s.bids[i]) throw BadInput("a bid must be higher than those before; two are equal");
    if (s.bids[i] > s.stake) {
      s.stake = s.bids[i];
      best = i;
    }
  }
  if (s.landlord != State::kNobody) {
    if (s.stake == 0 || best != s.landlord) throw BadInput("the landlord must have the highest of the bids");
    if (spoken < kSeats && s.stake < 3) throw BadInput("all seats must have bid, or one of them 3");
    return;
  }
  if (s.phase == Phase::kOver && (spoken < kSeats || s.stake > 0)) throw BadInput("winner -1 needs bids [0, 0, 0]");
  if (s.phase != Phase::kBid) return;
  if (spoken == kSeats || s.stake == 3)
    throw BadInput("in phase 'bid' somebody must still have to bid, and nobody bid 3");
  const int first = (s.turn + kSeats - spoken) % kSeats;
  for (int i = 0, highest = -1; i < kSeats; ++i) {  // in the order of speaking
    const int bid = s.bids[(first + i) % kSeats];
    if ((bid != State::kNobody) != (i < spoken)) throw BadInput("bids must go round and end before to_act");
    if (i < spoken && bid > 0 && bid < highest) throw BadInput("a bid must be higher than those before");
    if (i < spoken) highest = std::max(highest, bid);
  }
  s.leader = s.stake ? best : first;
}

void read_played(const Value& json, State& s, Deck& deck) {
  const Value* played = json.find("played");
  const Value* moves = json.find("moves");
  for (int i = 0; i < kSeats; ++i) {
    if (played)
      s.played[i] = deck.take(per_seat(*played, "played", i, kSeats), "what seat " + std::to_string(i) + " played");
    const int n = size_of(s.played[i]);
    s.moves[i] = n > 0;
    if (moves) s.moves[i] = small(per_seat(*moves, "moves", i, kSeats), "moves of a seat", 0, kLandlordSize);
    if ((s.moves[i] == 0) != (n == 0) || s.moves[i] > n)
      throw BadInput("seat " + std::to_string(i) + " cannot have played " + std::to_string(n) + " cards in " +
                     std::to_string(s.moves[i]) + " moves");
    if (n && s.landlord == State::kNobody) throw BadInput("nobody plays before there is a landlord");
  }
}

// The move to beat, and whether all that was played fits together.
void read_last(const DouDiZhu& game, const Value& json, State& s) {
  const Value* last = json.find("last");
  const Value* seat = json.find("last_seat");
  if ((last != nullptr) != (seat != nullptr)) throw BadInput("last and last_seat go together");
  if (last) {
    s.last = game.parse(last->string("last"));
    s.leader = small(*seat, "last_seat", 0, kSeats - 1);
    const Move& m = game.moves()[s.last];
    if (m.category >= Category::kPass) throw BadInput("last must be a move with cards, or be left out at a free lead");
    if ((m.cards & kJokers) == kJokers && m.size > 2 && !game.options().both_jokers)
      throw BadInput("in this game both jokers are not kickers of one move: " + last->string("last"));
    if (!contains(s.played[s.leader], m.cards))
      throw BadInput("last_seat must have played the cards of last, " + last->string("last"));
    if (s.winner != State::kNobody) s.turn = (s.winner + 1) % kSeats;
    s.passes = (s.turn + kSeats - s.leader - 1) % kSeats;
    if (s.passes == 2) throw BadInput("to_act is not last_seat: after two passes the lead is free, without last");
  } else if (s.landlord != State::kNobody) {
    s.leader = s.turn;
    const bool began = s.moves[0] || s.moves[1] || s.moves[2];
    if (s.winner != State::kNobody) throw BadInput("a game that is won needs the last move");
    if (began ? s.moves[s.turn] == 0 : s.turn != s.landlord)
      throw BadInput("a free lead is the landlord's at first, then that of a seat that has played");
  }
  if (s.landlord != State::kNobody && s.moves[s.landlord] == 0 && (s.moves[0] || s.moves[1] || s.moves[2]))
    throw BadInput("the landlord plays first, but has played nothing");
  int most = 0;
  for (Bits b : s.played) most += ranks_in(at_least_4(b)) + ((b & kJokers) == kJokers);
  if (const Value* v = json.find("bombs")) s.bombs = small(*v, "bombs", 0, most);
  if (s.last >= kFirstBomb && s.last <= kRocket && s.bombs == 0) throw BadInput("last is a bomb, but bombs is 0");
}

void read_talon(const Value& json, State& s, Deck& deck, bool hidden) {
  const Value* talon = json.find("talon");
  if (hidden) {
    if (talon) throw BadInput("before there is a landlord the talon is hidden: leave it out of a view's position");
    return;
  }
  if (!talon) throw BadInput("a position of doudizhu needs the talon, the three cards, as in \"talon\": \"3KB\"");
  s.talon = deck.take(*talon, "talon", s.landlord == State::kNobody);
  if (size_of(s.talon) != kShown) throw BadInput("the talon has three cards, not " + std::to_string(size_of(s.talon)));
}

void check_counts(const State& s) {
  for (int i = 0; i < kSeats; ++i) {
    const std::string who = "seat " + std::to_string(i);
    const int had = s.counts[i] + size_of(s.played[i]), must = i == s.landlord ? kLandlordSize : kHandSize;
    if (had != must)
      throw BadInput(who + " must have had " + std::to_string(must) + " cards, in hand and played, not " +
                     std::to_string(had));
    const bool won = i == s.winner;
    if (won != (s.counts[i] == 0))
      throw BadInput(won ? who + " has won, but holds cards" : who + " has no cards left, but has not won");
  }
  if (s.winner != State::kNobody && s.leader != s.winner) throw BadInput("last_seat must be the winner");
}

void read_group(const DouDiZhu& game, const Value& json, State& s, bool known) {
  const Value* v = json.find("announced");
  if ((v != nullptr) != (s.phase == Phase::kKickers))
    throw BadInput("a position has announced, as in \"333+solo\", exactly in phase 'kickers'");
  if (!v) return;
  const Move& m = game.moves()[game.parse(v->string("announced"))];
  if (m.category != Category::kKickers) throw BadInput("announced must be as in 333+solo or 333444+pairs");
  s.group = m.group;
  if (s.last != kNoMove) {
    const Move& last = game.moves()[s.last];
    const Group& g = game.moves().group(m.group);
    if (g.category != last.category || g.length != last.length || g.main <= last.main)
      throw BadInput("announced " + v->string("announced") + " does not beat last");
  }
  Blocks blocks;
  if (known && contains(s.hands[s.turn], m.cards))
    game.moves().collect_group(s.hands[s.turn], s.group, game.options().both_jokers, blocks);
  if (known && blocks.total() == 0)
    throw BadInput("the seat to act cannot play " + v->string("announced") + " from its hand");
}

}  // namespace

Value DouDiZhu::position(const State& s) const {
  Value out = header(*this);
  write_table(*this, s, out);
  Value::List hands;
  for (Bits h : s.hands) hands.emplace_back(cards_text(h));
  out.set("hands", hands);
  return out;
}

Value DouDiZhu::position(const View& v) const {
  Value out = header(*this);
  out.set("seat", v.seat);
  write_table(*this, v.known, out);
  const State& s = v.known;
  out.set(
      "hands",
      view_hands(kSeats, v.seat, [&](int i) { return cards_text(s.hands[i]); }, [&](int i) { return s.counts[i]; }));
  return out;
}

std::vector<HeldCards> DouDiZhu::hands(const State& s) const {
  return show_hands(kSeats, [&](int i) { return letters(cards_text(s.hands[i])); });
}

std::vector<HeldCards> DouDiZhu::hands(const View& v) const {
  return show_hands(kSeats, [&](int i) { return letters(cards_text(v.known.hands[i])); }, v.seat);
}

State DouDiZhu::from_position(const Value& json) const {
  check_header(info_, kVersion, json, kMembers);
  refuse_view(json);
  State s;
  Deck deck;
  read_phase(*this, json, s);
  read_bids(*this, json, s);
  read_played(json, s, deck);
  read_last(*this, json, s);
  read_talon(json, s, deck, false);
  for (int i = 0; i < kSeats; ++i) {
    s.hands[i] = deck.take(hand_entry(info_, json, i), hand_of(i));
    s.counts[i] = size_of(s.hands[i]);
  }
  check_counts(s);
  if (s.landlord != State::kNobody && !contains(s.hands[s.landlord] + s.played[s.landlord], s.talon))
    throw BadInput("the landlord must have had the cards of the talon");
  read_group(*this, json, s, true);
  if (options_.landlord == Landlord::kStrongest && !explained(s))
    throw BadInput("another seat was stronger than the landlord: with these cards the landlord is another one");
  return s;
}

View DouDiZhu::from_view(const Value& json) const {
  check_header(info_, kVersion, json, kMembers);
  View v{State{}, view_seat(json, kSeats)};
  State& s = v.known;
  Deck deck;
  read_phase(*this, json, s);
  read_bids(*this, json, s);
  read_played(json, s, deck);
  read_last(*this, json, s);
  read_talon(json, s, deck, s.landlord == State::kNobody);
  for (int i = 0; i < kSeats; ++i) {
    const Value& hand = hand_entry(info_, json, i);
    if (i == v.seat) {
      s.hands[i] = deck.take(hand, hand_of(i));
      s.counts[i] = size_of(s.hands[i]);
      continue;
    }
    s.counts[i] = hidden_count(hand, i, kLandlordSize);
  }
  check_counts(s);
  if (s.landlord == v.seat && !contains(s.hands[v.seat] + s.played[v.seat], s.talon))
    throw BadInput("the landlord must have had the cards of the talon");
  if (const Bits left = shown_left(s); s.landlord != State::kNobody && s.landlord != v.seat) {
    deck.take(Value(cards_text(left)), "talon");
    if (size_of(left) > s.counts[s.landlord]) throw BadInput("the landlord must have had the cards of the talon");
  }
  read_group(*this, json, s, s.turn == v.seat);
  if (s.phase == Phase::kKickers && s.turn != v.seat) {
    const Bits main = moves_->operator[](kFirstGroup + s.group).cards;
    deck.take(Value(cards_text(without(main, s.turn == s.landlord ? shown_left(s) : 0))), "announced");
  }
  if (v.seat != kPublic && !possible(v))
    throw BadInput(s.phase == Phase::kKickers ? "the seat to act cannot have kickers for what it announced"
                                              : "with these cards the landlord cannot be the strongest seat");
  return v;
}

}  // namespace kibitz::doudizhu
