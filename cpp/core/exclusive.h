// Objects for one caller at a time. Their long calls run without Python's lock, so that two threads of Python can meet
// in one: the second gets an error, not a data race.
#pragma once

#include <atomic>
#include <stdexcept>
#include <string>

namespace kibitz {

// A second caller while the first is at work. The bindings turn it into Python's RuntimeError.
struct InUse : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A member of such an object. A copy, or what an object is moved to, is in nobody's use.
class Exclusive {
 public:
  Exclusive() = default;
  Exclusive(const Exclusive&) noexcept {}
  Exclusive& operator=(const Exclusive&) noexcept { return *this; }

 private:
  friend class Turn;
  mutable std::atomic<bool> taken_{false};
};

// Held for the length of a call. `what`: in words, for the error.
class Turn {
 public:
  Turn(const Exclusive& of, const char* what) : of_(of) {
    if (of_.taken_.exchange(true, std::memory_order_acquire))
      throw InUse(std::string(what) + " are in use by another thread: give each thread its own, or take turns");
  }
  ~Turn() { of_.taken_.store(false, std::memory_order_release); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  const Exclusive& of_;
};

}  // namespace kibitz
