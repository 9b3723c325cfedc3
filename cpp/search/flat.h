// Flat Monte Carlo search: the legal actions in turn, each time one play-out, or what else evaluates; no tree.
#pragma once

#include "core/parallel.h"
#include "eval/rollout.h"
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

template <Game G, Evaluator<G> E>
Thought flat_search(const G& game, const typename G::View& view, const FlatSettings<G>& settings, const E& evaluator,
                    Rng& rng, const std::atomic<bool>* stop) {
  Thought out = blank_thought(game, view);
  if (only_choice(out)) return out;
  const int threads = settings.threads;
  const std::uint64_t seed = rng.next();
  std::vector<Thought> parts(static_cast<std::size_t>(threads), out);
  parallel(threads, threads, 1, nullptr, [&](std::int64_t begin, std::int64_t end) {
    E own = seen_from(evaluator, game, view);
    Payoffs payoff{};
    for (std::int64_t t = begin; t < end; ++t) {
      Thought& part = parts[static_cast<std::size_t>(t)];
      Rng stream(mix(seed, static_cast<std::uint64_t>(t)));
      Meter meter(settings.effort.part(t, threads, threads), stop);
      auto world = view.known;
      for (std::size_t i = 0; meter.more(); i = (i + 1) % part.opinions.size()) {
        // One world for all actions: what is luck in it is the same for all, and they compare the better.
        if (i == 0 && !settings.peeks) world = game.sample(view, stream);
        auto after = world;
        game.apply(after, part.opinions[i].action);
        if (game.to_act(after) >= 0)
          own(game, after, stream, payoff);
        else
          game.payoff(after, payoff);
        part.opinions[i].value += payoff[static_cast<std::size_t>(view.seat)];
        part.opinions[i].visits += 1;
      }
      part.iterations = meter.done();
    }
  });
  for (const Thought& part : parts) add_thought(part, out);
  settings.prior.add_to(game, view, out, rng);
  const auto weight = [&](const Opinion& o) { return o.visits + settings.prior.visits; };
  for (auto& o : out.opinions)
    if (weight(o) > 0) o.value /= weight(o);
  share_to_best(out, [&](const Opinion& o) { return weight(o) > 0 ? o.value : -1e300; });
  return out;
}

}  // namespace kibitz
