#include "any/game_of.h"
#include "games/belote/rules_agent.h"

static const auto registered = kibitz::any::registered<kibitz::belote::Belote>();
