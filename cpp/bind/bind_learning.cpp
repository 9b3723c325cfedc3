// What learners stand on in Python: tables in lockstep, and tabular learning.
#include "bind/bind_net.h"
#include "bind/bindings.h"
#include "bind/common.h"

namespace kibitz::bind {

namespace {

using any::Agent;
using any::AgentPtr;
using any::Game;
using any::QLearner;
using any::State;
using any::Tables;

// Calls f(stop) without the GIL; so that it can be interrupted, where it may take long: that costs another thread.
template <class F>
void unhurried(bool slow, F&& f) {
  if (slow) return interruptible([&](std::atomic<bool>& stop) { f(&stop); });
  nb::gil_scoped_release release;
  f(nullptr);
}

std::unique_ptr<Tables> new_tables(const Game& game, int batch, const std::string& encoder,
                                   const std::vector<std::optional<AgentPtr>>& players, Int seed, int threads,
                                   bool bytes, bool ends) {
  if (batch < 1 || batch > (1 << 20)) throw BadInput("batch must be from 1 to 1048576, not " + std::to_string(batch));
  if (static_cast<int>(players.size()) != game.info().seats)
    throw BadInput("tables need one player per seat, " + std::to_string(game.info().seats));
  const auto agents = agents_of(players);
  if (std::find(agents.begin(), agents.end(), nullptr) == agents.end())
    throw BadInput("tables need at least one learning seat");
  const int used = check_threads(threads);
  const std::uint64_t checked = seed.seed();
  const bool slow = std::any_of(agents.begin(), agents.end(), [](const auto& a) { return a && a->searches(); });
  std::unique_ptr<Tables> made;
  // Opponents may be the first to act.
  unhurried(slow, [&](const std::atomic<bool>* stop) {
    made = game.tables(batch, encoder, agents, checked, used, bytes, ends, stop);
  });
  return made;
}

// An array of the tables' own memory, [batch, width] or, without a width, [batch]; it keeps the tables alive.
template <class X>
void bind_array(nb::class_<Tables>& c, const char* name, std::vector<X> TableArrays::* data,
                int (*width)(const TableArrays&), const char* doc) {
  c.def_prop_ro(
      name,
      [data, width](nb::handle_t<Tables> h) {
        TableArrays& t = nb::cast<Tables&>(h).arrays();
        const std::size_t shape[] = {static_cast<std::size_t>(t.batch()),
                                     static_cast<std::size_t>(width ? width(t) : 0)};
        return nb::ndarray<nb::numpy, X>((t.*data).data(), width ? 2 : 1, shape, h);
      },
      nb::rv_policy::automatic, doc);
}

// A buffer that the tables may replace by a larger one: the array keeps its own alive.
template <class X>
nb::ndarray<nb::numpy, X> kept(const std::shared_ptr<std::vector<X>>& data, std::initializer_list<std::size_t> shape) {
  auto* held = new std::shared_ptr<std::vector<X>>(data);
  nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::shared_ptr<std::vector<X>>*>(p); });
  return nb::ndarray<nb::numpy, X>(data->data(), shape, owner);
}

void bind_arrays(nb::class_<Tables>& c) {
  using Arrays = TableArrays;
  bind_array(c, "obs", &Arrays::obs, +[](const Arrays& t) { return t.features(); }, "Features for the seat to act.");
  bind_array(c, "obs_bytes", &Arrays::obs_bytes, +[](const Arrays& t) { return t.features(); }, "The same as bytes.");
  const auto final_width = +[](const Arrays& t) { return t.keeps_ends() ? t.features() : 0; };
  bind_array(c, "final_obs", &Arrays::final_obs, final_width, "What the seat that acted saw at the end.");
  bind_array(c, "final_obs_bytes", &Arrays::final_obs_bytes, final_width, "The same as bytes.");
  bind_array(
      c, "mask", &Arrays::mask, +[](const Arrays& t) { return t.ragged() ? 0 : t.actions(); }, "Its legal actions.");
  bind_array(c, "payoff", &Arrays::payoff, +[](const Arrays& t) { return t.seats(); }, "Of games that ended.");
  bind_array(c, "seat", &Arrays::seat, nullptr, "The seat to act.");
  bind_array(c, "acted", &Arrays::acted, nullptr, "The seat that the last step moved.");
  bind_array(c, "done", &Arrays::done, nullptr, "Whether the last step ended the game.");
  c.def_prop_ro(
      "ragged", [](Tables& t) { return t.arrays().ragged(); },
      "Whether legal actions are ids, offsets and features instead of a mask.");
  c.def_prop_ro(
      "offsets",
      [](nb::handle_t<Tables> h) {
        auto& offsets = nb::cast<Tables&>(h).arrays().offsets;
        return nb::ndarray<nb::numpy, std::int64_t>(offsets.data(), {offsets.size()}, h);
      },
      nb::rv_policy::automatic, "Where each table's actions begin.");
  c.def_prop_ro(
      "ids",
      [](Tables& t) {
        const auto now = t.arrays().ragged_actions();
        return kept(now.ids, {now.size});
      },
      nb::rv_policy::automatic, "The legal actions of all tables.");
  c.def_prop_ro(
      "features",
      [](Tables& t) {
        const auto now = t.arrays().ragged_actions();
        return kept(now.features, {now.size, static_cast<std::size_t>(t.arrays().action_features())});
      },
      nb::rv_policy::automatic, "A row for each of them.");
}

// Value MCTS at every table.
std::tuple<nb::ndarray<nb::numpy, float>, nb::ndarray<nb::numpy, float>, std::int64_t> value_search(
    Tables& self, const Net& net, int simulations, double c, double discount, int per_world, bool peek, Int seed) {
  const auto batch = static_cast<std::size_t>(self.arrays().batch());
  auto q = new_array<float>({batch, static_cast<std::size_t>(self.arrays().actions())});
  auto reward = new_array<float>({batch});
  if (simulations < 1 || simulations > kMostSimulations)
    throw BadInput("simulations must be from 1 to " + std::to_string(kMostSimulations) + ", not " +
                   std::to_string(simulations));
  if (per_world < 1) throw BadInput("per_world must be at least 1, not " + std::to_string(per_world));
  std::int64_t leaves = 0;
  interruptible([&](std::atomic<bool>& stop) {
    leaves = self.value_search(std::make_shared<const Net>(net), {simulations, c, discount, per_world, peek},
                               seed.seed(), &stop, q.data(), reward.data());
  });
  return {q, reward, leaves};
}

void bind_searching(nb::class_<Tables>& c) {
  c.def("value_search", &value_search, "net"_a, "simulations"_a, "c"_a, "discount"_a, "per_world"_a, "peek"_a, "seed"_a,
        "Value MCTS at every table: Q_m [B, A], r_m [B], and how often the net was asked.");
  c.def(
      "think",
      [](Tables& self, const Agent& agent, Int seed) {
        const std::vector<std::size_t> shape{static_cast<std::size_t>(self.arrays().batch()),
                                             static_cast<std::size_t>(self.arrays().actions())};
        auto values = new_array<float>(shape), visits = new_array<float>(shape);
        interruptible(
            [&](std::atomic<bool>& stop) { self.think(agent, seed.seed(), &stop, values.data(), visits.data()); });
        return std::make_tuple(values, visits);
      },
      "agent"_a, "seed"_a, "What an agent thinks of the actions at every table: values and visits, [B, A].");
  c.def(
      "advise",
      [](Tables& self, const Agent& agent, Int seed) {
        auto actions = new_array<std::int32_t>({static_cast<std::size_t>(self.arrays().batch())});
        interruptible([&](std::atomic<bool>& stop) { self.advise(agent, seed.seed(), &stop, actions.data()); });
        return actions;
      },
      "agent"_a, "seed"_a, "What an agent would do at every table.");
}

void bind_tables(nb::module_& m) {
  nb::class_<Tables> c(m, "Tables", "B games in lockstep; see kibitz.Tables.");
  c.def_prop_ro("game", &Tables::game, "The game that is played.");
  c.def(
      "step",
      [](Tables& self, Filled<const std::int32_t, 1> actions) {
        if (static_cast<int>(actions.shape(0)) != self.arrays().batch())
          throw BadInput("step needs " + std::to_string(self.arrays().batch()) + " actions, not " +
                         std::to_string(actions.shape(0)));
        // A copy: the owner of the array may write to it as soon as the GIL is released.
        const std::vector<std::int32_t> now(actions.data(), actions.data() + actions.size());
        unhurried(self.slow(), [&](const std::atomic<bool>* stop) { self.step(now.data(), stop); });
      },
      "actions"_a, "One action per table, each legal there.");
  c.def(
      "run",
      [](Tables& self, std::int64_t steps, const Agent& agent) {
        interruptible([&](std::atomic<bool>& stop) { self.run(steps, agent, &stop); });
      },
      "steps"_a, "agent"_a, "Steps with the learners' actions chosen by a native agent.");
  bind_arrays(c);
  bind_searching(c);
  c.def(
      "seat_players",
      [](Tables& self, const std::vector<std::optional<AgentPtr>>& players) { self.seat_players(agents_of(players)); },
      "players"_a, "Other opponents from now on.");
  c.def("put", &Tables::put, "table"_a, "state"_a, "Goes on from this state at one table.");
  c.def(
      "save", [](const Tables& self) { return to_python(self.save()); },
      nb::sig("def save(self) -> list[dict[str, typing.Any]]"),
      "Per table what its future depends on, ready for JSON.");
  c.def(
      "restore", [](Tables& self, nb::list saved) { self.restore(to_value(saved)); }, "saved"_a,
      nb::sig("def restore(self, saved: list[typing.Any]) -> None"),
      "Goes on as after `save`. ValueError says what does not hold, and then nothing has changed.");
}

// ------------------------------------------------------------------------------------------------ tabular learning

double in_unit(const char* name, double x) {
  if (!(x >= 0 && x <= 1)) throw BadInput(std::string(name) + " must be from 0 to 1, not " + std::to_string(x));
  return x;
}

QTable& table_of(QLearner& self, int seat) {
  if (seat < 0 || seat >= static_cast<int>(self.tables().size()))
    throw BadInput("seat " + std::to_string(seat) + " does not exist");
  return self.tables()[static_cast<std::size_t>(seat)];
}

void run_learner(QLearner& self, Filled<const double, 1> epsilon, Filled<double, 2> payoffs, double alpha, double gamma,
                 double lambda, bool waiting, bool learn, const std::optional<AgentPtr>& opponent,
                 const std::optional<AgentPtr>& fallback) {
  const QSettings settings{in_unit("alpha", alpha), in_unit("gamma", gamma),
                           lambda < 0 ? -1 : in_unit("lambda", lambda), waiting, learn};
  const auto matches = static_cast<std::int64_t>(epsilon.shape(0));
  if (static_cast<std::int64_t>(payoffs.shape(0)) != matches || payoffs.shape(1) != self.tables().size())
    throw BadInput("payoffs must be [matches, seats]");
  for (const auto& given : {opponent, fallback})
    if (given && (*given)->peeks()) throw BadInput("agent '" + (*given)->name + "' peeks: nobody learns from that");
  const auto agents = agents_of({opponent, fallback});
  const Turn turn(self.exclusive, QLearner::kWhat);
  interruptible([&](std::atomic<bool>& stop) {
    self.run(matches, epsilon.data(), settings, agents[0], agents[1], &stop, payoffs.data());
  });
}

template <class... Arrays>
void check_size(std::size_t size, const Arrays&... arrays) {
  if (((arrays.shape(0) != size) || ...))
    throw BadInput("keys, values and visits must be of one length, " + std::to_string(size));
}

void save_table(QLearner& self, int seat, Filled<std::uint64_t, 1> keys, Filled<double, 1> values,
                Filled<std::uint64_t, 1> visits) {
  const Turn turn(self.exclusive, QLearner::kWhat);
  const auto entries = table_of(self, seat).entries();
  check_size(entries.size(), keys, values, visits);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    keys.data()[i] = entries[i].key;
    values.data()[i] = entries[i].value;
    visits.data()[i] = entries[i].visits;
  }
}

void load_table(QLearner& self, int seat, Filled<const std::uint64_t, 1> keys, Filled<const double, 1> values,
                Filled<const std::uint64_t, 1> visits) {
  const Turn turn(self.exclusive, QLearner::kWhat);
  check_size(keys.shape(0), values, visits);
  QTable& to = table_of(self, seat);
  for (std::size_t i = 0; i < keys.shape(0); ++i) to.put({keys.data()[i], values.data()[i], visits.data()[i]});
}

void bind_q_learner(nb::module_& m) {
  nb::class_<QLearner>(m, "QLearner", "Learns tables of action values by playing; see kibitz.learn.q_table.")
      .def_prop_ro("game", &QLearner::game, "The game that it learns.")
      .def_prop_rw(
          "played",
          [](QLearner& self) {
            const Turn turn(self.exclusive, QLearner::kWhat);
            return self.played();
          },
          [](QLearner& self, std::int64_t played) {
            const Turn turn(self.exclusive, QLearner::kWhat);
            if (played < 0) throw BadInput("played must be at least 0, not " + std::to_string(played));
            self.played() = played;
          },
          "Matches so far.")
      .def("run", &run_learner, "epsilon"_a, "payoffs"_a, "alpha"_a, "gamma"_a, "lambda_"_a, "waiting"_a, "learn"_a,
           "opponent"_a.none(), "fallback"_a.none(),
           "One match per epsilon; writes payoffs [match, seat]. lambda_ below 0 is Q-learning.")
      .def(
          "size",
          [](QLearner& self, int seat) {
            const Turn turn(self.exclusive, QLearner::kWhat);
            return table_of(self, seat).size();
          },
          "seat"_a, "Entries of a seat.")
      .def("save", &save_table, "seat"_a, "keys"_a, "values"_a, "visits"_a, "Writes all entries, sorted by their keys.")
      .def("load", &load_table, "seat"_a, "keys"_a, "values"_a, "visits"_a, "Adds entries, which must be new.")
      .def(
          "agent",
          [](QLearner& self, const std::string& name, const std::optional<AgentPtr>& fallback) {
            const Turn turn(self.exclusive, QLearner::kWhat);
            return self.agent(name, fallback.value_or(nullptr));
          },
          "name"_a, "fallback"_a.none(), "Plays from a copy of the tables.");
}

}  // namespace

void bind_learning(nb::module_& m, nb::class_<Game>& c) {
  bind_net(m);
  bind_tables(m);
  bind_q_learner(m);
  c.def("native_tables", &new_tables, "batch"_a, "encoder"_a, "players"_a, "seed"_a = kSeedZero, "threads"_a = 1,
        "bytes"_a = false, "ends"_a = false, "Lockstep tables; None among the players is a learner.");
  c.def(
      "native_q_learner", [](const Game& g, Int seed) { return g.q_learner(seed.seed()); }, "seed"_a,
      "Learns tables; see kibitz.learn.q_table.");
}

}  // namespace kibitz::bind
