#include "games/kuhn/kuhn.h"

#include "any/game_of.h"

static const auto registered = kibitz::any::registered<kibitz::kuhn::Kuhn>();
