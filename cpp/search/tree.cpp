#include "search/tree.h"

namespace kibitz {

const std::array<float, kRootsOfLogs> roots_of_logs = [] {
  std::array<float, kRootsOfLogs> t{};
  for (std::size_t i = 1; i < t.size(); ++i) t[i] = std::sqrt(std::log(static_cast<float>(i)));
  return t;
}();

}  // namespace kibitz
