// `rules`: a sensible hand-written player.
#pragma once

#include "core/agent.h"
#include "games/belote/belote.h"

namespace kibitz::belote {

class RulesAgent final : public Agent<Belote> {
 public:
  Action act(const Belote& game, const View& view, Rng& rng) const override;
};

std::vector<NamedAgent<Belote>> named_agents(const Belote&);

}  // namespace kibitz::belote
