// Perfect information Monte Carlo: worlds are drawn, each is searched as if it were known, and their answers are put
// together. Here with UCT in every world ("determinized UCT"); search/minimax.h does it with the exact solver.
#pragma once

#include "search/uct.h"
#include "search/worlds.h"

namespace kibitz {

// How the worlds' answers become one: how often an action was best in a world, the sum of its rewards, or the sum of
// its visits.
enum class Aggregate : std::uint8_t { kTimesBest, kReward, kVisits };

struct PimcSettings {
  TreeSettings tree;  // effort: of all worlds together
  int worlds = 40;    // or kAllWorlds
  Aggregate aggregate = Aggregate::kVisits;
};

// What the trees of all worlds say together; `out` is blank before.
template <Game G>
void put_together(const std::vector<World<G>>& worlds, const std::vector<Thought>& answers, Aggregate aggregate,
                  const Scale& scale, Seat seat, Thought& out) {
  std::vector<double> marks(out.opinions.size());
  for (std::size_t w = 0; w < answers.size(); ++w) {
    Thought part = answers[w];
    if (part.iterations == 0) continue;  // stopped before its turn, or impossible
    for (auto& o : part.opinions) {
      o.value *= worlds[w].weight;
      o.visits *= worlds[w].weight;
    }
    std::size_t best = 0;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const auto& o = part.opinions[i];
      if (o.visits > part.opinions[best].visits) best = i;
      if (aggregate == Aggregate::kReward)
        marks[i] += o.visits > 0 ? scale.reward(seat, o.value / o.visits) * o.visits : 0;
      if (aggregate == Aggregate::kVisits) marks[i] += o.visits;
    }
    if (aggregate == Aggregate::kTimesBest) marks[best] += worlds[w].weight;
    add_thought(part, out);
  }
  for (auto& o : out.opinions)
    if (o.visits > 0) o.value /= o.visits;
  std::size_t at = 0;
  give_shares(out, [&](const Opinion&) { return marks[at++]; });
}

template <Game G, Evaluator<G> E>
Thought pimc(const G& game, const typename G::View& view, const PimcSettings& settings, const E& evaluator, Rng& rng,
             const std::atomic<bool>* stop, const Evidence<G>& evidence = {}) {
  const Scale scale(game, view.known);
  TreeSettings tree = settings.tree;
  Thought out = blank_thought(game, view);
  const auto worlds = gather_worlds(game, view, settings.worlds, evidence, rng);
  const auto n = static_cast<std::int64_t>(worlds.size());
  const E evaluate = seen_from(evaluator, game, view);
  tree.exploration =
      fit<E>(tree.exploration, tree.effort, game, view.seat, scale, Rng(mix(Rng(worlds[0].stream).next(), kFit)),
             [&](Rng& stream) { return worlds[stream.below(static_cast<std::uint32_t>(n))].state; });
  const auto answers =
      ask_worlds(worlds.size(), 1, out, tree.threads, stop, [&](std::size_t w, std::size_t, std::vector<Thought>& all) {
        if (worlds[w].weight == 0) return;
        Rng stream = worlds[w].stream;
        TreeSearch<G, E> search(game, tree, evaluate, true, scale);
        Meter meter(tree.effort.part(static_cast<std::int64_t>(w), n, tree.threads), stop);
        while (meter.more()) {
          auto copy = worlds[w].state;
          search.iterate(copy, stream);
        }
        add_root(search.tree(), scale, all[w]);
      });
  put_together<G>(worlds, answers, settings.aggregate, scale, view.seat, out);
  return out;
}

}  // namespace kibitz
