// The templates behind any/game.h. One file in any/games/ makes them for each game.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "any/game.h"
#include "core/seeds.h"
#include "learn/q_learning.h"
#include "search/agents.h"
#include "search/perft.h"
#include "search/solver.h"
#include "search/waves.h"
#include "tables/match.h"
#include "tables/playouts.h"
#include "tables/tables.h"

namespace kibitz::any {

// The one downcast. A thing (a state, a view, an agent) of a game with this name and these options is a Derived; any
// other is refused: a wrong cast would be memory corruption.
template <class Derived, class Base>
auto& as(Base& thing, const Game& mine, const char* what) {
  mine.check_mine(*thing.game(), what);
  return static_cast<std::conditional_t<std::is_const_v<Base>, const Derived, Derived>&>(thing);
}

template <kibitz::Game G>
class GameOf;
template <kibitz::Game G>
using GameOfPtr = std::shared_ptr<const GameOf<G>>;

template <kibitz::Game G, class From>
std::vector<int> legal_of(const G& rules, const From& from) {
  typename G::Legal list;
  rules.legal(from, list);
  return {list.begin(), list.end()};
}

template <kibitz::Game G>
void write_features(const G& rules, const typename G::State& state, const std::vector<int>& actions,
                    std::span<float> out) {
  const auto width = static_cast<std::size_t>(rules.info().action_features);
  if constexpr (FeaturedActions<G>)
    for (std::size_t i = 0; i < actions.size(); ++i)
      rules.action_features(state, static_cast<Action>(actions[i]), out.subspan(i * width, width));
}

// ------------------------------------------------------------------------------------------------ state and view

template <kibitz::Game G>
class ViewOf;

template <kibitz::Game G>
class StateOf final : public State {
 public:
  StateOf(GameOfPtr<G> of, const typename G::State& value) : of_(std::move(of)), value(value) {}

  GamePtr game() const override { return of_->shared(); }
  int to_act() const override { return rules().to_act(value); }
  std::vector<int> legal() const override { return legal_of(rules(), value); }
  void apply(int action) override {
    typename G::Legal list;
    rules().legal(value, list);
    if (action < 0 || action >= rules().info().actions || !list.contains(static_cast<Action>(action)))
      of_->refuse(action, {list.begin(), list.end()});
    history.emplace_back(rules().to_act(value), action);
    rules().apply(value, static_cast<Action>(action));
  }
  std::vector<double> payoffs() const override {
    std::vector<double> out(static_cast<std::size_t>(rules().info().seats));
    rules().payoff(value, out);
    return out;
  }
  StatePtr copy() const override {
    auto out = std::make_unique<StateOf>(of_, value);
    out->history = history;
    out->seed = seed;
    out->start = start;
    return out;
  }
  ViewPtr view(int seat) const override { return seen_by(static_cast<Seat>(of_->check_seat(seat))); }
  ViewPtr public_view() const override { return seen_by(kPublic); }
  void encode(int encoder, int seat, std::span<float> out) const override {
    rules().encode(value, static_cast<Seat>(of_->check_seat(seat)), encoder, out);
  }
  void action_features(std::span<float> out) const override { write_features(rules(), value, legal(), out); }
  Value position() const override { return rules().position(value); }
  std::string picture() const override { return rules().picture(value); }
  bool equals(const State& other) const override {
    return of_->same(*other.game()) && value == static_cast<const StateOf&>(other).value;
  }

 private:
  ViewPtr seen_by(Seat seat) const;
  const G& rules() const { return of_->rules(); }
  GameOfPtr<G> of_;

 public:
  typename G::State value;
  std::optional<typename G::State> start;  // where the history began; unknown for a world
};

template <kibitz::Game G>
class ViewOf final : public View {
 public:
  ViewOf(GameOfPtr<G> of, const typename G::View& value) : of_(std::move(of)), value(value) {}

  GamePtr game() const override { return of_->shared(); }
  int seat() const override { return value.seat; }
  int to_act() const override { return rules().to_act(value.known); }
  std::vector<int> legal() const override { return legal_of(rules(), value); }
  std::uint64_t key() const override { return rules().key(value); }
  StatePtr sample(std::uint64_t seed) const override {
    Rng rng = sample_stream(seed);
    return world(rules().sample(seated("worlds"), rng));
  }
  void encode(int encoder, std::span<float> out) const override {
    const EncoderInfo& info = rules().info().encoders[static_cast<std::size_t>(encoder)];
    if (info.peeks)
      throw BadInput("encoder '" + info.name + "' peeks at hidden cards, which a view does not have; use state.encode");
    rules().encode(seated("features").known, value.seat, encoder, out);
  }
  void action_features(std::span<float> out) const override { write_features(rules(), value.known, legal(), out); }
  Value position() const override { return rules().position(value); }
  std::string picture() const override { return rules().picture(value); }
  bool equals(const View& other) const override {
    return of_->same(*other.game()) && value == static_cast<const ViewOf&>(other).value;
  }
  ViewPtr public_view() const override;

  double worlds() const override {
    if constexpr (CountsWorlds<G>) return rules().worlds(seated("worlds"));
    of_->cannot("worlds");
  }
  std::vector<std::pair<StatePtr, double>> all_worlds() const override {
    std::vector<std::pair<StatePtr, double>> out;
    if constexpr (ListsWorlds<G>)
      rules().each_world(seated("worlds"),
                         [&](const auto& state, double weight) { out.emplace_back(world(state), weight); });
    else
      of_->cannot("all_worlds");
    return out;
  }
  CardOdds card_odds(int worlds, std::optional<std::uint64_t> seed) const override {
    if constexpr (ShowsHands<G>) return kibitz::card_odds(rules(), seated("worlds"), worlds, seed);
    of_->cannot("card_odds");
  }

  // A state that looks like this view; what was played stays known.
  StatePtr world(const typename G::State& state) const {
    auto out = std::make_unique<StateOf<G>>(of_, state);
    out->history = history;
    return out;
  }
  // What the seat saw until now, where that is known.
  std::optional<Past<G>> past() const {
    if (!start) return std::nullopt;
    Past<G> out{*start, {}};
    for (const auto& [seat, action] : history) out.actions.push_back(static_cast<Action>(action));
    return out;
  }

 private:
  const G& rules() const { return of_->rules(); }
  // For what only a seat's view has.
  const typename G::View& seated(const char* what) const {
    if (value.seat == kPublic) throw BadInput("a public view has no " + std::string(what) + "; ask the view of a seat");
    return value;
  }
  GameOfPtr<G> of_;

 public:
  typename G::View value;
  std::optional<typename G::View> start;  // what the seat saw where the history began
};

// Of a state, or of what a view knows of it: what of that the seat knows, too.
template <kibitz::Game G>
std::unique_ptr<ViewOf<G>> view_of(const GameOfPtr<G>& of, const typename G::State& state, const History& history,
                                   Seat seat) {
  auto out = std::make_unique<ViewOf<G>>(of, of->rules().view(state, seat));
  if constexpr (HidesDecisions<G>)
    out->history = of->rules().witnessed(state, history, seat);
  else
    out->history = history;
  return out;
}

template <kibitz::Game G>
ViewPtr StateOf<G>::seen_by(Seat seat) const {
  auto out = view_of<G>(of_, value, history, seat);
  if (start) out->start = rules().view(*start, seat);
  return out;
}

template <kibitz::Game G>
ViewPtr ViewOf<G>::public_view() const {
  return view_of<G>(of_, value.known, history, kPublic);
}

// ------------------------------------------------------------------------------------------------ agents

template <kibitz::Game G>
class AgentOf final : public Agent {
 public:
  AgentOf(GameOfPtr<G> of, std::string given, std::shared_ptr<kibitz::Agent<G>> agent)
      : agent(std::move(agent)), of_(std::move(of)) {
    name = std::move(given);
  }

  GamePtr game() const override { return of_->shared(); }
  bool peeks() const override { return agent->peeks(); }
  bool searches() const override { return agent->searches(); }
  Effort effort() const override { return agent->effort(); }
  Action act(const Shown& shown, Rng& rng) const override { return agent->act(of_->rules(), look(shown), rng); }
  std::unique_ptr<DrivenSearch> begin(const Shown& shown, const Rng& rng) const override {
    const auto view = look(shown);
    const auto past = agent->remembers() ? of_->past(shown) : std::nullopt;
    auto out = std::make_unique<DrivenSearch>(std::const_pointer_cast<Agent>(shared_from_this()), rng);
    out->search = agent->begin(of_->rules(), view, past ? &*past : nullptr, out->rng);
    if (const auto* found = dynamic_cast<const ShowsWorlds<typename G::State>*>(out->search.get()))
      out->worlds = [found, like = std::make_shared<const ViewOf<G>>(seen(shown))] {
        kibitz::Matrix<typename G::State> given = found->matrix();
        Matrix made{{}, std::move(given.payoffs)};
        for (const auto& world : given.worlds) made.worlds.push_back(like->world(world));
        return made;
      };
    return out;
  }
  std::vector<std::pair<StatePtr, double>> worlds(const View& given) const override {
    const auto& view = as<ViewOf<G>>(given, *of_, "view");
    const auto past = view.past();
    std::vector<std::pair<StatePtr, double>> out;
    for (const auto& [world, odds] : agent->worlds(of_->rules(), view.value, past ? &*past : nullptr))
      out.emplace_back(view.world(world), odds);
    return out;
  }

  const std::shared_ptr<kibitz::Agent<G>> agent;

 private:
  typename G::View look(const Shown& shown) const { return of_->look(name, agent->peeks(), shown); }
  // The view that worlds are to look like, with its history.
  static ViewOf<G> seen(const Shown& shown) {
    if (const auto* view = std::get_if<const View*>(&shown)) return static_cast<const ViewOf<G>&>(**view);
    const State& state = *std::get<const State*>(shown);
    return static_cast<const ViewOf<G>&>(*state.view(state.to_act()));
  }

  GameOfPtr<G> of_;
};

template <kibitz::Game G>
class WavesOf final : public Waves {
 public:
  WavesOf(GameOfPtr<G> of, const std::string& name, const Value& options, const std::vector<Shown>& shown, Rng& rng)
      : of_(std::move(of)), settings_(read_waves(of_->rules(), name, options)) {
    for (const Shown& one : shown)
      searches_.emplace_back(of_->rules(), of_->look(name, settings_.peeks, one), settings_, rng);
  }

  std::size_t waiting() const override {
    std::size_t n = 0;
    for (const auto& search : searches_) n += search.waiting();
    return n;
  }
  int width() const override { return row_size(settings_.meaning, of_->info()); }
  int features() const override { return of_->info().encoders[static_cast<std::size_t>(settings_.encoder)].size(); }
  bool select() override {
    bool goes_on = false;
    for (auto& search : searches_) goes_on |= search.select();
    return goes_on;
  }
  void show(float* features_out, std::int32_t* seats) const override {
    const auto size = static_cast<std::size_t>(features());
    for (const auto& search : searches_) {
      search.show(features_out, seats);
      features_out += search.waiting() * size;
      seats += search.waiting();
    }
  }
  void answer(const float* rows) override {
    const auto size = static_cast<std::size_t>(width());
    for (auto& search : searches_) {
      const std::size_t n = search.waiting();
      search.answer(rows);
      rows += n * size;
    }
  }
  std::vector<Thought> thoughts() const override {
    std::vector<Thought> out;
    for (const auto& search : searches_) out.push_back(search.thought());
    return out;
  }

 private:
  GameOfPtr<G> of_;
  WaveSettings settings_;
  std::vector<WaveSearch<G>> searches_;
};

// ------------------------------------------------------------------------------------------------ learning

template <kibitz::Game G>
class TablesOf final : public Tables {
 public:
  TablesOf(GameOfPtr<G> of, int batch, int encoder, const std::vector<AgentPtr>& players, std::uint64_t seed,
           int threads, bool bytes, bool ends, const std::atomic<bool>* stop)
      : of_(std::move(of)),
        tables_(of_->shared_rules(), batch, encoder, of_->bare(players), seed, threads, bytes, ends, stop) {}

  GamePtr game() const override { return of_->shared(); }
  TableArrays& arrays() override { return tables_; }
  bool slow() const override { return tables_.slow(); }
  void step(const std::int32_t* actions, const std::atomic<bool>* stop) override { tables_.step(actions, stop); }
  void run(std::int64_t steps, const Agent& agent, const std::atomic<bool>* stop) override {
    tables_.run(steps, of_->bare(agent), stop);
  }
  std::int64_t value_search(const std::shared_ptr<const Net>& net, const ValueSettings& settings, std::uint64_t seed,
                            const std::atomic<bool>* stop, float* q, float* reward) const override {
    return tables_.value_search(net, settings, seed, stop, q, reward);
  }
  void think(const Agent& agent, std::uint64_t seed, const std::atomic<bool>* stop, float* values,
             float* visits) const override {
    tables_.think(of_->bare(agent), seed, stop, values, visits);
  }
  void advise(const Agent& agent, std::uint64_t seed, const std::atomic<bool>* stop,
              std::int32_t* actions) const override {
    tables_.advise(of_->bare(agent), seed, stop, actions);
  }
  void seat_players(const std::vector<AgentPtr>& players) override { tables_.seat_players(of_->bare(players)); }
  void put(int table, const State& state) override { tables_.put(table, as<StateOf<G>>(state, *of_, "state").value); }
  Value save() const override { return tables_.save(); }
  void restore(const Value& saved) override { tables_.restore(saved); }

 private:
  GameOfPtr<G> of_;
  kibitz::Tables<G> tables_;
};

template <kibitz::Game G>
class QLearnerOf final : public QLearner {
 public:
  QLearnerOf(GameOfPtr<G> of, std::uint64_t seed) : of_(std::move(of)), learner_(of_->shared_rules(), seed) {}

  GamePtr game() const override { return of_->shared(); }
  QTables& tables() override { return learner_.tables; }
  std::int64_t& played() override { return learner_.played; }
  void run(std::int64_t matches, const double* epsilon, const QSettings& settings, const AgentPtr& opponent,
           const AgentPtr& fallback, const std::atomic<bool>* stop, double* payoffs) override {
    const auto agents = of_->bare({opponent, fallback});
    learner_.run(matches, epsilon, settings, agents[0].get(), agents[1].get(), stop, payoffs);
  }
  AgentPtr agent(const std::string& name, const AgentPtr& fallback) const override {
    return std::make_shared<AgentOf<G>>(
        of_, name, std::make_shared<QAgent<G>>(learner_.tables, of_->bare(std::vector<AgentPtr>{fallback})[0]));
  }

 private:
  GameOfPtr<G> of_;
  kibitz::QLearner<G> learner_;
};

// ------------------------------------------------------------------------------------------------ the game

template <kibitz::Game G>
class GameOf final : public Game {
 public:
  explicit GameOf(const Value& options) : rules_(G::make(options)) {}

  const G& rules() const { return rules_; }
  // They share the ownership of this object, not of the rules alone.
  std::shared_ptr<const G> shared_rules() const { return {shared_from_this(), &rules_}; }
  GamePtr shared() const { return std::const_pointer_cast<Game>(shared_from_this()); }
  GameOfPtr<G> self() const { return std::static_pointer_cast<const GameOf>(shared_from_this()); }

  const GameInfo& info() const override { return rules_.info(); }
  std::size_t state_bytes() const override { return sizeof(typename G::State); }
  HookSet hooks() const override { return hooks_of<G>(); }

  StatePtr deal(std::uint64_t seed) const override {
    Rng rng(seed);
    auto out = dealt(rules_.deal(rng));
    out->seed = seed;
    return out;
  }
  StatePtr from_position(const Value& json) const override { return dealt(rules_.from_position(json)); }
  ViewPtr from_view(const Value& json) const override {
    return std::make_unique<ViewOf<G>>(self(), rules_.from_view(json));
  }
  std::string text(int action) const override { return rules_.text(static_cast<Action>(check_action(action))); }
  int parse(const std::string& text) const override { return rules_.parse(text); }

  std::vector<std::string> agent_names() const override {
    std::vector<std::string> out;
    for (const auto& a : all_agents(rules_)) out.push_back(a.name);
    return out;
  }
  std::vector<OptionInfo> agent_options(const std::string& name) const override {
    const auto found = entry(name);
    return found.describe ? found.describe(rules_) : std::vector<OptionInfo>{};
  }
  std::string why_no_agent(const std::string& name) const override { return why_not(name, traits_of(rules_)); }
  AgentPtr agent(const std::string& name, const Value& options) const override {
    return std::make_shared<AgentOf<G>>(self(), name, entry(name).make(rules_, options));
  }

  void playouts(std::int64_t n, std::uint64_t seed, int threads, const std::atomic<bool>* stop, std::uint32_t* lengths,
                float* payoffs) const override {
    kibitz::playouts(rules_, n, seed, threads, stop, lengths, payoffs);
  }
  std::function<std::uint64_t(std::atomic<bool>&)> perft(const State& state, int depth) const override {
    return [this, from = as<StateOf<G>>(state, *this, "state").value, depth](std::atomic<bool>& stop) {
      return kibitz::perft(rules_, from, depth, stop);
    };
  }
  void match(const std::vector<AgentPtr>& agents, const std::vector<std::vector<int>>& seatings, std::uint64_t seed,
             std::int64_t first, std::int64_t deals, int threads, const std::atomic<bool>* stop,
             MatchArrays out) const override {
    native_match(rules_, bare(agents), seatings, seed, first, deals, threads, stop, out);
  }
  std::unique_ptr<Tables> tables(int batch, const std::string& encoder, const std::vector<AgentPtr>& players,
                                 std::uint64_t seed, int threads, bool bytes, bool ends,
                                 const std::atomic<bool>* stop) const override {
    return std::make_unique<TablesOf<G>>(self(), batch, find_encoder(info(), encoder), players, seed, threads, bytes,
                                         ends, stop);
  }
  std::unique_ptr<Waves> waves(const std::string& name, const Value& options, const std::vector<Shown>& shown,
                               Rng& rng) const override {
    return std::make_unique<WavesOf<G>>(self(), name, options, shown, rng);
  }
  std::unique_ptr<QLearner> q_learner(std::uint64_t seed) const override {
    return std::make_unique<QLearnerOf<G>>(self(), seed);
  }

  std::function<Solution(std::atomic<bool>&)> solve(const State& state, const SolverSettings& settings) const override {
    if constexpr (Solvable<G>) {
      return [this, from = as<StateOf<G>>(state, *this, "state").value, settings](std::atomic<bool>& stop) {
        return kibitz::solve(rules_, from, settings, &stop);
      };
    } else {
      (void)state, (void)settings;
      cannot("solve");
    }
  }
  std::vector<std::pair<StatePtr, std::uint64_t>> deals() const override {
    std::vector<std::pair<StatePtr, std::uint64_t>> out;
    if constexpr (ListsDeals<G>)
      for (const auto& [state, weight] : rules_.deals()) out.emplace_back(dealt(state), weight);
    else
      cannot("deals");
    return out;
  }
  double held(std::span<const double> payoffs) const override {
    if constexpr (HoldsPoints<G>) return rules_.held(payoffs);
    (void)payoffs;
    cannot("held");
  }
  Value about() const override {
    if constexpr (Describes<G>) return rules_.about();
    cannot("about");
  }

  // What an agent of this game may look at: the view of the seat to act; if it peeks, with the whole state in it.
  typename G::View look(const std::string& agent, bool peeks, const Shown& shown) const {
    if (const View* const* view = std::get_if<const View*>(&shown)) {
      if (peeks) throw BadInput("agent '" + agent + "' peeks: it needs a state, not a view");
      const auto& mine = as<ViewOf<G>>(**view, *this, "view");
      if (mine.to_act() != mine.seat()) throw BadInput("this seat is not to act");
      return mine.value;
    }
    const auto& state = as<StateOf<G>>(*std::get<const State*>(shown), *this, "state").value;
    const Seat seat = rules_.to_act(state);
    if (seat < 0) throw BadInput("the game is over: no action is legal");
    return peeks ? typename G::View{state, seat} : rules_.view(state, seat);
  }

  // What the seat to act has seen until now, where that is known.
  std::optional<Past<G>> past(const Shown& shown) const {
    if (const View* const* view = std::get_if<const View*>(&shown)) return as<ViewOf<G>>(**view, *this, "view").past();
    const State& state = *std::get<const State*>(shown);
    const ViewPtr seen = state.view(state.to_act());
    return as<ViewOf<G>>(*seen, *this, "view").past();
  }

  // The agent itself, for use in this game: it may have arrays of another number of seats or actions inside.
  std::shared_ptr<kibitz::Agent<G>> bare_ptr(const Agent& agent) const {
    check_made_for(*agent.game(), agent.name);
    return as<AgentOf<G>>(agent, *this, "agent").agent;
  }
  const kibitz::Agent<G>& bare(const Agent& agent) const { return *bare_ptr(agent); }
  std::vector<std::shared_ptr<kibitz::Agent<G>>> bare(const std::vector<AgentPtr>& agents) const {
    std::vector<std::shared_ptr<kibitz::Agent<G>>> out;
    for (const auto& agent : agents) out.push_back(agent ? bare_ptr(*agent) : nullptr);
    return out;
  }

 private:
  // A state in which a history begins.
  std::unique_ptr<StateOf<G>> dealt(const typename G::State& state) const {
    auto out = std::make_unique<StateOf<G>>(self(), state);
    out->start = state;
    return out;
  }

  NamedAgent<G> entry(const std::string& name) const {
    for (const auto& a : all_agents(rules_))
      if (a.name == name) return a;
    refuse_agent(name);
  }

  G rules_;
};

// Puts a game into the registry: the one line of a file in any/games/.
template <kibitz::Game G>
Registered registered() {
  return {G::kName, [](const Value& options) -> GamePtr { return std::make_shared<GameOf<G>>(options); }};
}

}  // namespace kibitz::any
