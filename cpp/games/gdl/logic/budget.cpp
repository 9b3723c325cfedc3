#include "games/gdl/logic/budget.h"

#include <algorithm>
#include <cmath>

#include "games/gdl/logic/terms.h"

namespace kibitz::gdl {

Budget::Budget(double seconds, std::size_t bytes, std::size_t conditions)
    : whole_(*this),
      most_bytes_(bytes),
      conditions_(conditions),
      bottom_(stack()),
      start_(Clock::now()),
      end_(start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
      seconds_(seconds) {}

Budget::Budget(Budget& whole, double share, std::size_t conditions)
    : whole_(whole.whole_),
      conditions_(conditions),
      bottom_(whole.bottom_),
      start_(Clock::now()),
      end_(start_ +
           std::chrono::duration_cast<Clock::duration>(share * std::max(whole.end_ - start_, Clock::duration(0)))),
      seconds_(whole.seconds_) {}

double Budget::used() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

double Budget::left() const { return std::max(0.0, std::chrono::duration<double>(end_ - Clock::now()).count()); }

void Budget::check() {
  steps_ = 0;
  if (whole_.terms_ && whole_.terms_->bytes() > whole_.most_bytes_ - std::min(whole_.bytes_, whole_.most_bytes_))
    no_memory();
  if (Clock::now() <= end_) return;
  whole_.over_ = true;
  const long told = std::lround(std::ceil(seconds_));
  throw OverBudget("it would take longer than " + std::to_string(told) + (told == 1 ? " second" : " seconds"));
}

void Budget::no_memory() {
  whole_.over_ = true;
  throw OverBudget("it would take more than " + std::to_string(whole_.most_bytes_ >> 20) + " MB of memory");
}

}  // namespace kibitz::gdl
