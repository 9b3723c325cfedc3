// Any game, with its type erased: what the world outside of the core sees. One class per idea, whatever the game;
// behind each stands a template of any/game_of.h. No Python here: other builds use the same classes.
//
// A thing of one game that is handed to another is refused by `as` (any/game_of.h), the only downcast there is.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/agent.h"
#include "core/exclusive.h"
#include "core/optional.h"
#include "core/search.h"
#include "learn/q_learning.h"
#include "search/card_odds.h"
#include "search/value_mcts.h"
#include "tables/match.h"
#include "tables/tables.h"

namespace kibitz::any {

class Agent;
class Game;
class QLearner;
class State;
class Tables;
class View;
class Waves;

using GamePtr = std::shared_ptr<Game>;
using StatePtr = std::unique_ptr<State>;
using ViewPtr = std::unique_ptr<View>;
using AgentPtr = std::shared_ptr<Agent>;
using Shown = std::variant<const View*, const State*>;  // what an agent is shown: the state, if it peeks

// ------------------------------------------------------------------------------------------------ state and view

// Everything, hidden cards included.
class State {
 public:
  virtual ~State() = default;
  virtual GamePtr game() const = 0;
  virtual int to_act() const = 0;
  virtual std::vector<int> legal() const = 0;
  virtual void apply(int action) = 0;  // BadInput names the legal actions, and nothing has changed
  virtual std::vector<double> payoffs() const = 0;
  virtual StatePtr copy() const = 0;
  virtual ViewPtr view(int seat) const = 0;
  virtual ViewPtr public_view() const = 0;  // what every seat knows, for spectators
  virtual void encode(int encoder, int seat, std::span<float> out) const = 0;
  virtual void action_features(std::span<float> out) const = 0;  // a row for each legal action
  virtual Value position() const = 0;
  virtual std::string picture() const = 0;
  virtual bool equals(const State& other) const = 0;

  History history;
  std::optional<std::uint64_t> seed;  // of the deal; with the history it replays the game
};

// All that one seat may know; or the public view, which has the seat kPublic: what it needs a seat for (worlds,
// features) is BadInput.
class View {
 public:
  virtual ~View() = default;
  virtual GamePtr game() const = 0;
  virtual int seat() const = 0;
  virtual int to_act() const = 0;
  virtual std::vector<int> legal() const = 0;
  virtual std::uint64_t key() const = 0;
  virtual StatePtr sample(std::uint64_t seed) const = 0;
  virtual void encode(int encoder, std::span<float> out) const = 0;
  virtual void action_features(std::span<float> out) const = 0;
  virtual Value position() const = 0;
  virtual std::string picture() const = 0;
  virtual bool equals(const View& other) const = 0;
  virtual ViewPtr public_view() const = 0;  // what this seat knows that all know: the same from every seat

  // Of games that can: worlds, all_worlds, card_odds.
  virtual double worlds() const = 0;
  virtual std::vector<std::pair<StatePtr, double>> all_worlds() const = 0;
  virtual CardOdds card_odds(int worlds, std::optional<std::uint64_t> seed) const = 0;

  History history;
};

// ------------------------------------------------------------------------------------------------ agents and searches

// As kibitz::Matrix, of any game.
struct Matrix {
  std::vector<StatePtr> worlds;
  std::vector<double> payoffs;
};

// A search under way; see core/search.h. For one caller at a time, but any thread may stop it.
class DrivenSearch {
 public:
  DrivenSearch(AgentPtr agent, Rng rng) : rng(rng), agent_(std::move(agent)) {}

  // Without an effort: what is left of the agent's own.
  void run(const std::optional<Effort>& more);
  Thought thought() const;
  Matrix matrix() const;  // BadInput where it has none
  // Ends the run under way, and every later one before it begins.
  void stop() { stop_ = true; }
  std::atomic<bool>& stopped() { return stop_; }

  Rng rng;  // what the search refers to
  std::unique_ptr<Search> search;
  std::function<Matrix()> worlds;  // of searches that show theirs

 private:
  AgentPtr agent_;
  std::atomic<bool> stop_{false};
  std::int64_t asked_ = 0;  // iterations of all runs
  double spent_ms_ = 0;
  Exclusive exclusive_;
};

// An agent of the core, made for one game.
class Agent : public std::enable_shared_from_this<Agent> {
 public:
  virtual ~Agent() = default;
  virtual GamePtr game() const = 0;
  virtual bool peeks() const = 0;
  virtual bool searches() const = 0;  // takes its time: `begin` and run, rather than `act`
  virtual Effort effort() const = 0;
  virtual Action act(const Shown& shown, Rng& rng) const = 0;
  // What it is shown is copied: it may change while the search runs.
  virtual std::unique_ptr<DrivenSearch> begin(const Shown& shown, const Rng& rng) const = 0;
  // All worlds and how likely it thinks them.
  virtual std::vector<std::pair<StatePtr, double>> worlds(const View& view) const = 0;

  std::string name;
};

// Searches of several views side by side, whose leaves are valued by the caller; see search/waves.h.
class Waves {
 public:
  virtual ~Waves() = default;
  virtual std::size_t waiting() const = 0;  // leaves
  virtual int width() const = 0;            // numbers per answer
  virtual int features() const = 0;         // numbers per leaf that is shown
  virtual bool select() = 0;
  virtual void show(float* features, std::int32_t* seats) const = 0;
  virtual void answer(const float* rows) = 0;
  virtual std::vector<Thought> thoughts() const = 0;

  Exclusive exclusive;
  static constexpr const char* kWhat = "these searches";
};

// ------------------------------------------------------------------------------------------------ learning

// Games in lockstep; see tables/tables.h.
class Tables {
 public:
  virtual ~Tables() = default;
  virtual GamePtr game() const = 0;
  virtual TableArrays& arrays() = 0;
  virtual bool slow() const = 0;  // a step may take long
  virtual void step(const std::int32_t* actions, const std::atomic<bool>* stop) = 0;
  virtual void run(std::int64_t steps, const Agent& agent, const std::atomic<bool>* stop) = 0;
  virtual std::int64_t value_search(const std::shared_ptr<const Net>& net, const ValueSettings& settings,
                                    std::uint64_t seed, const std::atomic<bool>* stop, float* q,
                                    float* reward) const = 0;
  virtual void think(const Agent& agent, std::uint64_t seed, const std::atomic<bool>* stop, float* values,
                     float* visits) const = 0;
  virtual void advise(const Agent& agent, std::uint64_t seed, const std::atomic<bool>* stop,
                      std::int32_t* actions) const = 0;
  virtual void seat_players(const std::vector<AgentPtr>& players) = 0;
  virtual void put(int table, const State& state) = 0;
  virtual Value save() const = 0;
  virtual void restore(const Value& saved) = 0;
};

// Tabular learning; see learn/q_learning.h.
class QLearner {
 public:
  virtual ~QLearner() = default;
  virtual GamePtr game() const = 0;
  virtual QTables& tables() = 0;
  virtual std::int64_t& played() = 0;
  virtual void run(std::int64_t matches, const double* epsilon, const QSettings& settings, const AgentPtr& opponent,
                   const AgentPtr& fallback, const std::atomic<bool>* stop, double* payoffs) = 0;
  // Plays from a copy of the tables.
  virtual AgentPtr agent(const std::string& name, const AgentPtr& fallback) const = 0;

  Exclusive exclusive;
  static constexpr const char* kWhat = "the tables of this learner";
};

// ------------------------------------------------------------------------------------------------ the game

struct AgentInfo {
  std::string name;
  std::vector<OptionInfo> options;
};

// A rule set with its options. Immutable: any number of threads and tables share one.
class Game : public std::enable_shared_from_this<Game> {
 public:
  virtual ~Game() = default;
  virtual const GameInfo& info() const = 0;
  virtual std::size_t state_bytes() const = 0;
  virtual HookSet hooks() const = 0;

  virtual StatePtr deal(std::uint64_t seed) const = 0;
  virtual StatePtr from_position(const Value& json) const = 0;
  virtual ViewPtr from_view(const Value& json) const = 0;
  virtual std::string text(int action) const = 0;
  virtual int parse(const std::string& text) const = 0;

  virtual std::vector<std::string> agent_names() const = 0;
  virtual std::vector<OptionInfo> agent_options(const std::string& name) const = 0;
  virtual std::string why_no_agent(const std::string& name) const = 0;  // empty where there is one, or no such search
  virtual AgentPtr agent(const std::string& name, const Value& options) const = 0;

  virtual void playouts(std::int64_t n, std::uint64_t seed, int threads, const std::atomic<bool>* stop,
                        std::uint32_t* lengths, float* payoffs) const = 0;
  // Copied before it counts: the caller may release the state to other threads.
  virtual std::function<std::uint64_t(std::atomic<bool>&)> perft(const State& state, int depth) const = 0;
  virtual void match(const std::vector<AgentPtr>& agents, const std::vector<std::vector<int>>& seatings,
                     std::uint64_t seed, std::int64_t first, std::int64_t deals, int threads,
                     const std::atomic<bool>* stop, MatchArrays out) const = 0;
  virtual std::unique_ptr<Tables> tables(int batch, const std::string& encoder, const std::vector<AgentPtr>& players,
                                         std::uint64_t seed, int threads, bool bytes, bool ends,
                                         const std::atomic<bool>* stop) const = 0;
  virtual std::unique_ptr<Waves> waves(const std::string& name, const Value& options, const std::vector<Shown>& shown,
                                       Rng& rng) const = 0;
  virtual std::unique_ptr<QLearner> q_learner(std::uint64_t seed) const = 0;

  // Of games that can; the others throw BadInput with the reason.
  virtual std::function<Solution(std::atomic<bool>&)> solve(const State& state,
                                                            const SolverSettings& settings) const = 0;
  virtual std::vector<std::pair<StatePtr, std::uint64_t>> deals() const = 0;
  virtual double held(std::span<const double> payoffs) const = 0;
  virtual Value about() const = 0;

  // Whether the game, or its states and views, have what only some games have, by its name in Python. BadInput where
  // there is no such name.
  bool can(const std::string& name) const;
  [[noreturn]] void cannot(const std::string& name) const;  // BadInput with the reason

  // The same rules with the same options.
  bool same(const Game& other) const;
  void check_mine(const Game& its, const char* what) const;  // `what` is of this game
  void check_made_for(const Game& its, const std::string& agent) const;
  int check_seat(int seat) const;
  int check_action(int action) const;
  [[noreturn]] void refuse(int action, const std::vector<int>& legal) const;
  [[noreturn]] void refuse_agent(const std::string& name) const;
};

// What `can` knows, in the order of the alphabet.
struct Capability {
  const char* name;
  HookSet hooks;        // any of them makes it
  const char* without;  // why not
};
const std::vector<Capability>& capabilities();

// ------------------------------------------------------------------------------------------------ the registry

using MakeGame = GamePtr (*)(const Value& options);

const std::map<std::string, MakeGame>& games();
GamePtr make(const std::string& name, const Value& options);

// A static object of this class, one for each game, puts it into the registry; see any/games/.
struct Registered {
  Registered(const char* name, MakeGame make);
};

}  // namespace kibitz::any
