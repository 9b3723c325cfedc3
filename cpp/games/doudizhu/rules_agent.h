// `rules`: a sensible hand-written player.
#pragma once

#include "core/agent.h"
#include "games/doudizhu/doudizhu.h"

namespace kibitz::doudizhu {

class RulesAgent final : public QuickAgent<DouDiZhu> {
 public:
  Action act_within(const DouDiZhu& game, const State& s, Seat seat, const DouDiZhu::Legal& list,
                    Rng& rng) const override;
};

std::vector<NamedAgent<DouDiZhu>> named_agents(const DouDiZhu&);
static_assert(NamesAgents<DouDiZhu>);

}  // namespace kibitz::doudizhu
