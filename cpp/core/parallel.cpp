#include "core/parallel.h"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace kibitz {

void parallel(int threads, std::int64_t n, std::int64_t piece, const std::atomic<bool>* stop,
              const std::function<void(std::int64_t, std::int64_t)>& f) {
  std::atomic<std::int64_t> at{0};
  std::exception_ptr error;
  std::mutex mutex;
  const auto work = [&] {
    try {
      while (!(stop && stop->load(std::memory_order_relaxed))) {
        const std::int64_t begin = at.fetch_add(piece);
        if (begin >= n) return;
        f(begin, begin + piece < n ? begin + piece : n);
      }
    } catch (...) {
      at = n;
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (auto& t : others) t.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace kibitz
