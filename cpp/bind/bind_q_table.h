// NAMEQLearner: tabular learning; see kibitz.learn.q_table, which is what people use.
#pragma once

#include "bind/handles.h"
#include "bind/interrupt.h"
#include "learn/q_learning.h"

namespace kibitz::bind {

template <class X, int Dims>
using Filled = nb::ndarray<X, nb::ndim<Dims>, nb::c_contig, nb::device::cpu>;

inline double in_unit(const char* name, double x, double low = 0) {
  if (!(x >= low && x <= 1)) throw BadInput(std::string(name) + " must be from 0 to 1, not " + std::to_string(x));
  return x;
}

template <Game G>
class QBinder {
  using Learner = QLearner<G>;
  using Handle = AgentHandle<G>;

 public:
  static void bind(nb::module_& m, const std::string& name) {
    nb::class_<Learner> c(m, name.c_str(), "Learns tables of action values by playing; see kibitz.learn.q_table.");
    c.def(
        "__init__",
        [](Learner* self, std::shared_ptr<G> game, Int seed) { new (self) Learner(std::move(game), seed.seed()); },
        "game"_a, "seed"_a);
    c.def_prop_rw(
        "played",
        [](const Learner& self) {
          const Turn turn(self.exclusive, kWhat);
          return self.played;
        },
        [](Learner& self, std::int64_t played) {
          const Turn turn(self.exclusive, kWhat);
          if (played < 0) throw BadInput("played must be at least 0, not " + std::to_string(played));
          self.played = played;
        },
        "Matches so far.");
    c.def("run", &run, "epsilon"_a, "payoffs"_a, "alpha"_a, "gamma"_a, "lambda_"_a, "waiting"_a, "learn"_a,
          "opponent"_a.none(), "fallback"_a.none(),
          "One match per epsilon; writes payoffs [match, seat]. lambda_ below 0 is Q-learning.");
    c.def(
        "size",
        [](const Learner& self, int seat) {
          const Turn turn(self.exclusive, kWhat);
          return table(self, seat).size();
        },
        "seat"_a, "Entries of a seat.");
    c.def("save", &save, "seat"_a, "keys"_a, "values"_a, "visits"_a, "Writes all entries, sorted by their keys.");
    c.def("load", &load, "seat"_a, "keys"_a, "values"_a, "visits"_a, "Adds entries, which must be new.");
    c.def(
        "agent",
        [](const Learner& self, const std::string& agent_name, const std::optional<Handle>& fallback) {
          const Turn turn(self.exclusive, kWhat);
          return Handle{
              self.game(), agent_name,
              std::make_shared<QAgent<G>>(self.tables, fallback ? bare_agent(*self.game(), *fallback) : nullptr)};
        },
        "name"_a, "fallback"_a.none(), "Plays from a copy of the tables.");
  }

 private:
  static constexpr const char* kWhat = "the tables of this learner";

  static auto& table(auto& self, int seat) {
    if (seat < 0 || seat >= static_cast<int>(self.tables.size()))
      throw BadInput("seat " + std::to_string(seat) + " does not exist");
    return self.tables[static_cast<std::size_t>(seat)];
  }

  static void run(Learner& self, Filled<const double, 1> epsilon, Filled<double, 2> payoffs, double alpha, double gamma,
                  double lambda, bool waiting, bool learn, const std::optional<Handle>& opponent,
                  const std::optional<Handle>& fallback) {
    const QSettings settings{in_unit("alpha", alpha), in_unit("gamma", gamma),
                             lambda < 0 ? -1 : in_unit("lambda", lambda), waiting, learn};
    const auto matches = static_cast<std::int64_t>(epsilon.shape(0));
    if (static_cast<std::int64_t>(payoffs.shape(0)) != matches || payoffs.shape(1) != self.tables.size())
      throw BadInput("payoffs must be [matches, seats]");
    for (const auto& given : {opponent, fallback})
      if (given && bare_agent(*self.game(), *given)->peeks())
        throw BadInput("agent '" + given->name + "' peeks: nobody learns from that");
    const Turn turn(self.exclusive, kWhat);
    interruptible([&](std::atomic<bool>& stop) {
      self.run(matches, epsilon.data(), settings, opponent ? opponent->agent.get() : nullptr,
               fallback ? fallback->agent.get() : nullptr, &stop, payoffs.data());
    });
  }

  template <class... Arrays>
  static void check_size(std::size_t size, const Arrays&... arrays) {
    if (((arrays.shape(0) != size) || ...))
      throw BadInput("keys, values and visits must be of one length, " + std::to_string(size));
  }

  static void save(const Learner& self, int seat, Filled<std::uint64_t, 1> keys, Filled<double, 1> values,
                   Filled<std::uint64_t, 1> visits) {
    const Turn turn(self.exclusive, kWhat);
    const auto entries = table(self, seat).entries();
    check_size(entries.size(), keys, values, visits);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      keys.data()[i] = entries[i].key;
      values.data()[i] = entries[i].value;
      visits.data()[i] = entries[i].visits;
    }
  }

  static void load(Learner& self, int seat, Filled<const std::uint64_t, 1> keys, Filled<const double, 1> values,
                   Filled<const std::uint64_t, 1> visits) {
    const Turn turn(self.exclusive, kWhat);
    check_size(keys.shape(0), values, visits);
    QTable& to = table(self, seat);
    for (std::size_t i = 0; i < keys.shape(0); ++i) to.put({keys.data()[i], values.data()[i], visits.data()[i]});
  }
};

}  // namespace kibitz::bind
