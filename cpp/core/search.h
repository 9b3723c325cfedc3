// A search that can be driven: some iterations now, a look at the thought, some more, until it has had enough or is
// told to stop. Thinking is running one to its end.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/thought.h"

namespace kibitz {

// What a search may spend: so many iterations, so many milliseconds, or both, and then whichever ends first.
struct Effort {
  std::int64_t iterations = 0;  // 0: as many as the time allows
  double ms = 0;                // 0: as long as the iterations take

  bool none() const { return iterations <= 0 && ms <= 0; }
};

// One decision under search. It may refer to the game and to the stream that it was begun with, which must outlive it.
// For one thread at a time; `stop` may be set by any.
class Search {
 public:
  virtual ~Search() = default;

  // Spends `more`. The first run looks at every part of the search at least once, even if `stop` is set. Iterations in
  // several runs give the same thought, bit by bit, as all of them in one. Searches that cannot be divided (an exact
  // one, a look at a network) do everything in their first run.
  virtual void run(const Effort& more, const std::atomic<bool>* stop) = 0;

  // What it thinks so far.
  virtual Thought thought() const = 0;
};

// Worlds that a search looked into, and what the searching seat got in each of them by each action.
template <class State>
struct Matrix {
  std::vector<State> worlds;    // all count the same
  std::vector<double> payoffs;  // [world][action], in the order of the legal actions; kUnknown where it was not tried
};

// A search that can show them. Throws BadInput where it did not keep them.
template <class State>
class ShowsWorlds {
 public:
  virtual ~ShowsWorlds() = default;
  virtual Matrix<State> matrix() const = 0;
};

// What cannot be divided: think(stop) gives the whole thought.
class OneStep final : public Search {
 public:
  using Think = std::function<Thought(const std::atomic<bool>*)>;
  OneStep(Thought blank, Think think) : thought_(std::move(blank)), think_(std::move(think)) {}

  void run(const Effort&, const std::atomic<bool>* stop) override {
    if (!think_) return;
    thought_ = think_(stop);
    think_ = nullptr;
  }
  Thought thought() const override { return thought_; }

 private:
  Thought thought_;
  Think think_;
};

}  // namespace kibitz
