// A native agent: maps a view to an action. It never sees a state, unless it says that it peeks.
//
// Agents are immutable and shared: a match asks the same one from several threads at once. All chance comes from the
// stream that the caller passes, so that equal streams give equal answers; a cache must be locked and must not change
// any answer.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/optional.h"
#include "core/search.h"
#include "core/thought.h"

namespace kibitz {

// The history of the game as one seat knows it: its view at the start (of the deal, or of the position from which play
// began) and every action since, of all seats.
template <Game G>
struct Past {
  typename G::View start;
  std::vector<Action> actions;
};

template <Game G>
class Agent {
 public:
  virtual ~Agent() = default;

  // A legal action of the view's seat, which is to act. Callers use `choose` below, which knows the cheapest way to
  // ask.
  virtual Action act(const G& game, const typename G::View& view, Rng& rng) const = 0;

  // The same from a state, for rollouts and tables: `seat` is to act and `list` holds its legal actions. Law: the
  // answer depends on view(world, seat) alone, and is that of `act`. Override it where the view costs more than the
  // decision.
  virtual Action act_within(const G& game, const typename G::State& world, Seat seat, const typename G::Legal& /*list*/,
                            Rng& rng) const {
    return act(game, game.view(world, seat), rng);
  }

  // An opinion of every legal action, in the order of `legal`; shares sum to 1. Once `stop` (which may be null) is set,
  // a search answers as soon as it can with what it has found so far.
  virtual Thought think(const G& game, const typename G::View& view, Rng& rng,
                        const std::atomic<bool>* /*stop*/) const {
    typename G::Legal list;
    game.legal(view, list);
    const Action chosen = act(game, view, rng);
    Thought out;
    for (Action a : list) out.opinions.push_back({a, 0, 0, a == chosen ? 1.0 : 0.0});
    return out;
  }

  // Whether it infers hidden cards from the history. Callers that know the history then ask think_back instead of
  // think; the others ask think, and the agent does without inference.
  virtual bool remembers() const { return false; }
  virtual Thought think_back(const G& game, const typename G::View& view, const Past<G>& /*past*/, Rng& rng,
                             const std::atomic<bool>* stop) const {
    return think(game, view, rng, stop);
  }
  // The same one step after the other: a search that can be driven. `past`: null where it is unknown. The game, the
  // stream and the agent must outlive it.
  virtual std::unique_ptr<Search> begin(const G& game, const typename G::View& view, const Past<G>* past,
                                        Rng& rng) const {
    typename G::Legal list;
    game.legal(view, list);
    Thought blank;
    for (Action a : list) blank.opinions.push_back({a, 0, 0, 1.0 / list.size()});
    const auto known = past ? std::make_shared<const Past<G>>(*past) : nullptr;
    return std::make_unique<OneStep>(std::move(blank), [this, &game, view, known, &rng](const std::atomic<bool>* stop) {
      return known ? think_back(game, view, *known, rng, stop) : think(game, view, rng, stop);
    });
  }
  // What a whole search spends.
  virtual Effort effort() const { return {}; }

  // Its belief: all worlds with their probabilities, which sum to 1. `past` is null where the history is unknown.
  // Agents without beliefs throw BadInput.
  virtual std::vector<std::pair<typename G::State, double>> worlds(const G&, const typename G::View&,
                                                                   const Past<G>* /*past*/) const {
    throw BadInput("this agent does not weigh worlds");
  }

  // Whether it chooses uniformly at random: then callers draw from the legal actions themselves and make no view.
  virtual bool uniform() const { return false; }

  // Whether a decision is a search, which takes long: callers then ask think, which can be stopped, and play its best
  // action; a match gives each thread one deal at a time.
  virtual bool searches() const { return false; }

  // Whether it cheats: callers then pass View{state, seat}, from which nothing is wiped.
  virtual bool peeks() const { return false; }
};

template <Game G>
class RandomAgent final : public Agent<G> {
 public:
  Action act(const G& game, const typename G::View& view, Rng& rng) const override {
    typename G::Legal list;
    game.legal(view, list);
    return random_of(list, rng);
  }
  bool uniform() const override { return true; }
};

// An agent that is asked for millions of actions in rollouts: it implements act_within alone, which needs no view.
template <Game G>
class QuickAgent : public Agent<G> {
 public:
  Action act(const G& game, const typename G::View& view, Rng& rng) const final {
    typename G::Legal list;
    game.legal(view, list);
    return this->act_within(game, view.known, view.seat, list, rng);
  }
};

// What there is to say of an option of an agent.
struct OptionInfo {
  std::string name;
  std::string usual;    // what it is if it is not given
  std::string allowed;  // in words
  std::string meaning;
};

// The name under which Python asks for an agent, and its maker: `options` is an object, and what it may not hold throws
// BadInput.
template <Game G>
struct NamedAgent {
  const char* name;
  std::shared_ptr<Agent<G>> (*make)(const G&, const Value& options);
  std::vector<OptionInfo> (*describe)(const G&);  // null: it takes no options
};

// named_agents(game) in the namespace of the game: its native agents beside `random` and the searches.
template <class G>
concept NamesAgents = requires(const G& game) {
  { named_agents(game) } -> std::same_as<std::vector<NamedAgent<G>>>;
};

void no_options(const std::string& agent, const Value& options);  // BadInput where there are any

// The one agent `rules` of a game, which takes no options: what most games list.
template <class A, Game G>
std::vector<NamedAgent<G>> only_rules(const G&) {
  return {{"rules",
           [](const G&, const Value& options) -> std::shared_ptr<Agent<G>> {
             no_options("rules", options);
             return std::make_shared<A>();
           },
           nullptr}};
}

// The action for which worth(action) is highest; ties are broken uniformly at random, with a draw for each of them.
template <class List, class F>
Action worthiest(const List& list, Rng& rng, F&& worth) {
  Action best = list[0];
  double best_worth = -1e9;
  std::uint32_t ties = 0;
  for (Action a : list) {
    const double w = worth(a);
    if (w > best_worth) ties = 0;
    if (w < best_worth || (w == best_worth && rng.below(++ties + 1) > 0)) continue;
    best = a;
    best_worth = w;
  }
  return best;
}

// How matches, tables and beliefs ask an agent for its action in `state`, where `seat` is to act and `list` holds its
// legal actions. The agent gets no more of the state than it may see; an agent that remembers is asked without its
// history. `stop`: as in Agent::think.
template <Game G>
Action choose(const G& game, const typename G::State& state, Seat seat, const typename G::Legal& list,
              const Agent<G>& agent, Rng& rng, const std::atomic<bool>* stop = nullptr) {
  if (agent.uniform()) return random_of(list, rng);
  if (agent.peeks() || agent.searches()) {
    const auto view = agent.peeks() ? typename G::View{state, seat} : game.view(state, seat);
    return agent.searches() ? agent.think(game, view, rng, stop).best() : agent.act(game, view, rng);
  }
  return agent.act_within(game, state, seat, list, rng);
}

}  // namespace kibitz
