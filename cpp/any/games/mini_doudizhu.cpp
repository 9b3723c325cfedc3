#include "games/mini_doudizhu/mini_doudizhu.h"

#include "any/game_of.h"

static const auto registered = kibitz::any::registered<kibitz::mini_doudizhu::MiniDouDiZhu>();
