// `rules`: a sensible hand-written player.
#pragma once

#include "core/agent.h"
#include "games/uno/uno.h"

namespace kibitz::uno {

class RulesAgent final : public Agent<Uno> {
 public:
  Action act(const Uno& game, const View& view, Rng& rng) const override;
};

std::vector<NamedAgent<Uno>> named_agents(const Uno&);

}  // namespace kibitz::uno
