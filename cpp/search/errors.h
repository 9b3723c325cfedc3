// How sure a search may be of its values: standard errors, from observations that are independent of one another. These
// are blocks of rounds in flat search, trees grown apart, or worlds.
//
// A value is a ratio, the sum of what was seen over how often: each observation k has a sum s_k and a weight w_k for
// every action. The error of the mean m = sum s / sum w follows from the residuals (s_k - m w_k) / sum w, and that of
// the difference between two actions from the differences of theirs: what is luck for both cancels out.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "core/thought.h"

namespace kibitz {

// What an observation says of an action.
struct Tally {
  double sum = 0, weight = 0;
};

class Observations {
 public:
  // Fewer say nothing of an error: it would be a guess from a guess.
  static constexpr std::size_t kFewest = 8;

  explicit Observations(std::size_t actions) : actions_(actions) {}

  void add(std::span<const Tally> seen) { rows_.insert(rows_.end(), seen.begin(), seen.end()); }
  // Values are sums, weighed by visits.
  void add(const Thought& sums) {
    for (const Opinion& o : sums.opinions) rows_.push_back({o.value, o.visits});
  }

  // Writes the errors, and losses over what both actions have in common; values and shares are there already. A value
  // may be drawn towards something fixed that counts as `prior` visits.
  void tell(Thought& out, double prior = 0) const {
    const std::size_t best = out.best_at();
    for (std::size_t i = 0; i < actions_; ++i) {
      out.opinions[i].error = error(i, prior);
      compare(best, i, prior, out);
    }
  }

 private:
  struct Sums {
    double sum = 0, weight = 0;
    std::size_t seen = 0;  // in so many observations
    double mean() const { return sum / weight; }
  };

  std::size_t size() const { return rows_.size() / actions_; }
  const Tally& at(std::size_t row, std::size_t i) const { return rows_[row * actions_ + i]; }

  // Of action i, in the observations that know action j as well.
  Sums sums(std::size_t i, std::size_t j) const {
    Sums out;
    for (std::size_t k = 0; k < size(); ++k) {
      if (at(k, i).weight <= 0 || at(k, j).weight <= 0) continue;
      out.sum += at(k, i).sum;
      out.weight += at(k, i).weight;
      ++out.seen;
    }
    return out;
  }

  double error(std::size_t i, double prior) const {
    const Sums all = sums(i, i);
    if (all.seen < kFewest) return kUnknown;
    double squares = 0, together = 0;
    for (std::size_t k = 0; k < size(); ++k) {
      const double part = at(k, i).weight / all.weight, rest = at(k, i).sum / all.weight - all.mean() * part;
      squares += rest * rest;
      together += part * part;
    }
    return std::sqrt(squares / (1 - together)) * all.weight / (all.weight + prior);
  }

  void compare(std::size_t best, std::size_t i, double prior, Thought& out) const {
    const Sums mine = sums(i, best), its = sums(best, i), all = sums(i, i), all_its = sums(best, best);
    if (mine.seen < kFewest) return;
    // What the prior leaves of a mean.
    const double half = all.weight / (all.weight + prior), its_half = all_its.weight / (all_its.weight + prior);
    double squares = 0, together = 0;
    for (std::size_t k = 0; k < size(); ++k) {
      const Tally &one = at(k, i), &other = at(k, best);
      if (one.weight <= 0 || other.weight <= 0) continue;
      const double part = one.weight / mine.weight, its_part = other.weight / its.weight;
      const double rest = half * (one.sum / mine.weight - mine.mean() * part) -
                          its_half * (other.sum / its.weight - its.mean() * its_part);
      squares += rest * rest;
      together += part * its_part;
    }
    Opinion& o = out.opinions[i];
    o.loss_error = std::sqrt(squares / (1 - together));
    o.loss = out.opinions[best].value - o.value + its_half * (its.mean() - all_its.mean()) -
             half * (mine.mean() - all.mean());
  }

  std::size_t actions_;
  std::vector<Tally> rows_;
};

// Sums of flat search, cut into 32 to 64 blocks of rounds, whose number is not known beforehand: blocks become twice as
// long when there are too many. A mark is the sums at the beginning of a block, so that rounds cost nothing.
class Blocks {
 public:
  // Another round begins; `sums`: of all before.
  void round(const Thought& sums) {
    if (--left_ == 0) mark(sums);
  }

  void add_to(Observations& out, const Thought& sums) const {
    const std::size_t actions = sums.opinions.size();
    std::vector<Tally> row(actions);
    for (std::size_t begin = 0; begin < marks_.size(); begin += actions) {
      double weight = 0;
      for (std::size_t i = 0; i < actions; ++i) {
        const bool last = begin + actions == marks_.size();
        const Tally end = last ? Tally{sums.opinions[i].value, sums.opinions[i].visits} : marks_[begin + actions + i];
        row[i] = {end.sum - marks_[begin + i].sum, end.weight - marks_[begin + i].weight};
        weight += row[i].weight;
      }
      if (weight > 0) out.add(row);
    }
  }

 private:
  static constexpr std::size_t kMost = 64;

  void mark(const Thought& sums) {
    const std::size_t actions = sums.opinions.size();
    for (const Opinion& o : sums.opinions) marks_.push_back({o.value, o.visits});
    if (marks_.size() / actions > kMost) {
      for (std::size_t kept = 1; 2 * kept <= kMost; ++kept)
        for (std::size_t i = 0; i < actions; ++i) marks_[kept * actions + i] = marks_[2 * kept * actions + i];
      marks_.resize((kMost / 2 + 1) * actions);
      length_ *= 2;
    }
    left_ = length_;
  }

  std::vector<Tally> marks_;  // [mark][action]: sums of all rounds before it
  std::int64_t length_ = 1, left_ = 1;
};

// Of values that are no estimates.
inline void no_errors(Thought& out) {
  for (Opinion& o : out.opinions) o.error = o.loss_error = o.visits > 0 ? 0 : kUnknown;
}

}  // namespace kibitz
