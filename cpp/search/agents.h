// The searches as agents, each declared once: its name, what it needs of a game, its options (search/options.h), and
// how a search of it is begun. A new search is a header of its own and a declaration in the list `Searches` below.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/agent.h"
#include "eval/net_agent.h"
#include "eval/net_evaluator.h"
#include "eval/rollout.h"
#include "search/belief.h"
#include "search/choices.h"
#include "search/expectimax.h"
#include "search/flat.h"
#include "search/ismcts.h"
#include "search/minimax.h"
#include "search/mo_ismcts.h"
#include "search/needs.h"
#include "search/options.h"
#include "search/pimc.h"
#include "search/prior.h"
#include "search/solver_evaluator.h"
#include "search/value_mcts.h"

namespace kibitz {

// ------------------------------------------------------------------------------------------------ agents that search

// What a declaration makes of its options.
template <Game G>
struct Recipe {
  // Begins a search of the view. It may refer to the game and the stream.
  std::function<std::unique_ptr<Search>(const G&, const typename G::View&, Rng&, const Evidence<G>&)> begin;
  Effort effort;  // of a whole search
  bool peeks = false;
  std::shared_ptr<const Belief<G>> belief = nullptr;
};

template <Game G>
class SearchAgent final : public Agent<G> {
 public:
  explicit SearchAgent(Recipe<G> recipe) : recipe_(std::move(recipe)) {}

  Action act(const G& game, const typename G::View& view, Rng& rng) const override {
    return think(game, view, rng, nullptr).best();
  }
  Thought think(const G& game, const typename G::View& view, Rng& rng, const std::atomic<bool>* stop) const override {
    return finished(*recipe_.begin(game, view, rng, {}), recipe_.effort, stop);
  }
  Thought think_back(const G& game, const typename G::View& view, const Past<G>& past, Rng& rng,
                     const std::atomic<bool>* stop) const override {
    return finished(*begin(game, view, &past, rng), recipe_.effort, stop);
  }
  std::unique_ptr<Search> begin(const G& game, const typename G::View& view, const Past<G>* past,
                                Rng& rng) const override {
    return recipe_.begin(game, view, rng, {recipe_.belief.get(), past});
  }
  Effort effort() const override { return recipe_.effort; }
  std::vector<std::pair<typename G::State, double>> worlds(const G& game, const typename G::View& view,
                                                           const Past<G>* past) const override {
    if (recipe_.peeks) return Agent<G>::worlds(game, view, past);
    Rng rng(0);
    std::vector<std::pair<typename G::State, double>> out;
    const auto all = gather_worlds(game, view, kAllWorlds, {recipe_.belief.get(), past}, rng);
    for (const auto& w : all) out.emplace_back(w.state, w.weight / static_cast<double>(all.size()));
    return out;
  }
  bool searches() const override { return true; }
  bool peeks() const override { return recipe_.peeks; }
  bool remembers() const override { return recipe_.belief != nullptr; }

 private:
  Recipe<G> recipe_;
};

// ------------------------------------------------------------------------------------------------ what options share

// The agents of the game's own: policies that an option can name.
template <Game G>
std::vector<std::string> policy_names(const G& game) {
  std::vector<std::string> out;
  if constexpr (NamesAgents<G>)
    for (const auto& agent : named_agents(game)) out.push_back(agent.name);
  return out;
}

// One of these by its index; null where that is negative.
template <Game G>
std::shared_ptr<const Agent<G>> policy_at(const G& game, int index) {
  if constexpr (NamesAgents<G>)
    if (index >= 0) return named_agents(game)[static_cast<std::size_t>(index)].make(game, Value(Value::Object{}));
  return nullptr;
}

// The options of inference: exact where the game can list its worlds, drawn where it can trace a world back. Null
// without.
template <Game G>
std::shared_ptr<const Belief<G>> read_belief(OptionReader& read, const G& game) {
  constexpr bool kExact = ListsWorlds<G> && Solvable<G>;
  if constexpr (kExact || TellsOrigins<G>) {
    const auto given =
        read_inference(read, policy_names(game), {kExact, ListsWorlds<G> && !SolvesItself<G>, TellsOrigins<G>});
    if (given.model == Model::kNone && given.policy < 0) return nullptr;
    if constexpr (TellsOrigins<G>)
      if (given.policy >= 0 || given.model == Model::kRandom)
        return std::make_shared<PolicyBelief<G>>(policy_at(game, given.policy), given.doubt, given.candidates);
    if constexpr (kExact)
      return std::make_shared<ModelBelief<G>>(BeliefSettings{given.model, given.tie_break, given.doubt});
  }
  return nullptr;
}

// What values the leaves of a search.
template <Game G>
using EvaluatorPtr = std::shared_ptr<const Evaluator<G>>;

template <class Make>
auto with_net(const std::string& file, Make make) {
  try {
    return make(std::make_shared<const Net>(load_net(file)));
  } catch (const BadInput& error) {
    throw BadInput(std::string("net: ") + error.what());
  }
}

// What values a leaf, as the options say.
template <Game G>
EvaluatorPtr<G> read_evaluator(OptionReader& read, const G& game, bool beside = false) {
  const LeafOptions leaf = read_leaves(read, policy_names(game), KeyedStates<G>, beside);
  if constexpr (KeyedStates<G>)
    if (leaf.solver) return std::make_shared<SolverEvaluator<G>>();
  if (leaf.values)
    return with_net(leaf.net, [&](auto net) { return std::make_shared<const NetEvaluator<G>>(game, net); });
  auto own = policy_at(game, leaf.own), theirs = policy_at(game, leaf.theirs);
  if (leaf.own_net || leaf.their_net) {
    const auto plays = with_net(leaf.net, [&](auto net) { return std::make_shared<const NetAgent<G>>(game, net); });
    if (leaf.own_net) own = plays;
    if (leaf.their_net) theirs = plays;
  }
  return leaf.others_think ? std::make_shared<Rollout<G>>(own) : std::make_shared<Rollout<G>>(own, theirs, true);
}

// The network of a prior.
template <Game G>
std::shared_ptr<const Agent<G>> read_prior_net(OptionReader& read, const G& game) {
  const std::string file = read_net(read, "the network of the prior");
  if (file.empty()) throw BadInput("prior needs a network: net=FILE");
  return with_net(file, [&](auto net) {
    if (net->meaning.output != Output::kQ && net->meaning.output != Output::kAction)
      throw BadInput("prior needs a network of payoffs (output q or action)");
    const auto agent = std::make_shared<const NetAgent<G>>(game, net);
    if (agent->peeks()) throw BadInput("prior needs a network whose encoder reads nothing hidden");
    return agent;
  });
}

inline constexpr const char* kPriorMeaning = "what the network says of each action counts as so many visits of it";

// What a network thinks beforehand, and how many visits that is worth: prior=N,net=FILE.
template <Game G>
Prior<G> read_prior(OptionReader& read, const G& game) {
  Prior<G> out;
  out.visits = read.number("prior", 0, 0, 1e9, kPriorMeaning);
  if (out.visits > 0) out.by = read_prior_net(read, game);
  return out;
}

// A network speaks of payoffs.
template <Game G>
void check_prior(const Prior<G>& prior, bool difference) {
  if (prior && prior.payoffs && difference)
    throw BadInput("prior is in payoffs, which goal=difference does not play for: leave one of them out");
}

// The same at the root of a tree, where policies may think, too: prior=N,prior_by=rules.
template <Game G>
Prior<G> read_root_prior(OptionReader& read, const G& game, const TreeSettings& settings) {
  Prior<G> out;
  out.visits = read.number("prior", 0, 0, 1e9, kPriorMeaning);
  int chosen = 0;
  const int policy =
      read_policy(read, "prior_by", {"net"}, policy_names(game), chosen,
                  "who knows of the actions at the root beforehand: the network what they are worth; or a "
                  "policy which it would play, a bonus of c that is halved after `prior` visits");
  if (out.visits <= 0) {
    if (read.has("prior_by")) throw BadInput("prior_by needs a number of visits: prior=N");
    return out;
  }
  if (settings.common) throw BadInput("common tries all actions equally often: prior has no meaning there");
  out.payoffs = policy < 0;
  out.by = out.payoffs ? read_prior_net(read, game) : policy_at(game, policy);
  check_prior(out, settings.difference);
  return out;
}

// For a view. The prior has no say where there is nothing to choose.
template <Game G>
TreeSettings with_prior(TreeSettings settings, const Prior<G>& prior, const G& game, const typename G::View& view,
                        Rng& rng) {
  if (prior) settings.prior = prior.at_root(game, view, rng);
  return settings;
}

// base=rules,margin=2.
template <Game G>
Base<G> read_base(OptionReader& read, const G& game) {
  Base<G> out;
  int chosen = 0;
  out.policy =
      policy_at(game, read_policy(read, "base", {"none"}, policy_names(game), chosen,
                                  "a policy to improve on: what it would play is played, unless another action "
                                  "is better by more than `margin` standard errors"));
  out.margin = read.number("margin", out.margin, 0, 100,
                           "how many standard errors better than that of `base` an action must be");
  if (!out.policy && read.has("margin")) throw BadInput("margin needs a policy to improve on: base=rules");
  return out;
}

// ------------------------------------------------------------------------------------------------ the declarations

// Flat Monte Carlo search; kCheat: in the real state.
template <bool kCheat>
struct Mcs {
  static SearchInfo info() {
    if (kCheat) return {"cheat-mcs", "flat Monte Carlo search that sees all cards", {Need::kHidden}};
    return {"mcs", "flat Monte Carlo search: play-outs of every legal action in turn, no tree"};
  }
  template <Game G>
  static Recipe<G> read(OptionReader& read, const G& game) {
    FlatSettings<G> settings;
    settings.effort = read_effort(read, 1'000);
    settings.peeks = kCheat;
    settings.threads = read_threads(read);
    settings.prior = read_prior(read, game);
    settings.difference = read_goal(read, game.info());
    check_prior(settings.prior, settings.difference);
    settings.halving = read_halving(read, settings.effort, settings.threads);
    settings.base = read_base(read, game);
    settings.keep = read.whole("keep", 0, 0, 1'000'000,
                               "so many worlds are kept, with the payoff of every action in each, for search.matrix()");
    const auto evaluator = read_evaluator(read, game, settings.prior.by != nullptr);
    const auto belief = kCheat ? nullptr : read_belief(read, game);
    return {[=](const G& g, const auto& view, Rng& rng, const Evidence<G>& evidence) -> std::unique_ptr<Search> {
              return std::make_unique<FlatSearch<G>>(g, view, settings, *evaluator, rng, evidence);
            },
            settings.effort, kCheat, belief};
  }
};

// UCT looks at the state. Where something is hidden that is cheating, and must be asked for by name.
template <bool kCheat>
struct Uct {
  static SearchInfo info() {
    if (kCheat) return {"cheat-uct", "UCT in the real state: it sees all cards", {Need::kHidden}};
    return {"uct", "UCT: a tree of states, for games in which nothing is hidden", {Need::kOpen}};
  }
  template <Game G>
  static Recipe<G> read(OptionReader& read, const G& game) {
    const TreeSettings settings = read_tree(read, game.info());
    const auto prior = read_root_prior(read, game, settings);
    const auto evaluator = read_evaluator(read, game, prior && prior.payoffs);
    return {[=](const G& g, const auto& view, Rng& rng, const Evidence<G>&) {
              return uct(g, view, with_prior(settings, prior, g, view, rng), *evaluator, rng);
            },
            settings.effort, kCheat};
  }
};

template <bool kMany>
struct Ismcts {
  static SearchInfo info() {
    if (kMany)
      return {"mo-ismcts", "ISMCTS with a tree for every seat, over what that seat can tell apart", {Need::kHidden}};
    return {"ismcts", "information set MCTS: one tree over what the seat sees, a new world in every iteration"};
  }
  template <Game G>
  static Recipe<G> read(OptionReader& read, const G& game) {
    TreeSettings settings = read_tree(read, game.info());
    settings.exploration.availability = read_availability(read);
    read_common(read, settings);
    const auto prior = read_root_prior(read, game, settings);
    const auto evaluator = read_evaluator(read, game, prior && prior.payoffs);
    const auto observer = kMany ? read_observer(read, game.info().hidden_moves) : Observer::kSearcher;
    const auto belief = read_belief(read, game);
    return {[=](const G& g, const auto& view, Rng& rng, const Evidence<G>& evidence) {
              const TreeSettings tree = with_prior(settings, prior, g, view, rng);
              if constexpr (kMany)
                return mo_ismcts(g, view, tree, observer, *evaluator, rng, evidence);
              else
                return ismcts(g, view, tree, *evaluator, rng, evidence);
            },
            settings.effort, false, belief};
  }
};

struct PimcUct {
  static SearchInfo info() {
    return {"pimc", "perfect information Monte Carlo: worlds are drawn, each is searched by UCT as if it were known"};
  }
  template <Game G>
  static Recipe<G> read(OptionReader& read, const G& game) {
    PimcSettings settings;
    settings.tree = read_tree(read, game.info(), false);
    settings.worlds = read_worlds<G>(read, game.info().hidden ? settings.worlds : 1);
    settings.aggregate = read_aggregate(read);
    const auto prior = read_root_prior(read, game, settings.tree);
    const auto evaluator = read_evaluator(read, game, prior && prior.payoffs);
    const auto belief = read_belief(read, game);
    return {[=](const G& g, const auto& view, Rng& rng, const Evidence<G>& evidence) -> std::unique_ptr<Search> {
              PimcSettings pimc = settings;
              pimc.tree = with_prior(settings.tree, prior, g, view, rng);
              return std::make_unique<Pimc<G>>(g, view, pimc, *evaluator, rng, evidence);
            },
            settings.tree.effort, false, belief};
  }
};

// The exact solver in every world. minimax and cheat-minimax vote, solver-pimc takes the mean.
enum class Solving : std::uint8_t { kVote, kCheat, kMean };

template <Solving kHow>
struct Minimax {
  static constexpr bool kCheat = kHow == Solving::kCheat, kMean = kHow == Solving::kMean;

  static SearchInfo info() {
    if (kCheat) return {"cheat-minimax", "the exact solver in the real state", {Need::kHidden, Need::kSolver}};
    if (kMean) return {"solver-pimc", "the exact solver in every world, the mean of their values", {Need::kSolver}};
    return {"minimax", "the exact solver in every world, which then vote", {Need::kSolver}};
  }
  template <Solvable G>
  static Recipe<G> read(OptionReader& read, const G& game) {
    MinimaxSettings settings;
    // A game that brings its own solver has too many worlds to list, but near the end.
    const int usual = !game.info().hidden ? 1 : kMean || !ListsWorlds<G> || SolvesItself<G> ? 20 : kAllWorlds;
    if (!kCheat) settings.worlds = read_worlds<G>(read, usual);
    settings.nodes = read_solver_nodes(
        read, "most nodes of the solver per world; a world that needs more counts with the middle of its bounds");
    settings.threads = read_threads(read);
    if (!SolvesItself<G>)
      settings.tie_break = read.number(
          "tie_break", 0, 0, kMostTieBreak,
          "this times the mean value of all replies is added to every value (the epsilon of Whitehouse, Powley and "
          "Cowling, who take 0.001)");
    settings.vote = kMean ? Vote::kMean
                          : static_cast<Vote>(read.word(
                                "ties", {"first", "split"}, 0,
                                "a world with several best actions votes for the first, or its vote is split"));
    const auto belief = kCheat ? nullptr : read_belief(read, game);
    return {[=](const G& g, const auto& view, Rng& rng, const Evidence<G>& evidence) {
              return kCheat ? cheating_minimax(g, view, settings, rng)
                            : determinized_minimax(g, view, settings, rng, evidence);
            },
            {},
            kCheat,
            belief};
  }
};

struct ExactExpectimax {
  static SearchInfo info() {
    return {"expectimax",
            "exact: the seat does its best over all worlds at once, the others know all cards",
            {Need::kWorlds}};
  }
  template <ListsWorlds G>
  static Recipe<G> read(OptionReader& read, const G& game) {
    ExpectimaxSettings settings;
    settings.worlds = read_worlds<G>(read, settings.worlds);
    settings.nodes = read_solver_nodes(read, "most nodes of the whole search, which gives up beyond");
    const auto belief = read_belief(read, game);
    return {[settings](const G& g, const auto& view, Rng& rng, const Evidence<G>& evidence) {
              return expectimax(g, view, settings, rng, evidence);
            },
            {},
            false,
            belief};
  }
};

// Li's search for one seat. opponents: the net itself, or a policy.
struct ValueTree {
  static SearchInfo info() {
    return {"value-mcts", "Li's tree of one seat's states, whose actions a network values", {}, false};
  }
  template <Game G>
  static Recipe<G> read(OptionReader& read, const G& game) {
    ValueSettings settings;
    settings.simulations =
        static_cast<int>(read.whole("simulations", settings.simulations, 1, kMostSimulations,
                                    "how often a state is added to the tree, or the end is reached"));
    settings.c = read.number("c", settings.c, 0, 1000,
                             "exploration constant of Li's Equation 3, for payoffs in the game's units");
    settings.discount =
        read.number("discount", settings.discount, 0, 1, "what the next own decision counts of the best value there");
    settings.per_world =
        static_cast<int>(read.whole("per_world", 1, 1, 10'000'000, "simulations in each world that is drawn"));
    const std::string file = read_net(read, "a network of payoffs (output q or action)");
    int chosen = 0;
    std::shared_ptr<const Agent<G>> others =
        policy_at(game, read_policy(read, "opponents", {"net", "random"}, policy_names(game), chosen,
                                    "the others play what the net likes best, or follow a policy"));
    if (read.describes()) return {};
    read.done();  // an unknown option is named before a file is missed
    if (file.empty()) throw BadInput("agent 'value-mcts' needs net=FILE");
    const auto net = std::make_shared<const Net>(load_net(file));
    if (chosen == 0) others = std::make_shared<const NetAgent<G>>(game, net);
    if (chosen == 1) others = std::make_shared<const RandomAgent<G>>();
    ValueSearch<G>(game, net, settings);  // complains
    return {[=](const G& g, const auto& view, Rng& rng, const Evidence<G>&) -> std::unique_ptr<Search> {
              return std::make_unique<ValueMcts<G>>(g, view, net, settings, others, rng);
            },
            {settings.simulations, 0}};
  }
};

using Searches =
    std::tuple<Mcs<false>, Ismcts<false>, PimcUct, Ismcts<true>, Mcs<true>, Uct<true>, Uct<false>,
               Minimax<Solving::kVote>, Minimax<Solving::kCheat>, Minimax<Solving::kMean>, ExactExpectimax, ValueTree>;

// ------------------------------------------------------------------------------------------------ what follows from
// them

// f(declaration) for each of them.
template <class F>
void each_search(F&& f) {
  std::apply([&](auto... declarations) { (f(declarations), ...); }, Searches());
}

// The names and needs of all searches.
inline std::vector<SearchInfo> search_infos() {
  std::vector<SearchInfo> out;
  each_search([&](auto declaration) { out.push_back(declaration.info()); });
  return out;
}

// Why a game has no such agent; empty where it has, or where there is no such search.
inline std::string why_not(const std::string& name, const GameTraits& game) {
  for (const SearchInfo& info : search_infos())
    if (info.name == name) return why_not(info, game);
  return "";
}

template <Game G>
GameTraits traits_of(const G& game) {
  return {game.info().hidden, Solvable<G>, ListsWorlds<G>};
}

// The searches that make sense in the game.
template <Game G>
std::vector<NamedAgent<G>> search_agents(const G& game) {
  std::vector<NamedAgent<G>> out;
  each_search([&](auto declaration) {
    using Declared = decltype(declaration);
    if constexpr (requires(OptionReader& reader) { Declared::read(reader, game); })
      if (why_not(Declared::info(), traits_of(game)).empty())
        out.push_back({Declared::info().name,
                       [](const G& g, const Value& options) -> std::shared_ptr<Agent<G>> {
                         OptionReader reader(Declared::info().name, options);
                         auto recipe = Declared::read(reader, g);
                         reader.done();
                         return std::make_shared<SearchAgent<G>>(std::move(recipe));
                       },
                       [](const G& g) {
                         const Value nothing{Value::Object{}};
                         auto reader = OptionReader::describing(Declared::info().name, nothing);
                         Declared::read(reader, g);
                         return reader.declared();
                       }});
  });
  return out;
}

// A network that plays by itself.
template <Game G>
std::shared_ptr<Agent<G>> read_net_agent(OptionReader& read, const G& game) {
  const std::string file = read.text("file", "file", "the network");
  const double epsilon = read.number("epsilon", 0, 0, 1, "how often any action is played");
  const bool best =
      read.word("pick", {"usual", "best"}, 0, "best: a policy plays its likeliest action instead of drawing one") == 1;
  if (read.describes()) return nullptr;
  read.done();
  if (file.empty()) throw BadInput("agent 'net' needs a file: net:FILE");
  return std::make_shared<NetAgent<G>>(game, std::make_shared<const Net>(load_net(file)), epsilon, best);
}

// All agents a game has natively: `random`, the searches, and what the game lists in its own named_agents(const G&).
template <Game G>
std::vector<NamedAgent<G>> all_agents(const G& game) {
  std::vector<NamedAgent<G>> out = search_agents(game);
  out.insert(out.begin(), {"random",
                           [](const G&, const Value& options) -> std::shared_ptr<Agent<G>> {
                             no_options("random", options);
                             return std::make_shared<RandomAgent<G>>();
                           },
                           nullptr});
  out.push_back({"net",
                 [](const G& g, const Value& options) {
                   OptionReader reader("net", options);
                   return read_net_agent(reader, g);
                 },
                 [](const G& g) {
                   const Value nothing{Value::Object{}};
                   auto reader = OptionReader::describing("net", nothing);
                   read_net_agent(reader, g);
                   return reader.declared();
                 }});
  if constexpr (NamesAgents<G>)
    for (auto& agent : named_agents(game)) out.push_back(std::move(agent));
  return out;
}

}  // namespace kibitz
