// Bayesian inference (Whitehouse, Powley and Cowling 2011, III.H): how likely each world is, given what the others did
// and a model of how they choose.
//
// All worlds of the view in which the game began are played through again: wherever another seat chose, the weight of
// the world is multiplied by the probability that the model would have chosen so there. The weights at the beginning
// are those of the deal. (Without inference they are those of the cards that are unseen now, as `sample` has them.)
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "search/expectimax.h"

namespace kibitz {

enum class Model : std::uint8_t { kNone, kMinimax, kExpectimax, kRandom };
inline constexpr const char* kModelNames[] = {"none", "minimax", "expectimax", "random"};

struct BeliefSettings {
  Model model = Model::kNone;
  double tie_break = 0;  // of the model minimax
  // How likely another seat is to choose anything at all instead of what the model says. With none, worlds in which it
  // would have chosen otherwise are impossible, as in the paper.
  double doubt = 0;
};

// Plays the actions from `world` on. The probability that the others choose them, where odds(world, seat, list, action)
// is that of one choice; negative where an action is not legal.
template <Game G, class Odds>
double replay(const G& game, Seat me, const std::vector<Action>& actions, typename G::State& world, Odds&& odds) {
  double out = 1;
  typename G::Legal list;
  for (Action a : actions) {
    game.legal(world, list);
    if (!list.contains(a)) return -1;
    const Seat seat = game.to_act(world);
    if (seat != me && out > 0 && list.size() > 1) out *= odds(world, seat, list, a);
    game.apply(world, a);
  }
  return out;
}

// Where nothing fits what was played, the model is wrong, and tells nothing: then the weights are those before.
template <Game G>
void believe(std::vector<World<G>>& worlds, const std::vector<double>& before) {
  double sum = 0;
  for (const auto& w : worlds) sum += w.weight;
  for (std::size_t i = 0; sum == 0 && i < worlds.size(); ++i) worlds[i].weight = before[i];
}

template <Game G>
  requires ListsWorlds<G> && Solvable<G>
class ModelBelief final : public Belief<G> {
 public:
  using State = typename G::State;
  using View = typename G::View;
  using Legal = typename G::Legal;

  explicit ModelBelief(const BeliefSettings& settings) : settings_(settings) {}

  std::vector<World<G>> worlds(const G& game, const View& view, const Past<G>& past, Rng&) const override {
    std::vector<World<G>> out;
    std::vector<double> prior;
    game.each_world(past.start, [&](State world, double weight) {
      const double odds =
          replay(game, view.seat, past.actions, world, [&](const State& at, Seat seat, const Legal& list, Action a) {
            return probability(game, at, seat, list, a);
          });
      if (odds < 0 || !(game.view(world, view.seat) == view)) return;
      out.push_back({world, weight * odds, Rng(0)});
      prior.push_back(weight);
    });
    believe(out, prior);
    return out;
  }

 private:
  static constexpr std::size_t kMostRemembered = 1 << 20;

  double probability(const G& game, const State& world, Seat seat, const Legal& list, Action a) const {
    const double any = 1.0 / list.size();
    if (settings_.model == Model::kRandom) return any;
    return settings_.doubt * any + (1 - settings_.doubt) * (chosen(game, game.view(world, seat)) == a);
  }

  // What the model does there; remembered, because the same decisions come up again at the next move and in other
  // games.
  Action chosen(const G& game, const View& view) const {
    const std::uint64_t key = game.key(view);
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = remembered_.find(key); found != remembered_.end()) return found->second;
    }
    const Action out = ask(game, view);
    const std::lock_guard lock(mutex_);
    if (remembered_.size() >= kMostRemembered) remembered_.clear();
    remembered_.emplace(key, out);
    return out;
  }

  Action ask(const G& game, const View& view) const {
    Rng rng(0);  // all worlds are looked at: nothing depends on it
    if (settings_.model == Model::kExpectimax)
      return finished(*expectimax(game, view, ExpectimaxSettings{}, rng), {}, nullptr).best();
    MinimaxSettings minimax;
    minimax.tie_break = settings_.tie_break;
    return finished(*determinized_minimax(game, view, minimax, rng), {}, nullptr).best();
  }

  BeliefSettings settings_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::uint64_t, Action> remembered_;
};

// The same where the worlds are too many to list: some are drawn from the view as it is now, each is traced back to its
// beginning, and what was played since then weighs it (importance weights). The model is any agent of the core.
template <TellsOrigins G>
class PolicyBelief final : public Belief<G> {
 public:
  using State = typename G::State;
  using Legal = typename G::Legal;

  // `policy`: null for one that chooses at random.
  PolicyBelief(std::shared_ptr<const Agent<G>> policy, double doubt, int candidates)
      : policy_(std::move(policy)), doubt_(doubt), candidates_(candidates) {}

  std::vector<World<G>> worlds(const G& game, const typename G::View& view, const Past<G>& past,
                               Rng& rng) const override {
    std::vector<World<G>> out;
    std::vector<double> prior;
    for (int i = 0; i < candidates_; ++i) {
      const State world = game.sample(view, rng);
      auto [state, weight] = game.origin(world, past.start, rng);
      if (weight == 0) continue;
      const double odds =
          replay(game, view.seat, past.actions, state, [&](const State& at, Seat seat, const Legal& list, Action a) {
            const double any = 1.0 / list.size();
            // One choice of the policy has the right odds on average, and that is all that weights need.
            return policy_ ? doubt_ * any + (1 - doubt_) * (choose(game, at, seat, list, *policy_, rng) == a) : any;
          });
      if (odds < 0) continue;  // the past is not this game's
      out.push_back({world, weight * odds, Rng(0)});
      prior.push_back(weight);
    }
    believe(out, prior);
    return out;
  }

 private:
  std::shared_ptr<const Agent<G>> policy_;
  double doubt_;
  int candidates_;
};

}  // namespace kibitz
