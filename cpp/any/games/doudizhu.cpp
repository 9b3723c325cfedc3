#include "any/game_of.h"
#include "games/doudizhu/rules_agent.h"

static const auto registered = kibitz::any::registered<kibitz::doudizhu::DouDiZhu>();
