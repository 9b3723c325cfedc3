// Uno: 2-10 players, `official` (Mattel) and `rlcard` rules, house rules as options. README.md beside this file has
// the rules, the table of actions and the position format.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/optional.h"
#include "games/uno/cards.h"
#include "games/uno/memory.h"

namespace kibitz::uno {

inline constexpr int kMaxSeats = 10, kDealt = 7;

// Action ids: 0..59 play a card (see cards.h), 60 draw; 61 and up exist under official rules only.
enum : Action {
  kDraw = 60,
  kPlayDrawn,
  kKeep,
  kChallenge,
  kAccept,
  kCallUno,
  kSilent,
  kCatch,
  kLetPass,
  kNameColour,                     // + colour
  kSwap = kNameColour + kColours,  // + seat
  kOfficialActions = kSwap + kMaxSeats,
  kRlcardActions = kDraw + 1,
};

enum class Rules : std::uint8_t { kOfficial, kRlcard };

struct Options {
  int players = 2;
  Rules rules = Rules::kOfficial;
  bool points = false;        // scoring: points on the cards left instead of win or loss
  bool call = false;          // uno_call: calling, staying silent and catching are decisions
  bool opening_back = false;  // opening_wild: a Wild as first card goes back into the pile
  bool stacking = false;      // a draw card may be answered with one of its kind, the next seat draws the sum
  bool draw_until = false;    // draw, only if nothing fits, until a card fits, and play that
  bool seven_zero = false;    // a 7 swaps hands with a chosen seat, a 0 passes all hands on
};

// What the seat to act decides.
enum class Phase : std::uint8_t { kPlay, kDrawn, kName, kSwap, kCall, kCatch, kPenalty, kOver };

// Cards of another hand that a seat has seen and that have not been played since; none: no such hand.
struct Sight {
  Hand hand;
  std::uint8_t owner = 0;
  friend bool operator==(const Sight&, const Sight&) = default;
};

struct Table {
  static constexpr int kSights = 2;  // per seat

  Rng stream;  // all future chance
  std::array<Hand, kMaxSeats> hands{};
  Reshuffle last;
  std::array<Hand, kMaxSeats> held{};                          // each hand at the last reshuffle: its seat remembers it
  std::array<std::array<Sight, kSights>, kMaxSeats> sights{};  // [who saw]
  std::array<Card, kCards> cards{};  // the pile from the front (in no order: draws pick by `stream`), the
                                     // discards from the back: top at cards[kCards - discards]
  std::array<std::uint8_t, kMaxSeats> counts{};
  std::array<Memory, kMaxSeats> memory{};
  std::uint8_t pile = 0, discards = 0;
  std::uint8_t colour = kNoColour, trait = 0;  // the target
  std::uint8_t before = kNoColour;             // the colour before the last Wild Draw 4, for a challenge
  std::int8_t direction = 1;
  std::uint8_t turn = 0;  // whose turn it is; in kPenalty and kCatch, who just played
  Seat actor = 0;         // who decides; kOver at the end
  Phase phase = Phase::kPlay;
  std::uint8_t pending = 0;      // cards that the next seat has to draw
  Card drawn = kNoCard;          // the card just drawn (kDrawn: known to the actor alone)
  bool guilty = false;           // the last Wild Draw 4 was a bluff (known to its player alone)
  std::uint8_t bluff_slots = 0;  // how many slots its player had then
  std::uint8_t idle = 0;         // seats in a row that wanted to draw and found nothing
  std::uint8_t winner = kNobody;

  static constexpr std::uint8_t kNobody = 255;
  friend bool operator==(const Table&, const Table&) = default;
};

struct State : Table {
  void fold() {
    for (Memory& m : memory) m.fold(last);
  }
  int target() const { return colour * kTraits + trait; }
  // Whether notes have been folded already makes no difference.
  friend bool operator==(State a, State b) {
    a.fold();
    b.fold();
    return static_cast<const Table&>(a) == static_cast<const Table&>(b);
  }
};

// A state with everything hidden from `seat` wiped out. Other hands are empty, their counts stand.
using View = ViewOf<State>;

class Uno {
 public:
  using State = uno::State;
  using View = uno::View;
  using Legal = ActionList<64>;
  static constexpr const char* kName = "uno";
  // An endless game needs endless reshuffles. After this many the discards stay where they are, so that soon nobody
  // finds a card to draw, and it is a draw. Random play hardly ever comes there (README.md).
  static constexpr int kMaxReshuffles = 2000;
  static constexpr int kFullSize = 509;  // floats of the encoder `full` (encode.cpp)

  explicit Uno(const Options& options);
  static Uno make(const Value& options);

  State deal(Rng& rng) const;
  Seat to_act(const State& s) const { return s.actor; }
  void legal(const State& s, Legal& out) const;
  void legal(const View& v, Legal& out) const;
  Action random_legal(const State& s, Rng& rng) const;
  ActionSet legal_set(const State& s) const;
  void apply(State& s, Action a) const { rlcard() ? apply_rlcard(s, a) : apply_official(s, a); }
  std::uint32_t playout(State& s, Rng& rng) const;
  void payoff(const State& s, std::span<double> out) const;
  View view(const State& s, Seat seat) const;
  std::uint64_t key(const View& v) const;
  State sample(const View& v, Rng& rng) const;
  void encode(const State& s, Seat seat, int encoder, std::span<float> out) const;
  void encode(const State& s, Seat seat, int encoder, std::span<std::uint8_t> out) const;
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
  bool rlcard() const { return options_.rules == Rules::kRlcard; }
  // Coloured cards of the hand that fit the target.
  static Bits fitting(const State& s, const Hand& h) { return h.one & kFits[s.colour][s.trait]; }

 private:
  int next(const State& s, int seat) const { return next_[s.direction > 0][seat]; }
  void open(State& s) const;
  Bits plays(const State& s) const;
  void legal_special(const State& s, Legal& out) const;
  void pass_to(State& s, int seat) const {
    s.turn = seat;
    s.actor = seat;
    s.phase = Phase::kPlay;
  }
  void finish(State& s, int winner) const {
    s.winner = winner;
    s.actor = kOver;
    s.phase = Phase::kOver;
  }
  void found_nothing(State& s) const;
  // Piles and hands.
  void discard(State& s, Card c) const { s.cards[kCards - ++s.discards] = c; }
  Card take(State& s) const {  // a random card of the pile, which is not empty
    Card& place = s.cards[s.stream.below(s.pile)];
    const Card c = place;
    place = s.cards[--s.pile];
    s.cards[s.pile] = 0;  // equal states have equal bytes
    return c;
  }
  void reshuffle(State& s) const;
  void give(State& s, int seat, int n) const;
  // rlcard.cpp
  void apply_rlcard(State& s, Action a) const;
  std::uint32_t playout_rlcard(State& s, Rng& rng) const;
  template <bool kNotes>
  void note(State& s, int seat, int event) const;
  template <bool kNotes>
  void step_rlcard(State& s, Action a) const;
  template <bool kNotes>
  bool draw_rlcard(State& s) const;
  template <bool kNotes>
  void punish_rlcard(State& s, int seat, int n) const;
  // official.cpp
  void apply_official(State& s, Action a) const;
  void play(State& s, Action a) const;
  void draw(State& s) const;
  void draw_until_fits(State& s) const;
  void after_play(State& s) const;
  void resolve(State& s) const;
  void accept_penalty(State& s) const;
  void challenge(State& s) const;
  void swap_hands(State& s, int a, int b) const;
  void pass_hands_on(State& s) const;

  Options options_;
  GameInfo info_;
  State blank_;                    // a full pile, nothing dealt
  std::uint8_t next_[2][16] = {};  // [direction > 0][seat]: a table, because a branch here is a coin toss
};

static_assert(PlainGame<Uno>);
static_assert(has_exactly<Uno>({Hook::kRandomLegal, Hook::kPlayout, Hook::kLegalSet, Hook::kEncodeBytes,
                                Hook::kHands}));

}  // namespace kibitz::uno
