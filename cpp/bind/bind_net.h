// Nets of the core in Python.
#pragma once

#include <bit>

#include "bind/common.h"
#include "eval/net.h"

namespace kibitz::bind {

// Float rows from Python, [n, width].
using Rows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

inline void check_rows(const Rows& rows, std::size_t n, std::size_t width, const std::string& what) {
  if (rows.shape(0) != n || rows.shape(1) != width)
    throw BadInput(what + " must have the shape [" + std::to_string(n) + ", " + std::to_string(width) + "], not [" +
                   std::to_string(rows.shape(0)) + ", " + std::to_string(rows.shape(1)) + "]");
  constexpr std::uint32_t kExponent = 0x7F800000;  // all ones in infinities and NaN; asked so, four or eight at a time
  std::uint32_t infinite = 0;
  for (std::size_t i = 0; i < n * width; ++i)
    infinite |= (std::bit_cast<std::uint32_t>(rows.data()[i]) & kExponent) == kExponent;
  if (infinite) throw BadInput(what + " must be finite numbers");
}

inline void bind_net(nb::module_& m) {
  nb::class_<Net>(m, "Net", "Weights with their meaning; see kibitz.Net.")
      .def(
          "__init__",
          [](Net* self, nb::bytes content) {
            nb::gil_scoped_release release;
            new (self) Net(make_net(parse_safetensors({content.c_str(), content.size()})));
          },
          "content"_a, "From the content of a safetensors file.")
      .def(
          "__init__",
          [](Net* self, const std::string& path) {
            nb::gil_scoped_release release;
            new (self) Net(load_net(path));
          },
          "path"_a, "From a safetensors file.")
      .def(
          "__init__",
          [](Net* self, const Perceptron& perceptron, Metadata metadata) {
            new (self) Net(make_net(perceptron, std::move(metadata)));
          },
          "perceptron"_a, "metadata"_a, "A copy of a perceptron's weights, as they are now.")
      .def_prop_ro("sizes", [](const Net& self) { return self.perceptron.sizes(); })
      .def_ro("metadata", &Net::metadata)
      .def(
          "evaluate",
          [](const Net& self, const Rows& rows) {
            const std::size_t in = self.perceptron.inputs(), width = self.perceptron.outputs();
            auto out = new_array<float>({rows.shape(0), width});
            nb::gil_scoped_release release;
            check_rows(rows, rows.shape(0), in, "observations");
            Perceptron::Scratch scratch(self.perceptron);
            for (std::size_t i = 0; i < rows.shape(0); ++i)
              self.perceptron(rows.data() + i * in, out.data() + i * width, scratch);
            return out;
          },
          "observations"_a);
}

}  // namespace kibitz::bind
