// Dou Di Zhu: three players, 54 cards, one landlord against two peasants. README.md beside this file has the rules, the
// table of actions and the position format.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/optional.h"
#include "games/doudizhu/moves.h"

namespace kibitz::doudizhu {

inline constexpr int kSeats = 3;

enum class Rules : std::uint8_t { kStandard, kRlcard };
enum class Landlord : std::uint8_t { kFirst, kRandom, kStrongest };

struct Options {
  Rules rules = Rules::kStandard;
  Landlord landlord = Landlord::kFirst;  // with bidding: who speaks first
  bool bidding = false;
  bool adp = false;          // scoring: the stake, doubled by bombs and spring, instead of win or loss
  bool separate = false;     // kickers: chosen in a second decision
  bool both_jokers = false;  // both jokers may be kickers of one move
};

enum class Phase : std::uint8_t { kBid, kPlay, kKickers, kOver };

struct State {
  static constexpr std::uint8_t kNobody = 255;

  std::array<Bits, kSeats> hands{}, played{};
  Bits talon = 0;                             // the three cards: hidden while there is no landlord, then shown to all
  std::array<std::uint8_t, kSeats> counts{};  // cards in hand
  std::array<std::uint8_t, kSeats> moves{};   // moves with cards so far
  std::array<std::uint8_t, kSeats> bids{kNobody, kNobody, kNobody};
  Action last = kNoMove;    // the move to beat; none at a free lead
  std::uint8_t leader = 0;  // who played it; at a free lead the seat to act
  std::uint8_t passes = 0;  // since then
  std::uint8_t turn = 0;
  std::uint8_t landlord = kNobody;
  std::uint8_t stake = 1;        // the highest bid, 1 without bidding
  std::uint8_t bombs = 0;        // played so far, the rocket included
  std::uint8_t group = kNobody;  // announced, its kickers are to be chosen
  std::uint8_t winner = kNobody;
  Phase phase = Phase::kPlay;

  friend bool operator==(const State&, const State&) = default;
};

// A state with everything hidden from `seat` wiped out: other hands are empty, their counts stand.
using View = ViewOf<State>;

class DouDiZhu {
 public:
  using State = doudizhu::State;
  using View = doudizhu::View;
  // At most so many moves from 20 cards: README.md has the sum.
  using Legal = ActionList<2816>;
  static constexpr const char* kName = "doudizhu";
  static constexpr int kFullSize = 651;        // floats of the encoder `full` (encode.cpp)
  static constexpr int kActionFeatures = 145;  // floats of action_features (encode.cpp)

  explicit DouDiZhu(const Options& options);
  static DouDiZhu make(const Value& options);

  State deal(Rng& rng) const;
  Seat to_act(const State& s) const { return s.phase == Phase::kOver ? kOver : s.turn; }
  void legal(const State& s, Legal& out) const;
  void legal(const View& v, Legal& out) const;
  Action random_legal(const State& s, Rng& rng) const;
  void apply(State& s, Action a) const;
  void payoff(const State& s, std::span<double> out) const;
  View view(const State& s, Seat seat) const;
  std::uint64_t key(const View& v) const;
  State sample(const View& v, Rng& rng) const;
  Origin<State> origin(const State& world, const View& start, Rng& rng) const;
  void encode(const State& s, Seat seat, int encoder, std::span<float> out) const;
  void action_features(const State& s, Action a, std::span<float> out) const;
  Value position(const State& s) const;
  Value position(const View& v) const;
  State from_position(const Value& json) const;
  View from_view(const Value& json) const;
  std::vector<HeldCards> hands(const State& s) const;
  std::vector<HeldCards> hands(const View& v) const;

  const GameInfo& info() const { return info_; }
  std::string text(Action a) const { return moves_->text(a); }
  Action parse(const std::string& text) const;
  std::string picture(const State& s) const;
  std::string picture(const View& v) const;

  const Options& options() const { return options_; }
  const Moves& moves() const { return *moves_; }
  // Whether there is any world for a view whose cards are in order (sample.cpp).
  bool possible(const View& v) const;

  // For search/solver.h.
  void check_solvable(const State& s) const;
  std::array<std::uint64_t, 4> solver_key(const State& s) const;
  Seat loner(const State& s) const { return s.landlord; }
  // Many cards first, low ones first, passing last: who gets rid of its cards wins.
  int promise(const State&, Action a) const {
    const Move& move = (*moves_)[a];
    return a == kPass ? -1 : 16 * move.size + 15 - move.main;
  }

 private:
  void collect(const State& s, Blocks& out) const;
  void play(State& s, Action a, const Move& move) const;
  void bid(State& s, int bid) const;
  void become_landlord(State& s, int seat) const;

  Options options_;
  GameInfo info_;
  const Moves* moves_;  // one table for all games
};

static_assert(PlainGame<DouDiZhu>);
static_assert(has_exactly<DouDiZhu>({Hook::kRandomLegal, Hook::kActionFeatures, Hook::kOrigin, Hook::kHands,
                                     Hook::kSolverKey, Hook::kPromise, Hook::kLoner, Hook::kCheckSolvable}));

// rlcard's score of a hand of 17 cards; the landlord of landlord="strongest" has the highest, the first seat on ties.
int landlord_score(Bits hand);
int strongest(const std::array<Bits, kSeats>& hands);

// Whether the landlord of a state is the strongest.
bool explained(const State& s);

// The landlord's shown cards that are still in its hand. It is taken to play a shown card before another of its rank,
// as a player would who gives nothing away.
inline Bits shown_left(const State& s) {
  return s.landlord == State::kNobody ? 0 : without(s.talon, s.played[s.landlord]);
}

}  // namespace kibitz::doudizhu
