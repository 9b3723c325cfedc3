// B games in lockstep, for learning: each step takes one action per table and leaves every table at the next decision
// of a learning seat. Opponents move inside; finished games report their payoff and are redealt in the same step.
//
// Legal actions are a mask, or, in a game with more than kMaskActions of them, ragged: the ids of all tables one after
// the other, where each table's begin, and features of each.
//
// For one caller at a time: a second one, on another thread, gets InUse. Calls that take long end early once their
// `stop` is set; what a search has found until then is not looked at. Every table is then left between two steps, where
// opponents may have played what their searches had found so far.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "core/agent.h"
#include "core/bits.h"
#include "core/exclusive.h"
#include "core/parallel.h"
#include "core/position.h"
#include "core/seeds.h"
#include "search/value_mcts.h"

namespace kibitz {

// What the tables show: arrays that Python shares, and their shapes. B tables, D features, A actions, n seats.
class TableArrays {
 public:
  int batch() const { return batch_; }
  int features() const { return features_; }
  int actions() const { return actions_; }
  int seats() const { return seats_; }
  bool ragged() const { return ragged_; }
  bool keeps_ends() const { return ends_; }
  int action_features() const { return action_features_; }

  // obs [B, D] (or obs_bytes), mask [B, A], payoff [B, n]; the others [B]. payoff[b] is that of the game finished in
  // the last step, where done[b]; else zero.
  std::vector<float> obs, payoff;
  std::vector<std::uint8_t> obs_bytes, mask, done;
  std::vector<std::int32_t> seat, acted;

  // Where `done`, what the seat that acted sees at the end, [B, D]: obs has the next game by then. Other rows are left
  // as they were. Empty unless it was asked for.
  std::vector<float> final_obs;
  std::vector<std::uint8_t> final_obs_bytes;

  // Ragged actions: those of table b are ids[offsets[b]] to ids[offsets[b + 1] - 1], with a row of features each. The
  // buffers only grow, and a grown one is a new one: arrays of Python keep the old alive.
  std::vector<std::int64_t> offsets;
  struct Ragged {
    std::shared_ptr<std::vector<std::int32_t>> ids = std::make_shared<std::vector<std::int32_t>>();
    std::shared_ptr<std::vector<float>> features = std::make_shared<std::vector<float>>();
    std::size_t size = 0;  // how many actions of all tables together; the buffers may be longer
  };
  Ragged ragged_actions() const {
    const Turn turn(exclusive_, kWhat);
    return ragged_actions_;
  }

 protected:
  static constexpr const char* kWhat = "these tables";

  TableArrays(const GameInfo& info, int batch, int encoder, bool bytes, bool ends);

  int batch_, seats_, actions_, features_, action_features_;
  bool ragged_;
  bool ends_;  // final observations are kept
  Ragged ragged_actions_;
  Exclusive exclusive_;
};

template <Game G>
class Tables : public TableArrays {
 public:
  // opponents: null is a learner. They sit in this order, moved on by one seat after every game, so that everybody
  // sits everywhere. Table b is the same whatever `threads` and however many tables there are. `bytes`: observations of
  // a binary encoder are kept as bytes. `ends`: final observations are kept.
  Tables(std::shared_ptr<const G> game, int batch, int encoder, std::vector<std::shared_ptr<Agent<G>>> players,
         std::uint64_t seed, int threads, bool bytes = false, bool ends = false,
         const std::atomic<bool>* stop = nullptr)
      : TableArrays(game->info(), batch, encoder, bytes, ends),
        game_(std::move(game)),
        encoder_(encoder),
        threads_(threads),
        players_(std::move(players)),
        tables_(batch) {
    for (int b = 0; b < batch; ++b) {
      tables_[b].rng = Rng(mix(seed, static_cast<std::uint64_t>(b)));
      redeal(tables_[b], b, stop);
      write(b);
    }
    lay_out();
  }

  // One action per table, each legal there; BadInput otherwise, and then no table has moved. The caller must not change
  // `actions` meanwhile.
  void step(const std::int32_t* actions, const std::atomic<bool>* stop = nullptr) {
    const Turn turn(exclusive_, kWhat);
    for (int b = 0; b < batch(); ++b) {
      const std::int32_t a = actions[b];
      if (a < 0 || a >= actions_ || !is_legal(b, static_cast<Action>(a))) throw_illegal(b, a);
    }
    over_tables(nullptr, [&](int b) { move(b, static_cast<Action>(actions[b]), stop); });
    lay_out();
  }

  // `steps` steps in which `agent` decides for the learners; all arrays are written in every step, but ragged ones only
  // in the last.
  void run(std::int64_t steps, const Agent<G>& agent, const std::atomic<bool>* stop) {
    const Turn turn(exclusive_, kWhat);
    over_tables(stop, [&](int b) {
      for (std::int64_t i = 0; i < steps; ++i) {
        const Action chosen = pick(tables_[b], agent, tables_[b].rng, stop);
        if (stop && stop->load(std::memory_order_relaxed)) return;
        move(b, chosen, stop);
      }
    });
    lay_out();
  }

  // Value MCTS (search/value_mcts.h) for the seat to act at every table. The others play as they do at the table;
  // learners among them play the best that the net knows. `q` takes [batch, actions], zeros where illegal; `reward`
  // [batch]. Returns how many states the net was asked about. Table b is the same whatever `threads`.
  std::int64_t value_search(const std::shared_ptr<const Net>& net, const ValueSettings& settings, std::uint64_t seed,
                            const std::atomic<bool>* stop, float* q, float* reward) const {
    const Turn turn(exclusive_, kWhat);
    if (ragged_) throw BadInput("value MCTS needs a game with a mask of actions");
    const NetAgent<G> self(*game_, net);
    ValueSearch<G>(*game_, net, settings);  // complains here, not on a thread
    std::atomic<std::int64_t> leaves{0};
    parallel(threads_, batch(), std::max(1, batch() / (4 * threads_)), stop, [&](std::int64_t begin, std::int64_t end) {
      ValueSearch<G> search(*game_, net, settings);
      for (auto b = static_cast<int>(begin); b < static_cast<int>(end); ++b) {
        if (stop && stop->load(std::memory_order_relaxed)) return;
        const Table& t = tables_[b];
        const Seat seat = game_->to_act(t.state);
        Rng rng = table_stream(seed, static_cast<std::uint64_t>(b));
        search.run(
            settings.peek ? typename G::View{t.state, seat} : game_->view(t.state, seat),
            [&](Seat s) {
              const Agent<G>* agent = opponent(t, s);
              return agent ? agent : &self;
            },
            rng, stop);
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
  void think(const Agent<G>& agent, std::uint64_t seed, const std::atomic<bool>* stop, float* values,
             float* visits) const {
    const Turn turn(exclusive_, kWhat);
    if (ragged_) throw BadInput("thinking at tables needs a game with a mask of actions");
    parallel(threads_, batch(), 1, stop, [&](std::int64_t begin, std::int64_t end) {
      for (auto b = static_cast<int>(begin); b < static_cast<int>(end); ++b) {
        const auto& state = tables_[b].state;
        const Seat seat = game_->to_act(state);
        Rng rng = table_stream(seed, static_cast<std::uint64_t>(b));
        const auto view = agent.peeks() ? typename G::View{state, seat} : game_->view(state, seat);
        const auto row = static_cast<std::size_t>(b) * actions_;
        std::fill_n(values + row, actions_, 0.0f);
        std::fill_n(visits + row, actions_, 0.0f);
        for (const Opinion& o : agent.think(*game_, view, rng, stop).opinions) {
          values[row + o.action] = static_cast<float>(o.visits > 0 ? o.value : 0);
          visits[row + o.action] = static_cast<float>(o.visits);
        }
      }
    });
  }

  // What `agent` would do at every table, where it need not remember anything. Table b is the same whatever `threads`.
  void advise(const Agent<G>& agent, std::uint64_t seed, const std::atomic<bool>* stop, std::int32_t* actions) const {
    const Turn turn(exclusive_, kWhat);
    parallel(threads_, batch(), 1, stop, [&](std::int64_t begin, std::int64_t end) {
      for (auto b = static_cast<int>(begin); b < static_cast<int>(end); ++b) {
        Rng rng = table_stream(seed, static_cast<std::uint64_t>(b));
        actions[b] = static_cast<std::int32_t>(pick(tables_[b], agent, rng, stop));
      }
    });
  }

  // Other opponents from now on, in the games that are running, too; who learns stays the same.
  void seat_players(std::vector<std::shared_ptr<Agent<G>>> players) {
    const Turn turn(exclusive_, kWhat);
    for (std::size_t i = 0; i < players_.size(); ++i)
      if (players.size() != players_.size() || !players[i] != !players_[i])
        throw BadInput("other players must leave the learning seats as they are");
    players_ = std::move(players);
  }

  // Goes on from `state` at table b, where a learner must be to act.
  void put(int b, const typename G::State& state) {
    const Turn turn(exclusive_, kWhat);
    if (b < 0 || b >= batch()) throw BadInput("table " + std::to_string(b) + " does not exist");
    check_learner(tables_[b], state);
    tables_[b].state = state;
    look(tables_[b]);
    write(b);
    lay_out();
  }

  // All that the future depends on: a checkpoint. Per table its position, the stream that deals there, and how many
  // games were dealt. Nothing in it is trusted on its way back: positions are read like any from outside.
  Value save() const {
    const Turn turn(exclusive_, kWhat);
    Value::List out;
    for (const Table& t : tables_)
      out.push_back(Value::Object{{"position", game_->position(t.state)},
                                  {"stream", stream_json(t.rng)},
                                  {"games", static_cast<std::int64_t>(t.games)}});
    return out;
  }
  // BadInput where something does not hold, and then nothing has changed.
  void restore(const Value& saved) {
    const Turn turn(exclusive_, kWhat);
    const auto& list = saved.list("saved tables");
    if (list.size() != tables_.size())
      throw BadInput("there are " + std::to_string(tables_.size()) + " tables, but " + std::to_string(list.size()) +
                     " were saved");
    std::vector<Table> read;
    for (std::size_t b = 0; b < list.size(); ++b) {
      try {
        read.push_back(read_table(list[b], static_cast<int>(b)));
      } catch (const BadInput& error) {
        throw BadInput("saved table " + std::to_string(b) + ": " + error.what());
      }
    }
    tables_ = std::move(read);
    std::fill(acted.begin(), acted.end(), -1);
    std::fill(done.begin(), done.end(), std::uint8_t{0});
    std::fill(payoff.begin(), payoff.end(), 0.0f);
    for (int b = 0; b < batch(); ++b) write(b);
    lay_out();
  }

  const G& game() const { return *game_; }
  bool slow() const { return searches(players_); }  // a step may take long
  static bool searches(const std::vector<std::shared_ptr<Agent<G>>>& players) {
    return std::any_of(players.begin(), players.end(), [](const auto& agent) { return agent && agent->searches(); });
  }

 private:
  // Bits where the game gives them: to write a mask they need not be looked at one by one.
  using Legal = std::conditional_t<LegalSet<G>, ActionSet, typename G::Legal>;

  struct Table {
    typename G::State state;
    Legal legal;
    Rng rng;  // deals, and the moves of the opponents
    std::uint32_t games = 0;
    int shift = 0;  // players have moved on by so many seats
  };

  template <class F>
  void over_tables(const std::atomic<bool>* stop, F&& f) {
    parallel(threads_, batch(), std::max(1, batch() / threads_), stop, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = begin; b < end; ++b) f(static_cast<int>(b));
    });
  }

  // The players move on by one seat each game, and table b starts b seats on.
  void set_games(Table& t, int b, std::uint32_t games) const {
    t.games = games;
    t.shift = static_cast<int>((games + static_cast<std::uint32_t>(b)) % static_cast<std::uint32_t>(seats_));
  }
  const Agent<G>* opponent(const Table& t, int s) const {
    const int place = s - t.shift;
    return players_[static_cast<std::size_t>(place < 0 ? place + seats_ : place)].get();
  }

  void check_learner(const Table& t, const typename G::State& state) const {
    const Seat s = game_->to_act(state);
    if (s < 0 || opponent(t, s)) throw BadInput("a learning seat must be to act in this state");
  }

  void look(Table& t) const {
    if constexpr (LegalSet<G>)
      t.legal = game_->legal_set(t.state);
    else
      game_->legal(t.state, t.legal);
  }

  // What `agent` does at a table where it is to act.
  Action pick(const Table& t, const Agent<G>& agent, Rng& rng, const std::atomic<bool>* stop) const {
    if constexpr (LegalSet<G>) {
      if (agent.uniform()) return random_legal(*game_, t.state, rng);
      typename G::Legal list;
      game_->legal(t.state, list);
      return choose(*game_, t.state, game_->to_act(t.state), list, agent, rng, stop);
    } else {
      return choose(*game_, t.state, game_->to_act(t.state), t.legal, agent, rng, stop);
    }
  }

  Table read_table(const Value& saved, int b) const {
    for (const auto& [name, value] : saved.object("a saved table"))
      one_of("member of a saved table:", name, {"position", "stream", "games"});
    const auto member = [&](const char* name) -> const Value& {
      const Value* found = saved.find(name);
      if (!found) throw BadInput(std::string("it has no ") + name);
      return *found;
    };
    Table out{game_->from_position(member("position")), {}, read_stream(member("stream"))};
    set_games(out, b, static_cast<std::uint32_t>(member("games").integer("games", 1, 0xffffffff)));
    check_learner(out, out.state);
    look(out);
    return out;
  }

  void redeal(Table& t, int b, const std::atomic<bool>* stop) {
    do {  // a game in which no learner comes to act is no use here
      t.state = game_->deal(t.rng);
      set_games(t, b, t.games + 1);
      advance(t, stop);
    } while (game_->to_act(t.state) < 0);
  }

  // Opponents play until a learner is to act or the game is over.
  void advance(Table& t, const std::atomic<bool>* stop) {
    for (Seat s; (s = game_->to_act(t.state)) >= 0;) {
      const Agent<G>* agent = opponent(t, s);
      if (!LegalSet<G> || !agent) look(t);  // `pick` asks for a list itself where there are bits
      if (!agent) return;
      game_->apply(t.state, pick(t, *agent, t.rng, stop));
    }
  }

  void move(int b, Action a, const std::atomic<bool>* stop) {
    Table& t = tables_[b];
    float* out = payoff.data() + static_cast<std::size_t>(b) * seats_;
    acted[b] = game_->to_act(t.state);
    game_->apply(t.state, a);
    advance(t, stop);
    done[b] = game_->to_act(t.state) < 0;
    if (done[b]) {
      Payoffs payoffs{};
      game_->payoff(t.state, payoffs);
      for (int s = 0; s < seats_; ++s) out[s] = static_cast<float>(payoffs[s]);
      if (ends_) encode_row(t.state, static_cast<Seat>(acted[b]), b, final_obs, final_obs_bytes);
      redeal(t, b, stop);
    } else {
      std::fill_n(out, seats_, 0.0f);
    }
    write(b);
  }

  void write(int b) {
    const Table& t = tables_[b];
    seat[b] = game_->to_act(t.state);
    encode_row(t.state, static_cast<Seat>(seat[b]), b, obs, obs_bytes);
    if (ragged_) return;
    std::uint8_t* row = mask.data() + static_cast<std::size_t>(b) * actions_;
    if constexpr (LegalSet<G>) {
      write_mask(t.legal, row);
    } else {
      std::fill_n(row, actions_, std::uint8_t{0});
      for (Action a : t.legal) row[a] = 1;
    }
  }

  void write_mask(const ActionSet& set, std::uint8_t* row) const {
    int a = actions_ >= 64 ? 64 : actions_ >= 56 ? 56 : 0;  // so many at once, the others one by one
    if (a == 64) spread<64>(set[0], row);
    if (a == 56) spread<56>(set[0], row);
    for (; a < actions_; ++a) row[a] = (set[static_cast<std::size_t>(a / 64)] >> (a % 64)) & 1;
  }

  // Row b of the one of both arrays that is in use.
  void encode_row(const typename G::State& state, Seat s, int b, std::vector<float>& floats,
                  std::vector<std::uint8_t>& bytes) const {
    const std::size_t at = static_cast<std::size_t>(b) * features_, size = static_cast<std::size_t>(features_);
    if (bytes.empty())
      game_->encode(state, s, encoder_, std::span<float>(floats.data() + at, size));
    else
      encode_bytes(state, s, {bytes.data() + at, size});
  }

  void encode_bytes(const typename G::State& state, Seat s, std::span<std::uint8_t> out) const {
    if constexpr (EncodesBytes<G>) {
      game_->encode(state, s, encoder_, out);
    } else {
      thread_local std::vector<float> floats;
      floats.resize(out.size());
      game_->encode(state, s, encoder_, std::span<float>(floats));
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint8_t>(floats[i]);
    }
  }

  // Not by the mask: that is memory of the caller's, too, who may have written to it.
  bool is_legal(int b, Action a) const {
    const auto& legal = tables_[b].legal;
    if constexpr (LegalSet<G>)
      return (legal[a / 64] >> (a % 64)) & 1;
    else
      return std::binary_search(legal.begin(), legal.end(), a);
  }

  // Writes the ragged arrays: where each table's part begins is known only when all have moved.
  void lay_out() {
    if constexpr (!LegalSet<G>) lay_out_ragged();  // a game with such a set has a mask
  }
  void lay_out_ragged() {
    if (!ragged_) return;
    starts_.resize(offsets.size());  // `offsets` is memory of the caller's, too
    for (int b = 0; b < batch(); ++b) starts_[b + 1] = starts_[b] + tables_[b].legal.size();
    offsets = starts_;
    const auto width = static_cast<std::size_t>(action_features_);
    Ragged& out = ragged_actions_;
    out.size = static_cast<std::size_t>(starts_[batch()]);
    grow(out.ids, out.size);
    grow(out.features, out.size * width);
    over_tables(nullptr, [&](int b) {
      const Table& t = tables_[b];
      auto at = static_cast<std::size_t>(starts_[b]);
      for (Action a : t.legal) {
        (*out.ids)[at] = a;
        if constexpr (FeaturedActions<G>)
          game_->action_features(t.state, a, {out.features->data() + at * width, width});
        ++at;
      }
    });
  }

  template <class T>
  static void grow(std::shared_ptr<std::vector<T>>& buffer, std::size_t size) {
    if (buffer->size() < size) buffer = std::make_shared<std::vector<T>>(size + size / 2);
  }

  [[noreturn]] void throw_illegal(int b, std::int32_t a) const {
    typename G::Legal list;
    game_->legal(tables_[b].state, list);
    std::vector<std::string> legal;
    for (Action x : list) legal.push_back(std::to_string(x));
    throw BadInput("action " + std::to_string(a) + " is illegal at table " + std::to_string(b) +
                   "; legal: " + joined(legal));
  }

  std::shared_ptr<const G> game_;
  int encoder_, threads_;
  std::vector<std::shared_ptr<Agent<G>>> players_;
  std::vector<Table> tables_;
  std::vector<std::int64_t> starts_;
};

}  // namespace kibitz
