// `rules`: a sensible hand-written player.
#pragma once

#include "core/agent.h"
#include "games/doudizhu/doudizhu.h"

namespace kibitz::doudizhu {

class RulesAgent final : public Agent<DouDiZhu> {
 public:
  Action act(const DouDiZhu& game, const View& view, Rng& rng) const override;
};

std::vector<NamedAgent<DouDiZhu>> named_agents(const DouDiZhu&);

}  // namespace kibitz::doudizhu
