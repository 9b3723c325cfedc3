// The Python classes of one game, generated from the contract: NAMEGame, NAMEState, NAMEView, NAMEAgent, NAMETables,
// NAMEWaves, NAMEQLearner.
#pragma once

#include <nanobind/operators.h>

#include "bind/bind_q_table.h"
#include "bind/bind_search.h"
#include "bind/bind_solver.h"
#include "bind/bind_tables.h"
#include "bind/bind_waves.h"
#include "bind/handles.h"
#include "bind/interrupt.h"
#include "core/seeds.h"
#include "search/perft.h"
#include "tables/match.h"
#include "tables/playouts.h"

namespace kibitz::bind {

// Python's == takes anything.
inline const nb::sig kEqual("def __eq__(self, arg: object, /) -> bool");

struct Playouts {
  nb::ndarray<nb::numpy, std::uint32_t> lengths;
  nb::ndarray<nb::numpy, float> payoffs;
  std::int64_t games;
  std::uint64_t decisions;
};

struct NativeMatch {
  nb::ndarray<nb::numpy, double> payoffs, seconds;
  nb::ndarray<nb::numpy, std::uint32_t> decisions, timed_decisions;
};

template <Game G>
class GameBinder {
 public:
  using GamePtr = std::shared_ptr<G>;

  using State = StateHandle<G>;
  using View = ViewHandle<G>;
  using NativeAgent = AgentHandle<G>;

  GameBinder(nb::module_& m, const std::string& prefix) : prefix_(prefix) {
    bind_state(m);
    bind_view(m);
    bind_search<G>(m, name("Agent"));
    bind_tables<G>(m, name("Tables"));
    bind_waves<G>(m, name("Waves"));
    QBinder<G>::bind(m, name("QLearner"));
    bind_the_game(m);
  }

 private:
  static std::vector<int> legal_of(const auto& game, const auto& from) {
    typename G::Legal list;
    game.legal(from, list);
    return {list.begin(), list.end()};
  }

  static Seat check_seat(const G& game, Int given) {
    const int seat = given.number("seat");
    const int seats = game.info().seats;
    if (seat < 0 || seat >= seats)
      throw BadInput("seat " + std::to_string(seat) + " does not exist; seats are 0 to " + std::to_string(seats - 1));
    return static_cast<Seat>(seat);
  }

  static void apply(State& self, Int given) {
    const int action = given.number("action");
    typename G::Legal list;
    self.game->legal(self.state, list);
    if (list.empty()) throw BadInput("the game is over: no action is legal");
    if (action < 0 || action >= self.game->info().actions || !list.contains(static_cast<Action>(action))) {
      std::vector<std::string> names;
      for (Action a : list) names.push_back(std::to_string(a) + " (" + self.game->text(a) + ")");
      throw BadInput("action " + std::to_string(action) + " is illegal here; legal: " + joined(names));
    }
    self.history.emplace_back(self.game->to_act(self.state), action);
    self.game->apply(self.state, static_cast<Action>(action));
  }

  // The decisions that the seat knows of: all, unless the game says otherwise.
  static History witnessed(const State& s, Seat seat) {
    if constexpr (requires { s.game->witnessed(s.state, s.history, seat); })
      return s.game->witnessed(s.state, s.history, seat);
    else
      return s.history;
  }

  static auto encode(const G& game, const typename G::State& state, Seat seat, int encoder) {
    const auto& info = game.info().encoders[static_cast<std::size_t>(encoder)];
    std::vector<std::size_t> shape(info.shape.begin(), info.shape.end());
    const std::size_t size = static_cast<std::size_t>(info.size());
    float* data = new float[size]();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
    game.encode(state, seat, encoder, {data, size});
    return nb::ndarray<nb::numpy, float>(data, shape.size(), shape.data(), owner);
  }

  static auto features_of(const G& game, const typename G::State& state, const std::vector<int>& actions) {
    const auto width = static_cast<std::size_t>(game.info().action_features);
    auto out = new_array<float>({actions.size(), width});
    if constexpr (FeaturedActions<G>)
      for (std::size_t i = 0; i < actions.size(); ++i)
        game.action_features(state, static_cast<Action>(actions[i]), {out.data() + i * width, width});
    return out;
  }

  // The public part of a view, as a state: enough for to_act.
  static const typename G::State& state_of(const typename G::View& v) { return v.known; }

  void bind_state(nb::module_& m) {
    nb::class_<State>(m, name("State").c_str(), "Everything, hidden cards included.")
        .def_prop_ro("game", [](const State& s) { return s.game; })
        .def_prop_ro(
            "to_act", [](const State& s) { return static_cast<int>(s.game->to_act(s.state)); },
            "The seat to act; OVER at the end.")
        .def_prop_ro("over", [](const State& s) { return s.game->to_act(s.state) == kOver; })
        .def_prop_ro(
            "payoffs",
            [](const State& s) {
              std::vector<double> out(static_cast<std::size_t>(s.game->info().seats));
              s.game->payoff(s.state, out);
              return out;
            },
            "Per seat; zeros while the game runs.")
        .def_ro("history", &State::history, "(seat, action) pairs since the deal or the position.")
        .def_ro("seed", &State::seed, "The seed of the deal; None for a position or a world.")
        .def(
            "legal", [](const State& s) { return legal_of(*s.game, s.state); }, "Legal actions, ascending.")
        .def("apply", &apply, "action"_a, "Play an action, in place. ValueError if it is illegal.")
        .def("copy", [](const State& s) { return s; })
        .def("__copy__", [](const State& s) { return s; })
        .def(
            "__deepcopy__", [](const State& s, nb::handle) { return s; }, "memo"_a)
        .def(
            "view",
            [](const State& s, Int seat) {
              const Seat checked = check_seat(*s.game, seat);
              View out{s.game, s.game->view(s.state, checked), witnessed(s, checked)};
              if (s.start) out.start = s.game->view(*s.start, checked);
              return out;
            },
            "seat"_a, "All that the seat may know.")
        .def(
            "encode",
            [](const State& s, const std::string& encoder, Int seat) {
              return encode(*s.game, s.state, check_seat(*s.game, seat), find_encoder(s.game->info(), encoder));
            },
            "encoder"_a, "seat"_a, "Features for the seat; encoders that peek work only here.")
        .def(
            "action_features", [](const State& s) { return features_of(*s.game, s.state, legal_of(*s.game, s.state)); },
            "Features [n, game.action_features] of the legal actions, in their order.")
        .def(
            "__eq__", [](const State& a, const State& b) { return a.state == b.state; }, nb::is_operator(), kEqual)
        .def("__str__", [](const State& s) { return s.game->picture(s.state); });
  }

  void bind_view(nb::module_& m) {
    nb::class_<View> c(m, name("View").c_str(), "All that one seat may know.");
    if constexpr (requires(const G& g, const typename G::View& v) { g.worlds(v); })
      c.def(
          "worlds", [](const View& v) { return v.game->worlds(v.view); },
          "How many worlds are consistent with this view, all equally likely in `sample`.");
    if constexpr (ListsWorlds<G>)
      c.def(
          "all_worlds",
          [](const View& v) {
            std::vector<std::pair<State, double>> out;
            v.game->each_world(v.view, [&](const typename G::State& world, double weight) {
              out.push_back({State{v.game, world, v.history, std::nullopt}, weight});
            });
            return out;
          },
          "Every world with its weight, to which its odds in `sample` are proportional.");
    c.def_prop_ro("game", [](const View& v) { return v.game; })
        .def_prop_ro("seat", [](const View& v) { return static_cast<int>(v.view.seat); })
        .def_prop_ro("to_act", [](const View& v) { return static_cast<int>(v.game->to_act(state_of(v.view))); })
        .def_prop_ro("over", [](const View& v) { return v.game->to_act(state_of(v.view)) == kOver; })
        .def_prop_ro(
            "key", [](const View& v) { return v.game->key(v.view); }, "Equal views have equal keys.")
        .def_ro("history", &View::history, "(seat, action) pairs since the deal or the position.")
        .def(
            "legal", [](const View& v) { return legal_of(*v.game, v.view); },
            "Legal actions of this seat, ascending; empty unless it is to act.")
        .def(
            "sample",
            [](const View& v, Int seed) {
              Rng rng = sample_stream(seed.seed());
              const auto world = [&] {
                nb::gil_scoped_release release;  // rulesheets may have to look for one
                return v.game->sample(v.view, rng);
              }();
              return State{v.game, world, v.history, std::nullopt};
            },
            "seed"_a,
            "A world: a state consistent with this view. Never by the stream that a deal of the same seed has.")
        .def(
            "encode",
            [](const View& v, const std::string& encoder) {
              const int e = find_encoder(v.game->info(), encoder);
              if (v.game->info().encoders[static_cast<std::size_t>(e)].peeks)
                throw BadInput("encoder '" + encoder +
                               "' peeks at hidden cards, which a view does not have; use state.encode");
              return encode(*v.game, state_of(v.view), v.view.seat, e);
            },
            "encoder"_a)
        .def(
            "action_features",
            [](const View& v) { return features_of(*v.game, state_of(v.view), legal_of(*v.game, v.view)); },
            "Features [n, game.action_features] of the legal actions, in their order.")
        .def(
            "__eq__", [](const View& a, const View& b) { return a.view == b.view; }, nb::is_operator(), kEqual)
        .def("__hash__", [](const View& v) { return static_cast<Py_hash_t>(v.game->key(v.view) >> 2); })
        .def("__str__", [](const View& v) { return v.game->picture(v.view); });
  }

  // Without the GIL: grounding a rulesheet may take seconds.
  static void construct(G* self, const Value& options) {
    nb::gil_scoped_release release;
    new (self) G(G::make(options));
  }

  void bind_the_game(nb::module_& m) {
    nb::class_<G> c(m, name("Game").c_str(), "A rule set with its options. Immutable.");
    c.def(
        "__init__", [](G* self, nb::kwargs options) { construct(self, to_value(options)); },
        nb::sig("def __init__(self, **options: typing.Any) -> None"));
    c.def("__getstate__", [](const G& g) { return to_python(g.info().options); });
    c.def(
        "__setstate__", [](G& self, nb::dict options) { construct(&self, to_value(options)); },
        nb::sig("def __setstate__(self, options: dict[str, typing.Any], /) -> None"));
    c.def("__eq__", [](const G& a, const G& b) { return same_options(a, b); }, nb::is_operator(), kEqual);
    c.def("__hash__", [](const G& g) { return nb::hash(nb::str(to_python(g.info().options))); });
    c.def("__repr__", [](const G& g) {
      std::string out = "kibitz.make('" + g.info().name + "'";
      for (auto [k, v] : nb::borrow<nb::dict>(to_python(g.info().options)))
        out += std::string(", ") + nb::str(k).c_str() + "=" + nb::repr(v).c_str();
      return out + ")";
    });
    bind_info(c);
    bind_play(c);
    bind_native(c);
    bind_optional(c);
    nb::borrow<nb::dict>(m.attr("_games"))[G::kName] = c;
  }

  static void bind_info(nb::class_<G>& c) {
    c.def_prop_ro("name", [](const G& g) { return g.info().name; })
        .def_prop_ro("players", [](const G& g) { return g.info().seats; })
        .def_prop_ro("num_actions", [](const G& g) { return g.info().actions; })
        .def_prop_ro(
            "action_features", [](const G& g) { return g.info().action_features; },
            "Floats that describe an action; 0 in games without such features.")
        .def_prop_ro("payoff_range", [](const G& g) { return std::make_pair(g.info().low, g.info().high); })
        .def_prop_ro("zero_sum", [](const G& g) { return g.info().zero_sum; })
        .def_prop_ro(
            "hidden", [](const G& g) { return g.info().hidden; }, "Whether some seat does not know everything.")
        .def_prop_ro(
            "teams", [](const G& g) { return g.info().team; }, "Team of each seat; partners share a payoff.")
        .def_prop_ro(
            "partners_vary", [](const G& g) { return g.info().partners_vary; },
            "Whether partners are found in the game: then `teams` has every seat alone.")
        .def_prop_ro(
            "point_scoring", [](const G& g) { return g.info().point_scoring; },
            "The value of the option `scoring` that counts points; empty without one.")
        .def_prop_ro(
            "options", [](const G& g) { return to_python(g.info().options); },
            nb::sig("def options(self) -> dict[str, typing.Any]"), "All options, defaults filled in.")
        .def_prop_ro(
            "encoders",
            [](const G& g) {
              nb::dict out;
              for (const auto& e : g.info().encoders) out[e.name.c_str()] = nb::cast(e);
              return out;
            },
            nb::sig("def encoders(self) -> dict[str, Encoder]"))
        .def_prop_ro("state_bytes", [](const G&) { return sizeof(typename G::State); })
        .def_prop_ro("native_agents", [](const G& g) {
          std::vector<std::string> out;
          for (const auto& a : all_agents(g)) out.push_back(a.name);
          return out;
        });
  }

  static void bind_play(nb::class_<G>& c) {
    c.def(
         "deal",
         [](GamePtr g, Int seed) {
           Rng rng(seed.seed());
           const auto state = g->deal(rng);
           return State{g, state, {}, seed.seed(), state};
         },
         "seed"_a = Int{0, 0, true, true}, "A new state; the same seed, the same deal, on every platform.")
        .def(
            "text",
            [](const G& g, Int given) {
              const int action = given.number("action");
              if (action < 0 || action >= g.info().actions)
                throw BadInput("action " + std::to_string(action) + " does not exist; ids are 0 to " +
                               std::to_string(g.info().actions - 1));
              return g.text(static_cast<Action>(action));
            },
            "action"_a)
        .def(
            "parse", [](const G& g, const std::string& text) { return static_cast<int>(g.parse(text)); }, "text"_a)
        .def(
            "position",
            [](const G& g, nb::handle of) {
              if (nb::isinstance<State>(of)) {
                const State& s = nb::cast<const State&>(of);
                check_same(g, *s.game);
                return to_python(g.position(s.state));
              }
              if (nb::isinstance<View>(of)) {
                const View& v = nb::cast<const View&>(of);
                check_same(g, *v.game);
                return to_python(g.position(v.view));
              }
              throw BadInput("position needs a state or a view of this game, not " +
                             std::string(nb::str(of.type().attr("__name__")).c_str()));
            },
            "state"_a, nb::sig("def position(self, state: object) -> dict[str, typing.Any]"),
            "A readable, JSON-ready position of a state or a view.")
        .def(
            "from_position",
            [](GamePtr g, nb::dict d) -> nb::object {
              const Value json = to_value(d);
              if (json.find("seat")) return nb::cast(View{g, g->from_view(json), {}});
              const auto state = g->from_position(json);
              return nb::cast(State{g, state, {}, std::nullopt, state});
            },
            "position"_a, nb::sig("def from_position(self, position: dict[str, typing.Any]) -> typing.Any"),
            "The state of a position; the view, where the position has a seat and leaves cards unknown. "
            "ValueError says what is wrong with it.");
  }

  static void bind_native(nb::class_<G>& c) {
    c.def(
        "playouts",
        [](const G& g, std::int64_t n, Int seed, int threads) {
          if (n < 1 || n > 100'000'000)
            throw BadInput("playouts must be from 1 to 100,000,000, not " + std::to_string(n));
          const int used = check_threads(threads);
          const std::size_t games = static_cast<std::size_t>(n);
          Playouts out{new_array<std::uint32_t>({games}),
                       new_array<float>({games, static_cast<std::size_t>(g.info().seats)}), n, 0};
          interruptible([&](std::atomic<bool>& stop) {
            playouts(g, n, seed.seed(), used, &stop, out.lengths.data(), out.payoffs.data());
          });
          for (std::size_t i = 0; i < games; ++i) out.decisions += out.lengths.data()[i];
          return out;
        },
        "n"_a, "seed"_a = Int{0, 0, true, true}, "threads"_a = 1,
        "n random games inside the core; threads=0 uses all cores.");
    c.def(
        "perft",
        [](const G& g, const State& state, Int given) {
          check_same(g, *state.game);
          const int depth = given.number("depth");
          if (depth < 0 || depth > 1000) throw BadInput("depth must be from 0 to 1000, not " + std::to_string(depth));
          std::uint64_t count = 0;
          const auto from = state.state;  // another thread may play on in the meantime
          interruptible([&](std::atomic<bool>& stop) { count = perft(g, from, depth, stop); });
          return count;
        },
        "state"_a, "depth"_a, "How many sequences of so many legal actions start here.");
    c.def(
        "native_agent",
        [](GamePtr g, const std::string& name, nb::dict options) {
          std::vector<std::string> names;
          const auto agents = all_agents(*g);
          for (const auto& a : agents) names.push_back(a.name);
          const auto& entry =
              agents[static_cast<std::size_t>(one_of("native agent of " + g->info().name + ":", name, names))];
          return NativeAgent{g, name, entry.make(*g, to_value(options))};
        },
        "name"_a, "options"_a = nb::dict(),
        nb::sig("def native_agent(self, name: str, options: dict[str, typing.Any] = {}) -> typing.Any"));
    c.def(
        "native_waves", &new_waves<G>, "name"_a, "options"_a, "views"_a, "rng"_a,
        nb::sig("def native_waves(self, name: str, options: dict[str, typing.Any], views: list[typing.Any], rng: Rng) "
                "-> typing.Any"),
        "Searches of the views, side by side, whose leaves are valued in Python.");
    c.def("native_match", &match, "agents"_a, "seatings"_a, "seed"_a, "first"_a, "deals"_a, "threads"_a = 1,
          "Deals first..first+deals-1 under every seating; seatings[k][agent] is a seat. Arrays are [deal, seating, "
          "agent].");
    c.def(
        "native_tables",
        [](GamePtr g, int batch, const std::string& encoder, const std::vector<std::optional<NativeAgent>>& players,
           std::uint64_t seed, int threads, bool bytes) {
          nb::object type = nb::type<Tables<G>>().is_valid() ? nb::borrow(nb::type<Tables<G>>()) : nb::object();
          return type(g, batch, encoder, players, seed, threads, bytes);
        },
        "batch"_a, "encoder"_a, "players"_a, "seed"_a = Int{0, 0, true, true}, "threads"_a = 1, "bytes"_a = false,
        "Lockstep tables; None among the players is a learner.");
    c.def(
        "native_q_learner", [](GamePtr g, Int seed) { return QLearner<G>(g, seed.seed()); }, "seed"_a,
        nb::sig("def native_q_learner(self, seed: int) -> typing.Any"), "Learns tables; see kibitz.learn.q_table.");
  }

  // What only some games have.
  static void bind_optional(nb::class_<G>& c) {
    if constexpr (requires(const G& g) { g.deals(); })
      c.def(
          "deals",
          [](GamePtr g) {
            std::vector<std::pair<State, std::uint64_t>> out;
            for (const auto& [state, weight] : g->deals())
              out.push_back({State{g, state, {}, std::nullopt, state}, weight});
            return out;
          },
          "Every distinct deal with its weight, the number of ways to deal physical cards so.");
    if constexpr (HoldsPoints<G>)
      c.def(
          "held",
          [](const G& g, const std::vector<double>& payoffs) {
            if (static_cast<int>(payoffs.size()) != g.info().seats)
              throw BadInput("payoffs must be " + std::to_string(g.info().seats) + " numbers, not " +
                             std::to_string(payoffs.size()));
            return g.held(payoffs);
          },
          "payoffs"_a, "Points that this deal keeps for the winners of the next one, in a series.");
    if constexpr (requires(const G& g) { g.about(); })
      c.def_prop_ro(
          "about", [](const G& g) { return to_python(g.about()); }, nb::sig("def about(self) -> dict[str, typing.Any]"),
          "What there is to say of the rulesheet.");
    if constexpr (Solvable<G>) bind_solver(c);
  }

  static NativeMatch match(const G& g, const std::vector<NativeAgent>& agents,
                           const std::vector<std::vector<int>>& seatings, Int seed, std::int64_t first,
                           std::int64_t deals, int threads) {
    const std::size_t n = static_cast<std::size_t>(g.info().seats);
    if (agents.size() != n)
      throw BadInput(g.info().name + " has " + std::to_string(n) + " seats, not " + std::to_string(agents.size()));
    constexpr std::int64_t kMostDeals = 1 << 24;  // in one call, which has arrays for all of them
    if (deals < 1 || deals > kMostDeals || first < 0)
      throw BadInput("deals must be from 1 to " + std::to_string(kMostDeals) + ", and first at least 0");
    for (const auto& seating : seatings) {
      std::vector<bool> taken(n);
      for (int seat : seating) taken[static_cast<std::size_t>(check_seat(g, Int{seat, 0, true, false}))] = true;
      if (seating.size() != n || std::find(taken.begin(), taken.end(), false) != taken.end())
        throw BadInput("a seating must give every agent a seat of its own");
    }
    std::vector<std::shared_ptr<Agent<G>>> bare;
    for (const auto& a : agents) bare.push_back(bare_agent(g, a));
    const std::size_t d = static_cast<std::size_t>(deals), k = seatings.size();
    NativeMatch out{new_array<double>({d, k, n}), new_array<double>({d, k, n}), new_array<std::uint32_t>({d, k, n}),
                    new_array<std::uint32_t>({d, k, n})};
    const int used = check_threads(threads);
    interruptible([&](std::atomic<bool>& stop) {
      native_match(g, bare, seatings, seed.seed(), first, deals, used, &stop,
                   {out.payoffs.data(), out.decisions.data(), out.seconds.data(), out.timed_decisions.data()});
    });
    return out;
  }

  std::string name(const char* part) const { return prefix_ + part; }

  std::string prefix_;
};

// Registers a game: the one line that a new game needs in module.cpp.
template <Game G>
void bind_game(nb::module_& m, const std::string& prefix) {
  GameBinder<G>(m, prefix);
}

}  // namespace kibitz::bind
