#include "games/connect_four/connect_four.h"

#include "any/game_of.h"

static const auto registered = kibitz::any::registered<kibitz::connect_four::ConnectFour>();
