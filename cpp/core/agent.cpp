#include "core/agent.h"

namespace kibitz {

void no_options(const std::string& agent, const Value& options) {
  const auto& members = options.object("options of an agent");
  if (!members.empty()) throw BadInput("agent '" + agent + "' has no option '" + members[0].first + "'; it takes none");
}

}  // namespace kibitz
