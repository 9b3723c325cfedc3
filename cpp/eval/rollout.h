// The evaluator that plays to the end, at random or by somebody's rules.
#pragma once

#include <memory>
#include <utility>

#include "core/agent.h"
#include "core/sides.h"
#include "eval/evaluator.h"

namespace kibitz {

// Policies are null where play is uniformly random. Every seat of a policy sees its own view, in whatever world the
// search plays.
template <Game G>
class Rollout final : public Evaluator<G> {
 public:
  Rollout() = default;
  explicit Rollout(std::shared_ptr<const Agent<G>> policy) : own_(policy), theirs_(policy) {}
  // `fixed`: the opponents follow `theirs` wherever they are to act, in the tree, too.
  Rollout(std::shared_ptr<const Agent<G>> own, std::shared_ptr<const Agent<G>> theirs, bool fixed)
      : own_(std::move(own)), theirs_(std::move(theirs)), fixed_(fixed) {}

  std::unique_ptr<Evaluator<G>> seen_from(const G& game, const typename G::View& view) const override {
    auto made = std::make_unique<Rollout>(*this);
    if (!fixed_) return made;
    Rollout& out = *made;
    const auto sides = sides_of(game, view.known);
    for (std::size_t seat = 0; seat < sides.size(); ++seat)
      if (sides[seat] != sides[static_cast<std::size_t>(view.seat)]) out.opponents_ |= std::uint64_t{1} << seat;
    return made;
  }

  bool plays_out() const override { return true; }
  std::uint64_t followers() const override { return fixed_ ? opponents_ : 0; }
  Action reply(const G& game, const typename G::State& state, Seat seat, Rng& rng) const override {
    return theirs_ ? by_policy(game, state, seat, *theirs_, rng) : random_legal(game, state, rng);
  }

  void evaluate(const G& game, typename G::State& state, Rng& rng, std::span<double> payoffs) override {
    play(game, state, rng);
    game.payoff(state, payoffs);
  }

 private:
  void play(const G& game, typename G::State& state, Rng& rng) const {
    if (!own_ && !theirs_) {
      playout(game, state, rng);
      return;
    }
    for (Seat seat; (seat = game.to_act(state)) >= 0;) {
      const Agent<G>* policy = is_opponent(seat) ? theirs_.get() : own_.get();
      game.apply(state, policy ? by_policy(game, state, seat, *policy, rng) : random_legal(game, state, rng));
    }
  }

  bool is_opponent(Seat seat) const { return (opponents_ >> seat & 1) != 0; }

  static Action by_policy(const G& game, const typename G::State& state, Seat seat, const Agent<G>& policy, Rng& rng) {
    typename G::Legal list;
    game.legal(state, list);
    return list.size() == 1 ? list[0] : choose(game, state, seat, list, policy, rng);
  }

  std::shared_ptr<const Agent<G>> own_, theirs_;
  bool fixed_ = false;
  std::uint64_t opponents_ = 0;  // a bit per seat
};

}  // namespace kibitz
