// Perfect information Monte Carlo: worlds are drawn, each is searched as if it were known, and their answers are put
// together. Here with UCT in every world ("determinized UCT"); search/minimax.h does it with the exact solver.
#pragma once

#include <limits>

#include "search/uct.h"
#include "search/worlds.h"

namespace kibitz {

// How the worlds' answers become one: how often an action was tried most in a world, or had the highest mean in it; the
// sum of its rewards; or the sum of its visits.
enum class Aggregate : std::uint8_t { kTimesBest, kReward, kVisits, kMeanBest };

struct PimcSettings {
  TreeSettings tree;  // effort: of all worlds together
  int worlds = 40;    // or kAllWorlds
  Aggregate aggregate = Aggregate::kVisits;

  bool drawn() const { return worlds != kAllWorlds; }
};

// The action that a world votes for. Values are sums.
inline std::size_t vote_of(const Thought& world, Aggregate aggregate) {
  const auto mark = [&](const Opinion& o) {
    if (aggregate != Aggregate::kMeanBest) return double(o.visits);
    return o.visits > 0 ? o.value / o.visits : -std::numeric_limits<double>::infinity();
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < world.opinions.size(); ++i)
    if (mark(world.opinions[i]) > mark(world.opinions[best])) best = i;
  return best;
}

// What the trees of all worlds say together; `out` is blank before.
template <Game G>
void put_together(const std::vector<World<G>>& worlds, const std::vector<Thought>& answers,
                  const PimcSettings& settings, const Scale& scale, Seat seat, Thought& out) {
  const Aggregate aggregate = settings.aggregate;
  Observations seen(out.opinions.size());
  std::vector<double> marks(out.opinions.size());
  for (std::size_t w = 0; w < answers.size(); ++w) {
    Thought part = answers[w];
    if (part.iterations == 0) continue;  // stopped before its turn, or impossible
    for (auto& o : part.opinions) {
      o.value *= worlds[w].weight;
      o.visits *= worlds[w].weight;
    }
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const auto& o = part.opinions[i];
      if (aggregate == Aggregate::kReward)
        marks[i] += o.visits > 0 ? scale.reward(seat, o.value / o.visits) * o.visits : 0;
      if (aggregate == Aggregate::kVisits) marks[i] += o.visits;
    }
    if (aggregate == Aggregate::kTimesBest || aggregate == Aggregate::kMeanBest)
      marks[vote_of(part, aggregate)] += worlds[w].weight;
    add_thought(part, out);
    seen.add(part);
  }
  for (auto& o : out.opinions)
    if (o.visits > 0) o.value /= o.visits;
  std::size_t at = 0;
  give_shares(out, [&](const Opinion&) { return marks[at++]; });
  if (settings.drawn()) seen.tell(out);  // what differs between all worlds is no error
  out.asked = settings.tree.effort.iterations;
}

template <Game G>
class Pimc final : public Search, public ShowsWorlds<typename G::State> {
 public:
  Pimc(const G& game, const typename G::View& view, const PimcSettings& settings, const Evaluator<G>& evaluator,
       Rng& rng, const Evidence<G>& evidence = {})
      : settings_(settings),
        seat_(view.seat),
        scale_(game, view.known, settings.tree.difference),
        blank_(blank_thought(game, view)),
        worlds_(gather_worlds(game, view, settings.worlds, evidence, rng)),
        division_(settings.tree.effort, static_cast<std::int64_t>(worlds_.size()), settings.tree.threads) {
    TreeSettings tree = settings.tree;
    const auto n = static_cast<std::uint32_t>(worlds_.size());
    tree.exploration =
        fit(tree.exploration, tree.effort, game, view.seat, scale_, evaluator,
            Rng(mix(Rng(worlds_[0].stream).next(), kFit)), [&](Rng& stream) { return worlds_[stream.below(n)].state; });
    for (std::size_t w = 0; w < worlds_.size(); ++w)
      trees_.emplace_back(game, tree, evaluator.seen_from(game, view), true, scale_);
  }

  void run(const Effort& more, const std::atomic<bool>* stop) override {
    std::int64_t done = 0;
    for (const auto& tree : trees_) done += visits(tree);
    division_.begin(more, done);
    parallel(settings_.tree.threads, static_cast<std::int64_t>(worlds_.size()), 1, stop,
             [&](std::int64_t begin, std::int64_t end) {
               for (std::int64_t w = begin; w < end; ++w) grow(static_cast<std::size_t>(w), stop);
             });
  }

  Thought thought() const override {
    Thought out = blank_;
    put_together<G>(worlds_, answers(), settings_, scale_, seat_, out);
    return out;
  }

  Matrix<typename G::State> matrix() const override {
    std::vector<Thought> out = answers();
    for (Thought& answer : out)
      for (Opinion& o : answer.opinions) o.value /= o.visits;
    return matrix_of<G>(worlds_, out, settings_.drawn());
  }

 private:
  // What each world says so far, values still being sums.
  std::vector<Thought> answers() const {
    std::vector<Thought> out(worlds_.size(), blank_);
    for (std::size_t w = 0; w < worlds_.size(); ++w)
      if (visits(trees_[w]) > 0) add_root(trees_[w].tree(), scale_, out[w]);
    return out;
  }

  static std::int64_t visits(const TreeSearch<G>& tree) { return tree.tree()[Tree::kRoot].visits; }

  void grow(std::size_t w, const std::atomic<bool>* stop) {
    const Effort effort = division_.of(static_cast<std::int64_t>(w), visits(trees_[w]));
    if (effort.none() || worlds_[w].weight == 0) return;
    Meter meter(effort, stop, visits(trees_[w]) > 0);
    while (meter.more()) {
      auto copy = worlds_[w].state;
      trees_[w].iterate(copy, worlds_[w].stream);
    }
  }

  PimcSettings settings_;
  Seat seat_;
  Scale scale_;
  Thought blank_;
  std::vector<World<G>> worlds_;
  Division division_;
  std::vector<TreeSearch<G>> trees_;  // one for each world
};

}  // namespace kibitz
