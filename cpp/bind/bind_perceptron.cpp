#include "bind/bind_perceptron.h"

#include <algorithm>

#include "bind/bind_net.h"
#include "learn/perceptron.h"

namespace kibitz::bind {

namespace {

// The GIL is held: a row takes about a microsecond, and a perceptron is for one thread at a time.
class PerceptronBinder {
  using Numbers = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  using Slope = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  using Out = nb::ndarray<nb::numpy, float>;
  using Whole = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

 public:
  static void bind(nb::module_& m) {
    nb::class_<Perceptron>(m, "NativePerceptron",
                           "The sums of a perceptron in training; see kibitz.learn.common.perceptron.")
        .def("__init__", &make, "sizes"_a)
        .def_prop_ro("size", &Perceptron::size, "Numbers in a vector of weights.")
        .def_prop_ro("strides", &Perceptron::strides, "Of every layer: numbers from one input's weights to the next.")
        .def("values", &say<&Perceptron::values>, "weights"_a, "obs"_a)
        .def("values_of_options", &values_of_options, "weights"_a, "obs"_a, "counts"_a, "options"_a)
        .def("begin", &say<&Perceptron::begin>, "weights"_a, "obs"_a)
        .def("back", &back, "weights"_a, "obs"_a, "by_outputs"_a, "slope"_a.noconvert())
        .def("fit", &fit, "weights"_a, "obs"_a, "actions"_a, "goals"_a, "slope"_a.noconvert());
  }

 private:
  static void need(bool holds, const char* what) {
    if (!holds) throw BadInput(std::string("a perceptron needs ") + what);
  }

  static void make(Perceptron* self, const std::vector<std::size_t>& sizes) {
    need(sizes.size() > 1 && std::ranges::all_of(sizes, [](std::size_t n) { return n > 0; }), "at least two sizes");
    new (self) Perceptron(sizes);
  }

  static void check(const Perceptron& self, std::size_t numbers, const Rows& obs, std::size_t features) {
    need(numbers == self.size(), "a vector of its size");
    need(obs.shape(1) == features, "rows as wide as its inputs");
  }

  // What it says of each row, remembered or not.
  template <auto Say>
  static Out say(Perceptron& self, const Numbers& weights, const Rows& obs) {
    check(self, weights.size(), obs, self.inputs());
    auto out = new_array<float>({obs.shape(0), self.outputs()});
    (self.*Say)(weights.data(), obs.data(), obs.shape(0), out.data());
    return out;
  }

  static Out values_of_options(Perceptron& self, const Numbers& weights, const Rows& obs, const Whole& counts,
                               const Rows& options) {
    need(obs.shape(1) < self.inputs(), "rows as wide as its inputs");
    check(self, weights.size(), options, self.inputs() - obs.shape(1));
    const std::span<const std::int64_t> each(counts.data(), counts.size());
    std::int64_t sum = 0;
    for (std::int64_t n : each) {
      need(n >= 0, "counts of options");
      sum += n;
    }
    need(obs.shape(0) == each.size() && static_cast<std::size_t>(sum) == options.shape(0), "a row for every option");
    auto out = new_array<float>({options.shape(0)});
    self.values_of_options(weights.data(), obs.data(), obs.shape(1), each, options.data(), out.data());
    return out;
  }

  static void back(Perceptron& self, const Numbers& weights, const Rows& obs, const Rows& by_outputs,
                   const Slope& slope) {
    check(self, weights.size(), obs, self.inputs());
    check(self, slope.size(), by_outputs, self.outputs());
    need(obs.shape(0) == self.rows() && by_outputs.shape(0) == self.rows(), "the rows it began with");
    self.back(weights.data(), obs.data(), by_outputs.data(), slope.data());
  }

  static std::pair<double, double> fit(Perceptron& self, const Numbers& weights, const Rows& obs, const Whole& actions,
                                       const std::vector<std::pair<Numbers, float>>& goals, const Slope& slope) {
    check(self, weights.size(), obs, self.inputs());
    const std::span<const std::int64_t> each(actions.data(), actions.size());
    need(slope.size() == self.size() && each.size() == obs.shape(0) && !each.empty(), "an action for every row");
    for (std::int64_t action : each)
      need(action >= 0 && static_cast<std::size_t>(action) < self.outputs(), "actions that it has outputs for");
    std::vector<Goal> wanted;
    for (const auto& [values, weight] : goals) {
      need(values.size() == each.size(), "a goal for every row");
      wanted.push_back({values.data(), weight});
    }
    const Perceptron::Fitted found = self.fit(weights.data(), obs.data(), each, wanted, slope.data());
    return {found.loss, found.mean};
  }
};

}  // namespace

void bind_perceptron(nb::module_& m) { PerceptronBinder::bind(m); }

}  // namespace kibitz::bind
