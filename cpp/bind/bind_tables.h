// NAMETables: games in lockstep, whose arrays share memory with NumPy.
#pragma once

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>

#include "bind/handles.h"
#include "bind/interrupt.h"
#include "tables/tables.h"

namespace kibitz::bind {

template <Game G>
std::vector<std::shared_ptr<Agent<G>>> bare_agents(const G& game,
                                                   const std::vector<std::optional<AgentHandle<G>>>& players) {
  std::vector<std::shared_ptr<Agent<G>>> out;
  for (const auto& p : players) out.push_back(p ? bare_agent(game, *p) : nullptr);
  return out;
}

// Calls f(stop) without the GIL; so that it can be interrupted, where it may take long: that costs another thread.
template <class F>
void unhurried(bool slow, F&& f) {
  if (slow) return interruptible([&](std::atomic<bool>& stop) { f(&stop); });
  nb::gil_scoped_release release;
  f(nullptr);
}

template <Game G>
void new_tables(Tables<G>* self, std::shared_ptr<G> game, int batch, const std::string& encoder,
                const std::vector<std::optional<AgentHandle<G>>>& players, Int seed, int threads, bool bytes) {
  if (batch < 1 || batch > (1 << 20)) throw BadInput("batch must be from 1 to 1048576, not " + std::to_string(batch));
  if (static_cast<int>(players.size()) != game->info().seats)
    throw BadInput("tables need one player per seat, " + std::to_string(game->info().seats));
  auto agents = bare_agents<G>(*game, players);
  if (std::find(agents.begin(), agents.end(), nullptr) == agents.end())
    throw BadInput("tables need at least one learning seat");
  const int found = find_encoder(game->info(), encoder), used = check_threads(threads);
  std::optional<Tables<G>> made;
  const auto make = [&](const std::atomic<bool>* stop) {
    made.emplace(game, batch, found, agents, seed.seed(), used, bytes, stop);
  };
  unhurried(Tables<G>::searches(agents), make);  // opponents may be the first to act
  new (self) Tables<G>(std::move(*made));
}

// An array of the tables' own memory, [batch, width(tables)] or, without a width, [batch]; it keeps the tables alive.
template <class T, class X>
void bind_array(nb::class_<T>& c, const char* name, std::vector<X> T::* data, int (*width)(const T&) = nullptr) {
  c.def_prop_ro(
      name,
      [data, width](nb::handle_t<T> h) {
        T& t = nb::cast<T&>(h);
        const std::size_t shape[] = {static_cast<std::size_t>(t.batch()),
                                     static_cast<std::size_t>(width ? width(t) : 0)};
        return nb::ndarray<nb::numpy, X>((t.*data).data(), width ? 2 : 1, shape, h);
      },
      nb::rv_policy::automatic);
}

// A buffer that the tables may replace by a larger one: the array keeps its own alive.
template <class X>
nb::ndarray<nb::numpy, X> kept(const std::shared_ptr<std::vector<X>>& data, std::initializer_list<std::size_t> shape) {
  auto* held = new std::shared_ptr<std::vector<X>>(data);
  nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::shared_ptr<std::vector<X>>*>(p); });
  return nb::ndarray<nb::numpy, X>(data->data(), shape, owner);
}

template <class T>
void bind_ragged(nb::class_<T>& c) {
  c.def_prop_ro("ragged", &T::ragged, "Whether legal actions are ids, offsets and features instead of a mask.");
  c.def_prop_ro(
      "offsets",
      [](nb::handle_t<T> h) {
        T& t = nb::cast<T&>(h);
        return nb::ndarray<nb::numpy, std::int64_t>(t.offsets.data(), {t.offsets.size()}, h);
      },
      nb::rv_policy::automatic);
  c.def_prop_ro(
      "ids",
      [](const T& t) {
        const auto now = t.ragged_actions();
        return kept(now.ids, {now.size});
      },
      nb::rv_policy::automatic);
  c.def_prop_ro(
      "features",
      [](const T& t) {
        const auto now = t.ragged_actions();
        return kept(now.features, {now.size, static_cast<std::size_t>(t.action_features())});
      },
      nb::rv_policy::automatic);
}

// What learners need beside the steps: searches at all tables, other opponents, checkpoints.
template <Game G>
void bind_learning(nb::class_<Tables<G>>& c) {
  using T = Tables<G>;
  c.def(
      "value_search",
      [](const T& self, const Net& net, int simulations, double exploration, double discount, int per_world, bool peek,
         Int seed) {
        auto q = new_array<float>({static_cast<std::size_t>(self.batch()), static_cast<std::size_t>(self.actions())});
        auto reward = new_array<float>({static_cast<std::size_t>(self.batch())});
        if (simulations < 1 || simulations > kMostSimulations)
          throw BadInput("simulations must be from 1 to " + std::to_string(kMostSimulations) + ", not " +
                         std::to_string(simulations));
        if (per_world < 1) throw BadInput("per_world must be at least 1, not " + std::to_string(per_world));
        std::int64_t leaves = 0;
        interruptible([&](std::atomic<bool>& stop) {
          leaves =
              self.value_search(std::make_shared<const Net>(net), {simulations, exploration, discount, per_world, peek},
                                seed.seed(), &stop, q.data(), reward.data());
        });
        return std::make_tuple(q, reward, leaves);
      },
      "net"_a, "simulations"_a, "exploration"_a, "discount"_a, "per_world"_a, "peek"_a, "seed"_a,
      "Value MCTS at every table: Q_m [B, A], r_m [B], and how often the net was asked.");
  c.def(
      "think",
      [](const T& self, const AgentHandle<G>& agent, Int seed) {
        const auto shape = {static_cast<std::size_t>(self.batch()), static_cast<std::size_t>(self.actions())};
        auto values = new_array<float>(shape), visits = new_array<float>(shape);
        const auto bare = bare_agent(self.game(), agent);
        interruptible(
            [&](std::atomic<bool>& stop) { self.think(*bare, seed.seed(), &stop, values.data(), visits.data()); });
        return std::make_tuple(values, visits);
      },
      "agent"_a, "seed"_a, "What an agent thinks of the actions at every table: values and visits, [B, A].");
  c.def(
      "advise",
      [](const T& self, const AgentHandle<G>& agent, Int seed) {
        auto actions = new_array<std::int32_t>({static_cast<std::size_t>(self.batch())});
        const auto bare = bare_agent(self.game(), agent);
        interruptible([&](std::atomic<bool>& stop) { self.advise(*bare, seed.seed(), &stop, actions.data()); });
        return actions;
      },
      "agent"_a, "seed"_a, "What an agent would do at every table.");
  c.def(
      "seat_players",
      [](T& self, const std::vector<std::optional<AgentHandle<G>>>& players) {
        self.seat_players(bare_agents<G>(self.game(), players));
      },
      "players"_a, "Other opponents from now on.");
  c.def(
      "put",
      [](T& self, int table, const StateHandle<G>& state) {
        check_same(self.game(), *state.game);
        self.put(table, state.state);
      },
      "table"_a, "state"_a, "Goes on from this state at one table.");
  c.def(
      "save", [](const T& self) { return to_python(self.save()); },
      nb::sig("def save(self) -> list[dict[str, typing.Any]]"),
      "Per table what its future depends on, ready for JSON.");
  c.def(
      "restore", [](T& self, nb::list saved) { self.restore(to_value(saved)); }, "saved"_a,
      nb::sig("def restore(self, saved: list[typing.Any]) -> None"),
      "Goes on as after `save`. ValueError says what does not hold, and then nothing has changed.");
}

template <Game G>
void bind_tables(nb::module_& m, const std::string& name) {
  using T = Tables<G>;
  nb::class_<T> c(m, name.c_str(), "B games in lockstep; see kibitz.Tables.");
  c.def("__init__", &new_tables<G>, "game"_a, "batch"_a, "encoder"_a, "players"_a, "seed"_a, "threads"_a, "bytes"_a);
  c.def(
      "step",
      [](T& self, nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> actions) {
        if (static_cast<int>(actions.shape(0)) != self.batch())
          throw BadInput("step needs " + std::to_string(self.batch()) + " actions, not " +
                         std::to_string(actions.shape(0)));
        // A copy: whoever holds the array may write to it as soon as the GIL is released.
        const std::vector<std::int32_t> now(actions.data(), actions.data() + actions.size());
        unhurried(self.slow(), [&](const std::atomic<bool>* stop) { self.step(now.data(), stop); });
      },
      "actions"_a);
  c.def(
      "run",
      [](T& self, std::int64_t steps, const AgentHandle<G>& agent) {
        const auto bare = bare_agent(self.game(), agent);
        interruptible([&](std::atomic<bool>& stop) { self.run(steps, *bare, &stop); });
      },
      "steps"_a, "agent"_a, "Steps with the learners' actions chosen by a native agent.");
  bind_array(c, "obs", &T::obs, +[](const T& t) { return t.features(); });
  bind_array(c, "obs_bytes", &T::obs_bytes, +[](const T& t) { return t.features(); });
  bind_array(c, "mask", &T::mask, +[](const T& t) { return t.ragged() ? 0 : t.actions(); });
  bind_array(c, "payoff", &T::payoff, +[](const T& t) { return t.seats(); });
  bind_array(c, "seat", &T::seat);
  bind_array(c, "acted", &T::acted);
  bind_array(c, "done", &T::done);
  bind_ragged(c);
  bind_learning<G>(c);
}

}  // namespace kibitz::bind
