// Mini Dou Di Zhu (Whitehouse, Powley, Cowling 2011): two players, 18 cards, groups of equal ranks. README.md beside
// this file has the rules, the table of actions and the position format.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/bits.h"
#include "core/optional.h"

namespace kibitz::mini_doudizhu {

// Ranks 0..3 have four cards each, ranks 4 and 5 are the black and the red joker.
inline constexpr int kRanks = 6, kPlain = 4, kDeckSize = 18, kHandSize = 7;

// Action ids: plain rank r, n cards: 4r + n - 1; the jokers; pass.
enum : Action { kBlackJoker = 16, kRedJoker, kPass, kActions };

constexpr int copies(int rank) { return rank < kPlain ? 4 : 1; }
constexpr int rank_of(Action a) { return a < kBlackJoker ? a / 4 : kPlain + a - kBlackJoker; }
constexpr int size_of(Action a) { return a < kBlackJoker ? a % 4 + 1 : 1; }

// Cards by rank, four bits each, so that sets add and subtract as numbers.
using Hand = std::uint32_t;
inline constexpr Hand kDeck = 0x114444;
constexpr Hand cards(int rank, int n) { return static_cast<Hand>(n) << (4 * rank); }
constexpr int count(Hand h, int rank) { return h >> (4 * rank) & 15; }

struct State {
  std::array<Hand, 2> hands{};
  std::array<Hand, 2> played{};  // public; with the hands it tells which four cards nobody has
  std::array<std::uint8_t, 2> counts{};
  std::uint8_t turn = 0;
  std::uint8_t to_beat = kPass;  // kPass: whoever is to act leads
  std::uint8_t over = 0;
  friend bool operator==(const State&, const State&) = default;
};

// A state without the other hand; its count stands.
using View = ViewOf<State>;

class MiniDouDiZhu {
 public:
  using State = mini_doudizhu::State;
  using View = mini_doudizhu::View;
  using Legal = ActionList<kActions>;
  static constexpr bool kOpenMoves = true;  // search/expectimax.h
  static constexpr const char* kName = "mini_doudizhu";

  MiniDouDiZhu();
  static MiniDouDiZhu make(const Value& options);

  State deal(Rng& rng) const;
  Seat to_act(const State& s) const { return s.over ? kOver : s.turn; }
  void legal(const State& s, Legal& out) const;
  void legal(const View& v, Legal& out) const;
  Action random_legal(const State& s, Rng& rng) const { return choose_bit(choices(s), rng); }
  void apply(State& s, Action a) const {
    s.to_beat = a;
    if (a != kPass) {
      const Hand group = cards(rank_of(a), size_of(a));
      s.hands[s.turn] -= group;
      s.played[s.turn] += group;
      s.counts[s.turn] -= size_of(a);
      s.over = s.counts[s.turn] == 0;
    }
    s.turn ^= 1;
  }
  void payoff(const State& s, std::span<double> out) const;
  View view(const State& s, Seat seat) const;
  std::uint64_t key(const View& v) const;
  State sample(const View& v, Rng& rng) const;
  void each_world(const View& v, const WorldVisitor<State>& f) const;
  double worlds(const View& v) const;  // the sum of their weights
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

  // Every distinct deal with the number of ways in which physical cards can be dealt so.
  std::vector<std::pair<State, std::uint64_t>> deals() const;

  // Everything that matters for the rest of the game, if nothing were hidden.
  std::array<std::uint64_t, 1> solver_key(const State& s) const {
    return {s.hands[0] | std::uint64_t{s.hands[1]} << 24 | std::uint64_t{s.to_beat} << 48 |
            std::uint64_t{s.turn} << 56};
  }
  // Many cards first, low ranks first, passing last.
  int promise(const State&, Action a) const { return a == kPass ? -1 : 8 * size_of(a) - rank_of(a); }

 private:
  Bits choices(const State& s) const {
    Bits out = 0;
    for (int rank = 0; rank < kPlain; ++rank) out |= (bit(count(s.hands[s.turn], rank)) - 1) << (4 * rank);
    out |= Bits{s.hands[s.turn]} >> 16 & 1 ? bit(kBlackJoker) : 0;
    out |= Bits{s.hands[s.turn]} >> 20 & 1 ? bit(kRedJoker) : 0;
    return (out & beats_[s.to_beat]) | (s.to_beat == kPass ? 0 : bit(kPass));
  }

  GameInfo info_;
  std::array<Bits, kActions> beats_{};  // the groups that beat an action; all of them after a pass
};

static_assert(PlainGame<MiniDouDiZhu>);
static_assert(has_exactly<MiniDouDiZhu>({Hook::kRandomLegal, Hook::kWorlds, Hook::kEachWorld, Hook::kHands,
                                         Hook::kOpenMoves, Hook::kSolverKey, Hook::kPromise, Hook::kDeals}));

}  // namespace kibitz::mini_doudizhu
