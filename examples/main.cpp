// Drives the new game and the new search: the laws of the contract over random play, a search in pieces, and both by
// name, as the rest of Kibitz finds them. tests/test_examples_native.py compiles and runs it.
#include <cstdio>
#include <string>
#include <vector>

#include "any/game.h"
#include "eval/rollout.h"
#include "games/kuhn/kuhn.h"
#include "search/maximin.h"

namespace kibitz {
namespace {

int failures = 0;

void check(bool ok, const std::string& law) {
  if (!ok && ++failures <= 20) std::printf("FAILED: %s\n", law.c_str());
}

template <Game G>
std::vector<float> encoded(const G& game, const typename G::State& state, Seat seat) {
  std::vector<float> out(static_cast<std::size_t>(game.info().encoders[0].size()), -7);
  game.encode(state, seat, 0, out);
  return out;
}

// What must hold of a view, whoever is to act.
template <ListsWorlds G>
void check_view(const G& game, const typename G::State& state, Seat seat, Rng& rng) {
  const auto view = game.view(state, seat);
  const auto world = game.sample(view, rng);
  check(game.view(world, seat) == view, "a world looks like its view");
  check(game.key(game.view(world, seat)) == game.key(view), "equal views have equal keys");
  check(encoded(game, world, seat) == encoded(game, state, seat), "encode is a function of the view");
  check(game.from_view(game.position(view)) == view, "a view's position round-trips");
  typename G::Legal all, own;
  game.legal(state, all);
  game.legal(view, own);
  check(own.size() == (game.to_act(state) == seat ? all.size() : 0), "a view has the legal actions of its seat");

  double sum = 0;
  int drawn = 0, real = 0;
  Payoffs payoffs{}, others{};
  game.payoff(state, payoffs);
  game.each_world(view, [&](const auto& listed, double weight) {
    sum += weight;
    drawn += listed == world;
    real += listed == state;
    game.payoff(listed, others);
    check(payoffs == others, "the payoffs are the same in all worlds of a view");
  });
  check(drawn == 1 && real == 1, "each_world lists what sample draws, and the state itself, once");
  check(sum == game.worlds(view), "the weights add up to the number of worlds");
}

template <ListsWorlds G>
void check_game(const G& game, std::uint64_t seed) {
  Rng rng(seed);
  auto state = game.deal(rng);
  typename G::Legal list;
  for (;;) {
    check(game.from_position(game.position(state)) == state, "a position round-trips");
    for (int seat = 0; seat < game.info().seats; ++seat) check_view(game, state, static_cast<Seat>(seat), rng);
    game.legal(state, list);
    check(list.empty() == (game.to_act(state) == kOver), "legal is empty when the game is over, and only then");
    if (list.empty()) break;
    for (Action a : list) check(game.parse(game.text(a)) == a, "parse reads what text writes");
    game.apply(state, random_of(list, rng));
  }
  Payoffs payoffs{};
  game.payoff(state, payoffs);
  double sum = 0;
  for (int seat = 0; seat < game.info().seats; ++seat) sum += payoffs[static_cast<std::size_t>(seat)];
  check(sum == 0 && payoffs[0] != 0, "what one seat wins the other loses");
}

bool same(const Thought& a, const Thought& b) {
  bool out = a.iterations == b.iterations && a.opinions.size() == b.opinions.size();
  for (std::size_t i = 0; out && i < a.opinions.size(); ++i) {
    const Opinion &x = a.opinions[i], &y = b.opinions[i];
    out = x.action == y.action && x.value == y.value && x.visits == y.visits && x.share == y.share;
  }
  return out;
}

// The search in one go, and in pieces of all sizes.
void check_search(const kuhn::Kuhn& game) {
  Rng deal(1), one(2), two(2);
  const auto view = game.view(game.deal(deal), 0);
  using Maximin = MaximinSearch<kuhn::Kuhn>;
  const Rollout<kuhn::Kuhn> playouts;
  Maximin whole(game, view, 5, playouts, one), pieces(game, view, 5, playouts, two);
  whole.run({300, 0}, nullptr);
  for (std::int64_t n = 1; n <= 24; ++n) pieces.run({n, 0}, nullptr);
  check(whole.thought().iterations == 300, "it spends its effort");
  check(same(whole.thought(), pieces.thought()), "pieces give the thought of the whole");

  const std::atomic<bool> stop{true};
  Maximin stopped(game, view, 5, playouts, one);
  stopped.run({300, 0}, &stop);
  check(stopped.thought().iterations == 1, "it stops when it is told to, but says something");
}

Value json(const char* card, std::vector<const char*> played) {
  Value::List hands{card, Value(Value::Object{{"count", 1}})}, actions(played.begin(), played.end());
  return Value::Object{{"seat", 0}, {"hands", std::move(hands)}, {"played", std::move(actions)}};
}

// By their names. A queen that faces a bet loses to the king if it calls: the worst world says fold. A king calls.
void check_names() {
  const any::GamePtr game = any::make("kuhn", Value(Value::Object{}));
  const any::AgentPtr maximin = game->agent("maximin", Value(Value::Object{{"worlds", "all"}, {"iterations", 100}}));
  const auto said = [&](const char* card) {
    const any::ViewPtr view = game->from_view(json(card, {"pass", "bet"}));
    const auto search = maximin->begin(view.get(), Rng(5));
    search->run(std::nullopt);
    return search->thought();
  };
  const Thought queen = said("Q"), king = said("K");
  check(queen.opinions[0].value == -1 && queen.opinions[1].value == -2, "a call with the queen may cost 2");
  check(game->text(queen.best()) == "pass" && game->text(king.best()) == "bet", "maximin folds a queen, calls a king");

  constexpr int kDeals = 200;
  std::vector<double> payoffs(kDeals * 4), seconds(kDeals * 4);
  std::vector<std::uint32_t> decisions(kDeals * 4), timed(kDeals * 4);
  game->match({game->agent("expectimax", Value(Value::Object{})), maximin}, {{0, 1}, {1, 0}}, 1, 0, kDeals, 1, nullptr,
              {payoffs.data(), decisions.data(), seconds.data(), timed.data()});
  double sum = 0;
  for (std::size_t i = 0; i < payoffs.size(); i += 2) {
    check(payoffs[i] == -payoffs[i + 1] && decisions[i] > 0 && decisions[i + 1] > 0, "a match is played to the end");
    sum += payoffs[i];
  }
  std::printf("expectimax won %+.0f from maximin in %d games\n", sum, 2 * kDeals);
}

}  // namespace
}  // namespace kibitz

int main() {
  const auto game = kibitz::kuhn::Kuhn::make(kibitz::Value(kibitz::Value::Object{}));
  for (std::uint64_t seed = 0; seed < 200; ++seed) kibitz::check_game(game, seed);
  kibitz::check_search(game);
  kibitz::check_names();
  if (kibitz::failures == 0) std::printf("ok\n");
  return kibitz::failures == 0 ? 0 : 1;
}
