#include "games/gdl/gdl.h"

#include "any/game_of.h"

static const auto registered = kibitz::any::registered<kibitz::gdl::Gdl>();
