// game.solve, for games that have a solver.
#pragma once

#include <cstdio>
#include <map>

#include "bind/handles.h"
#include "bind/interrupt.h"
#include "search/solver.h"

namespace kibitz::bind {

inline std::map<int, double> known_values(const Solution& x) {
  std::map<int, double> out;
  for (std::size_t i = 0; i < x.actions.size(); ++i)
    if (x.values[i].exact()) out[x.actions[i]] = x.values[i].low;
  return out;
}

inline std::map<int, std::pair<double, double>> bounds_of(const Solution& x) {
  std::map<int, std::pair<double, double>> out;
  for (std::size_t i = 0; i < x.actions.size(); ++i) out[x.actions[i]] = {x.values[i].low, x.values[i].high};
  return out;
}

inline void bind_solution(nb::module_& m) {
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
      .def_prop_ro("bounds", &bounds_of, "(low, high) of every legal action.")
      .def_prop_ro("values", &known_values,
                   "The values of the actions as far as they are known: of all of them, if asked with all_actions=True "
                   "and the nodes were enough.")
      .def("__repr__", [](const Solution& x) {
        char text[160];
        std::snprintf(text, sizeof text, "Solution(low=%g, high=%g, complete=%s, best=%d, nodes=%llu)", x.value.low,
                      x.value.high, x.complete ? "True" : "False", static_cast<int>(x.best),
                      static_cast<unsigned long long>(x.nodes));
        return std::string(text);
      });
}

template <Solvable G>
Solution solve_for_python(const G& game, const StateHandle<G>& state, Int nodes, bool all_actions, double tie_break) {
  check_same(game, *state.game);
  if (!nodes.is_seed || nodes.bits < 1) throw BadInput("nodes must be a whole number from 1 to 2^64 - 1");
  if (!(tie_break >= 0 && tie_break <= kMostTieBreak))
    throw BadInput("tie_break must be from 0 (none) to 0.01, not " + std::to_string(tie_break));
  SolverSettings settings;
  settings.nodes = nodes.bits;
  settings.all = all_actions;
  settings.epsilon = tie_break;
  Solution out;
  const auto from = state.state;  // another thread may play on in the meantime
  interruptible([&](std::atomic<bool>& stop) { out = solve(game, from, settings, &stop); });
  return out;
}

template <Solvable G>
void bind_solver(nb::class_<G>& c) {
  constexpr auto kNodes = SolverSettings{}.nodes;
  c.def("solve", &solve_for_python<G>, "state"_a, nb::kw_only(),
        "nodes"_a = Int{static_cast<std::int64_t>(kNodes), kNodes, true, true}, "all_actions"_a = false,
        "tie_break"_a = 0.0,
        "The exact value for the side to act if nothing were hidden, or bounds where the nodes ran out.");
}

}  // namespace kibitz::bind
