// The engine that evaluates a propositional network.
#pragma once

#include <memory>

#include "games/gdl/engine/network.h"
#include "games/gdl/engine/reasoner.h"

namespace kibitz::gdl {

// `moves`: closed, of the grounding that the network was built from. OverBudget if the budget runs out.
std::unique_ptr<Engine> network_engine(std::shared_ptr<const Network> network, std::shared_ptr<const Moves> moves,
                                       const Terms& terms, Budget& budget);

}  // namespace kibitz::gdl
