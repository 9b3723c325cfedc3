// Flat Monte Carlo search: the legal actions in turn, each time one play-out, or what else evaluates; no tree.
#pragma once

#include "core/parallel.h"
#include "eval/rollout.h"
#include "search/search.h"

namespace kibitz {

// `peeks`: from the state itself; else from a new world every time.
template <Game G, Evaluator<G> E>
Thought flat_search(const G& game, const typename G::View& view, const Effort& effort, bool peeks, int threads,
                    const E& evaluator, Rng& rng, const std::atomic<bool>* stop) {
  Thought out = blank_thought(game, view);
  if (only_choice(out)) return out;
  const std::uint64_t seed = rng.next();
  std::vector<Thought> parts(static_cast<std::size_t>(threads), out);
  parallel(threads, threads, 1, nullptr, [&](std::int64_t begin, std::int64_t end) {
    E own = seen_from(evaluator, game, view);
    std::array<double, 64> payoff{};
    for (std::int64_t t = begin; t < end; ++t) {
      Thought& part = parts[static_cast<std::size_t>(t)];
      Rng stream(mix(seed, static_cast<std::uint64_t>(t)));
      Meter meter(effort.part(t, threads, threads), stop);
      auto world = view.known;
      for (std::size_t i = 0; meter.more(); i = (i + 1) % part.opinions.size()) {
        // One world for all actions: what is luck in it is the same for all, and they compare the better.
        if (i == 0 && !peeks) world = game.sample(view, stream);
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
  for (auto& o : out.opinions)
    if (o.visits > 0) o.value /= o.visits;
  share_to_best(out, [](const Opinion& o) { return o.visits > 0 ? o.value : -1e300; });
  return out;
}

}  // namespace kibitz
