// How far a hand is from being played.
#pragma once

#include "games/doudizhu/cards.h"

namespace kibitz::doudizhu {

// About how many turns it takes to get rid of a hand; low is good. Cards that win the lead back count less than a turn.
double turns_of(Bits hand);

}  // namespace kibitz::doudizhu
