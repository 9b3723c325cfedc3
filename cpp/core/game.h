// The contract of a game: ten functions, each with its law. Everything else in Kibitz (bindings, tables, matches,
// searches, learners) is written once against it; core/optional.h names what a game may have beside it.
//
// A game object holds the options and is immutable; all functions are const. A State is everything, hidden cards
// included; a View is all that one seat may know. tests/ and cpp/tests/contract_test.cpp check every law below over
// random play of every registered game.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/action_list.h"
#include "core/rng.h"
#include "core/value.h"

namespace kibitz {

using Seat = std::int8_t;            // 0..n-1
inline constexpr Seat kNature = -1;  // chance is to act: in games adapted from outside; ours hide chance in the state
inline constexpr Seat kOver = -2;    // the game has ended
inline constexpr Seat kPublic = -1;  // in place of a view's seat: the view of spectators, what every seat knows

inline constexpr int kMostSeats = 64;              // of any game
using Payoffs = std::array<double, kMostSeats>;    // per seat; a game uses the first info().seats of them
using History = std::vector<std::pair<int, int>>;  // (seat, action), since the deal or the position

struct EncoderInfo {
  std::string name;
  std::vector<int> shape;
  bool peeks;           // reads hidden cards; never offered on a view
  bool binary = false;  // every feature is 0 or 1: tables may keep them as bytes

  int size() const {
    int n = 1;
    for (int d : shape) n *= d;
    return n;
  }
};

// What games use as their View: a state from which everything hidden from `seat` is wiped.
template <class S>
struct ViewOf {
  S known;
  Seat seat;
  friend bool operator==(const ViewOf&, const ViewOf&) = default;
};

// What a game says of itself beside the contract: constant for a game object.
struct GameInfo {
  std::string name;
  int seats;
  int actions;            // ids are 0..actions-1
  double low, high;       // range of payoffs, in natural units
  bool zero_sum;          // payoffs sum to zero
  std::vector<int> team;  // team[seat]; partners share a payoff
  std::vector<EncoderInfo> encoders;
  Value options;                   // all options, defaults filled in: make(options) gives the same game again
  bool hidden = true;              // some seat does not know everything
  bool hidden_moves = false;       // some seat may not see which action another plays
  int action_features = 0;         // floats per action that the member action_features writes; 0 without it
  std::string point_scoring = {};  // the value of option `scoring` that counts points, for series; empty without one
  // Who plays with whom is settled in the game: then `team` puts every seat alone, and equal payoffs show the sides.
  bool partners_vary = false;
};

inline int find_encoder(const GameInfo& info, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& e : info.encoders) names.push_back(e.name);
  return one_of("encoder of " + info.name + ":", name, names);
}

// Above so many actions a mask is no practical network output: learners get lists of legal actions with features.
inline constexpr int kMaskActions = 1024;

template <class G>
concept Game =
    requires(const G& game, typename G::State& state, const typename G::State& seen, const typename G::View& view,
             typename G::Legal& list, Rng& rng, Seat seat, Action action, int encoder, std::span<float> floats,
             std::span<double> payoffs, const Value& json) {
      // A State is a value: a copy has the same future and shares nothing with the original.
      requires std::copyable<typename G::State>;
      // A View is a seat and a State from which everything hidden from it is wiped.
      requires std::equality_comparable<typename G::View>;
      { view.known } -> std::convertible_to<const typename G::State&>;
      { view.seat } -> std::convertible_to<Seat>;

      // 1. A new state. The stream `rng` is all the chance there is: the same stream, the same deal, on every platform.
      //    The state keeps a stream of its own, so that it fixes all future chance.
      { game.deal(rng) } -> std::same_as<typename G::State>;

      // 2. The seat to act, kNature or kOver.
      { game.to_act(seen) } -> std::same_as<Seat>;

      // 3. The legal actions: ascending, no duplicates, never empty while the game runs, empty when it is over. From a
      //    view: those of the view's seat, empty unless it is to act. Both agree: legal(view(s, to_act(s))) ==
      //    legal(s).
      game.legal(seen, list);
      game.legal(view, list);

      // 4. Plays a legal action. Deterministic: chance comes from the state's own stream.
      game.apply(state, action);

      // 5. Payoff per seat, in natural units; zeros while the game runs. Zero-sum games sum to zero, partners share.
      game.payoff(seen, payoffs);

      // 6. All that `seat` may know, with perfect recall of what matters for the future. Two states that differ only in
      //    what the seat cannot know have equal views. Of kPublic: what every seat knows, a function of the view of
      //    any: view(view(s, i).known, kPublic) == view(s, kPublic). Nothing is legal in a public view (here nature
      //    never acts); it has a key and a position, but `sample` and `encode` are for views of seats.
      { game.view(seen, seat) } -> std::same_as<typename G::View>;

      // 7. A hash of the view's content: equal views, equal keys. Counters that only bound the length do not enter.
      { game.key(view) } -> std::same_as<std::uint64_t>;

      // 8. A world: a state consistent with the view, uniform over those (physical cards, pile orders, streams). Law:
      //    view(sample(v), seat(v)) == v, and the public history could have led there.
      { game.sample(view, rng) } -> std::same_as<typename G::State>;

      // 9. Features for learners, written to all of `floats` (as many as the encoder's size). Unless the encoder is
      //    marked `peeks`, the result is a function of view(state, seat) alone.
      game.encode(seen, seat, encoder, floats);

      // 10. A readable position that round-trips: from_position(position(s)) == s. Illegal ones throw BadInput. The
      //     position of a view leaves cards unknown; from_view reads it back.
      { game.position(seen) } -> std::same_as<Value>;
      { game.position(view) } -> std::same_as<Value>;
      { game.from_position(json) } -> std::same_as<typename G::State>;
      { game.from_view(json) } -> std::same_as<typename G::View>;
    } &&
    requires(const G& game, const typename G::State& state, const typename G::View& view, const std::string& text,
             Action action, const Value& options) {
      // The descriptor beside the contract: construction from options, constants, the names of actions, and pictures.
      { G::make(options) } -> std::same_as<G>;
      { game.info() } -> std::same_as<const GameInfo&>;
      { game.text(action) } -> std::same_as<std::string>;
      { game.parse(text) } -> std::same_as<Action>;  // throws BadInput naming what is allowed
      { game.picture(state) } -> std::same_as<std::string>;
      { game.picture(view) } -> std::same_as<std::string>;
    };

// The second tier: games whose states are plain bytes. Copying one is a memcpy, it owns no heap and holds no pointers.
// A search copies a state in every iteration and tables hold thousands of them, so that a copy should cost nothing.
// Card and board games are such games; rulesheets (games/gdl), whose states have a size of their own, and games written
// in Python are not.
template <class G>
concept PlainGame = Game<G> && std::is_trivially_copyable_v<typename G::State>;

// A uniformly random one of the legal actions in `list`: one draw from `rng`, none where there is no choice.
template <class List>
Action random_of(const List& list, Rng& rng) {
  if (list.size() == 1) return list[0];
  return list[rng.below(list.size())];
}

}  // namespace kibitz
