// `rules`: a sensible hand-written player.
#pragma once

#include "core/agent.h"
#include "games/belote/belote.h"

namespace kibitz::belote {

class RulesAgent final : public QuickAgent<Belote> {
 public:
  Action act_within(const Belote& game, const State& s, Seat seat, const Belote::Legal& list, Rng& rng) const override;
};

std::vector<NamedAgent<Belote>> named_agents(const Belote&);
static_assert(NamesAgents<Belote>);

}  // namespace kibitz::belote
