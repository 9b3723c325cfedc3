// Perceptron and Gradient: a net in training; see kibitz.learn.common.perceptron.
#pragma once

#include <nanobind/nanobind.h>

namespace kibitz::bind {

void bind_perceptron(nanobind::module_& m);

}  // namespace kibitz::bind
