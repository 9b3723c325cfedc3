#include "search/options.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace kibitz {

namespace {

std::string short_text(double x) {
  std::string out = std::to_string(x);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out;
}

}  // namespace

OptionReader::OptionReader(std::string agent, const Value& options)
    : agent_(std::move(agent)), options_(options), members_(options.object("options of agent '" + agent_ + "'")) {}

// For descriptions: nothing is given, and nothing is refused for want of it.
OptionReader OptionReader::describing(std::string agent, const Value& nothing) {
  OptionReader out(std::move(agent), nothing);
  out.describes_ = true;
  return out;
}

std::int64_t OptionReader::whole(const std::string& name, std::int64_t usual, std::int64_t low, std::int64_t high,
                                 const char* meaning) {
  const Value* v = find(name, std::to_string(usual),
                        "whole number, " + std::to_string(low) + " to " + std::to_string(high), meaning);
  return v ? v->integer(label(name), low, high) : usual;
}

// A number of worlds, or "all" as kAllWorlds.
int OptionReader::worlds(int usual, const char* meaning) {
  const Value* v =
      find("worlds", usual == kAllWorlds ? "all" : std::to_string(usual), "whole number from 1, or all", meaning);
  const auto* word = v ? v->get<std::string>() : nullptr;
  if (word && *word == "all") return kAllWorlds;
  if (word) throw BadInput(label("worlds") + " must be a whole number from 1, or all, not " + v->describe());
  return v ? static_cast<int>(v->integer(label("worlds"), 1, 1'000'000)) : usual;
}

double OptionReader::number(const std::string& name, double usual, double low, double high, const char* meaning) {
  const Value* v = find(name, short_text(usual), "number, " + short_text(low) + " to " + short_text(high), meaning);
  if (!v) return usual;
  const auto* i = v->get<std::int64_t>();
  const auto* d = v->get<double>();
  const double x = i ? static_cast<double>(*i) : d ? *d : low - 1;
  if (!(x >= low && x <= high))
    throw BadInput(label(name) + " must be a number from " + short_text(low) + " to " + short_text(high) + ", not " +
                   v->describe());
  return x;
}

bool OptionReader::flag(const std::string& name, bool usual, const char* meaning) {
  const Value* v = find(name, usual ? "true" : "false", "true or false", meaning);
  return v ? v->boolean(label(name)) : usual;
}

int OptionReader::word(const std::string& name, const std::vector<std::string>& allowed, int usual,
                       const char* meaning) {
  const Value* v = find(name, allowed[static_cast<std::size_t>(usual)], joined(allowed), meaning);
  return v ? one_of(label(name), v->string(label(name)), allowed) : usual;
}

// Any text; empty where it is not given.
std::string OptionReader::text(const std::string& name, const char* allowed, const char* meaning) {
  const Value* v = find(name, "", allowed, meaning);
  if (v && v->string(label(name)).empty()) throw BadInput(label(name) + " must not be empty");
  return v ? v->string(label(name)) : std::string();
}

void OptionReader::done() const {
  std::vector<std::string> known;
  for (const OptionInfo& option : declared_) known.push_back(option.name);
  for (const auto& [name, value] : members_)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw BadInput("unknown option '" + name + "' of agent '" + agent_ + "'; allowed options: " + joined(known));
}

const Value* OptionReader::find(const std::string& name, std::string usual, std::string allowed, const char* meaning) {
  const bool again = std::any_of(declared_.begin(), declared_.end(), [&](const auto& o) { return o.name == name; });
  if (!again) declared_.push_back({name, std::move(usual), std::move(allowed), meaning});
  return options_.find(name);
}
std::string OptionReader::label(const std::string& name) const { return name + " of agent '" + agent_ + "'"; }

Effort read_effort(OptionReader& read, std::int64_t usual) {
  const double ms = read.number(
      "ms", 0, 0, 1e9, "milliseconds; without `iterations` the only limit, with it whichever ends first; 0: no limit");
  // Visits are counted in 32 bits.
  return {read.whole("iterations", ms > 0 ? 0 : usual, ms > 0 ? 0 : 1, UINT32_MAX,
                     "play-outs, of all trees and worlds together"),
          ms};
}

int read_threads(OptionReader& read) {
  const auto threads = static_cast<int>(read.whole("threads", 1, 0, 1024, "0: one per core"));
  return threads ? threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

bool read_halving(OptionReader& read, const Effort& effort, int threads) {
  const bool out = read.flag("halving", false,
                             "sequential halving: the iterations are divided over ceil(log2(n)) phases for n actions, "
                             "and after each the better half of the actions goes on");
  if (out && effort.iterations == 0) throw BadInput("halving divides iterations: give iterations beside ms");
  if (out && threads > 1) throw BadInput("halving compares all play-outs with one another: give threads=1");
  return out;
}

bool read_goal(OptionReader& read, const GameInfo& game) {
  const bool out = read.word("goal", {"payoff", "difference"}, 0,
                             "what it plays for: its payoff, or that less the mean of the other side's seats; then "
                             "values are differences, too; not in zero-sum games, where both are the same") == 1;
  if (out && game.zero_sum)
    throw BadInput("goal=difference has no meaning in " + game.name +
                   " with these options: payoffs sum to zero, so that a payoff is a difference already");
  return out;
}

TreeSettings read_tree(OptionReader& read, const GameInfo& game, bool roots) {
  TreeSettings out;
  out.effort = read_effort(read, 10'000);
  out.exploration.c = read.number(
      "c", out.exploration.c, 0, 1000,
      "exploration constant of UCB1, for payoffs scaled to 0..1; if it is not given and payoffs are points, it is "
      "multiplied by twice their standard deviation in a few play-outs");
  out.exploration.fitted = !read.has("c");
  out.exploration.seen =
      read.word("scale", {"range", "seen"}, 0,
                "what c is for: payoffs that are scaled from the game's range; or from what is seen at the root, twice "
                "the standard deviation, with any evaluator and from the first iteration to the last") == 1;
  out.exploration.plus_one = read.flag("plus_one", false, "UCB1 with ln(n + 1) in place of ln n");
  out.difference = read_goal(read, game);
  out.threads = read_threads(read);
  if (roots) {
    out.pick = read.word("pick", {"visits", "mean"}, 0,
                         "visits: plays the action tried most; mean: the one with the highest value, which then gets "
                         "all the share") == 0
                   ? Pick::kVisits
                   : Pick::kMean;
    out.trees = static_cast<int>(
        read.whole("trees", 1, 1, 100'000,
                   "root parallelisation: trees grown apart whose roots are summed; at least one per thread"));
  }
  out.nodes = static_cast<std::size_t>(
      read.whole("nodes", static_cast<std::int64_t>(out.nodes), 2, 1 << 30,
                 "most nodes of a tree, 32 bytes each; about as much again for a table of views, where one is kept"));
  return out;
}

// What Exploration calls availability.
bool read_availability(OptionReader& read) {
  return read.word("counts", {"available", "parent"}, 0,
                   "n of UCB1: how often the action was available, or how often its parent was visited") == 0;
}

void read_common(OptionReader& read, TreeSettings& settings) {
  settings.common = read.flag(
      "common", false,
      "common random numbers: at the root the actions are tried in turn, all of a round in the same world, and "
      "the one with the highest value is played");
  if (!settings.common) return;
  if (read.has("pick") && settings.pick == Pick::kVisits)
    throw BadInput("common tries all actions equally often, so that visits choose none: leave pick out");
  settings.pick = Pick::kMean;
}

Aggregate read_aggregate(OptionReader& read) {
  return static_cast<Aggregate>(
      read.word("aggregate", {"times_best", "reward", "visits", "mean_best"}, 2,
                "what is summed over worlds: visits, rewards, or one vote per world for the action that was tried most "
                "(times_best) or had the highest mean there (mean_best)"));
}

std::uint64_t read_solver_nodes(OptionReader& read, const char* meaning) {
  return static_cast<std::uint64_t>(read.whole("nodes", 20'000'000, 1, std::int64_t{1} << 40, meaning));
}

std::string read_net(OptionReader& read, const char* meaning) { return read.text("net", "file", meaning); }

}  // namespace kibitz
