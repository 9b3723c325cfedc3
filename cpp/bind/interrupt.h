// Long native calls: run them without the GIL, but let Ctrl-C through.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace kibitz::bind {

// Runs f() on another thread with the GIL released, looks for signals twenty times a second, and raises what they raise
// (KeyboardInterrupt) once f has seen `stop` and returned.
template <class F>
void interruptible(std::atomic<bool>& stop, F&& f) {
  std::exception_ptr error;
  bool over = false;
  std::mutex mutex;
  std::condition_variable wake;
  bool signalled = false;
  {
    nanobind::gil_scoped_release release;
    std::thread worker([&] {
      try {
        f();
      } catch (...) {
        error = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      over = true;
      wake.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!wake.wait_for(lock, std::chrono::milliseconds(50), [&] { return over; })) {
      lock.unlock();
      if (!signalled) {
        nanobind::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) stop = signalled = true;  // the error stays set for python_error below
      }
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (signalled) throw nanobind::python_error();
  if (error) std::rethrow_exception(error);
}

// The same for f(stop).
template <class F>
void interruptible(F&& f) {
  std::atomic<bool> stop{false};
  interruptible(stop, [&] { f(stop); });
}

}  // namespace kibitz::bind
