// What runs on several threads, for ThreadSanitizer: play-outs, matches, tables, searches, agents and rulesheets that
// threads share, and objects that refuse a second caller. Results that must not depend on threads are compared.
#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/exclusive.h"
#include "games/belote/rules_agent.h"
#include "games/doudizhu/rules_agent.h"
#include "games/gdl/gdl.h"
#include "games/tictactoe/tictactoe.h"
#include "games/uno/rules_agent.h"
#include "learn/q_learning.h"
#include "search/agents.h"
#include "tables/match.h"
#include "tables/playouts.h"
#include "tables/tables.h"

namespace kibitz {

namespace {

constexpr int kThreads = 4;
int failures = 0, checks = 0;

void check(bool ok, const std::string& what) {
  ++checks;
  if (ok) return;
  ++failures;
  std::printf("FAILED %s\n", what.c_str());
}

// f(0) to f(kThreads - 1), side by side.
template <class F>
void side_by_side(F&& f) {
  std::vector<std::thread> all;
  for (int i = 0; i < kThreads; ++i) all.emplace_back([&f, i] { f(i); });
  for (auto& t : all) t.join();
}

template <Game G>
std::shared_ptr<Agent<G>> agent(const G& game, const std::string& name, const Value::Object& options) {
  for (const auto& entry : all_agents(game))
    if (entry.name == name) return entry.make(game, options);
  return nullptr;
}

// Every search that the game has, with few iterations and several threads where it takes them.
template <Game G>
std::vector<std::shared_ptr<Agent<G>>> searchers(const G& game) {
  std::vector<std::shared_ptr<Agent<G>>> out;
  for (const char* name : {"mcs", "uct", "ismcts", "mo-ismcts", "pimc"})
    if (auto made = agent(game, name, {{"iterations", 12}, {"threads", kThreads}})) out.push_back(std::move(made));
  return out;
}

template <Game G>
void check_playouts(const G& game, const std::string& name) {
  constexpr std::int64_t kGames = 600;  // more than one piece of work
  const auto seats = static_cast<std::size_t>(game.info().seats);
  std::vector<std::uint32_t> one(kGames), many(kGames);
  std::vector<float> payoffs(kGames * seats), others(kGames * seats);
  playouts(game, kGames, 3, 1, nullptr, one.data(), payoffs.data());
  playouts(game, kGames, 3, kThreads, nullptr, many.data(), others.data());
  check(one == many && payoffs == others, name + ": play-outs on several threads");
}

template <Game G>
void check_match(const G& game, const std::vector<std::shared_ptr<Agent<G>>>& agents, std::int64_t deals,
                 const std::string& name) {
  const std::size_t n = agents.size(), size = static_cast<std::size_t>(deals) * n;
  std::vector<int> seats;
  for (std::size_t i = 0; i < n; ++i) seats.push_back(static_cast<int>(i));
  const auto played = [&](int threads) {
    std::vector<double> payoffs(size), seconds(size);
    std::vector<std::uint32_t> decisions(size), timed(size);
    native_match(game, agents, {seats}, 5, 0, deals, threads, nullptr,
                 {payoffs.data(), decisions.data(), seconds.data(), timed.data()});
    return std::make_pair(payoffs, decisions);
  };
  check(played(1) == played(kThreads), name + ": a match on several threads");
}

template <Game G>
void check_tables(const std::shared_ptr<G>& game, const std::string& name) {
  std::vector<std::shared_ptr<Agent<G>>> players(static_cast<std::size_t>(game->info().seats));
  if (players.size() > 1) players.back() = std::make_shared<RandomAgent<G>>();
  const auto chosen = agent(*game, "mcs", {{"iterations", 20}});
  const RandomAgent<G> random;
  Tables<G> one(game, 24, 0, players, 7, 1), many(game, 24, 0, players, 7, kThreads);
  for (Tables<G>* tables : {&one, &many}) tables->run(10, random, nullptr);
  std::vector<std::int32_t> first(24), second(24);
  one.advise(*chosen, 2, nullptr, first.data());
  many.advise(*chosen, 2, nullptr, second.data());
  check(one.obs == many.obs && one.seat == many.seat && first == second, name + ": tables on several threads");
  many.step(second.data());

  // Of callers that meet in one object all but one are refused, and it is whole afterwards.
  std::atomic<int> done{0}, refused{0};
  side_by_side([&](int i) {
    for (int k = 0; k < 8; ++k) try {
        if (i % 2)
          many.run(3, random, nullptr);
        else
          many.restore(many.save());
        ++done;
      } catch (const InUse&) {
        ++refused;
      }
  });
  check(done + refused == 8 * kThreads && done > 0, name + ": tables refuse a second caller");
  many.run(3, random, nullptr);
}

// One agent, one game, asked by several threads at once; each gets what it would get alone.
template <Game G>
void check_shared(const G& game, const std::string& name) {
  Rng deal(11);
  auto state = game.deal(deal);
  for (const auto& search : searchers(game)) {
    std::vector<int> best(kThreads);
    side_by_side([&](int i) {
      Rng rng(1);
      best[static_cast<std::size_t>(i)] =
          search->think(game, game.view(state, game.to_act(state)), rng, nullptr).best();
    });
    check(best == std::vector<int>(kThreads, best[0]), name + ": an agent that threads share");
  }
  // Stopped from outside.
  if (const auto slow = agent(game, "mcs", {{"iterations", 100'000'000}, {"threads", kThreads}})) {
    std::atomic<bool> stop{false};
    std::thread other([&] { stop = true; });
    Rng rng(1);
    const Thought thought = slow->think(game, game.view(state, game.to_act(state)), rng, &stop);
    other.join();
    check(thought.iterations < 100'000'000, name + ": a search that is stopped");
  }
  side_by_side([&](int i) {  // rules, views and worlds of one game object
    Rng rng(static_cast<std::uint64_t>(i));
    for (int k = 0; k < 2; ++k) {
      auto own = game.deal(rng);
      typename G::Legal list;
      for (int moves = 0; game.to_act(own) >= 0 && moves < 40; ++moves) {
        const Seat seat = game.to_act(own);
        auto world = game.sample(game.view(own, seat), rng);
        game.legal(world, list);
        game.text(list[0]);
        game.apply(own, random_of(list, rng));
      }
    }
  });
}

template <Game G>
void check_learner(const std::shared_ptr<G>& game, const std::string& name) {
  std::vector<std::shared_ptr<QLearner<G>>> learners;
  for (int i = 0; i < kThreads; ++i) learners.push_back(std::make_shared<QLearner<G>>(game, 1));
  const std::vector<double> epsilon(50, 0.5);
  const auto fallback = agent(*game, "mcs", {{"iterations", 10}});
  side_by_side([&](int i) {  // each its own, with a game and a fallback that they share
    std::vector<double> payoffs(50 * static_cast<std::size_t>(game->info().seats));
    learners[static_cast<std::size_t>(i)]->run(50, epsilon.data(), {0.1, 0.9, -1, true, true}, nullptr, fallback.get(),
                                               nullptr, payoffs.data());
  });
  check(learners[0]->tables[0].size() == learners[1]->tables[0].size(), name + ": learners side by side");
}

template <Game G>
void check_game(const Value::Object& options, std::int64_t deals) {
  const auto game = std::make_shared<G>(G::make(options));
  const std::string name = game->info().name;
  check_playouts(*game, name);
  std::vector<std::shared_ptr<Agent<G>>> agents;
  const auto random = std::make_shared<RandomAgent<G>>();
  for (int seat = 0; seat < game->info().seats; ++seat) agents.push_back(random);
  check_match(*game, agents, 40, name + ", random");
  for (const auto& search : searchers(*game)) {
    agents[0] = search;
    check_match(*game, agents, deals, name + ", search");
  }
  check_tables(game, name);
  check_shared(*game, name);
  check_learner(game, name);
}

}  // namespace

}  // namespace kibitz

int main() {
  using namespace kibitz;
  check_game<uno::Uno>({{"players", 2}, {"rules", "rlcard"}}, 1);
  check_game<belote::Belote>({{"cards", 12}}, 2);
  check_game<doudizhu::DouDiZhu>({}, 1);
  check_game<tictactoe::TicTacToe>({}, 4);
  check_game<gdl::Gdl>({{"file", "kuhn_poker"}, {"folder", KIBITZ_RULESHEETS}}, 4);
  check_game<gdl::Gdl>({{"file", "tictactoe"}, {"folder", KIBITZ_RULESHEETS}, {"engine", "prover"}}, 2);
  std::printf("%d passed, %d failed\n", checks - failures, failures);
  return failures > 0;
}
