// B games in lockstep, for learning: each step takes one action per table and leaves every table at the next decision
// of a learning seat. Opponents move inside; finished games report their payoff and are redealt in the same step.
//
// Legal actions are a mask, or, in a game with more than kMaskActions of them, ragged: the ids of all tables one after
// the other, where each table's begin, and features of each.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <vector>

#include "core/agent.h"
#include "core/parallel.h"
#include "search/value_mcts.h"

namespace kibitz {

template <Game G>
class Tables {
 public:
  // opponents: null is a learner. They sit in this order, moved on by one seat after every game, so that everybody
  // sits everywhere. Table b is the same whatever `threads` and however many tables there are.
  Tables(std::shared_ptr<G> game, int batch, int encoder, std::vector<std::shared_ptr<Agent<G>>> players,
         std::uint64_t seed, int threads)
      : game_(std::move(game)), encoder_(encoder), threads_(threads), players_(std::move(players)), tables_(batch) {
    const GameInfo& info = game_->info();
    seats_ = info.seats;
    actions_ = info.actions;
    features_ = info.encoders[static_cast<std::size_t>(encoder)].size();
    obs.resize(static_cast<std::size_t>(batch) * features_);
    ragged_ = actions_ > kMaskActions;
    if (!ragged_) mask.resize(static_cast<std::size_t>(batch) * actions_);
    action_features_ = info.action_features;
    offsets.resize(ragged_ ? static_cast<std::size_t>(batch) + 1 : 0);
    payoff.resize(static_cast<std::size_t>(batch) * seats_);
    seat.resize(batch);
    acted.assign(batch, -1);
    done.assign(batch, 0);
    for (int b = 0; b < batch; ++b) {
      tables_[b].rng = Rng(mix(seed, static_cast<std::uint64_t>(b)));
      redeal(tables_[b], b);
      write(b);
    }
    lay_out();
  }

  // One action per table, each legal there; BadInput otherwise, and then no table has moved.
  void step(const std::int32_t* actions) {
    for (int b = 0; b < batch(); ++b) {
      const std::int32_t a = actions[b];
      if (a < 0 || a >= actions_ || !is_legal(b, static_cast<Action>(a))) throw_illegal(b, a);
    }
    over_tables([&](int b) { move(b, static_cast<Action>(actions[b])); });
    lay_out();
  }

  // `steps` steps in which `agent` decides for the learners; all arrays are written in every step, but ragged ones only
  // in the last.
  void run(std::int64_t steps, const Agent<G>& agent) {
    over_tables([&](int b) {
      for (std::int64_t i = 0; i < steps; ++i) {
        Table& t = tables_[b];
        move(b, choose(*game_, t.state, game_->to_act(t.state), t.legal, agent, t.rng));
      }
    });
    lay_out();
  }

  // Value MCTS (search/value_mcts.h) for the seat to act at every table. The others play as they do at the table;
  // learners among them play the best that the net knows. `q` takes [batch, actions], zeros where illegal; `reward`
  // [batch]. Returns how many states the net was asked about. Table b is the same whatever `threads`.
  std::int64_t value_search(const std::shared_ptr<const Net>& net, const ValueSettings& settings, std::uint64_t seed,
                            float* q, float* reward) const {
    if (ragged_) throw BadInput("value MCTS needs a game with a mask of actions");
    const NetAgent<G> self(*game_, net);
    ValueSearch<G>(*game_, net, settings);  // complains here, not on a thread
    std::atomic<std::int64_t> leaves{0};
    parallel(threads_, batch(), std::max(1, batch() / (4 * threads_)), nullptr,
             [&](std::int64_t begin, std::int64_t end) {
               ValueSearch<G> search(*game_, net, settings);
               for (auto b = static_cast<int>(begin); b < static_cast<int>(end); ++b) {
                 const Table& t = tables_[b];
                 const Seat seat = game_->to_act(t.state);
                 Rng rng(mix(seed, static_cast<std::uint64_t>(b)));
                 search.run(
                     settings.peek ? typename G::View{t.state, seat} : game_->view(t.state, seat),
                     [&](Seat s) {
                       const Agent<G>* agent = opponent(t, b, s);
                       return agent ? agent : &self;
                     },
                     rng);
                 float* row = q + static_cast<std::size_t>(b) * actions_;
                 std::fill_n(row, actions_, 0.0f);
                 for (const auto& edge : search.root()) row[edge.action] = static_cast<float>(edge.q);
                 reward[b] = static_cast<float>(search.reward());
                 leaves += search.leaves();
               }
             });
    return leaves;
  }

  // What `agent` thinks of the legal actions at every table: values and visits take [batch, actions], zeros where
  // illegal or not looked at (a single legal action is not). Table b is the same whatever `threads`.
  void think(const Agent<G>& agent, std::uint64_t seed, float* values, float* visits) const {
    if (ragged_) throw BadInput("thinking at tables needs a game with a mask of actions");
    parallel(threads_, batch(), 1, nullptr, [&](std::int64_t begin, std::int64_t end) {
      for (auto b = static_cast<int>(begin); b < static_cast<int>(end); ++b) {
        const auto& state = tables_[b].state;
        const Seat seat = game_->to_act(state);
        Rng rng(mix(seed, static_cast<std::uint64_t>(b)));
        const auto view = agent.peeks() ? typename G::View{state, seat} : game_->view(state, seat);
        const auto row = static_cast<std::size_t>(b) * actions_;
        std::fill_n(values + row, actions_, 0.0f);
        std::fill_n(visits + row, actions_, 0.0f);
        for (const Opinion& o : agent.think(*game_, view, rng, nullptr).opinions) {
          values[row + o.action] = static_cast<float>(o.visits > 0 ? o.value : 0);
          visits[row + o.action] = static_cast<float>(o.visits);
        }
      }
    });
  }

  // What `agent` would do at every table, where it need not remember anything. Table b is the same whatever `threads`.
  void advise(const Agent<G>& agent, std::uint64_t seed, std::int32_t* actions) const {
    parallel(threads_, batch(), 1, nullptr, [&](std::int64_t begin, std::int64_t end) {
      for (auto b = static_cast<int>(begin); b < static_cast<int>(end); ++b) {
        const Table& t = tables_[b];
        Rng rng(mix(seed, static_cast<std::uint64_t>(b)));
        actions[b] = static_cast<std::int32_t>(choose(*game_, t.state, game_->to_act(t.state), t.legal, agent, rng));
      }
    });
  }

  // Other opponents from now on, in the games that are running, too; who learns stays the same.
  void seat_players(std::vector<std::shared_ptr<Agent<G>>> players) {
    for (std::size_t i = 0; i < players_.size(); ++i)
      if (players.size() != players_.size() || !players[i] != !players_[i])
        throw BadInput("other players must leave the learning seats as they are");
    players_ = std::move(players);
  }

  // Goes on from `state` at table b, where a learner must be to act.
  void put(int b, const typename G::State& state) {
    if (b < 0 || b >= batch()) throw BadInput("table " + std::to_string(b) + " does not exist");
    const Seat s = game_->to_act(state);
    if (s < 0 || opponent(tables_[b], b, s)) throw BadInput("a learning seat must be to act in this state");
    tables_[b].state = state;
    game_->legal(tables_[b].state, tables_[b].legal);
    write(b);
    lay_out();
  }

  // All that the future depends on, as bytes for the same build on the same kind of machine: a checkpoint. Whoever
  // keeps them must make sure that they come back unchanged; only the sizes are checked here.
  std::string save() const
    requires NativeGame<G>
  {
    static_assert(std::is_trivially_copyable_v<Kept>);
    std::string out(sizeof(Kept) * tables_.size(), '\0');
    for (std::size_t b = 0; b < tables_.size(); ++b) {
      Kept kept;
      std::memset(static_cast<void*>(&kept), 0, sizeof(Kept));  // gaps between members, too
      kept.state = tables_[b].state;
      kept.rng = tables_[b].rng;
      kept.games = tables_[b].games;
      std::memcpy(out.data() + b * sizeof(Kept), &kept, sizeof(Kept));
    }
    return out;
  }
  void restore(const std::string& bytes)
    requires NativeGame<G>
  {
    if (bytes.size() != sizeof(Kept) * tables_.size())
      throw BadInput("these tables were saved by another version, or there were more or fewer of them");
    for (std::size_t b = 0; b < tables_.size(); ++b) {
      Kept kept{tables_[b].state, {}, 0};
      std::memcpy(&kept, bytes.data() + b * sizeof(Kept), sizeof(Kept));
      Table& t = tables_[b];
      t.state = kept.state;
      t.rng = kept.rng;
      t.games = kept.games;
      game_->legal(t.state, t.legal);
      acted[b] = -1;
      done[b] = 0;
      std::fill_n(payoff.data() + b * static_cast<std::size_t>(seats_), seats_, 0.0f);
      write(static_cast<int>(b));
    }
    lay_out();
  }

  int batch() const { return static_cast<int>(tables_.size()); }
  int features() const { return features_; }
  int actions() const { return actions_; }
  int seats() const { return seats_; }
  bool ragged() const { return ragged_; }
  int action_features() const { return action_features_; }

  // Shared with Python. payoff[b] is that of the game finished in the last step, where done[b]; else zero.
  std::vector<float> obs, payoff;
  std::vector<std::uint8_t> mask, done;
  std::vector<std::int32_t> seat, acted;

  // Ragged actions: those of table b are ids[offsets[b]] to ids[offsets[b + 1] - 1], with a row of features each. The
  // buffers only grow, and a grown one is a new one: arrays of Python keep the old alive.
  std::vector<std::int64_t> offsets;
  std::shared_ptr<std::vector<std::int32_t>> ids = std::make_shared<std::vector<std::int32_t>>();
  std::shared_ptr<std::vector<float>> features_of_ids = std::make_shared<std::vector<float>>();

 private:
  struct Table {
    typename G::State state;
    typename G::Legal legal;
    Rng rng;  // deals, and the moves of the opponents
    std::uint32_t games = 0;
  };
  struct Kept {  // what cannot be worked out from the rest
    typename G::State state;
    Rng rng;
    std::uint32_t games;
  };

  template <class F>
  void over_tables(F&& f) {
    parallel(threads_, batch(), std::max(1, batch() / threads_), nullptr, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = begin; b < end; ++b) f(static_cast<int>(b));
    });
  }

  // Who sits there: the players move on by one seat each game, and table b starts b seats on.
  const Agent<G>* opponent(const Table& t, int b, int s) const {
    const int shift = static_cast<int>((t.games + static_cast<std::uint32_t>(b)) % static_cast<std::uint32_t>(seats_));
    return players_[static_cast<std::size_t>((s + seats_ - shift) % seats_)].get();
  }

  void redeal(Table& t, int b) {
    do {  // a game in which no learner comes to act is no use here
      t.state = game_->deal(t.rng);
      ++t.games;
      advance(t, b);
    } while (game_->to_act(t.state) < 0);
  }

  // Opponents play until a learner is to act or the game is over.
  void advance(Table& t, int b) {
    for (Seat s; (s = game_->to_act(t.state)) >= 0;) {
      game_->legal(t.state, t.legal);
      const Agent<G>* agent = opponent(t, b, s);
      if (!agent) return;
      game_->apply(t.state, choose(*game_, t.state, s, t.legal, *agent, t.rng));
    }
  }

  void move(int b, Action a) {
    Table& t = tables_[b];
    float* out = payoff.data() + static_cast<std::size_t>(b) * seats_;
    acted[b] = game_->to_act(t.state);
    game_->apply(t.state, a);
    advance(t, b);
    done[b] = game_->to_act(t.state) < 0;
    if (done[b]) {
      std::array<double, 64> payoffs;
      game_->payoff(t.state, payoffs);
      for (int s = 0; s < seats_; ++s) out[s] = static_cast<float>(payoffs[s]);
      redeal(t, b);
    } else {
      std::fill_n(out, seats_, 0.0f);
    }
    write(b);
  }

  void write(int b) {
    const Table& t = tables_[b];
    seat[b] = game_->to_act(t.state);
    game_->encode(t.state, static_cast<Seat>(seat[b]), encoder_,
                  {obs.data() + static_cast<std::size_t>(b) * features_, static_cast<std::size_t>(features_)});
    if (ragged_) return;
    std::uint8_t* row = mask.data() + static_cast<std::size_t>(b) * actions_;
    std::fill_n(row, actions_, std::uint8_t{0});
    for (Action a : t.legal) row[a] = 1;
  }

  bool is_legal(int b, Action a) const {
    if (!ragged_) return mask[static_cast<std::size_t>(b) * actions_ + a];
    const auto& legal = tables_[b].legal;
    return std::binary_search(legal.begin(), legal.end(), a);
  }

  // Writes the ragged arrays: where each table's part begins is known only when all have moved.
  void lay_out() {
    if (!ragged_) return;
    for (int b = 0; b < batch(); ++b) offsets[b + 1] = offsets[b] + tables_[b].legal.size();
    const auto total = static_cast<std::size_t>(offsets[batch()]);
    grow(ids, total);
    grow(features_of_ids, total * static_cast<std::size_t>(action_features_));
    over_tables([&](int b) {
      const Table& t = tables_[b];
      const auto width = static_cast<std::size_t>(action_features_);
      auto at = static_cast<std::size_t>(offsets[b]);
      for (Action a : t.legal) {
        (*ids)[at] = a;
        if constexpr (FeaturedActions<G>)
          game_->action_features(t.state, a, {features_of_ids->data() + at * width, width});
        ++at;
      }
    });
  }

  template <class T>
  static void grow(std::shared_ptr<std::vector<T>>& buffer, std::size_t size) {
    if (buffer->size() < size) buffer = std::make_shared<std::vector<T>>(size + size / 2);
  }

  [[noreturn]] void throw_illegal(int b, std::int32_t a) const {
    std::vector<std::string> legal;
    for (Action x : tables_[b].legal) legal.push_back(std::to_string(x));
    throw BadInput("action " + std::to_string(a) + " is illegal at table " + std::to_string(b) +
                   "; legal: " + joined(legal));
  }

  std::shared_ptr<G> game_;
  int encoder_, threads_, seats_, actions_, features_, action_features_;
  bool ragged_;
  std::vector<std::shared_ptr<Agent<G>>> players_;
  std::vector<Table> tables_;
};

}  // namespace kibitz
