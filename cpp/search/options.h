// The options of searches as they come from spec strings.
#pragma once

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/value.h"
#include "search/pimc.h"
#include "search/uct.h"
#include "search/worlds.h"

namespace kibitz {

// Reads options one by one; done() complains about what nobody asked for.
class OptionReader {
 public:
  OptionReader(std::string agent, const Value& options)
      : agent_(std::move(agent)), options_(options), members_(options.object("options of agent '" + agent_ + "'")) {}

  std::int64_t whole(const std::string& name, std::int64_t fallback, std::int64_t low, std::int64_t high) {
    const Value* v = find(name);
    return v ? v->integer(label(name), low, high) : fallback;
  }

  // A number of worlds, or "all" as kAllWorlds.
  int worlds(int fallback) {
    const Value* v = find("worlds");
    const auto* word = v ? v->get<std::string>() : nullptr;
    if (word && *word == "all") return kAllWorlds;
    if (word) throw BadInput(label("worlds") + " must be a whole number from 1, or all, not " + v->describe());
    return v ? static_cast<int>(v->integer(label("worlds"), 1, 1'000'000)) : fallback;
  }

  double number(const std::string& name, double fallback, double low, double high) {
    const Value* v = find(name);
    if (!v) return fallback;
    const auto* i = v->get<std::int64_t>();
    const auto* d = v->get<double>();
    const double x = i ? static_cast<double>(*i) : d ? *d : low - 1;
    if (!(x >= low && x <= high))
      throw BadInput(label(name) + " must be a number from " + short_text(low) + " to " + short_text(high) + ", not " +
                     v->describe());
    return x;
  }

  bool flag(const std::string& name, bool fallback) {
    const Value* v = find(name);
    return v ? v->boolean(label(name)) : fallback;
  }

  int word(const std::string& name, const std::vector<std::string>& allowed, int fallback) {
    const Value* v = find(name);
    return v ? one_of(label(name), v->string(label(name)), allowed) : fallback;
  }

  // Any text; empty where it is not given.
  std::string text(const std::string& name) {
    const Value* v = find(name);
    if (v && v->string(label(name)).empty()) throw BadInput(label(name) + " must not be empty");
    return v ? v->string(label(name)) : std::string();
  }
  bool has(const std::string& name) const { return options_.find(name) != nullptr; }

  void done() const {
    for (const auto& [name, value] : members_) {
      bool known = false;
      for (const auto& k : known_) known |= k == name;
      if (!known)
        throw BadInput("unknown option '" + name + "' of agent '" + agent_ + "'; allowed options: " + joined(known_));
    }
  }

 private:
  const Value* find(const std::string& name) {
    known_.push_back(name);
    return options_.find(name);
  }
  std::string label(const std::string& name) const { return name + " of agent '" + agent_ + "'"; }
  static std::string short_text(double x) {
    std::string out = std::to_string(x);
    out.erase(out.find_last_not_of('0') + 1);
    if (out.back() == '.') out.pop_back();
    return out;
  }

  std::string agent_;
  const Value& options_;
  const Value::Object& members_;
  std::vector<std::string> known_;
};

inline Effort read_effort(OptionReader& read, std::int64_t usual) {
  const double ms = read.number("ms", 0, 0, 1e9);
  return {read.whole("iterations", ms > 0 ? 0 : usual, ms > 0 ? 0 : 1, UINT32_MAX),
          ms};  // visits are counted in 32 bits
}

inline int read_threads(OptionReader& read) {
  const auto threads = static_cast<int>(read.whole("threads", 1, 0, 1024));
  return threads ? threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

inline TreeSettings read_tree(OptionReader& read) {
  TreeSettings out;
  out.effort = read_effort(read, 10'000);
  out.exploration.c = read.number("c", out.exploration.c, 0, 1000);
  out.exploration.fitted = !read.has("c");
  out.exploration.plus_one = read.flag("plus_one", false);
  out.pick = read.word("pick", {"visits", "mean"}, 0) == 0 ? Pick::kVisits : Pick::kMean;
  out.threads = read_threads(read);
  out.trees = static_cast<int>(read.whole("trees", 1, 1, 100'000));
  out.nodes = static_cast<std::size_t>(read.whole("nodes", static_cast<std::int64_t>(out.nodes), 2, 1 << 30));
  return out;
}

// What Exploration calls availability.
inline bool read_availability(OptionReader& read) { return read.word("counts", {"available", "parent"}, 0) == 0; }

inline Aggregate read_aggregate(OptionReader& read) {
  return static_cast<Aggregate>(read.word("aggregate", {"times_best", "reward", "visits"}, 2));
}

template <Game G>
int read_worlds(OptionReader& read, int usual) {
  const int out = read.worlds(usual);
  if (out == kAllWorlds && !ListsWorlds<G>)
    throw BadInput("worlds=all needs a game that can list its worlds, which " + std::string(G::kName) +
                   " cannot; give a number");
  return out;
}

}  // namespace kibitz
