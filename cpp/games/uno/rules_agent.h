// `rules`: a sensible hand-written player.
#pragma once

#include "core/agent.h"
#include "games/uno/uno.h"

namespace kibitz::uno {

class RulesAgent final : public QuickAgent<Uno> {
 public:
  Action act_within(const Uno& game, const State& s, Seat seat, const Uno::Legal& list, Rng& rng) const override;
};

std::vector<NamedAgent<Uno>> named_agents(const Uno&);
static_assert(NamesAgents<Uno>);

}  // namespace kibitz::uno
