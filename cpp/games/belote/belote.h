// Belote: 32 or 12 cards, `official` rules with or without bidding, and the simplified `olech` rules. README.md beside
// this file has the rules, the table of actions and the position format.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/optional.h"
#include "games/belote/cards.h"

namespace kibitz::belote {

// Action ids: 0..31 play a card (see cards.h); the others exist with bidding only.
enum : Action {
  kPass = 32,
  kTake,  // + suit: with it as trump
  kCardActions = kDeck,
  kBiddingActions = kTake + kSuits,
};

enum class Rules : std::uint8_t { kOfficial, kOlech };
enum class Scoring : std::uint8_t { kPoints, kDifference, kWin };

struct Options {
  int cards = kDeck;
  Rules rules = Rules::kOfficial;
  Scoring scoring = Scoring::kPoints;
  bool bidding = false;
  bool strict = false;   // trumping="strict": always trump when void, never obliged to overtrump
  bool discard = false;  // who cannot overtrump may play anything, as in contrée
  int trump = 0;         // a suit, or kRandomTrump; with bidding the taker names it
  static constexpr int kRandomTrump = kSuits;
};

// What the seat to act decides: bid in the first or second round, or play a card.
enum class Phase : std::uint8_t { kFirst, kSecond, kPlay, kOver };

struct State {
  static constexpr int kTalon = 11;
  static constexpr int kFirstCards = 5;  // dealt to each before the bidding
  static constexpr std::uint8_t kNobody = 255;

  std::array<Cards, kSeats> hands{};
  std::array<Cards, kSeats> played{};              // by each seat, those in the trick included
  std::array<Cards, kSeats> barred{};              // public: unplayed cards that the seat has shown not to hold
  Cards above = 0;                                 // the trumps that would overtrump the trick: all where it has none
  std::array<Card, kSeats> trick{};                // in the order played
  std::array<Card, kTalon> talon{};                // bidding: cards still to be dealt, in that order
  std::array<std::uint8_t, 2> points{}, tricks{};  // card points and tricks taken, of seats 0 and 2, and of 1 and 3
  Phase phase = Phase::kPlay;
  std::uint8_t trump = kNoSuit;
  Card turned = kNoCard;
  std::uint8_t taker = kNobody;  // with bidding only
  std::uint8_t actor = 0;        // after the last trick: who took it
  std::uint8_t in_trick = 0;     // cards in the trick
  std::uint8_t at_stake = 0;     // their points
  std::uint8_t winner = 0;       // who holds the trick, and how strongly
  std::uint8_t strength = 0;

  friend bool operator==(const State&, const State&) = default;
};

// A state with everything hidden from `seat` wiped out: other hands and the talon.
using View = ViewOf<State>;

class Belote {
 public:
  using State = belote::State;
  using View = belote::View;
  using Legal = ActionList<8>;
  static constexpr const char* kName = "belote";
  static constexpr int kFullSize = 473;  // floats of the encoder `full` (encode.cpp)
  static constexpr int kWholeDeck = 152, kLastTrick = 10, kCapot = 100, kBelote = 20;

  explicit Belote(const Options& options);
  static Belote make(const Value& options);

  State deal(Rng& rng) const;
  Seat to_act(const State& s) const { return s.phase == Phase::kOver ? kOver : s.actor; }
  void legal(const State& s, Legal& out) const;
  void legal(const View& v, Legal& out) const;
  Action random_legal(const State& s, Rng& rng) const;
  void apply(State& s, Action a) const;
  std::uint32_t playout(State& s, Rng& rng) const;
  void payoff(const State& s, std::span<double> out) const;
  View view(const State& s, Seat seat) const;
  std::uint64_t key(const View& v) const;
  State sample(const View& v, Rng& rng) const;
  void encode(const State& s, Seat seat, int encoder, std::span<float> out) const;
  Value position(const State& s) const;
  Value position(const View& v) const;
  State from_position(const Value& json) const;
  View from_view(const Value& json) const;
  std::vector<HeldCards> hands(const State& s) const;
  std::vector<HeldCards> hands(const View& v) const;

  const GameInfo& info() const { return info_; }
  std::string text(Action a) const;
  Action parse(const std::string& text) const;
  std::string picture(const State& s) const;
  std::string picture(const View& v) const;

  const Options& options() const { return options_; }
  bool official() const { return options_.rules == Rules::kOfficial; }
  Cards deck() const { return deck_; }
  int hand_size() const { return options_.cards / kSeats; }

  // The cards that the seat to act may play; phase kPlay.
  Cards playable(const State& s) const;
  // What both teams take in a finished deal: cards, last trick, capot, belote. Dedans does not enter.
  std::array<int, 2> taken(const State& s) const;
  // What they score for it: takers who do not have more than the defence lose all.
  std::array<int, 2> scores(const State& s) const;
  // The takers' points in a tie: a series gives them to the winners of the next deal.
  double held(std::span<const double> payoffs) const;
  // How many worlds there are: what `sample` draws from. In the bidding, orders of the talon count.
  double worlds(const View& v) const;
  void each_world(const View& v, const WorldVisitor<State>& f) const;
  Origin<State> origin(const State& world, const View& start, Rng& rng) const;
  // The game's own solver (solver.cpp), which search/solver.h calls. A value is what the side of the seat to act takes
  // more than the other: cards, last trick, capot, belote; dedans does not enter. Nodes are cards played.
  Solution solve(const State& s, const SolverSettings& settings, const std::atomic<bool>* stop) const;
  void check_solvable(const State& s) const;

 private:
  void bid(State& s, Action a) const;
  void begin_play(State& s) const;
  template <bool kRemember>
  void play(State& s, Card c) const;
  void learn(State& s, Card c) const;
  void announce(State& s, Card c) const;

  Options options_;
  GameInfo info_;
  Cards deck_;
  Cards royals_ = 0;  // K and Q of every suit, where belote-rebelote counts
};

static_assert(PlainGame<Belote>);
static_assert(has_exactly<Belote>({Hook::kRandomLegal, Hook::kPlayout, Hook::kWorlds, Hook::kEachWorld, Hook::kOrigin,
                                   Hook::kHands, Hook::kCheckSolvable, Hook::kSolve, Hook::kHeld}));

}  // namespace kibitz::belote
