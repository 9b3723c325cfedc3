#include <nanobind/nanobind.h>

#include "bind/bind_game.h"
#include "bind/bind_perceptron.h"
#include "bind/bind_python.h"
#include "bind/gdl.h"
#include "core/seeds.h"
#include "games/belote/rules_agent.h"
#include "games/connect_four/connect_four.h"
#include "games/doudizhu/rules_agent.h"
#include "games/hex/hex.h"
#include "games/mini_doudizhu/mini_doudizhu.h"
#include "games/tictactoe/tictactoe.h"
#include "games/uno/rules_agent.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace kibitz;

NB_MODULE(_core, m) {
  m.doc() = "The native core of Kibitz: games, agents, matches and tables.";
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const BadInput& e) {
      PyErr_SetString(PyExc_ValueError, e.what());
    }
  });

  m.attr("OVER") = static_cast<int>(kOver);
  m.attr("NATURE") = static_cast<int>(kNature);
  m.attr("_games") = nb::dict();
  m.def(
      "games", [m] { return nb::borrow<nb::dict>(m.attr("_games")); }, nb::sig("def games() -> dict[str, typing.Any]"),
      "The native games: name -> class.");
  m.def(
      "mix", [](bind::Int a, bind::Int b) { return mix(a.seed(), b.seed()); }, "a"_a, "b"_a,
      "A seed for part b of the thing seeded with a. It keeps no secret: whoever knows one seed can work out the "
      "other.");
  m.def(
      "agent_stream", [](bind::Int seed) { return agent_stream(seed.seed()); }, "seed"_a,
      "The stream that an agent begins with; never the one that a deal of the same seed has.");

  nb::class_<Rng>(m, "Rng", "A stream of random numbers, the same on every platform (xoroshiro128++).")
      .def(
          "__init__", [](Rng* self, bind::Int seed) { new (self) Rng(seed.seed()); }, "seed"_a)
      .def("next", &Rng::next, "64 random bits.")
      .def(
          "below",
          [](Rng& r, std::uint32_t n) {
            if (n == 0) throw BadInput("below needs at least 1");
            return r.below(n);
          },
          "n"_a, "Uniform in 0..n-1.")
      .def("unit", &Rng::unit, "Uniform in [0, 1).");

  nb::class_<Seeds>(m, "Seeds",
                    "The seeds of a match, one way from its own: none of them leads to another, or back to it.")
      .def(
          "__init__", [](Seeds* self, bind::Int seed) { new (self) Seeds(seed.seed()); }, "seed"_a)
      .def("deal", &Seeds::deal, "deal"_a, "Of `game.deal`.")
      .def("agent", &Seeds::agent, "deal"_a, "seating"_a, "seat"_a, "Of `agent.begin`.")
      .def("nature", &Seeds::nature, "deal"_a, "Of chance, in games where NATURE acts; the same in every seating.")
      .def("kibitzer", &Seeds::kibitzer, "deal"_a, "Of the agent behind a player.")
      .def("series", &Seeds::series, "number"_a, "The match seed of a series, whose rounds are its deals.")
      .def("lot", &Seeds::lot, "number"_a, "Of what is drawn by lot before the first deal.")
      .def("scramble", &Seeds::scramble, "number"_a, "Of the names that a rulesheet is scrambled with.");

  nb::class_<EncoderInfo>(m, "Encoder", "How an encoder lays out its features.")
      .def_ro("name", &EncoderInfo::name)
      .def_prop_ro(
          "shape", [](const EncoderInfo& e) { return nb::tuple(nb::cast(e.shape)); },
          nb::sig("def shape(self) -> tuple[int, ...]"))
      .def_prop_ro("size", &EncoderInfo::size)
      .def_ro("peeks", &EncoderInfo::peeks, "Reads hidden cards; not offered on views.")
      .def_ro("binary", &EncoderInfo::binary, "Every feature is 0 or 1: tables may keep them as bytes.");

  nb::class_<bind::Playouts>(m, "Playouts", "What random games gave: lengths [n], payoffs [n, players].")
      .def_prop_ro(
          "lengths", [](const bind::Playouts& x) { return x.lengths; }, nb::rv_policy::automatic)
      .def_prop_ro(
          "payoffs", [](const bind::Playouts& x) { return x.payoffs; }, nb::rv_policy::automatic)
      .def_ro("games", &bind::Playouts::games)
      .def_ro("decisions", &bind::Playouts::decisions);

  nb::class_<bind::NativeMatch>(m, "NativeMatch", "Arrays [deal, seating, agent] of a match.")
      .def_prop_ro(
          "payoffs", [](const bind::NativeMatch& x) { return x.payoffs; }, nb::rv_policy::automatic)
      .def_prop_ro(
          "decisions", [](const bind::NativeMatch& x) { return x.decisions; }, nb::rv_policy::automatic)
      .def_prop_ro(
          "seconds", [](const bind::NativeMatch& x) { return x.seconds; }, nb::rv_policy::automatic,
          "Time spent deciding, on every 16th deal; on all where somebody searches.")
      .def_prop_ro(
          "timed_decisions", [](const bind::NativeMatch& x) { return x.timed_decisions; }, nb::rv_policy::automatic);

  bind::bind_solution(m);
  bind::bind_thought(m);
  bind::bind_python(m);
  bind::bind_net(m);
  bind::bind_perceptron(m);

  bind::bind_game<belote::Belote>(m, "Belote");
  bind::bind_game<connect_four::ConnectFour>(m, "ConnectFour");
  bind::bind_game<doudizhu::DouDiZhu>(m, "DouDiZhu");
  bind::bind_gdl(m);
  bind::bind_game<hex::Hex>(m, "Hex");
  bind::bind_game<mini_doudizhu::MiniDouDiZhu>(m, "MiniDouDiZhu");
  bind::bind_game<tictactoe::TicTacToe>(m, "TicTacToe");
  bind::bind_game<uno::Uno>(m, "Uno");
}
