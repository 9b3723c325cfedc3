// The belief state of a seat in a game with hidden information: the histories that are consistent with what it did and
// saw, with their weights; all of them, or above a bound a particle set.
#pragma once

#include <unordered_map>
#include <vector>

#include "games/gdl/gdl.h"

namespace kibitz::gdl {

// All functions are static and answer from what the thread has worked out before, turn by turn along the seat's chain;
// the object itself only carries the arguments of one such computation.
class Beliefs {
 public:
  // A consistent history: the position it led to, and what every role remembers of it.
  struct World {
    Words position;
    std::shared_ptr<const Memory> memory;
    double weight;  // the probability of random's moves, times how often the history was drawn
  };
  struct Set {
    std::vector<World> worlds;
    bool exact = true;     // it has all consistent histories
    std::size_t from = 0;  // how many worlds of the turn before they continue
  };

  // Bounds per turn: worlds that are kept, and joint moves that are tried. Lower for the prover, which is slower.
  std::size_t most() const { return quick() ? 2'000 : 200; }
  std::size_t most_tried() const { return quick() ? 40'000 : 1'000; }
  // If fewer than enough() histories are found so, and they continue fewer than kSome worlds, up to
  // most_tried_for_some() joint moves are tried until they continue enough() worlds.
  std::size_t enough() const { return most() / 10; }
  static constexpr std::size_t kSome = 20;
  std::size_t most_tried_for_some() const { return quick() ? 2'000'000 : 20'000; }

  // A world of the view, drawn by weight.
  static State sample(const Gdl& game, const View& view, Rng& rng);

  // Fills in the legal moves at the end of a chain: the likeliest list among the consistent histories. There is only
  // one if the rulesheet lets players know their legal moves, as it should.
  static void conclude_legal(const Gdl& game, int seat, const std::shared_ptr<Glimpse>& glimpse, std::uint32_t turn);

  // The belief state at the end of a chain, after `turn` turns; `over`: whether the seat knows that the game has ended.
  static std::shared_ptr<const Set> of(const Gdl& game, int seat, const std::shared_ptr<const Glimpse>& chain,
                                       std::uint32_t turn, bool over);

 private:
  Beliefs(const Gdl& game, int seat) : game_(game), seat_(seat), own_(game.role(seat)) {}

  bool quick() const { return game_.shared_->engine->all_fluents() != nullptr; }

  // A world, and the moves that each role may have made in it in the next turn.
  struct Ways {
    const World* world;
    std::array<std::vector<Action>, kMostRoles> choices;
    std::uint64_t count = 1;  // of joint moves, capped at 10^9
  };
  // [role] whether a move is consistent with what was seen, as far as it is known
  using Fits = std::array<std::unordered_map<Action, bool>, kMostRoles>;

  std::shared_ptr<const Set> get(const std::shared_ptr<const Glimpse>& chain, std::uint32_t turn, bool over);
  std::shared_ptr<Set> first(const std::shared_ptr<const Glimpse>& chain, bool over);
  std::shared_ptr<Set> next(const Set& before, const std::shared_ptr<const Glimpse>& chain, std::uint32_t turn,
                            bool over);
  std::shared_ptr<Set> extend(const Set& before, const std::shared_ptr<const Glimpse>& chain, std::uint32_t turn,
                              bool over);
  std::shared_ptr<Set> some(const Set& before, const std::shared_ptr<const Glimpse>& chain, std::uint32_t turn,
                            bool over);
  Ways ways(const World& world, Action own) const;
  void narrow(Ways& ways, const Glimpse& seen, Fits& known) const;
  std::vector<bool> fitting(const Ways& ways, std::size_t role, const std::vector<Action>& tried,
                            const Glimpse& seen) const;
  bool tied(Action a) const;
  std::uint64_t cost_to_narrow(const Ways& ways) const;
  // Tries up to `most` joint moves, until `limit` worlds have been found; returns how many it tried.
  std::uint64_t follow(const Ways& ways, const std::shared_ptr<const Glimpse>& chain, std::uint32_t turn, bool over,
                       std::uint64_t most, Rng& rng, std::vector<World>& out, std::size_t limit = ~std::size_t{0});
  bool try_moves(const World& world, const std::shared_ptr<const Glimpse>& chain, std::uint32_t turn, bool over,
                 std::span<const Action> moves, double weight, std::vector<World>& out);
  void search(const std::shared_ptr<const Glimpse>& chain, bool over, std::vector<World>& out);
  void thin(Set& set, std::uint64_t seed) const;

  const Gdl& game_;
  int seat_, own_;
};

}  // namespace kibitz::gdl
