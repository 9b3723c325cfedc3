#include "bind/bindings.h"
#include "bind/common.h"
#include "bind/python_game.h"
#include "search/agents.h"

namespace kibitz::bind {

namespace {

// Apart from the agents of native games: Python's collector must see what it refers to.
struct Handle {
  std::shared_ptr<PythonGame> game;
  std::string name;
  std::shared_ptr<Agent<PythonGame>> agent;
};

// Threads would wait for one another all the time, because every step of the game needs the GIL; and inference needs
// the view in which the game began, which a view in Python does not tell.
void refuse(const std::string& agent, const Value& options) {
  if (const Value* threads = options.find("threads"); threads && threads->integer("threads", 0, 1024) != 1)
    throw BadInput(
        "threads of agent '" + agent +
        "' must be 1 in a game written in Python; for several cores, play several games (threads of a match)");
  const Value* inference = options.find("inference");
  if (inference && inference->string("inference") != "none")
    throw BadInput("inference of agent '" + agent + "' must be none in a game written in Python");
}

Handle python_agent(nb::object game, const std::string& name, nb::dict given) {
  const auto made = std::make_shared<PythonGame>(std::move(game));
  const Value options = to_value(given);
  std::vector<std::string> names;
  const auto agents = search_agents(*made);
  for (const auto& a : agents) names.push_back(a.name);
  const auto& entry = agents[static_cast<std::size_t>(one_of("search of " + made->info().name + ":", name, names))];
  refuse(name, options);
  return {made, name, entry.make(*made, options)};
}

// A state is told from a view by its method `view`.
PythonGame::View shown_to(const Handle& self, const nb::object& shown) {
  const bool whole = nb::hasattr(shown, "view");
  if (!whole && self.agent->peeks()) throw BadInput("agent '" + self.name + "' peeks: it needs a state, not a view");
  if (!whole) return self.game->look(shown);
  PythonGame::State state(shown);
  const Seat seat = self.game->to_act(state);
  if (seat < 0) throw BadInput(seat == kOver ? "the game is over: no action is legal" : "chance is to act");
  if (!self.agent->peeks()) return self.game->look(self.game->view(state, seat).seen);
  return {std::move(state), seat};
}

// On this thread and with the GIL: what the game raises, KeyboardInterrupt included, ends the search.
Thought think(const Handle& self, const nb::object& shown, Rng& rng) {
  return self.agent->think(*self.game, shown_to(self, shown), rng, nullptr);
}

// The game may know, by way of its module, the agent that holds this: Python's collector must see the circle.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self))
    if (const auto& game = nb::inst_ptr<Handle>(self)->game) Py_VISIT(game->object().ptr());
  return 0;
}

int clear(PyObject* self) {
  nb::inst_ptr<Handle>(self)->agent.reset();
  nb::inst_ptr<Handle>(self)->game.reset();
  return 0;
}

PyType_Slot collected[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};

}  // namespace

void bind_python(nb::module_& m) {
  nb::class_<Handle>(m, "PythonGameAgent", nb::type_slots(collected),
                     "A search of the core on a game written in Python.")
      .def_ro("name", &Handle::name)
      .def_prop_ro(
          "peeks", [](const Handle& self) { return self.agent->peeks(); }, "Whether it sees hidden cards.")
      .def(
          "act", [](const Handle& self, nb::object view, Rng& rng) -> int { return think(self, view, rng).best(); },
          "view"_a, "rng"_a, nb::sig("def act(self, view: typing.Any, rng: Rng) -> int"),
          "The action of choice for the seat to act; agents that peek need the state.")
      .def("think", &think, "view"_a, "rng"_a, nb::sig("def think(self, view: typing.Any, rng: Rng) -> NativeThought"),
           "What it says of every legal action.");
  m.def("python_agent", &python_agent, "game"_a, "name"_a, "options"_a = nb::dict(),
        nb::sig("def python_agent(game: typing.Any, name: str, options: dict[str, typing.Any] = {}) -> "
                "PythonGameAgent"),
        "A search for a game written in Python; see kibitz.agents.plain.");
}

}  // namespace kibitz::bind
