// The laws of core/game.h over random play of every game, under sanitizers.
//
//   kibitz_tests             all laws, every game and rule set
//   kibitz_tests conserve N  N random games per rule set and number of players: cards conserved, every game ends
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "core/agent.h"
#include "core/game.h"
#include "core/seeds.h"
#include "games/belote/rules_agent.h"
#include "games/connect_four/connect_four.h"
#include "games/doudizhu/rules_agent.h"
#include "games/gdl/gdl.h"
#include "games/hex/hex.h"
#include "games/mini_doudizhu/mini_doudizhu.h"
#include "games/tictactoe/tictactoe.h"
#include "games/uno/rules_agent.h"
#include "learn/q_learning.h"
#include "search/agents.h"
#include "search/card_odds.h"
#include "search/solver.h"
#include "search/waves.h"
#include "tables/match.h"
#include "tables/playouts.h"
#include "tables/tables.h"

namespace kibitz {

int misread_nets();       // net_test.cpp
int wrong_perceptrons();  // perceptron_test.cpp

namespace {

int failures = 0, checks = 0;

void check(bool ok, const char* law, const std::string& where) {
  ++checks;
  if (ok) return;
  if (++failures <= 20) std::printf("FAILED %s: %s\n", where.c_str(), law);
}

// What a state must keep besides the laws; a game with cards overloads it.
template <class State>
bool conserved(const State&) {
  return true;
}

bool conserved(const uno::State& s) {
  int count[60] = {}, total = 0;
  const auto see = [&](uno::Card c) {
    ++count[c];
    ++total;
  };
  for (const auto& hand : s.hands) hand.each(see);
  for (int i = 0; i < s.pile; ++i) see(s.cards[i]);
  for (int i = uno::kCards - s.discards; i < uno::kCards; ++i) see(s.cards[i]);
  bool ok = total == uno::kCards;
  for (int seat = 0; seat < uno::kMaxSeats; ++seat) ok &= s.hands[seat].size() == s.counts[seat];
  for (int c = 0; c < 60; ++c) ok &= count[c] == ((c % 15 < 13 || c < 15) ? uno::copies(c) : 0);
  return ok;
}

bool conserved(const belote::State& s) {
  belote::Cards seen = 0;
  int total = 0;
  const auto see = [&](belote::Cards cards) {
    seen |= cards;
    total += std::popcount(cards);
  };
  for (int seat = 0; seat < belote::kSeats; ++seat) {
    see(s.hands[seat]);
    see(s.played[seat]);
    if (s.hands[seat] & s.barred[seat]) return false;
  }
  if (s.trump == belote::kNoSuit) {
    see(belote::one(s.turned));
    if (s.phase == belote::Phase::kOver) return total == 21 && std::popcount(seen) == 21;
    for (belote::Card c : s.talon) see(belote::one(c));
  }
  return std::popcount(seen) == total && (total == 32 || seen == belote::kTwelve);
}

bool conserved(const doudizhu::State& s) {
  int total[doudizhu::kRanks] = {};
  const auto see = [&](Bits cards) {
    for (int r = 0; r < doudizhu::kRanks; ++r) total[r] += doudizhu::count_of(cards, r);
  };
  bool ok = true;
  for (int i = 0; i < doudizhu::kSeats; ++i) {
    see(s.hands[i]);
    see(s.played[i]);
    ok &= doudizhu::size_of(s.hands[i]) == s.counts[i];
  }
  if (s.landlord == doudizhu::State::kNobody) see(s.talon);
  for (int r = 0; r < doudizhu::kRanks; ++r) ok &= total[r] == doudizhu::count_of(doudizhu::kDeck, r);
  return ok;
}

bool conserved(const mini_doudizhu::State& s) {
  using namespace mini_doudizhu;
  bool ok = true;
  for (int rank = 0; rank < kRanks; ++rank) {
    int n = 0;
    for (Hand h : {s.hands[0], s.hands[1], s.played[0], s.played[1]}) n += count(h, rank);
    ok &= n <= copies(rank);
  }
  for (int seat = 0; seat < 2; ++seat) {
    int held = 0, played = 0;
    for (int rank = 0; rank < kRanks; ++rank) {
      held += count(s.hands[seat], rank);
      played += count(s.played[seat], rank);
    }
    ok &= held == s.counts[seat] && held + played == kHandSize;
  }
  return ok;
}

template <Game G>
std::vector<float> encoded(const G& game, const typename G::State& s, Seat seat, int encoder) {
  std::vector<float> out(game.info().encoders[encoder].size(), -7);
  game.encode(s, seat, encoder, out);
  return out;
}

template <Game G>
void check_legal(const G& game, const typename G::State& s, const typename G::Legal& list, const std::string& where) {
  check(!list.empty(), "legal is never empty while the game runs", where);
  for (int i = 0; i + 1 < list.size(); ++i) check(list[i] < list[i + 1], "legal ascends", where);
  typename G::Legal from_view;
  for (int seat = 0; seat < game.info().seats; ++seat) {
    game.legal(game.view(s, seat), from_view);
    const bool acts = seat == game.to_act(s);
    bool same = from_view.size() == (acts ? list.size() : 0);
    for (int i = 0; same && i < from_view.size(); ++i) same = from_view[i] == list[i];
    check(same, "legal(view) agrees with legal(state)", where);
  }
  for (Action a : list) check(game.parse(game.text(a)) == a, "parse(text(a)) == a", where);
  Rng one(17), two(17);
  check(random_legal(game, s, one) == random_of(list, two) && one == two, "random_legal picks from legal", where);
}

// What hooks write in another form says the same.
template <Game G>
void check_fast_forms(const G& game, const typename G::State& s, const typename G::Legal& list,
                      const std::string& where) {
  if constexpr (LegalSet<G>) {
    ActionSet bits{};
    for (Action a : list) bits[a / 64] |= bit(a % 64);
    check(game.legal_set(s) == bits, "legal_set has what legal lists", where);
  }
  if constexpr (EncodesBytes<G>)
    for (std::size_t e = 0; e < game.info().encoders.size(); ++e) {
      if (!game.info().encoders[e].binary) continue;
      std::vector<std::uint8_t> bytes(game.info().encoders[e].size(), 7);
      game.encode(s, game.to_act(s), e, bytes);
      const auto floats = encoded(game, s, game.to_act(s), e);
      check(std::equal(bytes.begin(), bytes.end(), floats.begin(), floats.end()), "bytes are the floats", where);
    }
}

// A world can be played to its end, and the fast way there is the way of apply.
template <Game G>
void check_playout(const G& game, const typename G::State& world, Rng& rng, const std::string& where) {
  auto slow = world, fast = world;
  Rng again = rng;
  std::vector<double> one(game.info().seats), two = one;
  const auto decisions = play_randomly(game, slow, rng);
  check(playout(game, fast, again) == decisions && again == rng, "playout makes the decisions of random play", where);
  game.payoff(slow, one);
  game.payoff(fast, two);
  check(one == two, "playout ends with the payoffs of random play", where);
  check(conserved(slow) && conserved(fast), "a world conserves its cards", where);
}

// Where there are few worlds, all of them.
template <Game G>
void check_all_worlds(const G& game, const typename G::View& view, const typename G::State& s,
                      const std::string& where) {
  double expected = 1, sum = 0;
  if constexpr (CountsWorlds<G>) expected = game.worlds(view);
  if (expected > 500) return;
  int true_ones = 0;
  game.each_world(view, [&](const auto& world, double weight) {
    check(game.view(world, view.seat) == view, "every world fits the view", where);
    true_ones += world == s;
    sum += weight;
  });
  check(sum == expected, "the worlds weigh what they should", where);
  check(true_ones == 1, "the true state is one of the worlds", where);
}

template <Game G>
void check_worlds(const G& game, const typename G::State& s, Rng& rng, const std::string& where) {
  for (int i = 0; i < game.info().seats; ++i) {
    const Seat seat = i;
    const auto view = game.view(s, seat);
    const auto world = game.sample(view, rng);
    const auto again = game.view(world, seat);
    check(again == view, "view(sample(v)) == v", where);
    check(game.key(again) == game.key(view), "equal views, equal keys", where);
    check(conserved(world), "a world has all the cards", where);
    const auto& encoders = game.info().encoders;
    for (std::size_t e = 0; e < encoders.size(); ++e)
      if (!encoders[e].peeks)
        check(encoded(game, s, seat, e) == encoded(game, world, seat, e), "encode is a function of the view", where);
    const auto json = game.position(view);
    check(game.from_view(json) == view, "a view's position round-trips", where);
    check_playout(game, world, rng, where);
    if constexpr (ListsWorlds<G>) check_all_worlds(game, view, s, where);
  }
}

// Spectators see what follows from the view of any seat, and nothing else.
template <Game G>
void check_public(const G& game, const typename G::State& s, Rng& rng, const std::string& where) {
  const auto shown = game.view(s, kPublic);
  typename G::Legal list;
  game.legal(shown, list);
  check(shown.seat == kPublic && list.empty(), "nothing is legal in a public view", where);
  check(game.to_act(shown.known) == game.to_act(s), "a public view says whose turn it is", where);
  check(game.from_view(game.position(shown)) == shown, "a public view's position round-trips", where);
  for (int i = 0; i < game.info().seats; ++i) {
    const auto view = game.view(s, static_cast<Seat>(i));
    check(game.view(view.known, kPublic) == shown, "a public view follows from the view of any seat", where);
    const auto again = game.view(game.sample(view, rng), kPublic);
    check(again == shown && game.key(again) == game.key(shown), "all worlds of a seat have one public view", where);
    check(game.picture(again) == game.picture(shown), "which looks the same", where);
  }
}

// A world traced back to the beginning, or to any earlier state, leads to itself again by what was played since.
template <TellsOrigins G>
void check_origins(const G& game, const std::vector<typename G::State>& states, const std::vector<Action>& actions,
                   Rng& rng, const std::string& where) {
  const std::uint32_t n = states.size();
  const std::uint32_t from = rng.below(2) ? 0 : rng.below(n);
  for (int i = 0; i < game.info().seats; ++i) {
    const Seat seat = i;
    const auto world = game.sample(game.view(states.back(), seat), rng);
    const auto start = game.view(states[from], seat);
    auto [origin, weight] = game.origin(world, start, rng);
    check(weight > 0, "a world has a beginning", where);
    check(game.view(origin, seat) == start, "it looks as it did", where);
    bool legal = true;
    typename G::Legal list;
    for (std::size_t a = from; legal && a < actions.size(); ++a) {
      game.legal(origin, list);
      legal = list.contains(actions[a]);
      if (legal) game.apply(origin, actions[a]);
    }
    check(legal && origin == world, "and leads to the world", where);
  }
}

// A game's own players act in a world as they would on their view of it.
template <Game G>
void check_policies(const G& game, const typename G::State& s, const typename G::Legal& list,
                    const std::string& where) {
  if constexpr (NamesAgents<G>)
    for (const auto& named : named_agents(game)) {
      const auto agent = named.make(game, Value(Value::Object{}));
      const Seat seat = game.to_act(s);
      Rng one(3), two(3);
      check(agent->act_within(game, s, seat, list, one) == agent->act(game, game.view(s, seat), two),
            "players look at their view alone", where);
    }
}

// The hands of a position: each a list of cards, or a text with a letter for each; {"count": n} where it is hidden.
std::vector<HeldCards> hands_in(const Value& position) {
  std::vector<HeldCards> out;
  for (const Value& hand : position.find("hands")->list("hands")) {
    HeldCards& held = out.emplace_back();
    held.hidden = hand.get<Value::Object>() != nullptr;
    if (const auto* text = hand.get<std::string>())
      for (char letter : *text) held.cards.emplace_back(1, letter);
    if (const auto* cards = hand.get<Value::List>())
      for (const Value& card : *cards) held.cards.push_back(card.string("a card"));
  }
  return out;
}

template <Game G>
void check_hands(const G& game, const typename G::State& s, const std::string& where) {
  if constexpr (ShowsHands<G>) {
    check(game.hands(s) == hands_in(game.position(s)), "hands are those of the position", where);
    for (int seat = kPublic; seat < game.info().seats; ++seat) {
      const auto view = game.view(s, static_cast<Seat>(seat));
      check(game.hands(view) == hands_in(game.position(view)), "and so are those of a view", where);
    }
  } else {
    check(!game.position(s).find("hands"), "a game whose positions have hands has the hook", where);
  }
}

// What card_odds tells, counted in positions.
template <ShowsHands G>
CardOdds counted_odds(const G& game, const typename G::View& view, int worlds, std::uint64_t start) {
  const auto shown = hands_in(game.position(view));
  std::set<std::string> about;
  std::vector<std::multiset<std::string>> held(shown.size());
  for (int i = 0; i < worlds; ++i) {
    Rng rng = sample_stream(mix(start, i));
    const auto hands = hands_in(game.position(game.sample(view, rng)));
    for (std::size_t seat = 0; seat < hands.size(); ++seat) {
      if (!shown[seat].hidden) continue;
      const std::set<std::string> cards(hands[seat].cards.begin(), hands[seat].cards.end());
      held[seat].insert(cards.begin(), cards.end());
      about.insert(cards.begin(), cards.end());
    }
  }
  CardOdds out;
  for (std::size_t seat = 0; seat < shown.size(); ++seat) {
    if (!shown[seat].hidden) continue;
    auto& odds = out.emplace_back(seat, CardOdds::value_type::second_type{}).second;
    for (const auto& card : about) odds.emplace_back(card, held[seat].count(card) / static_cast<double>(worlds));
  }
  return out;
}

template <ShowsHands G>
void check_card_odds(const G& game, const typename G::State& s, const std::string& where) {
  const auto view = game.view(s, game.to_act(s));
  check(card_odds(game, view, 5) == counted_odds(game, view, 5, game.key(view)), "card odds are shares", where);
  check(card_odds(game, view, 3, 9) == counted_odds(game, view, 3, 9), "and have their seed", where);
}

// All laws of a running game; `states` and `actions`: how it came there.
template <Game G>
void check_running(const G& game, const std::vector<typename G::State>& states, const std::vector<Action>& actions,
                   const typename G::Legal& list, Rng& rng, const std::string& where) {
  const auto& s = states.back();
  check_legal(game, s, list, where);
  check_fast_forms(game, s, list, where);
  check_worlds(game, s, rng, where);
  check_public(game, s, rng, where);
  check_policies(game, s, list, where);
  check_hands(game, s, where);
  if constexpr (TellsOrigins<G>) check_origins(game, states, actions, rng, where);
  if constexpr (ShowsHands<G>)
    if (actions.size() % 16 == 0) check_card_odds(game, s, where);  // sixteen worlds each time
  check(game.from_position(game.position(s)) == s, "position round-trips", where);
  check(conserved(s), "cards are conserved", where);
  std::vector<double> payoff(game.info().seats);
  game.payoff(s, payoff);
  for (double p : payoff) check(p == 0, "no payoff while the game runs", where);
}

template <Game G>
void check_end(const G& game, const typename G::State& s, Rng& rng, const std::string& where) {
  typename G::Legal list;
  game.legal(s, list);
  check(list.empty(), "nothing is legal once it is over", where);
  std::vector<double> payoff(game.info().seats);
  game.payoff(s, payoff);
  double sum = 0;
  for (double p : payoff) {
    sum += p;
    check(p >= game.info().low && p <= game.info().high, "payoffs keep their range", where);
  }
  check(!game.info().zero_sum || std::abs(sum) < 1e-9, "payoffs sum to zero", where);
  check(game.from_position(game.position(s)) == s, "a final position round-trips", where);
  check_public(game, s, rng, where);
  check_hands(game, s, where);
}

template <Game G>
void check_game(const G& game, const std::string& where, int games) {
  for (int g = 0; g < games; ++g) {
    const std::uint64_t seed = mix(7, g);
    Rng deal(seed), choice(seed + 1);
    auto s = game.deal(deal);
    std::vector<Action> actions;
    std::vector<typename G::State> states;
    typename G::Legal list;
    while (game.to_act(s) >= 0) {
      game.legal(s, list);
      states.push_back(s);
      const bool look = choice.below(8) == 0;  // everything at every state would take too long under sanitizers
      if (look) check_running(game, states, actions, list, choice, where);
      actions.push_back(list[choice.below(list.size())]);
      game.apply(s, actions.back());
      if (actions.size() > 400 && look) break;  // long random games repeat themselves
    }
    if (game.to_act(s) == kOver) check_end(game, s, choice, where);
    Rng same(seed);
    auto replay = game.deal(same);
    for (Action a : actions) game.apply(replay, a);
    check(replay == s, "seed and actions replay to the same state", where);
  }
}

template <Game G>
void check_tables(const G& game, const std::string& where) {
  auto shared = std::make_shared<G>(game);
  std::vector<std::shared_ptr<Agent<G>>> players(game.info().seats);
  for (std::size_t i = 1; i < players.size(); ++i) players[i] = std::make_shared<RandomAgent<G>>();
  for (std::size_t e = 0; e < game.info().encoders.size(); ++e) {
    Tables<G> one(shared, 8, e, players, 5, 1), two(shared, 8, e, players, 5, 2);
    const auto same = [&] {
      const auto a = one.ragged_actions(), b = two.ragged_actions();
      return one.obs == two.obs && one.mask == two.mask && one.payoff == two.payoff && one.seat == two.seat &&
             one.offsets == two.offsets && *a.ids == *b.ids && *a.features == *b.features;
    };
    one.run(300, RandomAgent<G>(), nullptr);
    two.run(300, RandomAgent<G>(), nullptr);
    check(same(), "tables do not depend on the number of threads", where);
    Tables<G> later(shared, 8, e, players, 6, 1);
    later.restore(two.save());
    for (Tables<G>* tables : {&one, &later}) tables->run(50, RandomAgent<G>(), nullptr);
    two.run(50, RandomAgent<G>(), nullptr);
    check(same() && one.obs == later.obs && one.payoff == later.payoff, "saved tables go on as if they had not been",
          where);
  }
}

// Random play until `small` says that the rest can be searched, then all that a solver promises.
template <Solvable G, class F>
void check_solver(const G& game, const std::string& where, int games, F&& small) {
  for (int g = 0; g < games; ++g) {
    Rng rng(mix(11, g));
    auto s = game.deal(rng);
    for (std::uint32_t more = rng.below(4); game.to_act(s) >= 0 && (!small(s) || more-- > 0);)
      game.apply(s, random_legal(game, s, rng));
    if (game.to_act(s) < 0) continue;
    SolverSettings settings;
    settings.all = true;
    const Solution exact = solve(game, s, settings, nullptr);
    check(exact.complete && exact.value.exact(), "small states are solved", where);
    for (const Bounds& b : exact.values) check(b.exact() && b.low <= exact.value.low, "so are all actions", where);
    settings.all = false;
    for (std::uint64_t nodes : {1, 20, 300}) {
      settings.nodes = nodes;
      const Solution cut = solve(game, s, settings, nullptr);
      check(cut.nodes <= nodes, "the budget holds", where);
      const Bounds b = cut.value;
      check(b.low <= exact.value.low && exact.value.low <= b.high, "bounds contain the value", where);
    }
    settings = SolverSettings{};
    settings.table = 16;
    const Bounds b = solve(game, s, settings, nullptr).value;
    check(b.exact() && b.low == exact.value.low, "a full table does not change the value", where);
  }
}

std::string label(const GameInfo& info) {
  std::string out = info.name;
  for (const auto& [name, value] : *info.options.get<Value::Object>()) out += " " + name + "=" + value.describe();
  return out;
}

// Every search of the game says something of every legal action, a little way into a game.
template <Game G>
void check_searches(const G& game, const std::string& where) {
  Rng rng(5);
  auto s = game.deal(rng);
  for (int i = 0; i < 6 && game.to_act(s) >= 0; ++i) {
    auto before = s;
    game.apply(s, random_legal(game, s, rng));
    if (game.to_act(s) < 0) s = before;
  }
  typename G::Legal list;
  game.legal(s, list);
  for (const auto& named : search_agents(game)) {
    const std::string name = named.name;
    if (name == "value-mcts") continue;  // needs a network
    const bool solves = name.find("minimax") != std::string::npos || name == "solver-pimc" || name == "expectimax";
    const Value::Object few{{"iterations", 12}}, small{{"nodes", 300}};
    const auto agent = named.make(game, Value(solves ? small : few));
    const Seat seat = game.to_act(s);
    const auto view = agent->peeks() ? typename G::View{s, seat} : game.view(s, seat);
    Thought thought;
    try {
      thought = agent->think(game, view, rng, nullptr);
    } catch (const BadInput&) {
      check(solves, "only what would be hopeless is refused", where);
      continue;
    }
    double shares = 0;
    for (const auto& o : thought.opinions) shares += o.share;
    check(static_cast<int>(thought.opinions.size()) == list.size(), "a thought is about the legal actions", where);
    check(std::abs(shares - 1) < 1e-9 && list.contains(thought.best()), "shares sum to 1", where);
  }
}

// Searches whose leaves are valued outside, here as worth nothing, spend their iterations to the last.
template <Game G>
void check_waves(const G& game, const std::string& where) {
  Rng rng(6);
  const auto state = game.deal(rng);
  const Seat seat = game.to_act(state);
  const Value::Object options{
      {"iterations", 50}, {"wave", 8}, {"encoder", game.info().encoders[0].name}, {"output", "values"}};
  for (const std::string name : {"ismcts", "pimc", game.info().hidden ? "cheat-uct" : "uct"}) {
    const WaveSettings settings = read_waves(game, name, options);
    const auto view = settings.peeks ? typename G::View{state, seat} : game.view(state, seat);
    WaveSearch<G> search(game, view, settings, rng);
    std::vector<float> features, rows;
    std::vector<std::int32_t> seats;
    while (search.select()) {
      features.resize(search.waiting() * game.info().encoders[0].size());
      seats.resize(search.waiting());
      search.show(features.data(), seats.data());
      rows.assign(search.waiting() * game.info().seats, 0);
      search.answer(rows.data());
    }
    const Thought thought = search.thought();
    check(thought.opinions.size() == 1 || thought.iterations == 50, "waves spend their iterations", where + " " + name);
  }
}

// Tables are learnt from the first match on, cut or uncut the same, and play legal actions.
template <Game G>
void check_learning(const G& made, const std::string& where) {
  const auto game = std::make_shared<G>(made);
  const std::size_t seats = game->info().seats;
  const RandomAgent<G> random;
  QSettings settings;
  settings.waiting = true;
  const std::vector<double> epsilon(6, 0.5);
  std::vector<double> payoffs(6 * seats), again(6 * seats);
  QLearner<G> whole(game, 9), cut(game, 9);
  whole.run(6, epsilon.data(), settings, nullptr, nullptr, nullptr, payoffs.data());
  cut.run(2, epsilon.data(), settings, nullptr, nullptr, nullptr, again.data());
  cut.run(4, epsilon.data(), settings, nullptr, nullptr, nullptr, again.data() + 2 * seats);
  check(payoffs == again, "a learner that was cut goes on the same", where);
  check(whole.tables[0].size() > 0, "something is learnt", where);
  whole.run(2, epsilon.data(), settings, &random, &random, nullptr, again.data());
  const QAgent<G> agent(whole.tables, nullptr);
  Rng rng(3);
  const auto state = game->deal(rng);
  typename G::Legal list;
  game->legal(state, list);
  check(list.contains(agent.act(*game, game->view(state, game->to_act(state)), rng)), "tables play legally", where);
}

// Runs all laws over one game with each set of options.
template <Game G>
void check_variants(const std::vector<Value::Object>& variants, int games) {
  for (const auto& options : variants) {
    const G game = G::make(options);
    check_game(game, label(game.info()), games);
    check_tables(game, label(game.info()));
    check_searches(game, label(game.info()));
    check_waves(game, label(game.info()));
    check_learning(game, label(game.info()));
  }
}

// Every rule set with 2, 3 and 10 players, and all house rules at once.
std::vector<Value::Object> uno_variants() {
  std::vector<Value::Object> out;
  for (int players : {2, 3, 10}) {
    out.push_back({{"players", players}, {"rules", "rlcard"}});
    out.push_back({{"players", players}});
    out.push_back({{"players", players}, {"uno_call", "decision"}, {"scoring", "points"}});
    Value::Object all{{"players", players}, {"uno_call", "decision"}, {"opening_wild", "back"}, {"scoring", "points"}};
    for (const char* flag : {"stacking", "draw_until", "seven_zero"}) {
      out.push_back({{"players", players}, {flag, true}});
      all.emplace_back(flag, true);
    }
    out.push_back(all);
  }
  return out;
}

std::vector<Value::Object> belote_variants() {
  std::vector<Value::Object> out;
  for (int cards : {32, 12}) {
    out.push_back({{"cards", cards}});
    out.push_back({{"cards", cards}, {"discard", true}, {"trump", "random"}, {"scoring", "win"}});
    out.push_back({{"cards", cards}, {"rules", "olech"}});
    out.push_back({{"cards", cards}, {"rules", "olech"}, {"trumping", "strict"}, {"scoring", "difference"}});
  }
  out.push_back({{"bidding", true}});
  out.push_back({{"bidding", true}, {"discard", true}, {"scoring", "difference"}});
  return out;
}

std::vector<Value::Object> doudizhu_variants() {
  return {{{"rules", "rlcard"}},
          {{"joker_kickers", "both"}, {"scoring", "adp"}},
          {{"landlord", "random"}, {"kickers", "separate"}},
          {{"landlord", "strongest"}},
          {{"bidding", true}, {"landlord", "random"}, {"scoring", "adp"}},
          {{"bidding", true}, {"kickers", "separate"}, {"joker_kickers", "both"}}};
}

// One word, one word to the last bit, two words, columns across both words, and the smallest.
std::vector<Value::Object> board_sizes() {
  std::vector<Value::Object> out{{}};
  for (auto [rows, columns] : {std::pair{1, 1}, {4, 4}, {7, 8}, {8, 8}, {10, 11}, {5, 20}, {20, 6}})
    out.push_back({{"rows", rows}, {"columns", columns}});
  return out;
}

std::vector<Value::Object> hex_variants(std::initializer_list<int> sizes) {
  std::vector<Value::Object> out;
  for (int size : sizes)
    for (bool swap : {false, true}) out.push_back({{"size", size}, {"swap", swap}});
  return out;
}

// Both engines, with and without hidden information, cycles in the network, and a game for one.
std::vector<Value::Object> rulesheets() {
  const char* puzzle =
      "(role r) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4) (legal r stay) (<= (legal r go) (true (at ?x)))"
      "(<= (next (at ?y)) (does r go) (true (at ?x)) (succ ?x ?y)) (<= (next (at ?x)) (does r stay) (true (at ?x)))"
      "(<= terminal (true (at 4))) (<= (goal r 100) (true (at 4)))";
  const char* three =
      "(role a) (role b) (role c) (n 1) (n 2) (n 3) (<= (legal ?p (say ?x)) (role ?p) (n ?x) (not (true (said ?p ?x))))"
      "(<= (next (said ?p ?x)) (does ?p (say ?x))) (<= (next (said ?p ?x)) (true (said ?p ?x)))"
      "(<= terminal (true (said a ?x)) (true (said a ?y)) (distinct ?x ?y)) (<= (goal ?p 50) (true (said ?p 1)))";
  std::vector<Value::Object> out{{{"text", puzzle}, {"turns", 40}}, {{"text", three}}};
  for (const char* file : {"tictactoe", "connect_four", "hex_3", "monty_hall", "kuhn_poker", "blind_tictactoe"})
    out.push_back({{"file", file}, {"folder", KIBITZ_RULESHEETS}});
  for (const char* file : {"hex_3", "kuhn_poker"})
    out.push_back({{"file", file}, {"folder", KIBITZ_RULESHEETS}, {"engine", "prover"}});
  return out;
}

// A solver that is told to stop (Ctrl-C) gives up at once, and what it says is still true: some value within bounds.
template <class G>
void check_stopping(const G& game, const std::string& where) {
  const std::atomic<bool> stop{true};
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Rng rng(seed);
    const auto s = game.deal(rng);
    const Solution cut = solve(game, s, {}, &stop);
    check(!cut.complete, "a stopped solver says so", where);
    check(cut.nodes <= 2048, "a stopped solver stops", where);
    check(cut.value.low <= cut.value.high, "a stopped solver has bounds", where);
  }
}

void check_solvers() {
  const auto at_once = [](const auto&) { return true; };
  check_solver(tictactoe::TicTacToe(3), "solving tictactoe", 20, at_once);
  check_solver(connect_four::ConnectFour(3, 4), "solving connect_four", 20, at_once);
  check_solver(hex::Hex(3, true), "solving hex", 20, at_once);
  check_solver(mini_doudizhu::MiniDouDiZhu(), "solving mini_doudizhu", 20, at_once);
  check_stopping(belote::Belote::make(Value::Object{}), "stopping belote");
  check_stopping(connect_four::ConnectFour(6, 7), "stopping connect_four");
  check_stopping(doudizhu::DouDiZhu::make(Value::Object{}), "stopping doudizhu");
  check_solver(belote::Belote::make(Value::Object{{"cards", 12}}), "solving belote", 20, at_once);
  for (const auto& options : doudizhu_variants())
    check_solver(doudizhu::DouDiZhu::make(options), "solving doudizhu", 10, [](const doudizhu::State& s) {
      return s.phase != doudizhu::Phase::kBid && s.counts[0] + s.counts[1] + s.counts[2] <= 12;
    });
}

// No card is lost from the deal to the end, and every game ends by itself.
void conserve(std::int64_t games) {
  for (const char* rules : {"official", "rlcard"})
    for (int players = 2; players <= 10; ++players) {
      const auto game = uno::Uno::make(Value::Object{{"players", players}, {"rules", rules}});
      std::atomic<std::int64_t> bad{0}, draws{0}, capped{0}, longest{0};
      parallel(2, games, 64, nullptr, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          Rng rng(mix(1, i));
          auto s = game.deal(rng);
          const std::int64_t n = play_randomly(game, s, rng);
          if (!conserved(s)) ++bad;
          if (s.winner == uno::State::kNobody) ++draws;
          if (s.last.number >= uno::Uno::kMaxReshuffles) ++capped;
          for (std::int64_t was = longest; was < n && !longest.compare_exchange_weak(was, n);) {
          }
        }
      });
      std::printf(
          "uno %s, %d players: %lld games, %lld not conserved, longest %lld decisions, %lld draws (%lld at the "
          "bound)\n",
          rules, players, static_cast<long long>(games), static_cast<long long>(bad.load()),
          static_cast<long long>(longest.load()), static_cast<long long>(draws.load()),
          static_cast<long long>(capped.load()));
      std::fflush(stdout);
      check(bad == 0, "cards are conserved", label(game.info()));
    }
}

}  // namespace

// The reference values of SipHash-2-4, with its usual key of the bytes 0 to 15 and messages of the bytes 0, 1, 2, ...
constexpr std::uint64_t kKey0 = 0x0706050403020100ULL, kKey1 = 0x0f0e0d0c0b0a0908ULL;
static_assert(siphash<0>(kKey0, kKey1, {}) == 0x726fdb47dd0e0e31ULL);
static_assert(siphash<1>(kKey0, kKey1, {kKey0}) == 0x93f5f5799a932462ULL);
static_assert(siphash<2>(kKey0, kKey1, {kKey0, kKey1}) == 0x3f2acc7f57c29bdbULL);
static_assert(siphash<4>(kKey0, kKey1, {kKey0, kKey1, 0x1716151413121110ULL, 0x1f1e1d1c1b1a1918ULL}) ==
              0x7127512f72f27cceULL);

// Bits drawn together are those drawn one by one.
void check_random_bits() {
  Rng words(1);
  for (int tries = 0; tries < 2'000; ++tries) {
    const Bits from = words.next() & (tries % 2 ? words.next() : ~Bits{0}) & (tries % 3 ? ~Bits{0} : 0xffff'ffff);
    const int n = words.below(count_bits(from) + 1);
    Rng together(tries), alone = together;
    Bits left = from;
    for (int i = 0; i < n; ++i) left &= ~bit(random_bit(left, alone));
    check(random_bits(from, n, together) == (from & ~left) && together == alone, "random bits", "bits");
  }
}

}  // namespace kibitz

int main(int argc, char** argv) {
  using namespace kibitz;
  if (argc == 3 && std::strcmp(argv[1], "conserve") == 0) {
    conserve(std::atoll(argv[2]));
  } else {
    check_variants<uno::Uno>(uno_variants(), 12);
    check_variants<belote::Belote>(belote_variants(), 100);
    check_variants<doudizhu::DouDiZhu>(doudizhu_variants(), 40);
    check_variants<tictactoe::TicTacToe>({{}, {{"size", 4}}, {{"size", 5}}}, 50);
    check_variants<connect_four::ConnectFour>(board_sizes(), 25);
    check_variants<hex::Hex>(hex_variants({2, 3, 8}), 25);
    check_variants<hex::Hex>(hex_variants({9, 19}), 3);
    check_variants<mini_doudizhu::MiniDouDiZhu>({{}}, 200);
    check_variants<gdl::Gdl>(rulesheets(), 20);
    check_solvers();
    check_random_bits();
    check(misread_nets() == 0, "files of nets are read for what they are", "nets");
    check(wrong_perceptrons() == 0, "gradients are those of differences", "perceptrons");
  }
  std::printf("%d passed, %d failed\n", checks - failures, failures);
  return failures > 0;
}
