#include "games/doudizhu/turns.h"

#include <algorithm>

namespace kibitz::doudizhu {

namespace {

// About how many turns a group costs: high cards win the lead back, so they cost less; bombs are worth keeping.
constexpr double kSoloCost[kRanks] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0.95, 0.9, 0.75, 0.45, 0.25, 0.05};
constexpr double kPairCost[kRanks] = {1, 1, 1, 1, 1, 1, 1, 1, 0.95, 0.9, 0.8, 0.6, 0.3};
constexpr double kTrioCost[kRanks] = {1, 1, 1, 0.95, 0.95, 0.9, 0.9, 0.85, 0.8, 0.7, 0.6, 0.4, 0.15};
constexpr double kBombCost = -0.5, kRocketCost = -0.8, kChainCost = 0.85;

// Without chains: bombs, trios that take a small solo or pair along, pairs, solos.
double turns_without_chains(Bits h) {
  double cost = 0;
  if ((h & kJokers) == kJokers) {
    cost += kRocketCost;
    h -= kJokers;
  }
  int trios = 0, small = 0;
  for (Bits left = at_least_1(h); left; left &= left - 1) {
    const int r = rank_at(left), n = count_of(h, r);
    if (n == 4) cost += kBombCost;
    if (n == 3) cost += kTrioCost[r];
    if (n == 2) cost += kPairCost[r];
    if (n == 1) cost += kSoloCost[r];
    trios += n == 3;
    small += n < 3 && r < kAce;
  }
  return cost - 0.9 * std::min(trios, small);
}

// The longest run in a mask of ranks as cards, `copies` each; 0 if it is shorter than `shortest`.
Bits longest_run(Bits mask, int shortest, int copies) {
  mask &= kChainOnes;
  Bits run = mask, best = 0;
  int n = 0;
  for (; run; ++n, run &= mask >> (4 * n)) best = run;
  if (n < shortest) return 0;
  return copies * (kOnes & (((Bits{1} << (4 * n)) - 1) << (4 * rank_at(best))));
}

// Tries each kind of chain first.
double turns_within(Bits h, int depth) {
  if (h == 0) return 0;
  double best = turns_without_chains(h);
  if (depth == 0) return best;
  const Bits quads = at_least_4(h);
  for (Bits chain : {longest_run(at_least_3(h) & ~quads, 2, 3), longest_run(at_least_2(h), 3, 2),
                     longest_run(at_least_1(h) & ~quads, 5, 1)}) {
    if (!chain) continue;
    const Bits rest = h - chain;
    const bool plane = at_least_3(chain) != 0;
    best = std::min(best, kChainCost + turns_within(rest, depth - 1) - (plane && rest ? 0.9 : 0));
  }
  return best;
}

}  // namespace

double turns_of(Bits hand) { return turns_within(hand, 3); }

}  // namespace kibitz::doudizhu
