// Searches on games written in Python: python_agent and the class of what it makes.
#pragma once

#include <nanobind/nanobind.h>

namespace kibitz::bind {

void bind_python(nanobind::module_& m);

}  // namespace kibitz::bind
