// Limits on time and memory. Rulesheets are untrusted input, so whatever a rulesheet can make expensive is charged to a
// Budget.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/value.h"

namespace kibitz::gdl {

// Thrown where a limit is exceeded. Its message says which one.
struct OverBudget : BadInput {
  using BadInput::BadInput;
};

class Terms;

// The most memory that making or checking a game may hold at once. The largest rulesheets in use need a quarter of it.
inline constexpr std::size_t kMostMemory = std::size_t{512} << 20;

// Time and memory for one purpose, passed down through all the functions that work for it: one deadline and one
// account, whatever is being done. Every function throws OverBudget when a limit is exceeded. Not thread-safe.
//
// Work is charged in steps, about one for each symbol, number or condition that is visited. The clock is read every few
// thousand steps only, so that the outcome of small tasks never depends on it. Memory is an estimate, charged before a
// possibly large allocation.
class Budget {
 public:
  static constexpr std::size_t kNoLimit = ~std::size_t{0};

  explicit Budget(double seconds, std::size_t bytes = kNoLimit, std::size_t conditions = kNoLimit);
  // A part of another budget, which must outlive it: its deadline is after `share` of the time left, and its memory is
  // returned to the whole when it is destroyed.
  Budget(Budget& whole, double share, std::size_t conditions = kNoLimit);
  ~Budget() {
    if (this == &whole_) return;
    whole_.bytes_ -= held_;
    whole_.steps_ += steps_;  // many small parts are a large one
  }
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  // Charges work. Also guards the stack: recursion over deep terms ends here.
  void tick(std::size_t steps = 1) {
    if ((steps_ += steps) >= kSteps) check();
    const std::uintptr_t now = stack();
    if ((now > bottom_ ? now - bottom_ : bottom_ - now) > kStack) throw OverBudget("the rules go too deep");
  }
  void check();  // reads the clock and the account now
  // Charges memory.
  void grow(std::size_t bytes) {
    held_ += bytes;
    whole_.bytes_ += bytes;
    if (whole_.bytes_ > whole_.most_bytes_) no_memory();
  }
  // Charges conditions of ground rules, or answers of the prover.
  void take(std::size_t conditions) {
    if ((taken_ += conditions) > conditions_)
      throw OverBudget("it would take more than " + std::to_string(conditions_) + " conditions and answers");
  }
  std::size_t taken() const { return taken_; }
  double used() const;  // seconds since construction
  double left() const;  // seconds until the deadline, at least 0

  // Adds the memory of these terms to the account from now on. They must outlive the use of the budget.
  void watch(const Terms& terms) { whole_.terms_ = &terms; }
  // Whether time or memory ran out, as opposed to a bound that the rulesheet itself violates.
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
    std::uintptr_t at;  // assigned, not initialised: Clang would warn of a returned address
    at = reinterpret_cast<std::uintptr_t>(&here);
    return at;
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
