// Games, states and views in Python.
#include <nanobind/operators.h>

#include "bind/bindings.h"
#include "bind/common.h"

namespace kibitz::bind {

namespace {

using any::Game;
using any::GamePtr;
using any::State;
using any::StatePtr;
using any::View;
using any::ViewPtr;

struct Playouts {
  nb::ndarray<nb::numpy, std::uint32_t> lengths;
  nb::ndarray<nb::numpy, float> payoffs;
  std::int64_t games;
  std::uint64_t decisions;
};

struct NativeMatch {
  nb::ndarray<nb::numpy, double> payoffs, seconds;
  nb::ndarray<nb::numpy, std::uint32_t> decisions, timed_decisions;
  nb::ndarray<nb::numpy, Action> actions;
  nb::ndarray<nb::numpy, std::int64_t> ends;
};

// write(encoder, floats) fills an array of the encoder's shape.
template <class Write>
auto encoded(const Game& game, const std::string& encoder, Write&& write) {
  const int found = find_encoder(game.info(), encoder);
  const EncoderInfo& info = game.info().encoders[static_cast<std::size_t>(found)];
  auto out = new_array<float>({info.shape.begin(), info.shape.end()});
  write(found, std::span<float>(out.data(), out.size()));
  return out;
}

template <class From>
auto features_of(const From& from) {
  const auto width = static_cast<std::size_t>(from.game()->info().action_features);
  auto out = new_array<float>({from.legal().size(), width});
  from.action_features({out.data(), out.size()});
  return out;
}

std::string called(const Game& g) {
  std::string out = "kibitz.make('" + g.info().name + "'";
  for (auto [k, v] : nb::borrow<nb::dict>(to_python(g.info().options)))
    out += std::string(", ") + nb::str(k).c_str() + "=" + nb::repr(v).c_str();
  return out + ")";
}

std::string stage(const Game& game, int to_act, std::size_t decisions) {
  return game.info().name + " after " + std::to_string(decisions) + " decisions, " +
         (to_act == kOver ? "over" : "seat " + std::to_string(to_act) + " to act");
}

// Notebooks ask for it; drawn in Python.
nb::object in_html(nb::handle shown) { return nb::module_::import_("kibitz.html").attr("shown")(shown); }

void bind_state(nb::module_& m) {
  nb::class_<State>(m, "State", "Everything, hidden cards included: a position of a game that can be played on.")
      .def_prop_ro("game", &State::game, "The game that it belongs to.")
      .def_prop_ro("to_act", &State::to_act, "The seat to act; OVER at the end.")
      .def_prop_ro(
          "over", [](const State& s) { return s.to_act() == kOver; }, "Whether the game has ended.")
      .def_prop_ro("payoffs", &State::payoffs, "Per seat; zeros while the game runs.")
      .def_ro("history", &State::history, "(seat, action) pairs since the deal or the position.")
      .def_ro("seed", &State::seed, "The seed of the deal; None for a position or a world.")
      .def("legal", &State::legal, "Legal actions, ascending; empty at the end.")
      .def(
          "apply", [](State& s, Int action) { s.apply(action.number("action")); }, "action"_a,
          "Play an action, in place. ValueError if it is illegal, and then nothing has changed.")
      .def("copy", &State::copy, "An independent state with the same future.")
      .def("__copy__", &State::copy, "The same as `copy`.")
      .def(
          "__deepcopy__", [](const State& s, nb::handle) { return s.copy(); }, "memo"_a, "The same as `copy`.")
      .def(
          "view", [](const State& s, Int seat) { return s.view(seat.number("seat")); }, "seat"_a,
          "All that the seat may know.")
      .def("public", &State::public_view, "What every seat knows, for spectators: a view with the seat PUBLIC.")
      .def(
          "encode",
          [](const State& s, const std::string& encoder, Int seat) {
            return encoded(*s.game(), encoder,
                           [&](int e, std::span<float> out) { s.encode(e, seat.number("seat"), out); });
          },
          "encoder"_a, "seat"_a, "Features for the seat; encoders that peek work only here.")
      .def("action_features", &features_of<State>,
           "Features [n, game.action_features] of the legal actions, in their order.")
      .def(
          "__eq__", [](const State& a, const State& b) { return a.equals(b); }, nb::is_operator(), kEqual)
      .def("__str__", &State::picture)
      .def("__repr__",
           [](const State& s) { return "<state of " + stage(*s.game(), s.to_act(), s.history.size()) + ">"; })
      .def("_repr_html_", &in_html);
}

void bind_view(nb::module_& m) {
  nb::class_<View>(m, "View", "All that one seat may know of a state. It never changes.")
      .def_prop_ro("game", &View::game, "The game that it belongs to.")
      .def_prop_ro("seat", &View::seat, "Whose view it is; PUBLIC: what every seat knows.")
      .def_prop_ro("to_act", &View::to_act, "The seat to act; OVER at the end.")
      .def_prop_ro(
          "over", [](const View& v) { return v.to_act() == kOver; }, "Whether the game has ended.")
      .def_prop_ro("key", &View::key, "64 bits; equal views have equal keys.")
      .def_ro("history", &View::history, "The (seat, action) pairs that the seat knows of.")
      .def("legal", &View::legal, "Legal actions of this seat, ascending; empty unless it is to act.")
      .def("public", &View::public_view, "What every seat knows: equal to `public` of the state, from whichever seat.")
      .def(
          "sample",
          [](const View& v, Int seed) {
            const std::uint64_t checked = seed.seed();
            nb::gil_scoped_release release;  // rulesheets may have to look for one
            return v.sample(checked);
          },
          "seed"_a, "A world: a state consistent with this view. Never by the stream that a deal of the same seed has.")
      .def(
          "encode",
          [](const View& v, const std::string& encoder) {
            return encoded(*v.game(), encoder, [&](int e, std::span<float> out) { v.encode(e, out); });
          },
          "encoder"_a, "Features for the seat, by an encoder that does not peek.")
      .def("action_features", &features_of<View>,
           "Features [n, game.action_features] of the legal actions, in their order.")
      .def("worlds", &View::worlds,
           "How many worlds are consistent with this view, all equally likely in `sample`; see game.can('worlds').")
      .def("all_worlds", &View::all_worlds,
           "Every world with its weight, to which its odds in `sample` are proportional; see game.can('all_worlds').")
      .def(
          "card_odds",
          [](const View& v, int worlds, std::optional<Int> seed) {
            if (worlds < 1 || worlds > 1'000'000)
              throw BadInput("worlds must be from 1 to 1,000,000, not " + std::to_string(worlds));
            const auto checked = seed ? std::optional(seed->seed()) : std::nullopt;
            CardOdds found;
            {
              nb::gil_scoped_release release;
              found = v.card_odds(worlds, checked);
            }
            nb::dict out;
            for (const auto& [seat, cards] : found) {
              nb::dict odds;
              for (const auto& [card, share] : cards) odds[card.c_str()] = share;
              out[nb::int_(seat)] = odds;
            }
            return out;
          },
          "worlds"_a, "seed"_a.none() = nb::none(),
          nb::sig("def card_odds(self, worlds: int, seed: int | None = None) -> dict[int, dict[str, float]]"),
          "Per hidden seat and unseen card: the share of so many sampled worlds in which the seat holds one; see "
          "kibitz.beliefs and game.can('card_odds').")
      .def(
          "__eq__", [](const View& a, const View& b) { return a.equals(b); }, nb::is_operator(), kEqual)
      .def("__hash__", [](const View& v) { return static_cast<Py_hash_t>(v.key() >> 2); })
      .def("__str__", &View::picture)
      .def("__repr__",
           [](const View& v) {
             const std::string whose = v.seat() == kPublic ? "public view" : "view of seat " + std::to_string(v.seat());
             return "<" + whose + ": " + stage(*v.game(), v.to_act(), v.history.size()) + ">";
           })
      .def("_repr_html_", &in_html);
}

void bind_info(nb::class_<Game>& c) {
  c.def_prop_ro(
       "name", [](const Game& g) { return g.info().name; }, "The name that `kibitz.make` knows it by.")
      .def_prop_ro(
          "players", [](const Game& g) { return g.info().seats; }, "The number of seats.")
      .def_prop_ro(
          "num_actions", [](const Game& g) { return g.info().actions; }, "Action ids are 0..num_actions-1.")
      .def_prop_ro(
          "action_features", [](const Game& g) { return g.info().action_features; },
          "Floats that describe an action; 0 in games without such features.")
      .def_prop_ro(
          "payoff_range", [](const Game& g) { return std::make_pair(g.info().low, g.info().high); },
          "The least and the greatest payoff of a seat.")
      .def_prop_ro(
          "zero_sum", [](const Game& g) { return g.info().zero_sum; }, "Whether payoffs sum to zero.")
      .def_prop_ro(
          "hidden", [](const Game& g) { return g.info().hidden; }, "Whether some seat does not know everything.")
      .def_prop_ro(
          "teams", [](const Game& g) { return g.info().team; }, "Team of each seat; partners share a payoff.")
      .def_prop_ro(
          "partners_vary", [](const Game& g) { return g.info().partners_vary; },
          "Whether partners are found in the game: then `teams` has every seat alone.")
      .def_prop_ro(
          "point_scoring", [](const Game& g) { return g.info().point_scoring; },
          "The value of the option `scoring` that counts points; empty without one.")
      .def_prop_ro(
          "options", [](const Game& g) { return to_python(g.info().options); },
          nb::sig("def options(self) -> dict[str, typing.Any]"), "All options, defaults filled in.")
      .def_prop_ro(
          "encoders",
          [](const Game& g) {
            nb::dict out;
            for (const auto& e : g.info().encoders) out[e.name.c_str()] = nb::cast(e);
            return out;
          },
          nb::sig("def encoders(self) -> dict[str, Encoder]"), "What writes features for learners, by name.")
      .def_prop_ro("state_bytes", &Game::state_bytes, "The size of a state in the core.")
      .def("can", &Game::can, "name"_a,
           "Whether it has what only some games have: about, action_features, all_worlds, card_odds, deals, held, "
           "solve, "
           "worlds. What a game cannot do raises a ValueError that says why.");
}

void bind_play(nb::class_<Game>& c) {
  c.def(
       "deal", [](const Game& g, Int seed) { return g.deal(seed.seed()); }, "seed"_a = kSeedZero,
       "A new state; the same seed, the same deal, on every platform.")
      .def(
          "text", [](const Game& g, Int action) { return g.text(action.number("action")); }, "action"_a,
          "A short readable name of an action.")
      .def("parse", &Game::parse, "text"_a, "The action with this name. ValueError names what is allowed.")
      .def(
          "position",
          [](const Game& g, const std::variant<const State*, const View*>& of) {
            return std::visit(
                [&](const auto* x) {
                  if (!x) throw BadInput("position needs a state or a view, not None");
                  if (!g.same(*x->game())) throw BadInput("this state belongs to another game, or to other options");
                  return to_python(x->position());
                },
                of);
          },
          "state"_a, nb::sig("def position(self, state: State | View) -> dict[str, typing.Any]"),
          "A readable, JSON-ready position of a state or a view.")
      .def(
          "from_position",
          [](const Game& g, nb::dict d) -> nb::object {
            const Value json = to_value(d);
            return json.find("seat") ? nb::cast(g.from_view(json)) : nb::cast(g.from_position(json));
          },
          "position"_a, nb::sig("def from_position(self, position: dict[str, typing.Any]) -> typing.Any"),
          "The state of a position; the view, where the position has a seat and leaves cards unknown. "
          "ValueError says what is wrong with it.");
}

// The actions of all games in one array, and where in it each game ends.
void join(const std::vector<std::vector<Action>>& games, NativeMatch& out) {
  out.ends = new_array<std::int64_t>({games.size()});
  std::size_t size = 0;
  for (std::size_t i = 0; i < games.size(); ++i)
    out.ends.data()[i] = static_cast<std::int64_t>(size += games[i].size());
  out.actions = new_array<Action>({size});
  Action* to = out.actions.data();
  for (const auto& game : games) to = std::copy(game.begin(), game.end(), to);
}

NativeMatch match(const Game& g, const std::vector<any::AgentPtr>& agents,
                  const std::vector<std::vector<int>>& seatings, Int seed, std::int64_t first, std::int64_t deals,
                  int threads, bool keep) {
  const std::size_t n = static_cast<std::size_t>(g.info().seats);
  if (agents.size() != n)
    throw BadInput(g.info().name + " has " + std::to_string(n) + " seats, not " + std::to_string(agents.size()));
  constexpr std::int64_t kMostDeals = 1 << 24;  // in one call, which has arrays for all of them
  if (deals < 1 || deals > kMostDeals || first < 0)
    throw BadInput("deals must be from 1 to " + std::to_string(kMostDeals) + ", and first at least 0");
  for (const auto& seating : seatings) {
    std::vector<bool> taken(n);
    for (int seat : seating) taken[static_cast<std::size_t>(g.check_seat(seat))] = true;
    if (seating.size() != n || std::find(taken.begin(), taken.end(), false) != taken.end())
      throw BadInput("a seating must give every agent a seat of its own");
  }
  const std::vector<std::size_t> shape{static_cast<std::size_t>(deals), seatings.size(), n};
  NativeMatch out{new_array<double>(shape),
                  new_array<double>(shape),
                  new_array<std::uint32_t>(shape),
                  new_array<std::uint32_t>(shape),
                  {},
                  {}};
  std::vector<std::vector<Action>> games(keep ? shape[0] * shape[1] : 0);
  const int used = check_threads(threads);
  interruptible([&](std::atomic<bool>& stop) {
    g.match(agents, seatings, seed.seed(), first, deals, used, &stop,
            {out.payoffs.data(), out.decisions.data(), out.seconds.data(), out.timed_decisions.data(),
             keep ? games.data() : nullptr});
  });
  join(games, out);
  return out;
}

Playouts playouts(const Game& g, std::int64_t n, Int seed, int threads) {
  if (n < 1 || n > 100'000'000) throw BadInput("playouts must be from 1 to 100,000,000, not " + std::to_string(n));
  const int used = check_threads(threads);
  const std::size_t games = static_cast<std::size_t>(n);
  Playouts out{new_array<std::uint32_t>({games}), new_array<float>({games, static_cast<std::size_t>(g.info().seats)}),
               n, 0};
  interruptible([&](std::atomic<bool>& stop) {
    g.playouts(n, seed.seed(), used, &stop, out.lengths.data(), out.payoffs.data());
  });
  for (std::size_t i = 0; i < games; ++i) out.decisions += out.lengths.data()[i];
  return out;
}

Solution solve(const Game& game, const State& state, Int nodes, bool all_actions, double tie_break) {
  if (!nodes.is_seed || nodes.bits < 1) throw BadInput("nodes must be a whole number from 1 to 2^64 - 1");
  if (!(tie_break >= 0 && tie_break <= kMostTieBreak))
    throw BadInput("tie_break must be from 0 (none) to 0.01, not " + std::to_string(tie_break));
  SolverSettings settings;
  settings.nodes = nodes.bits;
  settings.all = all_actions;
  settings.epsilon = tie_break;
  const auto task = game.solve(state, settings);  // has a copy: another thread may play on in the meantime
  Solution out;
  interruptible([&](std::atomic<bool>& stop) { out = task(stop); });
  return out;
}

void bind_counting(nb::class_<Game>& c) {
  c.def("playouts", &playouts, "n"_a, "seed"_a = kSeedZero, "threads"_a = 1,
        "n random games inside the core; threads=0 uses all cores.");
  c.def(
      "perft",
      [](const Game& g, const State& state, Int given) {
        const int depth = given.number("depth");
        if (depth < 0 || depth > 1000) throw BadInput("depth must be from 0 to 1000, not " + std::to_string(depth));
        const auto task = g.perft(state, depth);  // has a copy: another thread may play on in the meantime
        std::uint64_t count = 0;
        interruptible([&](std::atomic<bool>& stop) { count = task(stop); });
        return count;
      },
      "state"_a, "depth"_a, "How many sequences of so many legal actions start here.");
  c.def("native_match", &match, "agents"_a, "seatings"_a, "seed"_a, "first"_a, "deals"_a, "threads"_a = 1,
        "keep"_a = false,
        "Deals first..first+deals-1 under every seating; seatings[k][agent] is a seat. Arrays are [deal, seating, "
        "agent]. keep: the actions of all games, too.");
  constexpr auto kNodes = SolverSettings{}.nodes;
  c.def("solve", &solve, "state"_a, nb::kw_only(),
        "nodes"_a = Int{static_cast<std::int64_t>(kNodes), kNodes, true, true}, "all_actions"_a = false,
        "tie_break"_a = 0.0,
        "The exact value for the side to act if nothing were hidden, or bounds where the nodes ran out; see "
        "game.can('solve').");
  c.def("deals", &Game::deals,
        "Every distinct deal with its weight, the number of ways to deal physical cards so; see game.can('deals').");
  c.def(
      "held",
      [](const Game& g, const std::vector<double>& payoffs) {
        if (!g.can("held")) g.cannot("held");
        if (static_cast<int>(payoffs.size()) != g.info().seats)
          throw BadInput("payoffs must be " + std::to_string(g.info().seats) + " numbers, not " +
                         std::to_string(payoffs.size()));
        return g.held(payoffs);
      },
      "payoffs"_a, "Points that this deal keeps for the winners of the next one, in a series; see game.can('held').");
  c.def_prop_ro(
      "about", [](const Game& g) { return to_python(g.about()); }, nb::sig("def about(self) -> dict[str, typing.Any]"),
      "What there is to say of a rulesheet; see game.can('about').");
}

void bind_results(nb::module_& m) {
  nb::class_<EncoderInfo>(m, "Encoder", "How an encoder lays out its features.")
      .def_ro("name", &EncoderInfo::name)
      .def_prop_ro(
          "shape", [](const EncoderInfo& e) { return nb::tuple(nb::cast(e.shape)); },
          nb::sig("def shape(self) -> tuple[int, ...]"), "Of the features of one state.")
      .def_prop_ro("size", &EncoderInfo::size, "How many features that is.")
      .def_ro("peeks", &EncoderInfo::peeks, "Reads hidden cards; not offered on views.")
      .def_ro("binary", &EncoderInfo::binary, "Every feature is 0 or 1: tables may keep them as bytes.")
      .def("__repr__", [](const EncoderInfo& e) {
        std::vector<std::string> sizes;
        for (int d : e.shape) sizes.push_back(std::to_string(d));
        return "<encoder " + e.name + " [" + joined(sizes) + "]" + (e.peeks ? ", peeks>" : ">");
      });
  nb::class_<Playouts>(m, "Playouts", "What random games gave: lengths [n], payoffs [n, players].")
      .def_prop_ro(
          "lengths", [](const Playouts& x) { return x.lengths; }, nb::rv_policy::automatic, "Decisions of each game.")
      .def_prop_ro(
          "payoffs", [](const Playouts& x) { return x.payoffs; }, nb::rv_policy::automatic, "Per game and seat.")
      .def_ro("games", &Playouts::games, "How many games.")
      .def_ro("decisions", &Playouts::decisions, "Of all games together.");
  nb::class_<NativeMatch>(m, "NativeMatch", "Arrays [deal, seating, agent] of a match.")
      .def_prop_ro(
          "payoffs", [](const NativeMatch& x) { return x.payoffs; }, nb::rv_policy::automatic, "Of each game.")
      .def_prop_ro(
          "decisions", [](const NativeMatch& x) { return x.decisions; }, nb::rv_policy::automatic, "Of each game.")
      .def_prop_ro(
          "seconds", [](const NativeMatch& x) { return x.seconds; }, nb::rv_policy::automatic,
          "Time spent deciding, on every 16th deal; on all where an agent searches.")
      .def_prop_ro(
          "timed_decisions", [](const NativeMatch& x) { return x.timed_decisions; }, nb::rv_policy::automatic,
          "How many decisions `seconds` is about.")
      .def_prop_ro(
          "actions", [](const NativeMatch& x) { return x.actions; }, nb::rv_policy::automatic,
          "Of all games, one after the other, the seatings of a deal together; empty unless they were to be kept.")
      .def_prop_ro(
          "ends", [](const NativeMatch& x) { return x.ends; }, nb::rv_policy::automatic,
          "Where in `actions` those of each game end.");
}

void bind_solution(nb::module_& m) {
  nb::class_<Solution>(m, "Solution", "What a solver found out about a state, for the side to act.")
      .def_prop_ro(
          "low", [](const Solution& x) { return x.value.low; }, "The value is at least this.")
      .def_prop_ro(
          "high", [](const Solution& x) { return x.value.high; }, "The value is at most this.")
      .def_prop_ro(
          "exact", [](const Solution& x) { return x.value.exact(); }, "Whether both meet.")
      .def_prop_ro(
          "value", [](const Solution& x) { return x.value.exact() ? std::optional(x.value.low) : std::nullopt; },
          "The value under perfect play; None if only bounds are known.")
      .def_ro("complete", &Solution::complete, "False if the nodes ran out; the bounds hold all the same.")
      .def_ro("best", &Solution::best, "The first action with the highest lower bound.")
      .def_ro("nodes", &Solution::nodes, "How many nodes were used.")
      .def_prop_ro(
          "bounds",
          [](const Solution& x) {
            std::map<int, std::pair<double, double>> out;
            for (std::size_t i = 0; i < x.actions.size(); ++i) out[x.actions[i]] = {x.values[i].low, x.values[i].high};
            return out;
          },
          "(low, high) of every legal action.")
      .def_prop_ro(
          "values",
          [](const Solution& x) {
            std::map<int, double> out;
            for (std::size_t i = 0; i < x.actions.size(); ++i)
              if (x.values[i].exact()) out[x.actions[i]] = x.values[i].low;
            return out;
          },
          "The values of the actions as far as they are known: of all of them, if asked with all_actions=True and the "
          "nodes were enough.")
      .def("__repr__", [](const Solution& x) {
        char text[160];
        std::snprintf(text, sizeof text, "Solution(low=%g, high=%g, complete=%s, best=%d, nodes=%llu)", x.value.low,
                      x.value.high, x.complete ? "True" : "False", static_cast<int>(x.best),
                      static_cast<unsigned long long>(x.nodes));
        return std::string(text);
      });
}

}  // namespace

void bind_game(nb::module_& m) {
  bind_results(m);
  bind_solution(m);
  // First the names, so that signatures can tell them.
  nb::class_<Game> c(m, "Game", "A rule set with its options. Immutable: any number of tables and threads share one.");
  bind_state(m);
  bind_view(m);
  // By way of Python's `make`, which knows where rulesheets are.
  c.def(
      "__reduce__",
      [](const Game& g) {
        const nb::object make = nb::module_::import_("kibitz.registry").attr("make_again");
        return nb::make_tuple(make, nb::make_tuple(g.info().name, to_python(g.info().options)));
      },
      nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"));
  c.def("__eq__", [](const Game& a, const Game& b) { return a.same(b); }, nb::is_operator(), kEqual);
  c.def("__hash__",
        [](const Game& g) { return nb::hash(nb::make_tuple(g.info().name, nb::str(to_python(g.info().options)))); });
  c.def("__repr__", &called);
  bind_info(c);
  bind_play(c);
  bind_counting(c);
  bind_agents(m, c);
  bind_learning(m, c);
  m.def(
      "make",
      [](const std::string& name, nb::dict options) {
        const Value given = to_value(options);
        nb::gil_scoped_release release;  // grounding a rulesheet may take seconds
        return any::make(name, given);
      },
      "name"_a, "options"_a, nb::sig("def make(name: str, options: dict[str, typing.Any]) -> Game"),
      "A game of the core; people use `kibitz.make`.");
  m.def(
      "games",
      [] {
        std::vector<std::string> out;
        for (const auto& [name, make] : any::games()) out.push_back(name);
        return out;
      },
      "The names of the core's games.");
}

}  // namespace kibitz::bind
