// The searches as agents with options, for every game in which they make sense.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/agent.h"
#include "search/expectimax.h"
#include "search/flat.h"
#include "search/ismcts.h"
#include "search/minimax.h"
#include "search/options.h"
#include "search/pimc.h"

namespace kibitz {

// A search with its settings: think(game, view, rng, stop) -> Thought.
template <Game G, class Search>
class SearchAgent final : public Agent<G> {
 public:
  SearchAgent(Search search, bool peeks) : search_(std::move(search)), peeks_(peeks) {}

  Action act(const G& game, const typename G::View& view, Rng& rng) const override {
    return think(game, view, rng, nullptr).best();
  }
  Thought think(const G& game, const typename G::View& view, Rng& rng, const std::atomic<bool>* stop) const override {
    return search_(game, view, rng, stop);
  }
  bool searches() const override { return true; }
  bool peeks() const override { return peeks_; }

 private:
  Search search_;
  bool peeks_;
};

template <Game G, class Search>
std::shared_ptr<Agent<G>> make_search(Search search, bool peeks = false) {
  return std::make_shared<SearchAgent<G, Search>>(std::move(search), peeks);
}

// UCT looks at the state. Where something is hidden that is cheating, and must be asked for by name.
template <Game G>
std::shared_ptr<Agent<G>> make_uct(const G& game, const Value& options, bool cheat) {
  const std::string name = cheat ? "cheat-uct" : "uct";
  if (!cheat && game.info().hidden)
    throw BadInput("agent 'uct' needs a game where nothing is hidden, which " + game.info().name +
                   " is not; use ismcts or pimc, or cheat-uct to let it peek");
  OptionReader read(name, options);
  const TreeSettings settings = read_tree(read);
  read.done();
  return make_search<G>([settings](const G& g, const typename G::View& v, Rng& rng,
                                   const std::atomic<bool>* stop) { return uct(g, v, settings, rng, stop); },
                        cheat);
}

template <Game G>
std::shared_ptr<Agent<G>> make_ismcts(const Value& options) {
  OptionReader read("ismcts", options);
  TreeSettings settings = read_tree(read);
  settings.exploration.availability =
      read.word("counts", {"available", "parent"}, 0) == 0;  // what Exploration calls availability
  read.done();
  return make_search<G>([settings](const G& g, const typename G::View& v, Rng& rng, const std::atomic<bool>* stop) {
    return ismcts(g, v, settings, rng, stop);
  });
}

template <Game G>
int read_worlds(OptionReader& read, int usual) {
  const int out = read.worlds(usual);
  if (out == kAllWorlds && !ListsWorlds<G>)
    throw BadInput("worlds=all needs a game that can list its worlds, which " + std::string(G::kName) +
                   " cannot; give a number");
  return out;
}

template <Game G>
std::shared_ptr<Agent<G>> make_pimc(const Value& options) {
  OptionReader read("pimc", options);
  PimcSettings settings;
  settings.tree = read_tree(read);
  settings.worlds = read_worlds<G>(read, settings.worlds);
  settings.aggregate = static_cast<Aggregate>(read.word("aggregate", {"times_best", "reward", "visits"}, 2));
  read.done();
  return make_search<G>([settings](const G& g, const typename G::View& v, Rng& rng, const std::atomic<bool>* stop) {
    return pimc(g, v, settings, rng, stop);
  });
}

template <Game G>
std::shared_ptr<Agent<G>> make_flat(const Value& options, bool cheat) {
  OptionReader read(cheat ? "cheat-mcs" : "mcs", options);
  const Effort effort = read_effort(read, 1'000);
  const int threads = read_threads(read);
  read.done();
  return make_search<G>(
      [=](const G& g, const typename G::View& v, Rng& rng, const std::atomic<bool>* stop) {
        return flat_search(g, v, effort, cheat, threads, rng, stop);
      },
      cheat);
}

// minimax and cheat-minimax vote, solver-pimc takes the mean.
template <Solvable G>
std::shared_ptr<Agent<G>> make_minimax(const G& game, const Value& options, const std::string& name) {
  const bool cheat = name == "cheat-minimax", mean = name == "solver-pimc";
  OptionReader read(name, options);
  MinimaxSettings settings;
  const int usual = !game.info().hidden ? 1 : mean || !ListsWorlds<G> ? 20 : kAllWorlds;
  if (!cheat) settings.worlds = read_worlds<G>(read, usual);
  settings.nodes = static_cast<std::uint64_t>(read.whole("nodes", 20'000'000, 1, std::int64_t{1} << 40));
  settings.threads = read_threads(read);
  // Small enough that it never outweighs a difference in payoffs.
  settings.tie_break = SolvesItself<G> ? 0 : read.number("tie_break", 0, 0, 0.01);
  settings.vote = mean ? Vote::kMean : static_cast<Vote>(read.word("ties", {"first", "split"}, 0));
  read.done();
  return make_search<G>(
      [=](const G& g, const typename G::View& v, Rng& rng, const std::atomic<bool>* stop) {
        return cheat ? cheating_minimax(g, v, settings, rng, stop) : determinized_minimax(g, v, settings, rng, stop);
      },
      cheat);
}

template <ListsWorlds G>
std::shared_ptr<Agent<G>> make_expectimax(const Value& options) {
  OptionReader read("expectimax", options);
  ExpectimaxSettings settings;
  settings.worlds = read_worlds<G>(read, settings.worlds);
  settings.nodes = static_cast<std::uint64_t>(read.whole("nodes", 20'000'000, 1, std::int64_t{1} << 40));
  read.done();
  return make_search<G>([settings](const G& g, const typename G::View& v, Rng& rng, const std::atomic<bool>* stop) {
    return expectimax(g, v, settings, rng, stop);
  });
}

// The searches that make sense in the game.
template <Game G>
std::vector<NamedAgent<G>> search_agents(const G& game) {
  std::vector<NamedAgent<G>> out{
      {"mcs", [](const G&, const Value& o) { return make_flat<G>(o, false); }},
      {"uct", [](const G& g, const Value& o) { return make_uct(g, o, false); }},
      {"ismcts", [](const G&, const Value& o) { return make_ismcts<G>(o); }},
      {"pimc", [](const G&, const Value& o) { return make_pimc<G>(o); }},
  };
  if (game.info().hidden) {
    out.push_back({"cheat-mcs", [](const G&, const Value& o) { return make_flat<G>(o, true); }});
    out.push_back({"cheat-uct", [](const G& g, const Value& o) { return make_uct(g, o, true); }});
  }
  if constexpr (Solvable<G>)
    for (const std::string name : {"minimax", "cheat-minimax", "solver-pimc"})
      if (game.info().hidden || name != "cheat-minimax")
        out.push_back({name, [name](const G& g, const Value& o) { return make_minimax(g, o, name); }});
  if constexpr (Solvable<G> && ListsWorlds<G>)
    out.push_back({"expectimax", [](const G&, const Value& o) { return make_expectimax<G>(o); }});
  return out;
}

// All agents a game has natively: `random`, the searches, and what the game lists in its own named_agents(const G&).
template <Game G>
std::vector<NamedAgent<G>> all_agents(const G& game) {
  std::vector<NamedAgent<G>> out = search_agents(game);
  out.insert(out.begin(), {"random", [](const G&, const Value& options) {
                             no_options("random", options);
                             return std::make_shared<RandomAgent<G>>();
                           }});
  if constexpr (requires { named_agents(game); })
    for (auto& agent : named_agents(game)) out.push_back(std::move(agent));
  return out;
}

}  // namespace kibitz
