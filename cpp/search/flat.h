// Flat Monte Carlo search: the legal actions in turn, each time one play-out, or what else evaluates; no tree.
#pragma once

#include "core/agent.h"
#include "core/parallel.h"
#include "eval/evaluator.h"
#include "search/search.h"

namespace kibitz {

// What is thought of the actions beforehand: a net has seen many games, the search looks at this one, and each knows
// what the other does not. The net's values count as so many visits.
template <Game G>
struct Prior {
  double visits = 0;
  std::shared_ptr<const Agent<G>> net;

  void add_to(const G& game, const typename G::View& view, Thought& sums, Rng& rng) const {
    if (!net) return;
    const Thought said = net->think(game, view, rng, nullptr);  // of the same actions in the same order
    for (std::size_t i = 0; i < sums.opinions.size(); ++i) sums.opinions[i].value += visits * said.opinions[i].value;
  }
};

template <Game G>
struct FlatSettings {
  Effort effort;
  bool peeks = false;  // it starts from the state itself; else from a new world every time
  int threads = 1;
  Prior<G> prior;
};

template <Game G>
class FlatSearch final : public Search {
 public:
  FlatSearch(const G& game, const typename G::View& view, const FlatSettings<G>& settings,
             const Evaluator<G>& evaluator, Rng& rng)
      : game_(game),
        view_(view),
        settings_(settings),
        blank_(blank_thought(game, view)),
        prior_(blank_),
        division_(settings.effort, settings.threads, settings.threads) {
    if (only_choice(blank_)) return;
    const std::uint64_t seed = rng.next();
    for (int t = 0; t < settings.threads; ++t)
      parts_.push_back(
          {evaluator.seen_from(game, view), blank_, Rng(mix(seed, static_cast<std::uint64_t>(t))), view.known});
    settings.prior.add_to(game, view, prior_, rng);
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
    const auto weight = [&](const Opinion& o) { return o.visits + settings_.prior.visits; };
    for (std::size_t i = 0; i < out.opinions.size(); ++i) {
      out.opinions[i].value += prior_.opinions[i].value;
      if (weight(out.opinions[i]) > 0) out.opinions[i].value /= weight(out.opinions[i]);
    }
    share_to_best(out, [&](const Opinion& o) { return weight(o) > 0 ? o.value : -1e300; });
    return out;
  }

 private:
  // What one thread does.
  struct Part {
    std::unique_ptr<Evaluator<G>> evaluator;
    Thought sums;
    Rng stream;
    typename G::State world;
    std::size_t next = 0;  // the action whose turn it is
  };

  void go_on(Part& part, std::int64_t index, const std::atomic<bool>* stop) {
    const Effort effort = division_.of(index, part.sums.iterations);
    if (effort.none()) return;
    Payoffs payoffs{};
    auto& opinions = part.sums.opinions;
    Meter meter(effort, stop, part.sums.iterations > 0);
    for (; meter.more(); part.next = (part.next + 1) % opinions.size()) {
      // One world for all actions: what is luck in it is the same for all, and they compare the better.
      if (part.next == 0 && !settings_.peeks) part.world = game_.sample(view_, part.stream);
      auto after = part.world;
      game_.apply(after, opinions[part.next].action);
      if (game_.to_act(after) >= 0)
        part.evaluator->evaluate(game_, after, part.stream, payoffs);
      else
        game_.payoff(after, payoffs);
      opinions[part.next].value += payoffs[static_cast<std::size_t>(view_.seat)];
      opinions[part.next].visits += 1;
    }
    part.sums.iterations += meter.done();
  }

  const G& game_;
  typename G::View view_;
  FlatSettings<G> settings_;
  Thought blank_, prior_;  // what the prior adds to the values
  Division division_;
  std::vector<Part> parts_;  // none where there is nothing to choose
};

}  // namespace kibitz
