#include <algorithm>
#include <cmath>

#include "games/doudizhu/doudizhu.h"

namespace kibitz::doudizhu {

namespace {

constexpr int kMostBombs = 13;  // thirteen quads, five of them the landlord's

GameInfo describe(const Options& o) {
  GameInfo info;
  info.name = DouDiZhu::kName;
  info.seats = kSeats;
  info.actions = o.rules == Rules::kRlcard ? kRlcardActions : Moves::all().size();
  info.high = o.adp ? 2.0 * (o.bidding ? 3 : 1) * (1 << kMostBombs) : 1.0;
  info.low = -info.high;
  info.zero_sum = true;
  // Who plays with whom is known beforehand only if the landlord is.
  const bool fixed = o.landlord == Landlord::kFirst && !o.bidding;
  info.partners_vary = !fixed;
  info.point_scoring = "adp";
  info.team = fixed ? std::vector<int>{0, 1, 1} : std::vector<int>{0, 1, 2};
  info.encoders = {{"full", {DouDiZhu::kFullSize}, false}};
  info.action_features = DouDiZhu::kActionFeatures;
  const char* landlords[] = {"first", "random", "strongest"};
  info.options = Value::Object{{"rules", o.rules == Rules::kRlcard ? "rlcard" : "standard"},
                               {"landlord", landlords[static_cast<int>(o.landlord)]},
                               {"bidding", o.bidding},
                               {"scoring", o.adp ? "adp" : "wp"},
                               {"kickers", o.separate ? "separate" : "joint"},
                               {"joker_kickers", o.both_jokers ? "both" : "one"}};
  return info;
}

}  // namespace

DouDiZhu::DouDiZhu(const Options& options) : options_(options), info_(describe(options)), moves_(&Moves::all()) {}

DouDiZhu DouDiZhu::make(const Value& options) {
  Options o;
  const auto word = [](const std::string& name, const Value& v, const std::vector<std::string>& allowed) {
    return one_of("option " + name, v.string("option " + name), allowed);
  };
  for (const auto& [name, value] : options.object("options of doudizhu")) {
    if (name == "rules")
      o.rules = static_cast<Rules>(word(name, value, {"standard", "rlcard"}));
    else if (name == "landlord")
      o.landlord = static_cast<Landlord>(word(name, value, {"first", "random", "strongest"}));
    else if (name == "bidding")
      o.bidding = value.boolean("option bidding");
    else if (name == "scoring")
      o.adp = word(name, value, {"wp", "adp"}) == 1;
    else if (name == "kickers")
      o.separate = word(name, value, {"joint", "separate"}) == 1;
    else if (name == "joker_kickers")
      o.both_jokers = word(name, value, {"one", "both"}) == 1;
    else
      throw BadInput("unknown option '" + name +
                     "' of doudizhu; allowed options: rules, landlord, bidding, scoring, kickers, joker_kickers");
  }
  if (o.rules == Rules::kRlcard && (o.bidding || o.separate || o.both_jokers))
    throw BadInput(
        "rules 'rlcard' have no bidding, kickers 'joint' and joker_kickers 'one' only; use rules 'standard'");
  if (o.bidding && o.landlord == Landlord::kStrongest)
    throw BadInput("with bidding, landlord says who speaks first: 'first' or 'random', not 'strongest'");
  if (o.separate && o.landlord == Landlord::kStrongest)
    throw BadInput("kickers 'separate' need landlord 'first' or 'random', not 'strongest'");
  return DouDiZhu(o);
}

int landlord_score(Bits hand) {
  const int aces = count_of(hand, kTwo - 1), twos = count_of(hand, kTwo);
  int score = 6 * ranks_in(at_least_4(hand));
  if (aces < 4) score += aces;
  if (twos < 4) score += 2 * twos;
  const int black = count_of(hand, kBlack), red = count_of(hand, kRed);
  return score + (black && red ? 8 : 3 * black + 4 * red);
}

int strongest(const std::array<Bits, kSeats>& hands) {
  int best = 0;
  for (int i = 1; i < kSeats; ++i)
    if (landlord_score(hands[i]) > landlord_score(hands[best])) best = i;
  return best;
}

State DouDiZhu::deal(Rng& rng) const {
  std::array<std::uint8_t, kCards> deck;  // shifts of the ranks' nibbles
  int n = 0;
  for (int r = 0; r < kRanks; ++r)
    for (int i = count_of(kDeck, r); i > 0; --i) deck[n++] = 4 * r;
  State s;
  Bits left = kDeck;
  const auto draw = [&](int cards) {
    Bits out = 0;
    for (; cards > 0; --cards) {
      const auto at = rng.below(n);
      out += Bits{1} << deck[at];
      deck[at] = deck[--n];
    }
    left -= out;
    return out;
  };
  s.talon = draw(kShown);
  for (int i = 0; i + 1 < kSeats; ++i) s.hands[i] = draw(kHandSize);
  s.hands[kSeats - 1] = left;
  s.counts.fill(kHandSize);
  int first = 0;
  if (options_.landlord == Landlord::kRandom) first = rng.below(kSeats);
  if (options_.landlord == Landlord::kStrongest) first = strongest(s.hands);
  if (!options_.bidding) {
    become_landlord(s, first);
  } else {
    s.phase = Phase::kBid;
    s.stake = 0;
    s.turn = s.leader = first;
  }
  return s;
}

void DouDiZhu::become_landlord(State& s, int seat) const {
  s.landlord = s.turn = s.leader = seat;
  s.hands[seat] += s.talon;
  s.counts[seat] = kLandlordSize;
  s.phase = Phase::kPlay;
}

void DouDiZhu::collect(const State& s, Blocks& out) const {
  if (s.phase == Phase::kPlay)
    moves_->collect(s.hands[s.turn], s.last, options_.separate, options_.both_jokers, out);
  else if (s.phase == Phase::kKickers)
    moves_->collect_group(s.hands[s.turn], s.group, options_.both_jokers, out);
  else if (s.phase == Phase::kBid) {
    out.add_one(kFirstBid);
    for (int bid = s.stake + 1; bid <= 3; ++bid) out.add_one(kFirstBid + bid);
  }
}

void DouDiZhu::legal(const State& s, Legal& out) const {
  out.clear();
  Blocks blocks;
  collect(s, blocks);
  moves_->list(s.hands[s.turn], blocks, out);
}

void DouDiZhu::legal(const View& v, Legal& out) const {
  if (to_act(v.known) == v.seat) return legal(v.known, out);
  out.clear();
}

// Counts the blocks and finds the chosen one: the same action as from the list, which is never written.
Action DouDiZhu::random_legal(const State& s, Rng& rng) const {
  Blocks blocks;
  collect(s, blocks);
  const int n = blocks.total();
  return moves_->pick(s.hands[s.turn], blocks, n == 1 ? 0 : rng.below(n));
}

namespace {

constexpr std::uint8_t next_seat(int seat) { return seat == 2 ? 0 : seat + 1; }

}  // namespace

void DouDiZhu::apply(State& s, Action a) const {
  if (a == kPass) {
    s.turn = next_seat(s.turn);
    if (++s.passes < 2) return;
    s.passes = 0;  // the lead is free again
    s.last = kNoMove;
    return;
  }
  const Move& move = (*moves_)[a];
  if (move.category == Category::kBid) return bid(s, move.length);
  if (move.category != Category::kKickers) return play(s, a, move);
  s.group = move.group;
  s.phase = Phase::kKickers;
}

void DouDiZhu::play(State& s, Action a, const Move& move) const {
  const int seat = s.turn;
  s.hands[seat] -= move.cards;
  s.played[seat] += move.cards;
  s.counts[seat] -= move.size;
  ++s.moves[seat];
  s.bombs += a >= kFirstBomb && a <= kRocket;
  s.last = a;
  s.leader = seat;
  s.passes = 0;
  s.group = State::kNobody;
  s.phase = Phase::kPlay;
  s.turn = next_seat(seat);
  if (s.counts[seat] == 0) {
    s.winner = seat;
    s.phase = Phase::kOver;
  }
}

// Each seat speaks once; 3 ends the bidding. Without any bid the game is a draw.
void DouDiZhu::bid(State& s, int bid) const {
  s.bids[s.turn] = bid;
  if (bid > s.stake) {
    s.stake = bid;
    s.leader = s.turn;
  }
  const int next = next_seat(s.turn);
  if (bid < 3 && s.bids[next] == State::kNobody) {
    s.turn = next;
  } else if (s.stake > 0) {
    become_landlord(s, s.leader);
  } else {
    s.phase = Phase::kOver;
    s.turn = s.leader = 0;
  }
}

void DouDiZhu::payoff(const State& s, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  if (s.winner == State::kNobody) return;
  const bool landlord = s.winner == s.landlord;
  double peasant = landlord ? -0.5 : 0.5;
  if (options_.adp) {
    // Spring: the losers never got rid of a card after the landlord's first move.
    int others = 0;
    for (int i = 0; i < kSeats; ++i)
      if (i != s.landlord) others += s.moves[i];
    const bool spring = landlord ? others == 0 : s.moves[s.landlord] == 1;
    peasant *= 2.0 * s.stake * std::ldexp(spring ? 2.0 : 1.0, s.bombs);
  }
  for (int i = 0; i < kSeats; ++i) out[i] = i == s.landlord ? -2 * peasant : peasant;
}

View DouDiZhu::view(const State& s, Seat seat) const {
  View v{s, seat};
  for (int i = 0; i < kSeats; ++i)
    if (i != seat) v.known.hands[i] = 0;
  if (s.landlord == State::kNobody) v.known.talon = 0;
  return v;
}

std::uint64_t DouDiZhu::key(const View& v) const {
  const State& s = v.known;
  std::uint64_t h = v.seat;
  const auto add = [&h](std::uint64_t x) { h = mix(h, x); };
  add(v.seat == kPublic ? 0 : s.hands[v.seat]);
  for (Bits b : s.played) add(b);
  add(s.talon);
  std::uint64_t small = 0;
  for (int i = 0; i < kSeats; ++i) small = small << 8 | s.moves[i];
  for (int i = 0; i < kSeats; ++i) small = small << 8 | s.bids[i];
  add(small << 16 | s.last);
  small = 0;
  for (int x : {int{s.leader}, int{s.passes}, int{s.turn}, int{s.landlord}, int{s.stake}, int{s.bombs}, int{s.group},
                static_cast<int>(s.phase)})
    small = small << 8 | x;
  add(small);
  return h;
}

void DouDiZhu::check_solvable(const State& s) const {
  if (s.phase == Phase::kBid) throw BadInput("only the play of doudizhu is solved, not the bidding");
}

// What matters for the rest of a game whose landlord and stake are known. Kickers of the move to beat do not.
std::array<std::uint64_t, 4> DouDiZhu::solver_key(const State& s) const {
  std::uint64_t small = 0;
  const auto add = [&small](int x) { small = small << 8 | static_cast<std::uint8_t>(x); };
  add(s.turn | s.passes << 2 | static_cast<int>(s.phase) << 4);
  add(s.group);
  if (s.last != kNoMove) {
    const Move& move = (*moves_)[s.last];
    add(static_cast<int>(move.category) + 1);
    add(move.length << 4 | move.main);
  } else {
    add(0);
    add(0);
  }
  if (options_.adp) {
    int others = -s.moves[s.landlord];
    for (int n : s.moves) others += n;
    add(s.bombs);
    add((others > 0) | std::min<int>(s.moves[s.landlord], 2) << 1);  // what spring depends on
  }
  return {s.hands[0], s.hands[1], s.hands[2], small};
}

}  // namespace kibitz::doudizhu
