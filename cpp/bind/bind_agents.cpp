// Agents of the core in Python: what they play, what they think, and searches that are driven step by step.
#include "bind/bind_net.h"
#include "bind/bindings.h"
#include "bind/common.h"
#include "search/agents.h"

namespace kibitz::bind {

namespace {

using any::Agent;
using any::AgentPtr;
using any::DrivenSearch;
using any::Game;
using any::State;
using any::View;
using any::Waves;

using Given = std::variant<const View*, const State*>;

Thought think(const Agent& self, const Given& shown, Rng& rng) {
  const auto search = self.begin(shown, rng);  // has a copy: another thread may play on in the meantime
  interruptible(search->stopped(), [&] { search->run(std::nullopt); });
  rng = search->rng;
  return search->thought();
}

void bind_thought(nb::module_& m) {
  const auto column = [](auto member) {
    return [member](const Thought& t) {
      std::vector<double> out;
      for (const auto& o : t.opinions) out.push_back(static_cast<double>(o.*member));
      return out;
    };
  };
  nb::class_<Thought>(m, "NativeThought", "What a native agent says of the legal actions, in their order.")
      .def_prop_ro(
          "actions",
          [](const Thought& t) {
            std::vector<int> out;
            for (const auto& o : t.opinions) out.push_back(o.action);
            return out;
          },
          "The legal actions.")
      .def_prop_ro("values", column(&Opinion::value), "Expected payoffs; meaningless without visits.")
      .def_prop_ro("visits", column(&Opinion::visits), "How often each was tried.")
      .def_prop_ro("shares", column(&Opinion::share), "They sum to 1; it plays the action with most.")
      .def_prop_ro("errors", column(&Opinion::error), "Standard errors of the values; NaN where unknown.")
      .def_prop_ro(
          "losses",
          [](const Thought& t) {
            std::vector<double> out;
            for (std::size_t i = 0; i < t.opinions.size(); ++i) out.push_back(t.loss(i));
            return out;
          },
          "How much less each gets than the best one; NaN where unknown.")
      .def_prop_ro("loss_errors", column(&Opinion::loss_error), "Standard errors of the losses; NaN where unknown.")
      .def_prop_ro("best", &Thought::best, "The action with the largest share, the first of them on ties.")
      .def_ro("iterations", &Thought::iterations, "Play-outs, or worlds solved.")
      .def_ro("nodes", &Thought::nodes, "Of all trees together.")
      .def_ro("full", &Thought::full, "A tree reached its bound and did not grow any more.")
      .def_ro("asked", &Thought::asked, "Iterations of the whole budget; 0 where there is none.")
      .def_ro("undecided", &Thought::undecided, "Nothing tells the best actions apart: what it plays is a fallback.");
}

void bind_driven(nb::module_& m) {
  nb::class_<DrivenSearch>(m, "Search",
                           "A search under way: run it a little, look at its thought, run it on. For one thread at a "
                           "time, but any thread may stop it.")
      .def(
          "run",
          [](DrivenSearch& self, std::optional<std::int64_t> iterations, std::optional<double> ms) {
            if (iterations && (*iterations < 1 || *iterations > UINT32_MAX))
              throw BadInput("iterations must be from 1 to 4294967295, not " + std::to_string(*iterations));
            if (ms && !(*ms > 0 && *ms <= 1e9))
              throw BadInput("ms must be more than 0 and at most 1e9, not " + std::to_string(*ms));
            const bool whole = !iterations && !ms;
            const Effort effort{iterations.value_or(0), ms.value_or(0)};
            interruptible(self.stopped(), [&] { self.run(whole ? std::nullopt : std::optional(effort)); });
          },
          "iterations"_a.none() = nb::none(), "ms"_a.none() = nb::none(),
          "So many iterations more, or milliseconds, or what comes first of both; without either, what is left of the "
          "budget in its options. Iterations in several runs give the same thought, bit by bit, as in one. Searches "
          "that cannot be divided (expectimax) do everything in the first run.")
      .def("thought", &DrivenSearch::thought, "What it thinks so far.")
      .def(
          "matrix",
          [](const DrivenSearch& self) {
            any::Matrix found = self.matrix();
            const std::size_t rows = found.worlds.size();
            auto payoffs = new_array<double>({rows, self.thought().opinions.size()});
            std::copy(found.payoffs.begin(), found.payoffs.end(), payoffs.data());
            return std::make_pair(std::move(found.worlds), payoffs);
          },
          nb::sig("def matrix(self) -> tuple[list[State], "
                  "typing.Annotated[numpy.typing.NDArray[numpy.float64], dict(shape=(None, None))]]"),
          "The worlds that it looked into, and the payoff of the searching seat in each [worlds] by each legal action "
          "[actions]; NaN where an action was not tried. For mcs with the option keep=N, pimc, solver-pimc, minimax.")
      .def("stop", &DrivenSearch::stop,
           "Ends the run under way, and every later one before it begins. From any thread; it does not wait.")
      .def_prop_ro("stopped", [](DrivenSearch& self) { return self.stopped().load(); }, "Whether it was told to stop.");
}

void bind_agent(nb::module_& m) {
  nb::class_<Agent>(m, "Agent", "An agent of the core, made for one game.")
      .def_ro("name", &Agent::name, "The name that the game knows it by.")
      .def_prop_ro("game", &Agent::game, "The game that it plays.")
      .def_prop_ro("peeks", &Agent::peeks, "Whether it sees hidden cards.")
      .def(
          "act",
          [](const Agent& self, const Given& view, Rng& rng) -> int {
            return self.searches() ? think(self, view, rng).best() : self.act(view, rng);
          },
          "view"_a, "rng"_a, nb::sig("def act(self, view: View | State, rng: Rng) -> int"),
          "The action of choice for the seat to act; agents that peek need the state.")
      .def("think", &think, "view"_a, "rng"_a,
           nb::sig("def think(self, view: View | State, rng: Rng) -> NativeThought"),
           "What it says of every legal action.")
      .def(
          "search", [](const Agent& self, const Given& view, const Rng& rng) { return self.begin(view, rng); },
          "view"_a, "rng"_a, nb::sig("def search(self, view: View | State, rng: Rng) -> Search"),
          "The same as a search that can be driven; nothing is searched before its first run.")
      .def("worlds", &Agent::worlds, "view"_a, "All worlds and how likely a search that does not peek thinks them.")
      .def("__repr__",
           [](const Agent& self) { return "<native agent " + self.name + " of " + self.game()->info().name + ">"; });
}

void bind_waves(nb::module_& m) {
  nb::class_<Waves>(m, "Waves", "Searches whose leaves are valued outside; see kibitz.GuidedSearch.")
      .def_prop_ro("width", &Waves::width, "Numbers per answer.")
      .def(
          "select",
          [](Waves& self) {
            const Turn turn(self.exclusive, Waves::kWhat);
            if (self.waiting() > 0) throw BadInput("leaves wait for their answer");
            nb::gil_scoped_release release;
            return self.select();
          },
          "Selects the next leaves of all searches; False at the end.")
      .def(
          "show",
          [](const Waves& self) {
            const Turn turn(self.exclusive, Waves::kWhat);
            auto features = new_array<float>({self.waiting(), static_cast<std::size_t>(self.features())});
            auto seats = new_array<std::int32_t>({self.waiting()});
            {
              nb::gil_scoped_release release;
              self.show(features.data(), seats.data());
            }
            return std::make_pair(features, seats);
          },
          "What the seats to act see in the selected leaves [B, D], and which seats they are [B].")
      .def(
          "answer",
          [](Waves& self, const Rows& rows) {
            const Turn turn(self.exclusive, Waves::kWhat);
            check_rows(rows, self.waiting(), static_cast<std::size_t>(self.width()), "what evaluate returns");
            // A copy: the owner of the array may write to it as soon as the GIL is released.
            const std::vector<float> values(rows.data(), rows.data() + rows.size());
            nb::gil_scoped_release release;
            self.answer(values.data());
          },
          "rows"_a, "What the selected leaves are worth.")
      .def(
          "thoughts",
          [](const Waves& self) {
            const Turn turn(self.exclusive, Waves::kWhat);
            return self.thoughts();
          },
          "What the searches think, in the order of their views.");
}

// The declarations: one for each search of the core, whatever the game.
void bind_declarations(nb::module_& m) {
  nb::class_<SearchInfo>(m, "SearchInfo", "What is declared of a search.")
      .def_prop_ro(
          "name", [](const SearchInfo& x) { return x.name; }, "In spec strings.")
      .def_prop_ro(
          "summary", [](const SearchInfo& x) { return x.summary; }, "What it does, in a line.")
      .def_prop_ro(
          "needs",
          [](const SearchInfo& x) {
            std::vector<std::string> out;
            for (Need need : x.needs) out.push_back(kNeeds[static_cast<std::size_t>(need)].name);
            return out;
          },
          "What it needs of a game: hidden, open, solver, worlds.")
      .def_ro("python", &SearchInfo::python, "Whether it plays games written in Python, too.")
      .def("__repr__", [](const SearchInfo& x) { return std::string("<search ") + x.name + ": " + x.summary + ">"; });
  nb::class_<OptionInfo>(m, "OptionInfo", "What is declared of an option of an agent.")
      .def_ro("name", &OptionInfo::name)
      .def_ro("usual", &OptionInfo::usual, "What it is if it is not given.")
      .def_ro("allowed", &OptionInfo::allowed, "In words.")
      .def_ro("meaning", &OptionInfo::meaning, "In a line.")
      .def("__repr__", [](const OptionInfo& x) {
        return "<option " + x.name + "=" + x.usual + " (" + x.allowed + "): " + x.meaning + ">";
      });
  m.def("searches", &search_infos, "The searches of the core.");
}

}  // namespace

void bind_agents(nb::module_& m, nb::class_<Game>& c) {
  bind_thought(m);
  bind_driven(m);
  bind_agent(m);
  bind_waves(m);
  bind_declarations(m);
  c.def_prop_ro("native_agents", &Game::agent_names, "The names of its agents in the core.");
  c.def("native_agent_options", &Game::agent_options, "name"_a, "The options of one of these.");
  c.def("why_no_agent", &Game::why_no_agent, "name"_a,
        "Why it has no agent of this name; empty where it has, and for names that no search has.");
  c.def(
      "native_agent",
      [](const Game& g, const std::string& name, nb::dict options) { return g.agent(name, to_value(options)); },
      "name"_a, "options"_a = nb::dict(),
      nb::sig("def native_agent(self, name: str, options: dict[str, typing.Any] = {}) -> Agent"),
      "An agent of the core for this game.");
  c.def(
      "search",
      [](Game& g, const Given& view, const std::string& spec, Int seed) {
        const nb::object native_agent = nb::module_::import_("kibitz.tables").attr("native_agent");
        const auto agent = nb::cast<AgentPtr>(native_agent(g.shared_from_this(), spec));
        return agent->begin(view, agent_stream(seed.seed()));
      },
      "view"_a, "spec"_a, "seed"_a = kSeedZero,
      nb::sig("def search(self, view: View | State, spec: str, seed: int = 0) -> Search"),
      "A search of the view that can be driven, by a spec as for `kibitz.agent`: run, thought, stop.");
  c.def(
      "native_waves",
      [](const Game& g, const std::string& name, nb::dict options, const std::vector<Given>& views, Rng& rng) {
        return g.waves(name, to_value(options), views, rng);
      },
      "name"_a, "options"_a, "views"_a, "rng"_a,
      nb::sig("def native_waves(self, name: str, options: dict[str, typing.Any], views: list[View | State], rng: Rng) "
              "-> Waves"),
      "Searches of the views, side by side, whose leaves are valued in Python.");
}

}  // namespace kibitz::bind
