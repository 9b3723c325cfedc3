// The searches as agents with options, for every game in which they make sense.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/agent.h"
#include "eval/net_agent.h"
#include "eval/net_evaluator.h"
#include "search/belief.h"
#include "search/expectimax.h"
#include "search/flat.h"
#include "search/ismcts.h"
#include "search/minimax.h"
#include "search/mo_ismcts.h"
#include "search/options.h"
#include "search/pimc.h"
#include "search/solver_evaluator.h"
#include "search/value_mcts.h"

namespace kibitz {

// A search with its settings: search(game, view, rng, stop, evidence) -> Thought; or without the evidence, if it has no
// use for the past.
template <Game G, class Search>
class SearchAgent final : public Agent<G> {
 public:
  SearchAgent(Search search, bool peeks, std::shared_ptr<const Belief<G>> belief)
      : search_(std::move(search)), peeks_(peeks), belief_(std::move(belief)) {}

  Action act(const G& game, const typename G::View& view, Rng& rng) const override {
    return think(game, view, rng, nullptr).best();
  }
  Thought think(const G& game, const typename G::View& view, Rng& rng, const std::atomic<bool>* stop) const override {
    return search(game, view, rng, stop, {});
  }
  Thought think_back(const G& game, const typename G::View& view, const Past<G>& past, Rng& rng,
                     const std::atomic<bool>* stop) const override {
    return search(game, view, rng, stop, {belief_.get(), &past});
  }
  std::vector<std::pair<typename G::State, double>> worlds(const G& game, const typename G::View& view,
                                                           const Past<G>* past) const override {
    if (peeks_) return Agent<G>::worlds(game, view, past);
    Rng rng(0);
    std::vector<std::pair<typename G::State, double>> out;
    const auto all = gather_worlds(game, view, kAllWorlds, {belief_.get(), past}, rng);
    for (const auto& w : all) out.emplace_back(w.state, w.weight / static_cast<double>(all.size()));
    return out;
  }
  bool searches() const override { return true; }
  bool peeks() const override { return peeks_; }
  bool remembers() const override { return belief_ != nullptr; }

 private:
  Thought search(const G& game, const typename G::View& view, Rng& rng, const std::atomic<bool>* stop,
                 const Evidence<G>& evidence) const {
    if constexpr (requires { search_(game, view, rng, stop, evidence); })
      return search_(game, view, rng, stop, evidence);
    else
      return search_(game, view, rng, stop);
  }

  Search search_;
  bool peeks_;
  std::shared_ptr<const Belief<G>> belief_;
};

template <Game G, class Search>
std::shared_ptr<Agent<G>> make_search(Search search, bool peeks = false,
                                      std::shared_ptr<const Belief<G>> belief = nullptr) {
  return std::make_shared<SearchAgent<G, Search>>(std::move(search), peeks, std::move(belief));
}

// The policy with this name: `random` (null), or an agent of the game's own that needs no options.
template <Game G>
std::shared_ptr<const Agent<G>> read_policy(OptionReader& read, const G& game, const std::string& option,
                                            std::vector<std::string> names, int& chosen) {
  const auto first = static_cast<int>(names.size());
  std::vector<NamedAgent<G>> agents;
  if constexpr (NamesAgents<G>) agents = named_agents(game);
  for (const auto& agent : agents) names.push_back(agent.name);
  chosen = read.word(option, names, 0);
  if (chosen < first) return nullptr;
  return agents[static_cast<std::size_t>(chosen - first)].make(game, Value(Value::Object{}));
}

// The options of inference: exact where the game can list its worlds, drawn where it can trace a world back. Null
// without.
template <Game G>
std::shared_ptr<const Belief<G>> read_belief(OptionReader& read, const G& game) {
  std::vector<std::string> names{"none", "random"};
  if constexpr (ListsWorlds<G> && Solvable<G>) {
    names = {"none", "minimax", "expectimax", "random"};
  } else if constexpr (!TellsOrigins<G>) {
    return nullptr;
  }
  int chosen = 0;
  const auto policy = read_policy(read, game, "inference", names, chosen);
  const double doubt = read.number("doubt", policy ? 0.2 : 0, 0, 1);
  const double tie_break = ListsWorlds<G> && !SolvesItself<G> ? read.number("model_tie_break", 0, 0, kMostTieBreak) : 0;
  const int candidates = TellsOrigins<G> ? static_cast<int>(read.whole("candidates", 500, 1, 1'000'000)) : 0;
  if (chosen == 0) return nullptr;
  if constexpr (TellsOrigins<G>)
    if (policy || names[static_cast<std::size_t>(chosen)] == "random")
      return std::make_shared<PolicyBelief<G>>(policy, doubt, candidates);
  if constexpr (ListsWorlds<G> && Solvable<G>)
    return std::make_shared<ModelBelief<G>>(BeliefSettings{static_cast<Model>(chosen), tie_break, doubt});
  return nullptr;
}

// What values the leaves of a search.
template <Game G>
struct EvaluatorOf {
  using type = std::variant<Rollout<G>, NetEvaluator<G>>;
};
template <KeyedStates G>
struct EvaluatorOf<G> {
  using type = std::variant<Rollout<G>, NetEvaluator<G>, SolverEvaluator<G>>;
};

template <class Make>
auto with_net(const std::string& file, Make make) {
  try {
    return make(std::make_shared<const Net>(load_net(file)));
  } catch (const BadInput& error) {
    throw BadInput(std::string("net: ") + error.what());
  }
}

// rollout: who plays on where the tree ends, or the solver, who knows how it ends. opponents: they think (search), or
// they follow a policy everywhere. net=FILE: the network plays where one of these says so; otherwise it says what a
// leaf is worth, and nothing is played out, unless it is there for something else (`beside`).
template <Game G>
typename EvaluatorOf<G>::type read_evaluator(OptionReader& read, const G& game, bool beside = false) {
  const std::string file = read.text("net");
  std::vector<std::string> names{"random", "net"};
  if constexpr (KeyedStates<G>) names.push_back("solver");
  int rollout = 0, opponents = 0;
  auto own = read_policy(read, game, "rollout", names, rollout);
  auto theirs = read_policy(read, game, "opponents", {"search", "random", "net"}, opponents);
  const bool own_net = rollout == 1, their_net = opponents == 2, solves = KeyedStates<G> && rollout == 2;
  if ((own_net || their_net) && file.empty())
    throw BadInput(std::string(own_net ? "rollout" : "opponents") + "=net needs a network: net=FILE");
  const bool leaves = !file.empty() && !own_net && !their_net && !beside;
  for (const char* other : {"rollout", "opponents"})
    if (leaves && read.has(other))
      throw BadInput(std::string(other) + " and net exclude each other: with a net nothing is played out, unless " +
                     "rollout=net or opponents=net");
  if (solves && opponents != 0) throw BadInput("rollout=solver plays nothing out: opponents has no meaning there");
  if constexpr (KeyedStates<G>)
    if (solves) return SolverEvaluator<G>();
  if (leaves) return with_net(file, [&](auto net) { return NetEvaluator<G>(game, net); });
  if (own_net || their_net) {
    const auto plays = with_net(file, [&](auto net) { return std::make_shared<const NetAgent<G>>(game, net); });
    if (own_net) own = plays;
    if (their_net) theirs = plays;
  }
  return opponents == 0 ? Rollout<G>(own) : Rollout<G>(own, theirs, true);
}

// UCT looks at the state. Where something is hidden that is cheating, and must be asked for by name.
template <Game G>
std::shared_ptr<Agent<G>> make_uct(const G& game, const Value& options, bool cheat) {
  OptionReader read(cheat ? "cheat-uct" : "uct", options);
  const TreeSettings settings = read_tree(read);
  const auto evaluator = read_evaluator(read, game);
  read.done();
  return std::visit(
      [&](const auto& e) {
        return make_search<G>([=](const G& g, const typename G::View& v, Rng& rng,
                                  const std::atomic<bool>* stop) { return uct(g, v, settings, e, rng, stop); },
                              cheat);
      },
      evaluator);
}

// What the others are taken to know in their trees: the moves, unless some of these are hidden from them.
template <Game G>
Observer read_observer(OptionReader& read, const G& game) {
  const bool hidden = game.info().hidden_moves;
  const auto out = static_cast<Observer>(read.word("observers", {"moves", "views"}, hidden ? 1 : 0));
  if (hidden && out == Observer::kMoves)
    throw BadInput("observers=moves needs a game in which everybody sees all moves; allowed here: views");
  return out;
}

template <Game G>
std::shared_ptr<Agent<G>> make_ismcts(const G& game, const Value& options, bool many_trees) {
  OptionReader read(many_trees ? "mo-ismcts" : "ismcts", options);
  TreeSettings settings = read_tree(read);
  settings.exploration.availability = read_availability(read);
  const auto evaluator = read_evaluator(read, game);
  const auto observer = many_trees ? read_observer(read, game) : Observer::kSearcher;
  const auto belief = read_belief(read, game);
  read.done();
  return std::visit(
      [&](const auto& e) {
        return make_search<G>(
            [=](const G& g, const typename G::View& v, Rng& rng, const std::atomic<bool>* stop,
                const Evidence<G>& evidence) {
              return many_trees ? mo_ismcts(g, v, settings, observer, e, rng, stop, evidence)
                                : ismcts(g, v, settings, e, rng, stop, evidence);
            },
            false, belief);
      },
      evaluator);
}

template <Game G>
std::shared_ptr<Agent<G>> make_pimc(const G& game, const Value& options) {
  OptionReader read("pimc", options);
  PimcSettings settings;
  settings.tree = read_tree(read);
  settings.worlds = read_worlds<G>(read, game.info().hidden ? settings.worlds : 1);
  settings.aggregate = read_aggregate(read);
  const auto evaluator = read_evaluator(read, game);
  const auto belief = read_belief(read, game);
  read.done();
  return std::visit(
      [&](const auto& e) {
        return make_search<G>([=](const G& g, const typename G::View& v, Rng& rng, const std::atomic<bool>* stop,
                                  const Evidence<G>& evidence) { return pimc(g, v, settings, e, rng, stop, evidence); },
                              false, belief);
      },
      evaluator);
}

// What a network thinks beforehand, and how many visits that is worth: prior=N,net=FILE.
template <Game G>
Prior<G> read_prior(OptionReader& read, const G& game) {
  Prior<G> out;
  out.visits = read.number("prior", 0, 0, 1e9);
  if (out.visits <= 0) return out;
  const std::string file = read.text("net");
  if (file.empty()) throw BadInput("prior needs a network: net=FILE");
  out.net = with_net(file, [&](auto net) {
    if (net->meaning.output != Output::kQ && net->meaning.output != Output::kAction)
      throw BadInput("prior needs a network of payoffs (output q or action)");
    const auto agent = std::make_shared<const NetAgent<G>>(game, net);
    if (agent->peeks()) throw BadInput("prior needs a network whose encoder reads nothing hidden");
    return agent;
  });
  return out;
}

template <Game G>
std::shared_ptr<Agent<G>> make_flat(const G& game, const Value& options, bool cheat) {
  OptionReader read(cheat ? "cheat-mcs" : "mcs", options);
  FlatSettings<G> settings;
  settings.effort = read_effort(read, 1'000);
  settings.peeks = cheat;
  settings.threads = read_threads(read);
  settings.prior = read_prior(read, game);
  const auto evaluator = read_evaluator(read, game, settings.prior.net != nullptr);
  read.done();
  return std::visit(
      [&](const auto& e) {
        return make_search<G>([=](const G& g, const typename G::View& v, Rng& rng,
                                  const std::atomic<bool>* stop) { return flat_search(g, v, settings, e, rng, stop); },
                              cheat);
      },
      evaluator);
}

// minimax and cheat-minimax vote, solver-pimc takes the mean.
template <Solvable G>
std::shared_ptr<Agent<G>> make_minimax(const G& game, const Value& options, const std::string& name) {
  const bool cheat = name == "cheat-minimax", mean = name == "solver-pimc";
  OptionReader read(name, options);
  MinimaxSettings settings;
  // A game that brings its own solver has too many worlds to list, but near the end.
  const int usual = !game.info().hidden ? 1 : mean || !ListsWorlds<G> || SolvesItself<G> ? 20 : kAllWorlds;
  if (!cheat) settings.worlds = read_worlds<G>(read, usual);
  settings.nodes = static_cast<std::uint64_t>(read.whole("nodes", 20'000'000, 1, std::int64_t{1} << 40));
  settings.threads = read_threads(read);
  settings.tie_break = SolvesItself<G> ? 0 : read.number("tie_break", 0, 0, kMostTieBreak);
  settings.vote = mean ? Vote::kMean : static_cast<Vote>(read.word("ties", {"first", "split"}, 0));
  const auto belief = cheat ? nullptr : read_belief(read, game);
  read.done();
  return make_search<G>(
      [=](const G& g, const typename G::View& v, Rng& rng, const std::atomic<bool>* stop, const Evidence<G>& evidence) {
        return cheat ? cheating_minimax(g, v, settings, rng, stop)
                     : determinized_minimax(g, v, settings, rng, stop, evidence);
      },
      cheat, belief);
}

template <ListsWorlds G>
std::shared_ptr<Agent<G>> make_expectimax(const G& game, const Value& options) {
  OptionReader read("expectimax", options);
  ExpectimaxSettings settings;
  settings.worlds = read_worlds<G>(read, settings.worlds);
  settings.nodes = static_cast<std::uint64_t>(read.whole("nodes", 20'000'000, 1, std::int64_t{1} << 40));
  const auto belief = read_belief(read, game);
  read.done();
  return make_search<G>(
      [settings](const G& g, const typename G::View& v, Rng& rng, const std::atomic<bool>* stop,
                 const Evidence<G>& evidence) { return expectimax(g, v, settings, rng, stop, evidence); },
      false, belief);
}

// The searches that make sense in the game.
template <Game G>
std::vector<NamedAgent<G>> search_agents(const G& game) {
  std::vector<NamedAgent<G>> out{
      {"mcs", [](const G& g, const Value& o) { return make_flat(g, o, false); }},
      {"ismcts", [](const G& g, const Value& o) { return make_ismcts(g, o, false); }},
      {"pimc", [](const G& g, const Value& o) { return make_pimc(g, o); }},
  };
  if (game.info().hidden) {
    out.push_back({"mo-ismcts", [](const G& g, const Value& o) { return make_ismcts(g, o, true); }});
    out.push_back({"cheat-mcs", [](const G& g, const Value& o) { return make_flat(g, o, true); }});
    out.push_back({"cheat-uct", [](const G& g, const Value& o) { return make_uct(g, o, true); }});
  } else {
    out.push_back({"uct", [](const G& g, const Value& o) { return make_uct(g, o, false); }});
  }
  if constexpr (Solvable<G>)
    for (const std::string name : {"minimax", "cheat-minimax", "solver-pimc"})
      if (game.info().hidden || name != "cheat-minimax")
        out.push_back({name, [name](const G& g, const Value& o) { return make_minimax(g, o, name); }});
  if constexpr (Solvable<G> && ListsWorlds<G>)
    out.push_back({"expectimax", [](const G& g, const Value& o) { return make_expectimax(g, o); }});
  return out;
}

// A network that plays by itself.
template <Game G>
std::shared_ptr<Agent<G>> make_net_agent(const G& game, const Value& options) {
  OptionReader read("net", options);
  const std::string file = read.text("file");
  const double epsilon = read.number("epsilon", 0, 0, 1);
  const bool best = read.word("pick", {"usual", "best"}, 0) == 1;
  read.done();
  if (file.empty()) throw BadInput("agent 'net' needs a file: net:FILE");
  return std::make_shared<NetAgent<G>>(game, std::make_shared<const Net>(load_net(file)), epsilon, best);
}

// Li's search for one seat. opponents: the net itself, or a policy.
template <Game G>
std::shared_ptr<Agent<G>> make_value_mcts(const G& game, const Value& options) {
  OptionReader read("value-mcts", options);
  ValueSettings settings;
  settings.simulations = static_cast<int>(read.whole("simulations", settings.simulations, 1, kMostSimulations));
  settings.c = read.number("c", settings.c, 0, 1000);
  settings.discount = read.number("discount", settings.discount, 0, 1);
  settings.per_world = static_cast<int>(read.whole("per_world", 1, 1, 10'000'000));
  const std::string file = read.text("net");
  int chosen = 0;
  std::shared_ptr<const Agent<G>> others = read_policy(read, game, "opponents", {"net", "random"}, chosen);
  read.done();
  if (file.empty()) throw BadInput("agent 'value-mcts' needs net=FILE");
  const auto net = std::make_shared<const Net>(load_net(file));
  if (chosen == 0) others = std::make_shared<const NetAgent<G>>(game, net);
  if (chosen == 1) others = std::make_shared<const RandomAgent<G>>();
  ValueSearch<G>(game, net, settings);  // complains
  return make_search<G>([=](const G& g, const typename G::View& v, Rng& rng, const std::atomic<bool>* stop) {
    ValueSearch<G> search(g, net, settings);
    search.run(v, [&](Seat) { return others.get(); }, rng, stop);
    return search.thought();
  });
}

// All agents a game has natively: `random`, the searches, and what the game lists in its own named_agents(const G&).
template <Game G>
std::vector<NamedAgent<G>> all_agents(const G& game) {
  std::vector<NamedAgent<G>> out = search_agents(game);
  out.insert(out.begin(), {"random", [](const G&, const Value& options) {
                             no_options("random", options);
                             return std::make_shared<RandomAgent<G>>();
                           }});
  out.push_back({"net", [](const G& g, const Value& o) { return make_net_agent(g, o); }});
  out.push_back({"value-mcts", [](const G& g, const Value& o) { return make_value_mcts(g, o); }});
  if constexpr (NamesAgents<G>)
    for (auto& agent : named_agents(game)) out.push_back(std::move(agent));
  return out;
}

}  // namespace kibitz
