// What a seat can believe in a game with hidden information: all histories that fit what it did and saw, with their
// odds, or as many of them as it is reasonable to keep.
#pragma once

#include <unordered_map>
#include <vector>

#include "games/gdl/gdl.h"

namespace kibitz::gdl {

class Beliefs {
 public:
  // A history that fits: where it led, and what everybody remembers of it.
  struct World {
    Words position;
    std::shared_ptr<const Memory> memory;
    double weight;  // odds of what random did, times how often the history was drawn
  };
  struct Set {
    std::vector<World> worlds;
    bool exact = true;     // all histories there are
    std::size_t from = 0;  // of how many worlds before the turn they come
  };

  // Worlds that are kept, and moves of all roles that are tried in a turn; the prover is too slow for so many.
  std::size_t most() const { return quick() ? 2'000 : 200; }
  std::size_t most_tried() const { return quick() ? 40'000 : 1'000; }
  // Where these show too little, fewer histories than enough(), and those of fewer than kSome worlds: what is tried
  // until they come of enough() worlds.
  std::size_t enough() const { return most() / 10; }
  static constexpr std::size_t kSome = 20;
  std::size_t most_tried_for_some() const { return quick() ? 2'000'000 : 20'000; }

  static State sample(const Gdl& game, const View& view, Rng& rng);

  // Tells the last turn of a chain what the seat may do after it: what is likeliest of all that fits, which is all
  // there is if the rulesheet lets players know their moves.
  static void conclude_legal(const Gdl& game, int seat, const std::shared_ptr<Glimpse>& glimpse, std::uint32_t turn);

  // For the chain of a seat; `over`: whether the game has ended there.
  static std::shared_ptr<const Set> of(const Gdl& game, int seat, const std::shared_ptr<const Glimpse>& chain,
                                       std::uint32_t turn, bool over);

 private:
  Beliefs(const Gdl& game, int seat) : game_(game), seat_(seat), own_(game.role(seat)) {}

  bool quick() const { return game_.shared_->engine->all_fluents() != nullptr; }

  // One world, and what each role may have done in it in a turn.
  struct Ways {
    const World* world;
    std::array<std::vector<Action>, kMostRoles> choices;
    std::uint64_t count = 1;  // of combinations, up to 10^9
  };
  // [role] moves of which it is known whether they can have shown what was seen
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
  // How many were tried; it ends before the end where `limit` worlds have been found.
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
