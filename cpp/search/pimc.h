// Perfect information Monte Carlo: worlds are drawn, each is searched as if it were known, and their answers are put
// together. With UCT in every world ("determinized UCT"), or with the exact solver.
#pragma once

#include <cmath>

#include "search/solver.h"
#include "search/uct.h"

namespace kibitz {

// How the worlds' answers become one: how often an action was best in a world, the sum of its rewards, or the sum of
// its visits.
enum class Aggregate : std::uint8_t { kTimesBest, kReward, kVisits };

struct PimcSettings {
  TreeSettings tree;  // effort: of all worlds together
  int worlds = 40;
  Aggregate aggregate = Aggregate::kVisits;
};

// Calls answer(world, index, stream, thought) for every world, on all threads; a thought for each. Worlds have streams
// of their own, so that the number of threads changes nothing but the time.
template <Game G, class Answer>
std::vector<Thought> ask_worlds(const G& game, const typename G::View& view, int worlds, int threads, Rng& rng,
                                const std::atomic<bool>* stop, Answer&& answer) {
  const std::uint64_t seed = rng.next();
  std::vector<Thought> answers(static_cast<std::size_t>(worlds), blank_thought(game, view));
  parallel(threads, worlds, 1, stop, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t w = begin; w < end; ++w) {
      Rng stream(mix(seed, static_cast<std::uint64_t>(w)));
      answer(game.sample(view, stream), w, stream, answers[static_cast<std::size_t>(w)]);
    }
  });
  return answers;
}

template <Game G>
Thought pimc(const G& game, const typename G::View& view, const PimcSettings& settings, Rng& rng,
             const std::atomic<bool>* stop) {
  const Scale scale(game.info());
  const TreeSettings& tree = settings.tree;
  const auto answers = ask_worlds(game, view, settings.worlds, tree.threads, rng, stop,
                                  [&](const auto& world, std::int64_t w, Rng& stream, Thought& out) {
                                    TreeSearch<G> search(game, tree, true);
                                    Meter meter(tree.effort.part(w, settings.worlds, tree.threads), stop);
                                    while (meter.more()) {
                                      auto copy = world;
                                      search.iterate(copy, stream);
                                    }
                                    add_root(search.tree(), scale, out);
                                  });
  Thought out = blank_thought(game, view);
  std::vector<double> marks(out.opinions.size());
  for (const Thought& part : answers) {
    if (part.iterations == 0) continue;  // stopped before its turn
    std::size_t best = 0;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const auto& o = part.opinions[i];
      if (o.visits > part.opinions[best].visits) best = i;
      if (settings.aggregate == Aggregate::kReward)
        marks[i] += o.visits > 0 ? scale.reward(o.value / o.visits) * o.visits : 0;
      if (settings.aggregate == Aggregate::kVisits) marks[i] += o.visits;
    }
    if (settings.aggregate == Aggregate::kTimesBest) marks[best] += 1;
    add_thought(part, out);
  }
  for (auto& o : out.opinions)
    if (o.visits > 0) o.value /= o.visits;
  std::size_t at = 0;
  give_shares(out, [&](const Opinion&) { return marks[at++]; });
  return out;
}

struct SolverPimcSettings {
  int worlds = 20;
  int threads = 1;
  std::uint64_t nodes = 20'000'000;  // per world; a world that needs more counts with the middle of its bounds
};

// The mean of the exact values over the worlds.
template <Solvable G>
Thought solver_pimc(const G& game, const typename G::View& view, const SolverPimcSettings& settings, Rng& rng,
                    const std::atomic<bool>* stop) {
  const auto answers = ask_worlds(game, view, settings.worlds, settings.threads, rng, stop,
                                  [&](const auto& world, std::int64_t, Rng&, Thought& out) {
                                    SolverSettings exact;
                                    exact.nodes = settings.nodes;
                                    exact.all = true;
                                    const Solution found = solve(game, world, exact, stop);
                                    for (std::size_t i = 0; i < out.opinions.size(); ++i) {
                                      out.opinions[i].value = (found.values[i].low + found.values[i].high) / 2;
                                      out.opinions[i].visits = 1;
                                    }
                                    out.iterations = 1;
                                    out.nodes = static_cast<std::int64_t>(found.nodes);
                                    out.full = !found.complete;
                                  });
  Thought out = blank_thought(game, view);
  for (const Thought& part : answers) add_thought(part, out);
  finish(out, Pick::kMean);
  return out;
}

}  // namespace kibitz
