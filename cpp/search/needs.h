// What is declared of a search beside its options, and what it needs of a game.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kibitz {

// Needs of the type are known to the compiler, which then makes no such search; others follow from the options of the
// game.
enum class Need : std::uint8_t { kHidden, kOpen, kSolver, kWorlds };

struct NeedInfo {
  const char* name;  // for Python, which checks games written there
  const char* text;  // that needs ...
};
inline constexpr NeedInfo kNeeds[] = {
    {"hidden", "a game in which something is hidden"},
    {"open", "a game in which nothing is hidden, not even moves at the same time"},
    {"solver", "a game with an exact solver (`game.can('solve')`)"},
    {"worlds", "a game that can list all worlds of a view (`game.can('all_worlds')`)"},
};

struct SearchInfo {
  const char* name;
  const char* summary;
  std::vector<Need> needs = {};
  bool python = true;  // plays games written in Python, too
};

// What a game has of that.
struct GameTraits {
  bool hidden = false, solvable = false, lists_worlds = false;
};

// Why such a game has no such agent; empty where it has.
std::string why_not(const SearchInfo& info, const GameTraits& game);

}  // namespace kibitz
