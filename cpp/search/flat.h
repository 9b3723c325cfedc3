// Flat Monte Carlo search: the legal actions in turn, each time one play-out, or what else evaluates; no tree.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "core/agent.h"
#include "core/parallel.h"
#include "eval/evaluator.h"
#include "search/errors.h"
#include "search/prior.h"
#include "search/search.h"
#include "search/worlds.h"

namespace kibitz {

// A policy to improve on: what it would play is played, unless another action is better beyond doubt. Of many actions
// some look better by luck.
template <Game G>
struct Base {
  std::shared_ptr<const Agent<G>> policy;
  double margin = 1;  // standard errors
};

template <Game G>
struct FlatSettings {
  Effort effort;
  bool peeks = false;  // it starts from the state itself; else from a new world every time
  int threads = 1;
  Prior<G> prior;
  bool difference = false;  // Aim
  bool halving = false;     // with a number of iterations and one thread: see FlatSearch::cut
  Base<G> base;
  std::int64_t keep = 0;  // the worlds of so many rounds are kept, the first of each thread
};

template <Game G>
class FlatSearch final : public Search, public ShowsWorlds<typename G::State> {
 public:
  using State = typename G::State;

  FlatSearch(const G& game, const typename G::View& view, const FlatSettings<G>& settings,
             const Evaluator<G>& evaluator, Rng& rng, const Evidence<G>& evidence = {})
      : game_(game),
        view_(view),
        settings_(settings),
        source_(settings.peeks ? WorldSource<G>(game, view) : WorldSource<G>(game, view, evidence, rng)),
        aim_(game, view.known, settings.difference),
        blank_(blank_thought(game, view)),
        prior_(blank_),
        division_(settings.effort, settings.threads, settings.threads) {
    if (only_choice(blank_)) return;
    std::vector<std::size_t> all(blank_.opinions.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const std::uint64_t seed = rng.next();
    for (int t = 0; t < settings.threads; ++t) {
      parts_.push_back(
          {evaluator.seen_from(game, view), blank_, Rng(mix(seed, static_cast<std::uint64_t>(t))), view.known, all});
      parts_.back().keep =
          static_cast<std::size_t>(settings.keep * (t + 1) / settings.threads - settings.keep * t / settings.threads);
    }
    settings.prior.add_to(game, view, prior_, rng);
    if (!settings.base.policy) return;
    const Action usual = settings.base.policy->act(game, view, rng);
    base_ = static_cast<std::size_t>(std::find_if(blank_.opinions.begin(), blank_.opinions.end(),
                                                  [&](const Opinion& o) { return o.action == usual; }) -
                                     blank_.opinions.begin());
  }

  void run(const Effort& more, const std::atomic<bool>* stop) override {
    if (parts_.empty()) return;
    std::int64_t done = 0;
    for (const Part& part : parts_) done += part.sums.iterations;
    division_.begin(more, done);
    parallel(settings_.threads, static_cast<std::int64_t>(parts_.size()), 1, nullptr,
             [&](std::int64_t begin, std::int64_t end) {
               for (std::int64_t t = begin; t < end; ++t) go_on(parts_[static_cast<std::size_t>(t)], t, stop);
             });
  }

  Thought thought() const override {
    Thought out = blank_;
    if (parts_.empty()) return out;
    for (const Part& part : parts_) add_thought(part.sums, out);
    for (std::size_t i = 0; i < out.opinions.size(); ++i)
      if (weight(out.opinions[i]) > 0) out.opinions[i].value = mean(out, i);
    std::vector<double> marks(out.opinions.size(), -1e300);
    for (std::size_t i : parts_[0].alive)  // in all parts the same
      if (weight(out.opinions[i]) > 0) marks[i] = out.opinions[i].value;
    std::size_t at = 0;
    for (auto& o : out.opinions) o.share = marks[at++];
    share_to_best(out, [](const Opinion& o) { return o.share; });
    Observations seen(out.opinions.size());
    for (const Part& part : parts_) {
      for (const Phase& phase : part.before) phase.blocks.add_to(seen, phase.sums);
      part.blocks.add_to(seen, part.sums);
    }
    seen.tell(out, settings_.prior.visits);
    if (keeps_to_base(out)) {
      for (std::size_t i = 0; i < out.opinions.size(); ++i) out.opinions[i].share = i == base_;
      seen.tell(out, settings_.prior.visits);
    }
    out.asked = settings_.effort.iterations;
    return out;
  }

  Matrix<State> matrix() const override {
    if (settings_.keep == 0)
      throw BadInput("this search keeps no worlds; its option keep=N says how many it shall keep");
    Matrix<State> out;
    for (const Part& part : parts_) {
      out.worlds.insert(out.worlds.end(), part.kept.worlds.begin(), part.kept.worlds.end());
      out.payoffs.insert(out.payoffs.end(), part.kept.payoffs.begin(), part.kept.payoffs.end());
    }
    return out;
  }

 private:
  // Before actions were left out; `sums`: at its end. Errors compare actions over the rounds that both were in.
  struct Phase {
    Blocks blocks;
    Thought sums;
  };

  // What one thread does.
  struct Part {
    std::unique_ptr<Evaluator<G>> evaluator;
    Thought sums;
    Rng stream;
    State world;
    std::vector<std::size_t> alive;  // actions that are still tried
    std::size_t next = 0;            // whose turn it is, among them
    Blocks blocks = {};
    std::vector<Phase> before = {};
    std::size_t keep = 0;  // so many worlds
    bool keeping = false;  // the world of this round is the last of `kept`
    Matrix<State> kept = {};
  };

  // Whether the action that looks best is not better than that of the base beyond doubt.
  bool keeps_to_base(const Thought& thought) const {
    if (base_ >= thought.opinions.size() || base_ == thought.best_at()) return false;
    const Opinion& o = thought.opinions[base_];
    return !(o.loss > settings_.base.margin * o.loss_error);  // nor where the error is not known
  }

  double weight(const Opinion& o) const { return o.visits + settings_.prior.visits; }
  double mean(const Thought& sums, std::size_t i) const {
    return (sums.opinions[i].value + prior_.opinions[i].value) / weight(sums.opinions[i]);
  }

  // Sequential halving (Karnin, Koren and Somekh 2013): as much is spent on the best few as on all together, and what
  // has been seen of them is kept. `done`: the iterations so far.
  void cut(Part& part, std::int64_t done) {
    const auto phases = static_cast<std::int64_t>(std::bit_width(part.sums.opinions.size() - 1));  // ceil(log2(n))
    const auto over = static_cast<std::int64_t>(part.before.size()) + 1;
    if (over >= phases || done * phases < settings_.effort.iterations * over) return;
    part.before.push_back({std::move(part.blocks), part.sums});
    part.blocks = {};
    std::stable_sort(part.alive.begin(), part.alive.end(),
                     [&](std::size_t a, std::size_t b) { return mean(part.sums, a) > mean(part.sums, b); });
    const bool stays = std::find(part.alive.begin(), part.alive.end(), base_) != part.alive.end();
    part.alive.resize((part.alive.size() + 1) / 2);
    if (stays && std::find(part.alive.begin(), part.alive.end(), base_) == part.alive.end())
      part.alive.back() = base_;  // the others are compared with it
    std::sort(part.alive.begin(), part.alive.end());
  }

  // One world for all actions: what is luck in it is the same for all, and they compare the better.
  void begin_round(Part& part) {
    part.blocks.round(part.sums);
    part.world = source_(part.stream);
    part.keeping = part.kept.worlds.size() < part.keep;
    if (!part.keeping) return;
    part.kept.worlds.push_back(part.world);
    part.kept.payoffs.resize(part.kept.payoffs.size() + part.sums.opinions.size(), kUnknown);
  }

  void go_on(Part& part, std::int64_t index, const std::atomic<bool>* stop) {
    const Effort effort = division_.of(index, part.sums.iterations);
    if (effort.none()) return;
    Payoffs payoffs{};
    auto& opinions = part.sums.opinions;
    Meter meter(effort, stop, part.sums.iterations > 0);
    for (; meter.more(); part.next = (part.next + 1) % part.alive.size()) {
      if (part.next == 0) {
        if (settings_.halving) cut(part, part.sums.iterations + meter.done() - 1);
        begin_round(part);
      }
      const std::size_t at = part.alive[part.next];
      auto after = part.world;
      game_.apply(after, opinions[at].action);
      if (game_.to_act(after) >= 0)
        part.evaluator->evaluate(game_, after, part.stream, payoffs);
      else
        game_.payoff(after, payoffs);
      const double payoff = aim_.of(view_.seat, payoffs);
      opinions[at].value += payoff;
      opinions[at].visits += 1;
      if (part.keeping) part.kept.payoffs[part.kept.payoffs.size() - opinions.size() + at] = payoff;
    }
    part.sums.iterations += meter.done();
  }

  const G& game_;
  typename G::View view_;
  FlatSettings<G> settings_;
  WorldSource<G> source_;
  Aim aim_;
  Thought blank_, prior_;                                       // what the prior adds to the values
  std::size_t base_ = std::numeric_limits<std::size_t>::max();  // its action among the opinions
  Division division_;
  std::vector<Part> parts_;  // none where there is nothing to choose
};

}  // namespace kibitz
