#include "any/game_of.h"
#include "games/uno/rules_agent.h"

static const auto registered = kibitz::any::registered<kibitz::uno::Uno>();
