// Hooks are told by their names and signatures, at compile time: what a game misspells is no hook, and its statement of
// what it has (core/optional.h) does not compile.
#include "core/optional.h"

namespace kibitz {
namespace {

struct Types {
  using State = int;
  using View = ViewOf<int>;
};

struct Right : Types {
  std::uint32_t playout(State&, Rng&) const;
  History witnessed(const State&, const History&, Seat) const;
};
static_assert(HidesDecisions<Right> && PlaysOut<Right>);
static_assert(has_exactly<Right>({Hook::kPlayout, Hook::kWitnessed}));
static_assert(!has_exactly<Right>({Hook::kPlayout}), "a hook that is not stated");
static_assert(!has_exactly<Right>({Hook::kPlayout, Hook::kWitnessed, Hook::kHands}), "a hook that is not there");

struct Misspelt : Types {
  std::uint32_t playout(State&, Rng&) const;
  History witnesed(const State&, const History&, Seat) const;
};
static_assert(!HidesDecisions<Misspelt>);
static_assert(!has_exactly<Misspelt>({Hook::kPlayout, Hook::kWitnessed}));

struct WrongResult : Types {
  int playout(State&, Rng&) const;
};
static_assert(!PlaysOut<WrongResult> && hooks_of<WrongResult>() == 0);

struct WrongArgument : Types {
  std::vector<HeldCards> hands(const State&) const;  // of a view, too
};
static_assert(!ShowsHands<WrongArgument> && hooks_of<WrongArgument>() == 0);

}  // namespace
}  // namespace kibitz
