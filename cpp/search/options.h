// The options of searches as they come from spec strings. Reading an option declares it: its type, its range and its
// meaning stand where it is read, and what the help and the documentation say of it is gathered from there.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/agent.h"
#include "core/value.h"
#include "search/pimc.h"
#include "search/uct.h"
#include "search/worlds.h"

namespace kibitz {

// Reads options one by one; done() complains about those that were never asked for.
class OptionReader {
 public:
  OptionReader(std::string agent, const Value& options);

  // For descriptions: nothing is given, and nothing is refused for want of it.
  static OptionReader describing(std::string agent, const Value& nothing);
  bool describes() const { return describes_; }
  const std::vector<OptionInfo>& declared() const { return declared_; }

  std::int64_t whole(const std::string& name, std::int64_t usual, std::int64_t low, std::int64_t high,
                     const char* meaning);
  int worlds(int usual, const char* meaning);  // or "all", as kAllWorlds
  double number(const std::string& name, double usual, double low, double high, const char* meaning);
  bool flag(const std::string& name, bool usual, const char* meaning);
  int word(const std::string& name, const std::vector<std::string>& allowed, int usual, const char* meaning);
  // Any text; empty where it is not given.
  std::string text(const std::string& name, const char* allowed, const char* meaning);
  bool has(const std::string& name) const { return options_.find(name) != nullptr; }

  void done() const;

 private:
  const Value* find(const std::string& name, std::string usual, std::string allowed, const char* meaning);
  std::string label(const std::string& name) const;

  std::string agent_;
  const Value& options_;
  const Value::Object& members_;
  std::vector<OptionInfo> declared_;
  bool describes_ = false;
};

Effort read_effort(OptionReader& read, std::int64_t usual);
int read_threads(OptionReader& read);
// roots: the search sums the roots of its trees and picks from them (not PIMC, which puts worlds together).
TreeSettings read_tree(OptionReader& read, const GameInfo& game, bool roots = true);
bool read_halving(OptionReader& read, const Effort& effort, int threads);
bool read_goal(OptionReader& read, const GameInfo& game);      // whether it is the difference (search/aim.h)
bool read_availability(OptionReader& read);                    // Exploration::availability
void read_common(OptionReader& read, TreeSettings& settings);  // and what follows from it
Aggregate read_aggregate(OptionReader& read);
std::uint64_t read_solver_nodes(OptionReader& read, const char* meaning);
std::string read_net(OptionReader& read, const char* meaning);

template <Game G>
int read_worlds(OptionReader& read, int usual) {
  const int out = read.worlds(usual, "how many worlds are drawn; all: every one, where the game can list them");
  if (out == kAllWorlds && !ListsWorlds<G>)
    throw BadInput("worlds=all needs a game that can list its worlds, which " + std::string(G::kName) +
                   " cannot; give a number");
  return out;
}

}  // namespace kibitz
