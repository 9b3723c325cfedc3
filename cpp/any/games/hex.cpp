#include "games/hex/hex.h"

#include "any/game_of.h"

static const auto registered = kibitz::any::registered<kibitz::hex::Hex>();
