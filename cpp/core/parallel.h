// Work split over threads by index; what index i does must not depend on who does it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace kibitz {

// Calls f(begin, end) on pieces of 0..n-1 with `threads` threads, this one among them. Stops early, between pieces,
// once `stop` is set. The first exception is thrown again here.
void parallel(int threads, std::int64_t n, std::int64_t piece, const std::atomic<bool>* stop,
              const std::function<void(std::int64_t begin, std::int64_t end)>& f);

}  // namespace kibitz
