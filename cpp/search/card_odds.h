// Where the unseen cards may be: estimated from worlds that are drawn uniformly from those consistent with a view.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/optional.h"
#include "core/seeds.h"

namespace kibitz {

// Per hidden seat, in the order of seats: cards by name, in the order of names, each with the share of worlds in which
// the seat holds at least one such card. All seats have the same cards: those that some hidden seat holds in some
// world. So 1 is certain, and 0 says that the card is about, but never with this seat.
using CardOdds = std::vector<std::pair<int, std::vector<std::pair<std::string, double>>>>;

// The same view gives the same figures; another `seed` draws other worlds. Empty where no hand is hidden.
template <ShowsHands G>
CardOdds card_odds(const G& game, const typename G::View& view, int worlds, std::optional<std::uint64_t> seed = {}) {
  CardOdds out;
  const auto shown = game.hands(view);
  for (std::size_t seat = 0; seat < shown.size(); ++seat)
    if (shown[seat].hidden) out.push_back({static_cast<int>(seat), {}});
  if (out.empty()) return out;

  std::map<std::string, std::vector<int>> held;  // by card: the number of worlds for each of the hidden seats
  const std::uint64_t start = seed ? *seed : game.key(view);
  for (int number = 0; number < worlds; ++number) {
    Rng rng = sample_stream(mix(start, static_cast<std::uint64_t>(number)));
    auto hands = game.hands(game.sample(view, rng));
    for (std::size_t i = 0; i < out.size(); ++i) {
      auto& cards = hands[out[i].first].cards;
      std::sort(cards.begin(), cards.end());
      const auto end = std::unique(cards.begin(), cards.end());
      for (auto card = cards.begin(); card != end; ++card) {
        auto& counts = held[*card];
        counts.resize(out.size());
        ++counts[i];
      }
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    for (const auto& [card, counts] : held) out[i].second.emplace_back(card, counts[i] / static_cast<double>(worlds));
  return out;
}

}  // namespace kibitz
