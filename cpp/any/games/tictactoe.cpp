#include "games/tictactoe/tictactoe.h"

#include "any/game_of.h"

static const auto registered = kibitz::any::registered<kibitz::tictactoe::TicTacToe>();
