#include <nanobind/nanobind.h>

#include "bind/bind_perceptron.h"
#include "bind/bindings.h"
#include "bind/common.h"
#include "core/seeds.h"
#include "eval/columns.h"

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
  m.attr("PUBLIC") = static_cast<int>(kPublic);
  m.def(
      "mix", [](bind::Int a, bind::Int b) { return mix(a.seed(), b.seed()); }, "a"_a, "b"_a,
      "A seed for part b of the thing seeded with a. It keeps no secret: whoever knows one seed can work out the "
      "other.");
  m.def(
      "agent_stream", [](bind::Int seed) { return agent_stream(seed.seed()); }, "seed"_a,
      "The stream that an agent begins with; never the one that a deal of the same seed has.");

  m.def("simd", [] { return kernels().name; }, "Which registers networks are worked out in on this machine.");

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

  bind::bind_perceptron(m);
  bind::bind_game(m);
  bind::bind_python(m);
  bind::bind_gdl(m);
}
