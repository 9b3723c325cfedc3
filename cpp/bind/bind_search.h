// Native agents in Python: what they play, and what they think.
#pragma once

#include "bind/handles.h"
#include "bind/interrupt.h"
#include "search/agents.h"

namespace kibitz::bind {

// What the agent may look at: its view; if it peeks, the whole state.
template <Game G>
typename G::View shown_to(const std::string& agent, bool peeks, const ViewHandle<G>& view) {
  if (peeks) throw BadInput("agent '" + agent + "' peeks: it needs a state, not a view");
  if (view.game->to_act(view.view.known) != view.view.seat) throw BadInput("this seat is not to act");
  return view.view;
}

template <Game G>
typename G::View shown_to(const std::string&, bool peeks, const StateHandle<G>& state) {
  const Seat seat = state.game->to_act(state.state);
  if (seat < 0) throw BadInput("the game is over: no action is legal");
  return peeks ? typename G::View{state.state, seat} : state.game->view(state.state, seat);
}

template <Game G, class Shown>
typename G::View shown_to(const AgentHandle<G>& agent, const Shown& shown) {
  bare_agent(*shown.game, agent);  // complains of other options
  return shown_to(agent.name, agent.agent->peeks(), shown);
}

// What the seat saw until now, where that is known.
template <Game G>
std::optional<Past<G>> past_of(const ViewHandle<G>& view) {
  if (!view.start) return std::nullopt;
  Past<G> out{*view.start, {}};
  for (const auto& [seat, action] : view.history) out.actions.push_back(static_cast<Action>(action));
  return out;
}

template <Game G>
std::optional<Past<G>> past_of(const StateHandle<G>& state) {
  ViewHandle<G> seen{state.game, {}, state.history};
  if (state.start) seen.start = state.game->view(*state.start, state.game->to_act(state.state));
  return past_of(seen);
}

template <Game G, class Shown>
Thought think(const AgentHandle<G>& self, const Shown& shown, Rng& rng) {
  const auto view = shown_to(self, shown);
  const auto past = self.agent->remembers() ? past_of(shown) : std::nullopt;
  const auto game = shown.game;
  Thought out;
  Rng own = rng;  // Python's may be asked by another thread in the meantime
  interruptible([&](std::atomic<bool>& stop) {
    out = past ? self.agent->think_back(*game, view, *past, own, &stop) : self.agent->think(*game, view, own, &stop);
  });
  rng = own;
  return out;
}

template <Game G, class Shown>
void bind_acting(nb::class_<AgentHandle<G>>& c, const char* doc) {
  c.def(
      "act",
      [](const AgentHandle<G>& self, const Shown& shown, Rng& rng) -> int {
        if (self.agent->searches()) return think(self, shown, rng).best();
        return self.agent->act(*shown.game, shown_to(self, shown), rng);
      },
      "view"_a, "rng"_a, doc);
  c.def("think", &think<G, Shown>, "view"_a, "rng"_a, "What it says of every legal action.");
}

template <Game G>
void bind_search(nb::module_& m, const std::string& name) {
  using Handle = AgentHandle<G>;
  nb::class_<Handle> c(m, name.c_str(), "An agent inside the core.");
  c.def_ro("name", &Handle::name);
  c.def_prop_ro("peeks", [](const Handle& self) { return self.agent->peeks(); }, "Whether it sees hidden cards.");
  if constexpr (ListsWorlds<G>)
    c.def(
        "worlds",
        [](const Handle& self, const ViewHandle<G>& view) {
          const auto past = past_of(view);
          std::vector<std::pair<StateHandle<G>, double>> out;
          for (const auto& [world, odds] : self.agent->worlds(*view.game, view.view, past ? &*past : nullptr))
            out.push_back({StateHandle<G>{view.game, world, view.history, std::nullopt}, odds});
          return out;
        },
        "view"_a, "All worlds and how likely a search that does not peek thinks them.");
  bind_acting<G, ViewHandle<G>>(c, "The action of choice for the view's seat, which must be to act.");
  bind_acting<G, StateHandle<G>>(c, "The same, for the seat to act; agents that peek need the state.");
}

// What all games have in common: the class of thoughts.
inline void bind_thought(nb::module_& m) {
  const auto column = [](auto member) {
    return [member](const Thought& t) {
      std::vector<double> out;
      for (const auto& o : t.opinions) out.push_back(static_cast<double>(o.*member));
      return out;
    };
  };
  nb::class_<Thought>(m, "NativeThought", "What a native agent says of the legal actions, in their order.")
      .def_prop_ro("actions",
                   [](const Thought& t) {
                     std::vector<int> out;
                     for (const auto& o : t.opinions) out.push_back(o.action);
                     return out;
                   })
      .def_prop_ro("values", column(&Opinion::value), "Expected payoffs; meaningless without visits.")
      .def_prop_ro("visits", column(&Opinion::visits))
      .def_prop_ro("shares", column(&Opinion::share), "They sum to 1; it plays the action with most.")
      .def_ro("iterations", &Thought::iterations)
      .def_ro("nodes", &Thought::nodes)
      .def_ro("full", &Thought::full, "A tree reached its bound and did not grow any more.");
}

}  // namespace kibitz::bind
