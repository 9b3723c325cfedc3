// Tabular learning over the contract: Q-learning, TD(lambda), and the agents that play from tables. Whole matches are
// played and learnt from without leaving C++.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "core/agent.h"
#include "core/exclusive.h"
#include "learn/q_table.h"
#include "search/search.h"

namespace kibitz {

using QTables = std::vector<QTable>;  // one per seat

// The index of the action with the highest value above 0, the first of them on ties; -1 if there is none: then the
// table knows nothing good, which is what Wang's players take for no entry.
inline int q_best(const QTable& table, const std::uint64_t* keys, std::size_t count) {
  int best = -1;
  double highest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = table.value(keys[i]);
    if (value <= highest) continue;
    highest = value;
    best = static_cast<int>(i);
  }
  return best;
}

// Plays what its table thinks best; where that knows nothing good it asks `fallback`, and without one plays at random.
template <Game G>
class QAgent final : public Agent<G> {
 public:
  QAgent(QTables tables, std::shared_ptr<Agent<G>> fallback)
      : tables_(std::move(tables)), fallback_(std::move(fallback)) {}

  Action act(const G& game, const typename G::View& view, Rng& rng) const override {
    return think(game, view, rng, nullptr).best();
  }

  Thought think(const G& game, const typename G::View& view, Rng& rng, const std::atomic<bool>* stop) const override {
    Thought out = blank_thought(game, view);
    const QTable& table = tables_[static_cast<std::size_t>(view.seat)];
    const Scale scale(game.info());
    const std::uint64_t view_key = game.key(view);
    std::vector<std::uint64_t> keys;
    for (Opinion& o : out.opinions) {
      keys.push_back(q_key(view_key, o.action));
      o.value = scale.payoff(view.seat, table.value(keys.back()));
      o.visits = static_cast<double>(table.visits(keys.back()));
    }
    int best = q_best(table, keys.data(), keys.size());
    if (best < 0 && keys.size() > 1 && fallback_) return fallback_->think(game, view, rng, stop);
    if (best < 0) best = keys.size() == 1 ? 0 : static_cast<int>(rng.below(static_cast<std::uint32_t>(keys.size())));
    out.opinions[static_cast<std::size_t>(best)].share = 1;
    return out;
  }

  // Only then is a match told to take its time.
  bool searches() const override { return fallback_ && fallback_->searches(); }

 private:
  QTables tables_;
  std::shared_ptr<Agent<G>> fallback_;
};

struct QSettings {
  double alpha = 0.1;
  double gamma = 0.9;
  double lambda = -1;    // of TD(lambda); below 0: Q-learning
  bool waiting = false;  // states in which others decide are steps, too, with waiting as the only action
  bool learn = true;     // else the tables stay as they are
};

// The key of waiting: beyond those of all actions.
inline std::uint64_t q_wait_key(std::uint64_t view_key) { return mix(view_key, std::uint64_t{1} << 32); }

// What one seat met in a match: for every step the keys of what it could do, and what it did.
class QRecord {
 public:
  void clear() {
    keys_.clear();
    steps_.clear();
  }
  void begin() { steps_.push_back({keys_.size(), 0, 0}); }
  void add(std::uint64_t key) {
    keys_.push_back(key);
    ++steps_.back().count;
  }
  void choose(std::size_t index) { steps_.back().chosen = index; }
  const std::uint64_t* keys() const { return keys_.data() + steps_.back().first; }
  std::size_t count() const { return steps_.back().count; }

  // From the end to the beginning, so that one match carries its result through all its steps. Only the end pays.
  void teach(QTable& table, const QSettings& s, double reward) const {
    double target = reward;
    for (std::size_t i = steps_.size(); i-- > 0;) {
      const Step& step = steps_[i];
      const std::uint64_t* keys = keys_.data() + step.first;
      const double before = table.value(keys[step.chosen]);
      table.update(keys[step.chosen], target, s.alpha);
      if (s.lambda >= 0) {  // the lambda-return, by values as they were before this match
        target = s.gamma * ((1 - s.lambda) * before + s.lambda * target);
      } else {
        const int best = q_best(table, keys, step.count);
        target = best < 0 ? 0 : s.gamma * table.value(keys[best]);
      }
    }
  }

 private:
  struct Step {
    std::size_t first, count, chosen;
  };
  std::vector<std::uint64_t> keys_;
  std::vector<Step> steps_;
};

// Match m is a function of the seed, m and the tables: a learner that goes on from a file goes on as if it had never
// stopped. It sits in seat m modulo the seats, with a table for each.
template <Game G>
class QLearner {
 public:
  QLearner(std::shared_ptr<const G> game, std::uint64_t seed)
      : tables(static_cast<std::size_t>(game->info().seats)), game_(std::move(game)), seed_(seed) {}

  // The next `matches` matches; epsilon[i] of the i-th, payoffs [matches][seats]. `opponent` has all other seats; null:
  // the learner has, too, and learns in all of them. A match in which `stop` was set is not learnt from; returns how
  // many were played before.
  std::int64_t run(std::int64_t matches, const double* epsilon, const QSettings& settings, const Agent<G>* opponent,
                   const Agent<G>* fallback, const std::atomic<bool>* stop, double* payoffs) {
    const auto seats = static_cast<std::size_t>(game_->info().seats);
    const Scale scale(game_->info());
    records_.resize(seats);
    Payoffs payoff{};
    for (std::int64_t i = 0; i < matches; ++i) {
      const Table table{epsilon[i], settings.waiting, opponent, fallback, stop};
      play(table, payoff);
      if (stop && stop->load(std::memory_order_relaxed)) return i;
      for (std::size_t s = 0; s < seats; ++s) {
        payoffs[static_cast<std::size_t>(i) * seats + s] = payoff[s];
        if (settings.learn && learns(static_cast<Seat>(s), opponent))
          records_[s].teach(tables[s], settings, scale.reward(static_cast<Seat>(s), payoff[s]));
      }
      ++played;
    }
    return matches;
  }

  std::shared_ptr<const G> game() const { return game_; }

  QTables tables;
  std::int64_t played = 0;
  Exclusive exclusive;  // taken by callers, for as long as they look at the tables or change them

 private:
  struct Table {
    double epsilon;
    bool waiting;
    const Agent<G>* opponent;
    const Agent<G>* fallback;
    const std::atomic<bool>* stop;
  };

  bool learns(Seat seat, const Agent<G>* opponent) const {
    return !opponent || seat == static_cast<Seat>(played % game_->info().seats);
  }

  void play(const Table& t, Payoffs& payoff) {
    const int seats = game_->info().seats;
    const std::uint64_t deal_seed = mix(seed_, static_cast<std::uint64_t>(played));
    std::array<Rng, kMostSeats> streams;
    for (int s = 0; s < seats; ++s) {
      streams[static_cast<std::size_t>(s)] = Rng(mix(mix(deal_seed, 0), static_cast<std::uint64_t>(s)));
      records_[static_cast<std::size_t>(s)].clear();
    }
    Rng rng(deal_seed);
    auto state = game_->deal(rng);
    typename G::Legal list;
    for (Seat seat; (seat = game_->to_act(state)) >= 0;) {
      Rng& stream = streams[static_cast<std::size_t>(seat)];
      game_->legal(state, list);
      if (t.waiting) wait(state, seat, t.opponent);
      game_->apply(state, learns(seat, t.opponent) ? decide(t, state, seat, list, stream)
                                                   : choose(*game_, state, seat, list, *t.opponent, stream, t.stop));
    }
    game_->payoff(state, payoff);
  }

  // Where it waits is noted for every learner but the seat to act.
  void wait(const typename G::State& state, Seat acting, const Agent<G>* opponent) {
    for (Seat s = 0; s < static_cast<Seat>(records_.size()); ++s) {
      if (s == acting || !learns(s, opponent)) continue;
      QRecord& record = records_[static_cast<std::size_t>(s)];
      record.begin();
      record.add(q_wait_key(game_->key(game_->view(state, s))));
    }
  }

  Action decide(const Table& t, const typename G::State& state, Seat seat, const typename G::Legal& list, Rng& rng) {
    QRecord& record = records_[static_cast<std::size_t>(seat)];
    record.begin();
    const std::uint64_t view_key = game_->key(game_->view(state, seat));
    for (Action a : list) record.add(q_key(view_key, a));
    const auto count = static_cast<std::uint32_t>(list.size());
    int index = 0;
    if (count > 1) {
      const bool explores = t.epsilon > 0 && rng.unit() < t.epsilon;
      index = explores ? static_cast<int>(rng.below(count))
                       : q_best(tables[static_cast<std::size_t>(seat)], record.keys(), record.count());
      if (index < 0 && t.fallback) {
        const Action chosen = choose(*game_, state, seat, list, *t.fallback, rng, t.stop);
        for (index = 0; list[index] != chosen;) ++index;
      } else if (index < 0) {
        index = static_cast<int>(rng.below(count));
      }
    }
    record.choose(static_cast<std::size_t>(index));
    return list[index];
  }

  std::shared_ptr<const G> game_;
  std::uint64_t seed_;
  std::vector<QRecord> records_;
};

}  // namespace kibitz
