// What a game may have beside the contract of core/game.h. Every hook has a name, a concept and a line in kHooks, and
// every game states its own, so that a misspelt one does not compile instead of being ignored:
//
//   static_assert(has_exactly<Uno>({Hook::kPlayout, Hook::kLegalSet}));
//
// Whatever a hook speeds up must stay the same: cpp/tests/contract_test.cpp compares it with the contract's functions.
#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/game.h"
#include "core/solution.h"

namespace kibitz {

// ------------------------------------------------------------------------------------------------ faster play

// random_legal(state, rng): what random_of(legal(state), rng) gives, without the list.
template <class G>
concept DrawsLegal = requires(const G& game, const typename G::State& state, Rng& rng) {
  { game.random_legal(state, rng) } -> std::same_as<Action>;
};

// playout(state, rng): plays uniformly at random to the end and returns the number of decisions; the same decisions and
// payoffs as by `apply`, but what the seats remember may be lost.
template <class G>
concept PlaysOut = requires(const G& game, typename G::State& state, Rng& rng) {
  { game.playout(state, rng) } -> std::same_as<std::uint32_t>;
};

// legal_set(state), in a game of at most 128 actions: what `legal` lists, as bits.
using ActionSet = std::array<std::uint64_t, 2>;
template <class G>
concept LegalSet = requires(const G& game, const typename G::State& state) {
  { game.legal_set(state) } -> std::same_as<ActionSet>;
};

// ------------------------------------------------------------------------------------------------ learners

// encode(state, seat, encoder, bytes): a binary encoder's features as bytes, the same as its floats.
template <class G>
concept EncodesBytes = requires(const G& game, const typename G::State& state, Seat seat, int encoder,
                                std::span<std::uint8_t> bytes) { game.encode(state, seat, encoder, bytes); };

// action_features(state, action, floats): features of one legal action of the seat to act, written to all of `floats`
// (info().action_features of them). A function of that seat's view and the action alone.
template <class G>
concept FeaturedActions = requires(const G& game, const typename G::State& state, Action action,
                                   std::span<float> floats) { game.action_features(state, action, floats); };

// ------------------------------------------------------------------------------------------------ worlds

// worlds(view): how many physical arrangements are consistent with the view.
template <class G>
concept CountsWorlds = requires(const G& game, const typename G::View& view) {
  { game.worlds(view) } -> std::same_as<double>;
};

// each_world(view, f) calls f(world, weight) once for every distinct state that `sample` can draw; the weight is the
// number of physical arrangements (of cards) that look like it, so that `sample` draws it with odds in proportion. The
// end of the game is no secret in such a game: whether it is over and what it pays are the same in all worlds of a
// view. BadInput where there are more than kMostWorlds.
inline constexpr double kMostWorlds = 100'000;

template <class State>
using WorldVisitor = std::function<void(const State& world, double weight)>;

template <class G>
concept ListsWorlds = Game<G> && requires(const G& game, const typename G::View& view,
                                          const WorldVisitor<typename G::State>& f) { game.each_world(view, f); };

// origin(world, start, rng): how a world came about. The state in which the view `start` was taken, some actions
// before, if things stand as in `world` now; drawn, where several could be. `weight`: how much likelier that beginning
// is, by the cards alone, than `sample` draws the world; only ratios between worlds of one view matter. 0: it cannot be
// told.
template <class State>
struct Origin {
  State state;
  double weight;
};

template <class G>
concept TellsOrigins =
    Game<G> && requires(const G& game, const typename G::State& world, const typename G::View& start, Rng& rng) {
      { game.origin(world, start, rng) } -> std::same_as<Origin<typename G::State>>;
    };

// hands(state): the names of the cards that every seat holds, one entry per card; from a view, those of hidden hands
// are not told.
struct HeldCards {
  bool hidden = false;
  std::vector<std::string> cards = {};
  friend bool operator==(const HeldCards&, const HeldCards&) = default;
};

template <class G>
concept ShowsHands = requires(const G& game, const typename G::State& state, const typename G::View& view) {
  { game.hands(state) } -> std::same_as<std::vector<HeldCards>>;
  { game.hands(view) } -> std::same_as<std::vector<HeldCards>>;
};

// kOpenMoves: an action, and who played it, is all that any seat sees of it: the same action keeps worlds together that
// looked the same before.
template <class G>
concept OpenMoves = requires { requires G::kOpenMoves; };

// witnessed(state, history, seat): the decisions of the history that the seat knows of; all without this hook.
template <class G>
concept HidesDecisions = requires(const G& game, const typename G::State& state, const History& history, Seat seat) {
  { game.witnessed(state, history, seat) } -> std::same_as<History>;
};

// ------------------------------------------------------------------------------------------------ solvers

// solver_key(state): numbers that are equal exactly where the rest of the game is the same. Makes a zero-sum game of
// two sides solvable by alpha-beta search (search/alphabeta.h).
template <class G>
concept KeyedStates = Game<G> && requires(const G& game, const typename G::State& state) {
  { game.solver_key(state)[0] } -> std::convertible_to<std::uint64_t>;
};

// promise(state, action): actions with more of it are searched first.
template <class G>
concept OrdersActions = requires(const G& game, const typename G::State& state, Action action) {
  { game.promise(state, action) } -> std::same_as<int>;
};

// loner(state): the seat that plays against all others, where the state tells and not the teams.
template <class G>
concept NamesLoner = requires(const G& game, const typename G::State& state) {
  { game.loner(state) } -> std::same_as<Seat>;
};

// check_solvable(state): throws BadInput where a search would be hopeless.
template <class G>
concept ChecksSolvable = requires(const G& game, const typename G::State& state) { game.check_solvable(state); };

// solve(state, settings, stop): the game's own solver, faster than the generic search can be.
template <class G>
concept SolvesItself = Game<G> && requires(const G& game, const typename G::State& state,
                                           const SolverSettings& settings, const std::atomic<bool>* stop) {
  { game.solve(state, settings, stop) } -> std::same_as<Solution>;
};

template <class G>
concept Solvable = SolvesItself<G> || KeyedStates<G>;

// ------------------------------------------------------------------------------------------------ series, descriptions

// held(payoffs): points that a finished deal gives to no seat yet, but in a series to the winners of the next deal that
// is decided. A function of the payoffs alone, in any order of seats.
template <class G>
concept HoldsPoints = requires(const G& game, std::span<const double> payoffs) {
  { game.held(payoffs) } -> std::same_as<double>;
};

// deals(): every distinct deal with its weight, the number of ways to deal physical cards so.
template <class G>
concept ListsDeals = requires(const G& game) {
  { game.deals() } -> std::same_as<std::vector<std::pair<typename G::State, std::uint64_t>>>;
};

// about(): what there is to say of the rules that the game was made from.
template <class G>
concept Describes = requires(const G& game) {
  { game.about() } -> std::same_as<Value>;
};

// ------------------------------------------------------------------------------------------------ all of them

enum class Hook : std::uint8_t {
  kRandomLegal,
  kPlayout,
  kLegalSet,
  kEncodeBytes,
  kActionFeatures,
  kWorlds,
  kEachWorld,
  kOrigin,
  kHands,
  kOpenMoves,
  kWitnessed,
  kSolverKey,
  kPromise,
  kLoner,
  kCheckSolvable,
  kSolve,
  kHeld,
  kDeals,
  kAbout,
};

// The members' names, in the order of Hook.
inline constexpr std::array<const char*, 19> kHooks{
    "random_legal", "playout",    "legal_set", "encode(bytes)", "action_features", "worlds", "each_world",     "origin",
    "hands",        "kOpenMoves", "witnessed", "solver_key",    "promise",         "loner",  "check_solvable", "solve",
    "held",         "deals",      "about"};

using HookSet = std::uint32_t;

template <class G>
constexpr HookSet hooks_of() {
  const bool has[] = {DrawsLegal<G>,     PlaysOut<G>,    LegalSet<G>,      EncodesBytes<G>, FeaturedActions<G>,
                      CountsWorlds<G>,   ListsWorlds<G>, TellsOrigins<G>,  ShowsHands<G>,   OpenMoves<G>,
                      HidesDecisions<G>, KeyedStates<G>, OrdersActions<G>, NamesLoner<G>,   ChecksSolvable<G>,
                      SolvesItself<G>,   HoldsPoints<G>, ListsDeals<G>,    Describes<G>};
  static_assert(sizeof has / sizeof *has == kHooks.size());
  HookSet out = 0;
  for (std::size_t i = 0; i < kHooks.size(); ++i) out |= HookSet{has[i]} << i;
  return out;
}

// Whether the game has these hooks and no others.
template <class G>
constexpr bool has_exactly(std::initializer_list<Hook> hooks) {
  HookSet out = 0;
  for (Hook hook : hooks) out |= HookSet{1} << static_cast<int>(hook);
  return out == hooks_of<G>();
}

// ------------------------------------------------------------------------------------------------ with or without

// A uniformly random legal action, for rollouts.
template <Game G>
Action random_legal(const G& game, const typename G::State& state, Rng& rng) {
  if constexpr (DrawsLegal<G>) {
    return game.random_legal(state, rng);
  } else {
    typename G::Legal list;
    game.legal(state, list);
    return random_of(list, rng);
  }
}

// Plays uniformly at random to the end; returns the number of decisions.
template <Game G>
std::uint32_t play_randomly(const G& game, typename G::State& state, Rng& rng) {
  std::uint32_t decisions = 0;
  for (; game.to_act(state) >= 0; ++decisions) game.apply(state, random_legal(game, state, rng));
  return decisions;
}

// The same where only the payoffs are wanted.
template <Game G>
std::uint32_t playout(const G& game, typename G::State& state, Rng& rng) {
  if constexpr (PlaysOut<G>)
    return game.playout(state, rng);
  else
    return play_randomly(game, state, rng);
}

}  // namespace kibitz
