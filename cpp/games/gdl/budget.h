// What it may cost to make a game of a rulesheet, or to answer a question about one.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/value.h"

namespace kibitz::gdl {

// Thrown where something takes more memory or time than it may.
struct OverBudget : BadInput {
  using BadInput::BadInput;
};

class Terms;

// Time and memory for one purpose, handed down to all that work for it: there is one clock and one account, whatever is
// being done. OverBudget beyond.
//
// Work is counted in steps, about one for each name, number or condition that is looked at, and the clock is read every
// few thousand of them: what is small never depends on it. Memory is an estimate of what is held, made before it is
// allocated where it may be much.
class Budget {
 public:
  static constexpr std::size_t kNoLimit = ~std::size_t{0};

  explicit Budget(double seconds, std::size_t bytes = kNoLimit, std::size_t conditions = kNoLimit);
  // A part of another one: it ends when that share of the time that is left is gone, and gives back its memory when it
  // is destroyed.
  Budget(Budget& whole, double share, std::size_t conditions = kNoLimit);
  ~Budget() {
    if (this == &whole_) return;
    whole_.bytes_ -= held_;
    whole_.steps_ += steps_;  // many small parts are a large one
  }
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  void tick(std::size_t steps = 1) {
    if ((steps_ += steps) >= kSteps) check();
    const std::uintptr_t now = stack();
    if ((now > bottom_ ? now - bottom_ : bottom_ - now) > kStack) throw OverBudget("the rules go too deep");
  }
  void check();  // now
  void grow(std::size_t bytes) {
    held_ += bytes;
    whole_.bytes_ += bytes;
    if (whole_.bytes_ > whole_.most_bytes_) no_memory();
  }
  void take(std::size_t conditions) {
    if ((taken_ += conditions) > conditions_)
      throw OverBudget("it would take more than " + std::to_string(conditions_) + " conditions and answers");
  }
  std::size_t taken() const { return taken_; }
  double used() const;  // seconds since it was made
  double left() const;  // seconds

  // Counts these terms in, from now on: they must be there as long as anything is done within it.
  void watch(const Terms& terms) { whole_.terms_ = &terms; }
  // Whether time or memory has been refused: that says nothing against the rulesheet.
  bool over() const { return whole_.over_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kSteps = 4096;
  // Bytes of the stack that conditions within conditions may take: how much each needs depends on the compiler, and
  // threads have 512 KB on some systems.
#ifdef __linux__
  static constexpr std::uintptr_t kStack = 4'000'000;
#else
  static constexpr std::uintptr_t kStack = 350'000;
#endif
  static std::uintptr_t stack() {  // where it is now, near enough
    volatile char here = 0;
    return reinterpret_cast<std::uintptr_t>(&here);
  }

  [[noreturn]] void no_memory();

  Budget& whole_;                                  // itself, unless it is a part
  std::size_t most_bytes_ = kNoLimit, bytes_ = 0;  // of the whole
  std::size_t conditions_, taken_ = 0;
  std::size_t held_ = 0;   // bytes of this part
  std::size_t steps_ = 0;  // since the clock was read
  std::uintptr_t bottom_;  // of the stack
  Clock::time_point start_, end_;
  double seconds_;  // that people hear of
  const Terms* terms_ = nullptr;
  bool over_ = false;
};

}  // namespace kibitz::gdl
