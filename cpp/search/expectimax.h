// Information set expectimax (Whitehouse, Powley and Cowling 2011, III.E), exact.
//
// A node is what the searching seat knows: a list of worlds that look the same to it, with weights. Where it is to act
// itself, it chooses one action for all of them: no strategy fusion. Where another seat is, the value is the mean over
// the worlds of the best reply in each, best by the value of the node that it leads to; partners reply in its favour,
// all others so that its payoff is low. An action may look different in different worlds (in Belote, a king of trumps
// tells whether its player has the queen, too); then it leads to several nodes. The weights are those of the worlds at
// the root throughout, as in ISMCTS: no reply changes the odds of the worlds in which it is possible.
//
// Equal views are equal nodes, because a view tells in which of the worlds at the root it can come about; so values are
// remembered by the view's key. Windows are handed down as in alpha-beta: a reply that is possible in worlds of weight
// p moves the mean by no more than p times the range of payoffs.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/optional.h"
#include "core/sides.h"
#include "core/solution.h"
#include "core/transpositions.h"
#include "search/minimax.h"

namespace kibitz {

struct ExpectimaxSettings {
  int worlds = kAllWorlds;
  std::uint64_t nodes = 20'000'000;  // it refuses to answer where it needs more
};

template <ListsWorlds G>
class Expectimax {
 public:
  using State = typename G::State;

  Expectimax(const G& game, Seat seat, const ExpectimaxSettings& settings, const std::atomic<bool>* stop)
      : game_(game), me_(seat), low_(game.info().low), high_(game.info().high), budget_(settings.nodes, stop) {}

  // The values of all legal actions of the seat, which is to act in all the worlds.
  void think(const std::vector<World<G>>& worlds, const std::atomic<bool>* stop, Thought& out) {
    for (const auto& w : worlds)
      if (w.weight > 0) stack_.push_back({w.state, w.weight});
    choose_sides(stack_[0].state);
    const Range all{0, stack_.size()};
    for (auto& o : out.opinions) {
      o.value = after(all, o.action, low_, high_).low;
      o.visits = all.end;
    }
    if (budget_.out() && !(stop && stop->load()))
      throw BadInput("agent 'expectimax' gave up after " + std::to_string(budget_.nodes()) +
                     " nodes; let it have more (nodes=), fewer worlds (worlds=), or ask nearer the end");
    out.iterations = all.end;
    out.nodes = budget_.nodes();
  }

 private:
  struct Weighted {
    State state;
    double weight;
  };
  struct Range {  // of the stack
    std::size_t begin, end;
  };
  struct Known {
    Bounds bounds{};
    bool set = false;
    bool used() const { return set; }
    bool replaces(const Known&) const { return true; }
  };
  // A reply that looks like this, and in which of the node's worlds it is possible.
  struct Reply {
    Action action;
    std::uint64_t look;
    int promise;
    double weight = 0;
    std::vector<std::uint32_t> worlds;
  };
  // What is known of the best reply in a world, for the seat that replies: it maximises.
  struct Best {
    double weight, low, high;
    int left;  // replies not looked at yet
  };

  void choose_sides(const State& root) {
    const std::vector<int> team = sides_of(game_, root);
    for (int t : team) mine_.push_back(t == team[me_]);
  }

  static Bounds negative(Bounds b) { return {0 - b.high, 0 - b.low}; }

  double payoff(const State& state) {
    payoffs_.resize(mine_.size());
    game_.payoff(state, payoffs_);
    return payoffs_[me_];
  }

  // What the searching seat sees; who is to act may show nowhere else.
  std::uint64_t look_of(const State& state) const {
    return mix(game_.key(game_.view(state, me_)), game_.to_act(state));
  }

  // Worlds that look the same may pay differently.
  double mean_payoff(Range node) {
    double sum = 0, weight = 0;
    for (std::size_t i = node.begin; i < node.end; ++i) {
      sum += stack_[i].weight * payoff(stack_[i].state);
      weight += stack_[i].weight;
    }
    return sum / weight;
  }

  // The value after the action is played in all worlds of the node, in which it may look different.
  Bounds after(Range node, Action a, double alpha, double beta) {
    std::map<std::uint64_t, Reply> looks;
    for (std::size_t i = node.begin; i < node.end; ++i) {
      const std::uint64_t look = look_after(stack_[i].state, a);
      Reply& r = looks.try_emplace(look, Reply{a, look, 0, 0, {}}).first->second;
      r.weight += stack_[i].weight;
      r.worlds.push_back(i - node.begin);
    }
    if (looks.size() == 1) return after(node, looks.begin()->second, alpha, beta);
    Bounds sum{0, 0};
    double weight = 0;
    for (const auto& [look, r] : looks) {
      const Bounds b = after(node, r, low_, high_);
      sum = {sum.low + r.weight * b.low, sum.high + r.weight * b.high};
      weight += r.weight;
    }
    return {sum.low / weight, sum.high / weight};
  }

  std::uint64_t look_after(const State& state, Action a) const {
    if constexpr (OpenMoves<G>) return 0;
    State next = state;
    game_.apply(next, a);
    return look_of(next);
  }

  // The value after a reply, in those worlds in which it is possible and looks like this.
  Bounds after(Range node, const Reply& r, double alpha, double beta) {
    const std::size_t begin = stack_.size();
    for (std::uint32_t i : r.worlds) {
      const Weighted world = stack_[node.begin + i];
      stack_.push_back(world);
      game_.apply(stack_.back().state, r.action);
    }
    const Bounds out = search({begin, begin + r.worlds.size()}, alpha, beta);
    stack_.resize(begin);
    return out;
  }

  // Bounds of the value for the searching seat, tight enough to tell whether it lies below alpha, above beta, or what
  // it is in between. Once out of budget they are the widest.
  Bounds search(Range node, double alpha, double beta) {
    const State& first = stack_[node.begin].state;
    const Seat seat = game_.to_act(first);
    if (seat == kOver) {
      const double v = mean_payoff(node);
      return {v, v};
    }
    if (budget_.spent()) return {low_, high_};
    const std::array<std::uint64_t, 1> key{game_.key(game_.view(first, me_))};
    const Known* entry = table_.find(key);
    const Bounds known = entry ? entry->bounds : Bounds{low_, high_};
    if (known.exact() || known.low >= beta || known.high <= alpha) return known;
    const Bounds found = seat == me_   ? choose(node, alpha, beta)
                         : mine_[seat] ? reply(node, true, alpha, beta)
                                       : negative(reply(node, false, -beta, -alpha));
    if (budget_.out()) return {low_, high_};
    const Bounds out{std::max(found.low, known.low), std::min(found.high, known.high)};
    table_.store(key, {out, true});
    return out;
  }

  // The searching seat's own choice: one action for all worlds, which all have the same legal ones.
  Bounds choose(Range node, double alpha, double beta) {
    typename G::Legal list;
    game_.legal(stack_[node.begin].state, list);
    std::vector<std::pair<int, Action>> order(list.size());
    for (int i = 0; i < list.size(); ++i) order[i] = {-promise(stack_[node.begin].state, list[i]), list[i]};
    std::sort(order.begin(), order.end());
    Bounds out{low_, low_};
    for (int i = 0; i < list.size(); ++i) {
      const Action a = order[i].second;
      if (out.low >= beta || budget_.out()) return {out.low, high_};  // the rest may be anything
      const Bounds b = after(node, a, std::max(alpha, out.low), beta);
      out = {std::max(out.low, b.low), std::max(out.high, b.high)};
    }
    return out;
  }

  // The replies of the seat to act, the most promising first, and how many there are in each world.
  std::vector<Reply> replies_of(Range node, std::vector<Best>& best) {
    std::vector<Reply> out;
    typename G::Legal list;
    for (std::size_t i = node.begin; i < node.end; ++i) {
      game_.legal(stack_[i].state, list);
      best[i - node.begin].left = list.size();
      std::size_t at = 0;
      for (Action a : list) {  // both ascend
        const std::uint64_t look = look_after(stack_[i].state, a);
        while (at < out.size() && std::pair(out[at].action, out[at].look) < std::pair(a, look)) ++at;
        if (at == out.size() || out[at].action != a || out[at].look != look)
          out.insert(out.begin() + at, Reply{a, look, promise(stack_[i].state, a), 0, {}});
        out[at].weight += stack_[i].weight;
        out[at].worlds.push_back(i - node.begin);
      }
    }
    std::stable_sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.promise > b.promise; });
    return out;
  }

  int promise(const State& state, Action a) const {
    if constexpr (OrdersActions<G>)
      return game_.promise(state, a);
    else
      return 0;
  }

  // The mean of the best replies. All values here are those of the seat that replies: if it is not `friendly`, the
  // negative ones.
  Bounds reply(Range node, bool friendly, double alpha, double beta) {
    const double least = friendly ? low_ : -high_, most = friendly ? high_ : -low_;
    std::vector<Best> best(node.end - node.begin);
    double weight = 0;
    for (std::size_t i = 0; i < best.size(); ++i) {
      best[i] = {stack_[node.begin + i].weight, least, least, 0};
      weight += best[i].weight;
    }
    Bounds out{least, most};
    for (const Reply& r : replies_of(node, best)) {
      double floor = most, rest = out.low * weight;  // `rest`: what the other worlds are sure of
      for (std::uint32_t w : r.worlds) {
        floor = std::min(floor, best[w].low);
        rest -= best[w].weight * best[w].low;
      }
      Bounds b{most, most};  // stands for any value where all worlds have the highest already
      if (floor < most) {
        // Once the reply is worth this, the mean reaches beta. The margin keeps rounding from telling otherwise.
        const double enough = std::min(most, (beta * weight - rest) / r.weight + kEqualValues);
        b = friendly ? after(node, r, floor, enough) : negative(after(node, r, -enough, -floor));
      }
      for (std::uint32_t w : r.worlds) {
        best[w].low = std::max(best[w].low, floor < most ? b.low : least);
        best[w].high = std::max(best[w].high, floor < most ? b.high : least);
        --best[w].left;
      }
      out = mean(best, weight, most);
      if (out.low >= beta || out.high <= alpha || budget_.out()) break;
    }
    return out;
  }

  static Bounds mean(const std::vector<Best>& best, double weight, double most) {
    double low = 0, high = 0;
    for (const Best& b : best) {
      low += b.weight * b.low;
      high += b.weight * (b.left > 0 && b.low < most ? most : b.high);
    }
    return {low / weight, high / weight};
  }

  const G& game_;
  Seat me_;
  double low_, high_;
  Budget budget_;
  Transpositions<1, Known, 4> table_{1024, 1 << 21};
  std::vector<bool> mine_;  // [seat]: on the side of the searching seat
  std::vector<double> payoffs_;
  std::vector<Weighted> stack_;  // the worlds of all nodes on the way, one node after the other
};

template <ListsWorlds G>
std::unique_ptr<Search> expectimax(const G& game, const typename G::View& view, const ExpectimaxSettings& settings,
                                   Rng& rng, const Evidence<G>& evidence = {}) {
  Thought blank = blank_thought(game, view);
  if (only_choice(blank)) return std::make_unique<OneStep>(std::move(blank), nullptr);
  give_shares(blank, [](const Opinion&) { return 0; });  // equal ones, so far
  auto worlds = gather_worlds(game, view, settings.worlds, evidence, rng);
  const auto think = [&game, seat = view.seat, settings, blank, worlds = std::move(worlds)](const auto* stop) {
    Thought out = blank;
    Expectimax<G>(game, seat, settings, stop).think(worlds, stop, out);
    share_to_best(out, [](const Opinion& o) { return std::round(o.value / kEqualValues); });
    out.asked = out.iterations;
    if (settings.worlds == kAllWorlds && !(stop && stop->load())) no_errors(out);
    return out;
  };
  return std::make_unique<OneStep>(blank, think);
}

}  // namespace kibitz
