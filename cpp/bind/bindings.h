// The parts of the module, in the order in which they are bound.
#pragma once

#include <nanobind/nanobind.h>

namespace kibitz::any {
class Game;
}

namespace kibitz::bind {

void bind_game(nanobind::module_& m);  // and, with the class Game at hand, the next two
void bind_agents(nanobind::module_& m, nanobind::class_<any::Game>& game);
void bind_learning(nanobind::module_& m, nanobind::class_<any::Game>& game);
void bind_gdl(nanobind::module_& m);     // rulesheets
void bind_python(nanobind::module_& m);  // searches on games written in Python

}  // namespace kibitz::bind
