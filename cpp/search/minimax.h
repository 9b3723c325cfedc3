// Minimax in every world: the exact solver answers in each as if it were known, and the answers are put together, by a
// weighted majority vote (determinized minimax; Whitehouse, Powley and Cowling 2011, III) or by their mean. In the true
// state alone it is cheating minimax (III.A), and where nothing is hidden it is plain minimax.
#pragma once

#include <chrono>
#include <memory>

#include "core/parallel.h"
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

// An iteration is a world. Worlds are solved in groups whose size does not depend on the threads, each by one solver,
// so that these change nothing but the time.
template <Solvable G>
class MinimaxSearch final : public Search {
 public:
  // Without worlds there is nothing to choose.
  MinimaxSearch(const G& game, Thought blank, std::vector<World<G>> worlds, const MinimaxSettings& settings)
      : game_(game),
        settings_(settings),
        blank_(std::move(blank)),
        worlds_(std::move(worlds)),
        answers_(worlds_.size(), blank_),
        groups_((worlds_.size() + kTogether - 1) / kTogether) {}

  void run(const Effort& more, const std::atomic<bool>* stop) override {
    const auto all = static_cast<std::int64_t>(worlds_.size());
    asked_ = more.iterations > 0 ? std::min(all, asked_ + more.iterations) : all;
    parallel(settings_.threads, static_cast<std::int64_t>(groups_.size()), 1, stop,
             [&](std::int64_t begin, std::int64_t end) {
               for (std::int64_t g = begin; g < end; ++g) solve(static_cast<std::size_t>(g), more.ms, stop);
             });
  }

  Thought thought() const override {
    Thought out = blank_;
    if (worlds_.empty()) return out;
    std::vector<double> votes(out.opinions.size());
    double weight = 0;
    for (std::size_t w = 0; w < answers_.size(); ++w) {
      if (answers_[w].iterations == 0) continue;  // its turn has not come, or it is impossible
      weight += worlds_[w].weight;
      Thought part = answers_[w];
      cast_vote(part, worlds_[w].weight, settings_.vote == Vote::kSplit, votes);
      for (auto& o : part.opinions) o.value *= worlds_[w].weight;
      add_thought(part, out);
    }
    for (auto& o : out.opinions)
      if (weight > 0) o.value /= weight;
    std::size_t at = 0;
    if (settings_.vote == Vote::kMean)
      share_to_best(out, [](const Opinion& o) { return o.visits > 0 ? o.value : -1e300; });
    else
      give_shares(out, [&](const Opinion&) { return votes[at++]; });
    return out;
  }

 private:
  static constexpr std::size_t kTogether = 64;  // worlds that one solver solves

  struct Group {
    std::unique_ptr<Solver<G>> solver;
    std::size_t done = 0;
  };

  void solve(std::size_t g, double ms, const std::atomic<bool>* stop) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    Group& group = groups_[g];
    const std::size_t first = g * kTogether, end = std::min(first + kTogether, static_cast<std::size_t>(asked_));
    SolverSettings exact;
    exact.nodes = settings_.nodes;
    exact.epsilon = settings_.tie_break;
    exact.all = true;
    if (first + group.done >= end) return;
    if (!group.solver) group.solver = std::make_unique<Solver<G>>(game_, exact, stop);
    group.solver->listen(stop);
    for (std::size_t w = first + group.done; w < end; ++w, ++group.done) {
      if (ms > 0 && w > first && std::chrono::duration<double, std::milli>(Clock::now() - start).count() >= ms) return;
      if (worlds_[w].weight > 0) solve_world(*group.solver, worlds_[w].state, answers_[w]);
    }
  }

  const G& game_;
  MinimaxSettings settings_;
  Thought blank_;
  std::vector<World<G>> worlds_;
  std::vector<Thought> answers_;
  std::vector<Group> groups_;
  std::int64_t asked_ = 0;  // worlds that are to be solved by now
};

template <Solvable G>
std::unique_ptr<Search> determinized_minimax(const G& game, const typename G::View& view,
                                             const MinimaxSettings& settings, Rng& rng,
                                             const Evidence<G>& evidence = {}) {
  Thought blank = blank_thought(game, view);
  std::vector<World<G>> worlds;
  if (!only_choice(blank)) worlds = gather_worlds(game, view, settings.worlds, evidence, rng);
  return std::make_unique<MinimaxSearch<G>>(game, std::move(blank), std::move(worlds), settings);
}

template <Solvable G>
std::unique_ptr<Search> cheating_minimax(const G& game, const typename G::View& view, const MinimaxSettings& settings,
                                         Rng& rng) {
  return std::make_unique<MinimaxSearch<G>>(game, blank_thought(game, view),
                                            std::vector<World<G>>{{view.known, 1, rng}}, settings);
}

}  // namespace kibitz
