// Kuhn poker: two seats, three cards, one bet. README.md beside this file has the rules, the table of actions and the
// position format.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/optional.h"

namespace kibitz::kuhn {

enum : Action { kPass, kBet, kActions };

inline constexpr int kSeats = 2, kCards = 3, kMostActions = 3;

// Plain bytes: no heap, no pointers. Nothing is left to chance after the deal, so that there is no stream in it.
struct State {
  std::array<std::uint8_t, kSeats> cards{};         // 1, 2, 3: jack, queen, king; 0 where a view does not show it
  std::array<std::uint8_t, kMostActions> played{};  // the first `length` of them; the rest stays zero
  std::uint8_t length = 0;
  friend bool operator==(const State&, const State&) = default;
};

using View = ViewOf<State>;

class Kuhn {
 public:
  using State = kuhn::State;
  using View = kuhn::View;
  using Legal = ActionList<kActions>;
  static constexpr const char* kName = "kuhn";

  Kuhn();
  static Kuhn make(const Value& options);

  // The contract.
  State deal(Rng& rng) const;
  Seat to_act(const State& s) const { return over(s) ? kOver : static_cast<Seat>(s.length % kSeats); }
  void legal(const State& s, Legal& out) const;
  void legal(const View& v, Legal& out) const;
  void apply(State& s, Action a) const { s.played[s.length++] = static_cast<std::uint8_t>(a); }
  void payoff(const State& s, std::span<double> out) const;
  View view(const State& s, Seat seat) const;
  std::uint64_t key(const View& v) const;
  State sample(const View& v, Rng& rng) const;
  void encode(const State& s, Seat seat, int encoder, std::span<float> out) const;
  Value position(const State& s) const;
  Value position(const View& v) const;
  State from_position(const Value& json) const;
  View from_view(const Value& json) const;

  // The descriptor.
  const GameInfo& info() const { return info_; }
  std::string text(Action a) const;
  Action parse(const std::string& text) const;
  std::string picture(const State& s) const;
  std::string picture(const View& v) const;

  // Hooks.
  double worlds(const View& v) const;
  void each_world(const View& v, const WorldVisitor<State>& f) const;
  std::vector<HeldCards> hands(const State& s) const;
  std::vector<HeldCards> hands(const View& v) const;

 private:
  // Two passes, or an answer to a bet.
  static bool over(const State& s) { return s.length >= 2 && (s.played[s.length - 2] == kBet || !bet(s)); }
  static bool bet(const State& s) { return s.played[s.length - 1] == kBet; }
  static bool folded(const State& s) { return over(s) && !bet(s) && s.played[s.length - 2] == kBet; }
  static bool shown(const State& s) { return over(s) && !folded(s); }
  void read_played(const Value& json, State& s) const;

  GameInfo info_;
};

static_assert(PlainGame<Kuhn>);
static_assert(has_exactly<Kuhn>({Hook::kWorlds, Hook::kEachWorld, Hook::kHands}));

}  // namespace kibitz::kuhn
