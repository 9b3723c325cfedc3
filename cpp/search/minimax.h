// Minimax in every world: the exact solver answers in each as if it were known, and the answers are put together, by a
// weighted majority vote (determinized minimax; Whitehouse, Powley and Cowling 2011, III) or by their mean. In the true
// state alone it is cheating minimax (III.A), and where nothing is hidden it is plain minimax.
#pragma once

#include "search/solver.h"
#include "search/worlds.h"

namespace kibitz {

// In a world several actions may be best. The first of them has its vote, as in the paper, where every search chooses
// one; or all of them share it.
enum class Vote : std::uint8_t { kFirst, kSplit, kMean };  // kMean: no vote, the mean value counts

struct MinimaxSettings {
  int worlds = kAllWorlds;
  Vote vote = Vote::kFirst;
  double tie_break = 0;  // SolverSettings::epsilon
  int threads = 1;
  std::uint64_t nodes = 20'000'000;  // per world; a world that needs more counts with the middle of its bounds
};

// Values closer than this are equal: sums of the same numbers in another order may differ by so much.
inline constexpr double kEqualValues = 1e-9;

template <Solvable G>
void solve_world(Solver<G>& solver, const typename G::State& world, Thought& out) {
  const Solution found = solver.solve(world);
  for (std::size_t i = 0; i < out.opinions.size(); ++i) {
    out.opinions[i].value = (found.values[i].low + found.values[i].high) / 2;
    out.opinions[i].visits = 1;
  }
  out.iterations = 1;
  out.nodes = found.nodes;
  out.full = !found.complete;
}

// Gives the weight of a world to the action, or the actions, that are best in it.
inline void cast_vote(const Thought& answer, double weight, bool split, std::vector<double>& votes) {
  double most = answer.opinions[0].value;
  for (const Opinion& o : answer.opinions) most = std::max(most, o.value);
  std::vector<std::size_t> best;
  for (std::size_t i = 0; i < votes.size(); ++i)
    if (answer.opinions[i].value >= most - kEqualValues && (split || best.empty())) best.push_back(i);
  for (std::size_t i : best) votes[i] += weight / best.size();
}

template <Solvable G>
Thought minimax(const G& game, const std::vector<World<G>>& worlds, Thought out, const MinimaxSettings& settings,
                const std::atomic<bool>* stop) {
  SolverSettings exact;
  exact.nodes = settings.nodes;
  exact.epsilon = settings.tie_break;
  exact.all = true;
  constexpr std::int64_t kTogether = 64;  // worlds that one solver solves
  const auto answers = ask_worlds(worlds.size(), kTogether, out, settings.threads, stop,
                                  [&](std::size_t begin, std::size_t end, std::vector<Thought>& all) {
                                    Solver<G> solver(game, exact, stop);
                                    for (std::size_t w = begin; w < end; ++w)
                                      if (worlds[w].weight > 0) solve_world(solver, worlds[w].state, all[w]);
                                  });
  std::vector<double> votes(out.opinions.size());
  double weight = 0;
  for (std::size_t w = 0; w < answers.size(); ++w) {
    if (answers[w].iterations == 0) continue;  // stopped before its turn, or impossible
    weight += worlds[w].weight;
    Thought part = answers[w];
    cast_vote(part, worlds[w].weight, settings.vote == Vote::kSplit, votes);
    for (auto& o : part.opinions) o.value *= worlds[w].weight;
    add_thought(part, out);
  }
  for (auto& o : out.opinions)
    if (weight > 0) o.value /= weight;
  std::size_t at = 0;
  if (settings.vote == Vote::kMean)
    share_to_best(out, [](const Opinion& o) { return o.visits > 0 ? o.value : -1e300; });
  else
    give_shares(out, [&](const Opinion&) { return votes[at++]; });
  return out;
}

template <Solvable G>
Thought determinized_minimax(const G& game, const typename G::View& view, const MinimaxSettings& settings, Rng& rng,
                             const std::atomic<bool>* stop, const Evidence<G>& evidence = {}) {
  Thought out = blank_thought(game, view);
  if (only_choice(out)) return out;
  return minimax(game, gather_worlds(game, view, settings.worlds, evidence, rng), out, settings, stop);
}

template <Solvable G>
Thought cheating_minimax(const G& game, const typename G::View& view, const MinimaxSettings& settings, Rng& rng,
                         const std::atomic<bool>* stop) {
  return minimax<G>(game, {{view.known, 1, rng}}, blank_thought(game, view), settings, stop);
}

}  // namespace kibitz
