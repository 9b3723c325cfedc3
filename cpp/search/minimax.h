// Minimax in every world: the exact solver answers in each as if it were known, and the answers are put together, by a
// weighted majority vote (determinized minimax; Whitehouse, Powley and Cowling 2011, III) or by their mean. In the true
// state alone it is cheating minimax (III.A), and where nothing is hidden it is plain minimax.
#pragma once

#include <chrono>
#include <memory>

#include "core/parallel.h"
#include "eval/rollout.h"
#include "search/errors.h"
#include "search/solver.h"
#include "search/uct.h"
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

// What is found in a world.
struct Solved {
  Thought thought;
  std::vector<Bounds> bounds;  // of each action; none before it is solved
};

template <Solvable G>
void solve_world(Solver<G>& solver, const typename G::State& world, Solved& out) {
  Solution found = solver.solve(world);
  for (std::size_t i = 0; i < out.thought.opinions.size(); ++i) {
    out.thought.opinions[i].value = (found.values[i].low + found.values[i].high) / 2;
    out.thought.opinions[i].visits = 1;
  }
  out.thought.iterations = 1;
  out.thought.nodes = found.nodes;
  out.thought.full = !found.complete;
  out.bounds = std::move(found.values);
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

// For worlds that the solver cannot decide: UCT with play-outs in the same worlds, all weighed alike. Gives the visits
// of the actions.
template <Game G>
std::vector<double> ask_playouts(const G& game, const std::vector<World<G>>& worlds, std::int64_t iterations,
                                 const Thought& blank, const std::atomic<bool>* stop) {
  TreeSettings settings;
  settings.exploration.seen = true;
  const Scale scale(game, worlds[0].state);
  const auto n = static_cast<std::int64_t>(worlds.size());
  Thought sums = blank;
  for (const auto& world : worlds) {
    TreeSearch<G> tree(game, settings, std::make_unique<Rollout<G>>(), true, scale);
    Rng stream = world.stream;
    Meter meter({std::max<std::int64_t>(1, iterations / n), 0}, stop);
    while (meter.more()) {
      auto copy = world.state;
      tree.iterate(copy, stream);
    }
    add_root(tree.tree(), scale, sums);
  }
  std::vector<double> out;
  for (const Opinion& o : sums.opinions) out.push_back(o.visits);
  return out;
}

// An iteration is a world. Worlds are solved in groups whose size does not depend on the threads, each by one solver,
// so that these change nothing but the time.
template <Solvable G>
class MinimaxSearch final : public Search, public ShowsWorlds<typename G::State> {
 public:
  // Without worlds there is nothing to choose. `drawn`: there are others, so that the answer is an estimate.
  MinimaxSearch(const G& game, Thought blank, std::vector<World<G>> worlds, const MinimaxSettings& settings, bool drawn)
      : game_(game),
        settings_(settings),
        blank_(std::move(blank)),
        worlds_(std::move(worlds)),
        answers_(worlds_.size(), Solved{blank_, {}}),
        groups_((worlds_.size() + kTogether - 1) / kTogether),
        drawn_(drawn) {}

  void run(const Effort& more, const std::atomic<bool>* stop) override {
    const auto all = static_cast<std::int64_t>(worlds_.size());
    asked_ = more.iterations > 0 ? std::min(all, asked_ + more.iterations) : all;
    parallel(settings_.threads, static_cast<std::int64_t>(groups_.size()), 1, stop,
             [&](std::int64_t begin, std::int64_t end) {
               for (std::int64_t g = begin; g < end; ++g) solve(static_cast<std::size_t>(g), more.ms, stop);
             });
    fall_back(stop);
  }

  Thought thought() const override {
    Thought out = blank_;
    if (worlds_.empty()) return out;
    Observations seen(out.opinions.size());
    std::vector<double> votes(out.opinions.size());
    double weight = 0;
    for (std::size_t w = 0; w < answers_.size(); ++w) {
      Thought part = answers_[w].thought;
      if (part.iterations == 0) continue;  // its turn has not come, or it is impossible
      weight += worlds_[w].weight;
      cast_vote(part, worlds_[w].weight, settings_.vote == Vote::kSplit, votes);
      for (auto& o : part.opinions) o.value *= worlds_[w].weight;
      add_thought(part, out);
      for (auto& o : part.opinions) o.visits = worlds_[w].weight;
      seen.add(part);
    }
    for (auto& o : out.opinions)
      if (weight > 0) o.value /= weight;
    std::size_t at = 0;
    if (settings_.vote == Vote::kMean)
      share_to_best(out, [](const Opinion& o) { return o.visits > 0 ? o.value : -1e300; });
    else
      give_shares(out, [&](const Opinion&) { return votes[at++]; });
    judge(seen, out);
    return out;
  }

  Matrix<typename G::State> matrix() const override {
    std::vector<Thought> answers;
    for (const Solved& answer : answers_) answers.push_back(answer.thought);
    return matrix_of<G>(worlds_, answers, drawn_);
  }

 private:
  static constexpr std::size_t kTogether = 64;  // worlds that one solver solves

  struct Group {
    std::unique_ptr<Solver<G>> solver;
    std::size_t done = 0;
  };

  // What the play-outs prefer is played where the solver cannot tell. They cost less than it did.
  void fall_back(const std::atomic<bool>* stop) {
    preferred_.clear();
    if (!thought().undecided) return;
    constexpr std::int64_t kMost = 10'000;  // play-outs
    std::vector<World<G>> open;
    for (std::size_t w = 0; w < worlds_.size(); ++w)
      if (answers_[w].thought.full) open.push_back(worlds_[w]);
    const auto spent = static_cast<std::int64_t>(std::min<std::uint64_t>(settings_.nodes, kMost));
    preferred_ =
        ask_playouts(game_, open, std::min(kMost, spent * static_cast<std::int64_t>(open.size())), blank_, stop);
  }

  // What may be thought of the answer: middles of bounds have no error that could be told.
  void judge(const Observations& seen, Thought& out) const {
    for (const auto& world : worlds_) out.asked += world.weight > 0;
    const std::vector<std::size_t> equal = out.full ? tied(out) : std::vector<std::size_t>();
    out.undecided = !equal.empty();
    if (out.undecided && !preferred_.empty()) {
      const std::size_t best = *std::max_element(
          equal.begin(), equal.end(), [&](std::size_t a, std::size_t b) { return preferred_[a] < preferred_[b]; });
      for (std::size_t i = 0; i < out.opinions.size(); ++i) out.opinions[i].share = i == best;
    }
    if (out.full) return;
    if (drawn_)
      seen.tell(out);
    else if (out.iterations == out.asked)
      no_errors(out);
  }

  // The actions with the best one's value, if one of them has it only because it is not known better; else none.
  std::vector<std::size_t> tied(const Thought& out) const {
    const std::size_t best = out.best_at();
    const auto open = [&](std::size_t i) {
      return std::any_of(answers_.begin(), answers_.end(),
                         [&](const Solved& world) { return !world.bounds.empty() && !world.bounds[i].exact(); });
    };
    std::vector<std::size_t> equal;
    for (std::size_t i = 0; i < out.opinions.size(); ++i)
      if (out.opinions[i].value >= out.opinions[best].value - kEqualValues) equal.push_back(i);
    if (equal.size() < 2 || std::none_of(equal.begin(), equal.end(), open)) equal.clear();
    return equal;
  }

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
  std::vector<Solved> answers_;
  std::vector<Group> groups_;
  bool drawn_;
  std::int64_t asked_ = 0;         // worlds that are to be solved by now
  std::vector<double> preferred_;  // by play-outs, as visits; empty where it is decided
};

template <Solvable G>
std::unique_ptr<Search> determinized_minimax(const G& game, const typename G::View& view,
                                             const MinimaxSettings& settings, Rng& rng,
                                             const Evidence<G>& evidence = {}) {
  Thought blank = blank_thought(game, view);
  std::vector<World<G>> worlds;
  if (!only_choice(blank)) worlds = gather_worlds(game, view, settings.worlds, evidence, rng);
  const bool drawn = settings.worlds != kAllWorlds && game.info().hidden;
  return std::make_unique<MinimaxSearch<G>>(game, std::move(blank), std::move(worlds), settings, drawn);
}

template <Solvable G>
std::unique_ptr<Search> cheating_minimax(const G& game, const typename G::View& view, const MinimaxSettings& settings,
                                         Rng& rng) {
  return std::make_unique<MinimaxSearch<G>>(game, blank_thought(game, view),
                                            std::vector<World<G>>{{view.known, 1, rng}}, settings, false);
}

}  // namespace kibitz
