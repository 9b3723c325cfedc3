// Value <-> Python objects.
#pragma once

#include <nanobind/nanobind.h>

#include "core/value.h"

namespace kibitz::bind {

Value to_value(nanobind::handle h);
nanobind::object to_python(const Value& v);

}  // namespace kibitz::bind
