// Tree searches whose leaves are valued outside of the core, many at a time: a wave of leaves is selected, somebody
// says what they are worth, the tree learns it, and so on. Whoever drives it may drive many searches at once.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "eval/net.h"
#include "search/options.h"
#include "search/pimc.h"

namespace kibitz {

enum class WaveKind : std::uint8_t { kUct, kIsmcts, kPimc };

struct WaveSettings {
  WaveKind kind = WaveKind::kUct;
  bool peeks = false;
  PimcSettings search;  // kPimc: all of it; else its tree
  int wave = 64;        // leaves that wait together, in all trees of the search
  int encoder = 0;      // what whoever values the leaves gets to see
  Meaning meaning;      // and what the answers mean
};

// The options of uct, cheat-uct, ismcts or pimc, except those that only make sense inside of the core (threads,
// rollout, net, inference); and wave, encoder, output, total.
template <Game G>
WaveSettings read_waves(const G& game, const std::string& name, const Value& options) {
  const std::vector<std::string> hidden{"ismcts", "pimc", "cheat-uct"}, open{"ismcts", "pimc", "uct"};
  one_of("search in waves of " + game.info().name + ":", name, game.info().hidden ? hidden : open);
  OptionReader read(name, options);
  WaveSettings out;
  out.kind = name == "ismcts" ? WaveKind::kIsmcts : name == "pimc" ? WaveKind::kPimc : WaveKind::kUct;
  out.peeks = name == "cheat-uct";
  if (read.has("threads")) throw BadInput("searches in waves have one thread; leave threads out");
  TreeSettings& tree = out.search.tree = read_tree(read, game.info(), out.kind != WaveKind::kPimc);
  if (out.kind == WaveKind::kIsmcts) tree.exploration.availability = read_availability(read);
  if (out.kind == WaveKind::kPimc) {
    out.search.worlds = read_worlds<G>(read, out.search.worlds);
    out.search.aggregate = read_aggregate(read);
  }
  out.wave = static_cast<int>(read.whole("wave", out.wave, 1, 1 << 20, "leaves that are valued together"));
  out.encoder = find_encoder(game.info(), read.text("encoder", "name", "what is shown of the leaves"));
  out.meaning.output = static_cast<Output>(read.word("output", {"q", "values"}, 0, "what the answers mean"));
  if (read.has("total")) out.meaning.total = read.number("total", 0, -1e9, 1e9, "what the payoffs of all seats sum to");
  read.done();
  row_size(out.meaning, game.info());  // complains
  return out;
}

// One search. The same wave, the same answer; with wave=1 it is the search of the core, action by action.
template <Game G>
class WaveSearch {
 public:
  WaveSearch(const G& game, const typename G::View& view, const WaveSettings& settings, Rng& rng)
      : game_(game), view_(view), settings_(settings), thought_(blank_thought(game, view)) {
    const TreeSettings& tree = settings.search.tree;
    if (settings.kind == WaveKind::kPimc) {
      worlds_ = gather_worlds(game, view, settings.search.worlds, {}, rng);
      for (const auto& world : worlds_) add_tree(worlds_.size(), world.stream);
    } else if (!only_choice(thought_)) {
      const std::uint64_t seed = rng.next();
      for (int t = 0; t < tree.trees; ++t)
        add_tree(static_cast<std::size_t>(tree.trees), Rng(mix(seed, static_cast<std::uint64_t>(t))));
    }
  }

  // Selects the next leaves; false at the end. Sometimes there are none although it goes on: finished games need
  // nobody's opinion.
  bool select() {
    bool goes_on = false;
    for (std::size_t t = 0; t < trees_.size(); ++t) goes_on |= select(t);
    return goes_on;
  }

  std::size_t waiting() const {
    std::size_t n = 0;
    for (const auto& tree : trees_) n += tree.leaves.size();
    return n;
  }

  // Who is to act in the waiting leaves, and what they see.
  void show(float* features, std::int32_t* seats) const {
    const auto size =
        static_cast<std::size_t>(game_.info().encoders[static_cast<std::size_t>(settings_.encoder)].size());
    for (const auto& tree : trees_)
      for (const Leaf& leaf : tree.leaves) {
        const Seat seat = game_.to_act(leaf.state);
        game_.encode(leaf.state, seat, settings_.encoder, {features, size});
        features += size;
        *seats++ = seat;
      }
  }

  // One row for every waiting leaf, in the order in which they were shown.
  void answer(const float* rows) {
    const auto size = static_cast<std::size_t>(row_size(settings_.meaning, game_.info()));
    Payoffs payoffs{};
    for (auto& tree : trees_) {
      for (const Leaf& leaf : tree.leaves) {
        read_row(game_, settings_.meaning, leaf.state, rows, payoffs);
        rows += size;
        tree.search.walk_again(leaf.way);
        if (leaf.lost)
          tree.search.correct(payoffs);
        else
          tree.search.back_up(payoffs);
      }
      tree.leaves.clear();
    }
  }

  Thought thought() const {
    Thought out = thought_;
    const Scale scale(game_, view_.known, settings_.search.tree.difference);
    std::vector<Thought> parts(trees_.size(), out);
    for (std::size_t t = 0; t < trees_.size(); ++t) add_root(trees_[t].search.tree(), scale, parts[t]);
    if (settings_.kind == WaveKind::kPimc) {
      put_together<G>(worlds_, parts, settings_.search, scale, view_.seat, out);
    } else if (!parts.empty()) {
      sum_up(parts, settings_.search.tree.effort, settings_.search.tree.pick, out);
    }
    return out;
  }

 private:
  struct Leaf {
    typename G::State state;
    std::vector<Action> way;
    bool lost;  // counts as lost meanwhile
  };

  struct Growing {
    TreeSearch<G> search;
    Rng stream;
    Meter meter;
    std::vector<Leaf> leaves;
  };

  static constexpr int kPatience =
      1024;  // walks of a tree in one go: an endless row of finished games can be broken off

  // All trees grow at the same time: they share the iterations, but each has all the milliseconds.
  void add_tree(std::size_t trees, Rng stream) {
    const TreeSettings& tree = settings_.search.tree;
    Division division(tree.effort, static_cast<std::int64_t>(trees), 1);
    division.begin(tree.effort, 0);
    Effort effort = division.of(static_cast<std::int64_t>(trees_.size()), 0);
    effort.ms = tree.effort.ms;
    const Scale scale(game_, view_.known, tree.difference);
    trees_.push_back(
        {{game_, tree, nullptr, settings_.kind != WaveKind::kIsmcts, scale}, stream, Meter(effort, nullptr), {}});
  }

  typename G::State new_world(std::size_t t) {
    if (settings_.kind == WaveKind::kPimc) return worlds_[t].state;
    return settings_.kind == WaveKind::kUct ? view_.known : game_.sample(view_, trees_[t].stream);
  }

  // Whether the tree is not finished.
  bool select(std::size_t t) {
    Growing& tree = trees_[t];
    const std::size_t most = std::max<std::size_t>(1, static_cast<std::size_t>(settings_.wave) / trees_.size());
    Payoffs payoffs{};
    bool latest_waits = false;
    for (int i = 0; i < kPatience && tree.leaves.size() < most; ++i) {
      if (!tree.meter.more()) return !tree.leaves.empty();
      // Only now: the last leaf of a wave is valued before anybody walks again, and must not count as lost.
      if (latest_waits) {
        tree.search.suppose_lost();
        tree.leaves.back().lost = true;
      }
      auto world = new_world(t);
      latest_waits = tree.search.descend(world, tree.stream) >= 0;
      if (latest_waits) {
        tree.leaves.push_back({world, tree.search.way(), false});
      } else {
        game_.payoff(world, payoffs);
        tree.search.back_up(payoffs);
      }
    }
    return true;
  }

  const G& game_;
  typename G::View view_;
  WaveSettings settings_;
  Thought thought_;  // blank
  std::vector<World<G>> worlds_;
  std::vector<Growing> trees_;
};

}  // namespace kibitz
