#include "search/needs.h"

#include "core/value.h"

namespace kibitz {

namespace {

bool meets(Need need, const GameTraits& game) {
  switch (need) {
    case Need::kHidden: return game.hidden;
    case Need::kOpen: return !game.hidden;
    case Need::kSolver: return game.solvable;
    default: return game.lists_worlds;
  }
}

}  // namespace

std::string why_not(const SearchInfo& info, const GameTraits& game) {
  std::vector<std::string> lacks;
  for (Need need : info.needs)
    if (!meets(need, game)) lacks.push_back(kNeeds[static_cast<std::size_t>(need)].text);
  return lacks.empty() ? "" : "that needs " + joined(lacks, "; and ");
}

}  // namespace kibitz
