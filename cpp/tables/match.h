// Whole matches between native agents without leaving C++.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "core/agent.h"
#include "core/parallel.h"
#include "core/seeds.h"

namespace kibitz {

// What a match writes, each [deal][seating][agent]; `actions`, where they are wanted, [deal][seating].
struct MatchArrays {
  double* payoffs;
  std::uint32_t* decisions;
  double* seconds;                 // on every kTimed-th deal, else 0: reading the clock costs as much as a move
  std::uint32_t* timed_decisions;  // how many decisions `seconds` is about
  std::vector<Action>* actions = nullptr;
};

inline constexpr std::int64_t kTimed = 16;

// What was played, for agents that draw conclusions from it, or where it is `wanted`; else nothing is kept.
template <Game G>
class Record {
 public:
  Record(const std::vector<std::shared_ptr<Agent<G>>>& agents, const typename G::State& start, bool wanted)
      : start_(start), kept_(wanted) {
    for (const auto& agent : agents) kept_ |= agent->remembers();
  }
  void add(Action action) {
    if (kept_) actions_.push_back(action);
  }
  Action decide(const G& game, const typename G::State& state, Seat seat, const typename G::Legal& list,
                const Agent<G>& agent, Rng& rng, const std::atomic<bool>* stop) const {
    if (!agent.remembers()) return choose(game, state, seat, list, agent, rng, stop);
    return agent.think_back(game, game.view(state, seat), {game.view(start_, seat), actions_}, rng, stop).best();
  }
  std::vector<Action> take() { return std::move(actions_); }

 private:
  typename G::State start_;
  std::vector<Action> actions_;
  bool kept_;
};

// One of the games of a match: deal d in seating k.
struct MatchGame {
  Seeds seeds;
  std::uint64_t d, k;
  bool timed;
};

// seating[agent] = seat. Agent streams depend on deal, seating and seat alone. Once `stop` is set the game ends anyhow:
// its result is not looked at.
template <Game G>
void play_one(const G& game, const std::vector<std::shared_ptr<Agent<G>>>& agents, const std::vector<int>& seating,
              const MatchGame& of, const std::atomic<bool>* stop, MatchArrays out) {
  const int n = static_cast<int>(agents.size());
  std::array<int, kMostSeats> agent_of;
  std::array<Rng, kMostSeats> streams;
  for (int a = 0; a < n; ++a) {
    const int seat = seating[static_cast<std::size_t>(a)];
    agent_of[seat] = a;
    streams[seat] = agent_stream(of.seeds.agent(of.d, of.k, static_cast<std::uint64_t>(seat)));
    out.decisions[a] = out.timed_decisions[a] = 0;
    out.seconds[a] = 0;
  }
  Rng rng(of.seeds.deal(of.d));
  auto state = game.deal(rng);
  Record<G> record(agents, state, out.actions != nullptr);
  typename G::Legal list;
  for (Seat seat; (seat = game.to_act(state)) >= 0;) {
    const int a = agent_of[seat];
    const Agent<G>& agent = *agents[static_cast<std::size_t>(a)];
    game.legal(state, list);
    ++out.decisions[a];
    if (agent.searches() && stop && stop->load(std::memory_order_relaxed)) return;
    Action action;
    if (of.timed) {
      const auto start = std::chrono::steady_clock::now();
      action = record.decide(game, state, seat, list, agent, streams[seat], stop);
      out.seconds[a] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      ++out.timed_decisions[a];
    } else {
      action = record.decide(game, state, seat, list, agent, streams[seat], stop);
    }
    record.add(action);
    game.apply(state, action);
  }
  Payoffs payoff;
  game.payoff(state, payoff);
  for (int a = 0; a < n; ++a) out.payoffs[a] = payoff[seating[static_cast<std::size_t>(a)]];
  if (out.actions) *out.actions = record.take();
}

// Deals first..first+deals-1, each under every seating.
template <Game G>
void native_match(const G& game, const std::vector<std::shared_ptr<Agent<G>>>& agents,
                  const std::vector<std::vector<int>>& seatings, std::uint64_t seed, std::int64_t first,
                  std::int64_t deals, int threads, const std::atomic<bool>* stop, MatchArrays out) {
  const std::int64_t n = static_cast<std::int64_t>(agents.size()), k = static_cast<std::int64_t>(seatings.size());
  bool slow = false;  // then a piece of work is one deal: nobody waits long for the last thread, or to be heard
  for (const auto& agent : agents) slow |= agent->searches();
  parallel(threads, deals, slow ? 1 : 8, stop, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t d = begin; d < end; ++d)
      for (std::int64_t j = 0; j < k; ++j) {
        const std::int64_t at = (d * k + j) * n;
        const MatchGame of{Seeds(seed), static_cast<std::uint64_t>(first + d), static_cast<std::uint64_t>(j),
                           slow || (first + d) % kTimed == 0};
        play_one(game, agents, seatings[static_cast<std::size_t>(j)], of, stop,
                 {out.payoffs + at, out.decisions + at, out.seconds + at, out.timed_decisions + at,
                  out.actions ? out.actions + d * k + j : nullptr});
      }
  });
}

}  // namespace kibitz
