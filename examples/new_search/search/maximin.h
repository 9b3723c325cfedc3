// Flat maximin search: plays the action whose worst world is best. Some worlds are drawn once, and every action is
// tried in each of them in turn. The value of an action is its mean payoff in the world that is worst for it.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "eval/evaluator.h"
#include "search/worlds.h"

namespace kibitz {

template <Game G>
class MaximinSearch final : public Search {
 public:
  // worlds: how many, or kAllWorlds.
  MaximinSearch(const G& game, const typename G::View& view, int worlds, const Evaluator<G>& evaluator, Rng& rng,
                const Evidence<G>& evidence = {})
      : game_(game), seat_(view.seat), blank_(blank_thought(game, view)), evaluator_(evaluator.seen_from(game, view)) {
    if (only_choice(blank_)) return;
    worlds_ = gather_worlds(game, view, worlds, evidence, rng);
    cells_.resize(worlds_.size() * blank_.opinions.size());
  }

  void run(const Effort& more, const std::atomic<bool>* stop) override {
    if (worlds_.empty()) return;
    Meter meter(more, stop, done_ > 0);
    while (meter.more()) look_at(static_cast<std::size_t>(done_++) % cells_.size());
  }

  Thought thought() const override {
    Thought out = blank_;
    if (worlds_.empty()) return out;
    out.iterations = done_;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Cell& cell = cells_[i];
      Opinion& opinion = out.opinions[i % out.opinions.size()];
      if (cell.visits == 0) continue;
      const double mean = cell.sum / cell.visits;
      opinion.value = opinion.visits == 0 ? mean : std::min(opinion.value, mean);
      opinion.visits += cell.visits;
    }
    share_to_best(out, [](const Opinion& o) { return o.visits > 0 ? o.value : -1e300; });
    return out;
  }

 private:
  // What is known of one action in one world.
  struct Cell {
    double sum = 0, visits = 0;
  };

  // All actions in a world before the next world, so that a search that ends early has looked at all of them.
  void look_at(std::size_t cell) {
    World<G>& world = worlds_[cell / blank_.opinions.size()];
    auto after = world.state;
    game_.apply(after, blank_.opinions[cell % blank_.opinions.size()].action);
    Payoffs payoffs{};
    if (game_.to_act(after) >= 0)
      evaluator_->evaluate(game_, after, world.stream, payoffs);
    else
      game_.payoff(after, payoffs);
    cells_[cell].sum += payoffs[static_cast<std::size_t>(seat_)];
    cells_[cell].visits += 1;
  }

  const G& game_;
  Seat seat_;
  Thought blank_;
  std::unique_ptr<Evaluator<G>> evaluator_;
  std::vector<World<G>> worlds_;  // none where there is nothing to choose
  std::vector<Cell> cells_;       // [world][action]
  std::int64_t done_ = 0;
};

}  // namespace kibitz
