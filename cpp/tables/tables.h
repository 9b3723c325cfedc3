// B games in lockstep, for learning: each step takes one action per table and leaves every table at the next decision
// of a learning seat. Opponents move inside; finished games report their payoff and are redealt in the same step.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "core/agent.h"
#include "core/parallel.h"

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
    mask.resize(static_cast<std::size_t>(batch) * actions_);
    payoff.resize(static_cast<std::size_t>(batch) * seats_);
    seat.resize(batch);
    acted.assign(batch, -1);
    done.assign(batch, 0);
    for (int b = 0; b < batch; ++b) {
      tables_[b].rng = Rng(mix(seed, static_cast<std::uint64_t>(b)));
      redeal(tables_[b], b);
      write(b);
    }
  }

  // One action per table, each legal there; BadInput otherwise, and then no table has moved.
  void step(const std::int32_t* actions) {
    for (int b = 0; b < batch(); ++b) {
      const std::int32_t a = actions[b];
      if (a < 0 || a >= actions_ || !mask[static_cast<std::size_t>(b) * actions_ + a]) throw_illegal(b, a);
    }
    over_tables([&](int b) { move(b, static_cast<Action>(actions[b])); });
  }

  // `steps` steps in which `agent` decides for the learners; all arrays are written in every step.
  void run(std::int64_t steps, const Agent<G>& agent) {
    over_tables([&](int b) {
      for (std::int64_t i = 0; i < steps; ++i) {
        Table& t = tables_[b];
        move(b, choose(*game_, t.state, game_->to_act(t.state), t.legal, agent, t.rng));
      }
    });
  }

  int batch() const { return static_cast<int>(tables_.size()); }
  int features() const { return features_; }
  int actions() const { return actions_; }
  int seats() const { return seats_; }

  // Shared with Python. payoff[b] is that of the game finished in the last step, where done[b]; else zero.
  std::vector<float> obs, payoff;
  std::vector<std::uint8_t> mask, done;
  std::vector<std::int32_t> seat, acted;

 private:
  struct Table {
    typename G::State state;
    typename G::Legal legal;
    Rng rng;  // deals, and the moves of the opponents
    std::uint32_t games = 0;
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
    std::uint8_t* row = mask.data() + static_cast<std::size_t>(b) * actions_;
    std::fill_n(row, actions_, std::uint8_t{0});
    for (Action a : t.legal) row[a] = 1;
  }

  [[noreturn]] void throw_illegal(int b, std::int32_t a) const {
    std::vector<std::string> legal;
    for (Action x : tables_[b].legal) legal.push_back(std::to_string(x));
    throw BadInput("action " + std::to_string(a) + " is illegal at table " + std::to_string(b) +
                   "; legal: " + joined(legal));
  }

  std::shared_ptr<G> game_;
  int encoder_, threads_, seats_, actions_, features_;
  std::vector<std::shared_ptr<Agent<G>>> players_;
  std::vector<Table> tables_;
};

}  // namespace kibitz
