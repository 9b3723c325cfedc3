// Rulesheets, and the game that is made of them. In a file of its own, so that the others need not be compiled with it.
#pragma once

#include <nanobind/nanobind.h>

namespace kibitz::bind {

void bind_gdl(nanobind::module_& m);

}  // namespace kibitz::bind
