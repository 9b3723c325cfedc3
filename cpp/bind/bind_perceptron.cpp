#include "bind/bind_perceptron.h"

#include "bind/bind_net.h"
#include "learn/gradient.h"

namespace kibitz::bind {

namespace {

// The GIL is held: a row takes about a microsecond, and what a perceptron works with is for one thread at a time.
class PerceptronBinder {
  using Numbers = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  using Slope = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  using Out = nb::ndarray<nb::numpy, float>;
  using Whole = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

 public:
  static void bind(nb::module_& m) {
    nb::class_<Perceptron>(m, "Perceptron", nb::dynamic_attr(),
                           "A perceptron in training; see kibitz.learn.common.perceptron.")
        .def(nb::new_(&make), "sizes"_a, "All weights are zero.")
        .def_prop_ro("weights", &weights, nb::rv_policy::automatic,
                     "All weights in one vector, in the core's own memory: layer by layer, [inputs + bias, stride].")
        .def_prop_ro("strides", &strides, "Of every layer: numbers from one input's weights to the next.")
        .def("values", &values, "obs"_a)
        .def("values_of_options", &values_of_options, "obs"_a, "counts"_a, "options"_a);
    nb::class_<Gradient>(m, "Gradient", "What the gradients of a perceptron's losses are worked out with.")
        .def(nb::init<const Perceptron&>(), "net"_a, nb::keep_alive<1, 2>())
        .def("begin", &begin, "obs"_a)
        .def("back", &back, "obs"_a, "by_outputs"_a, "slope"_a.noconvert())
        .def("fit", &fit, "obs"_a, "actions"_a, "goals"_a, "slope"_a.noconvert());
  }

 private:
  static constexpr const char* kOwner = "_owner";

  static void need(bool holds, const char* what) {
    if (!holds) throw BadInput(std::string("a perceptron needs ") + what);
  }

  // The weights have an owner of their own. torch does not free a tensor that lives until the interpreter ends: if it
  // held the perceptron itself, nanobind would take that for a leak and say so.
  static nb::object make(const std::vector<std::size_t>& sizes) {
    auto held = std::make_unique<std::shared_ptr<Perceptron>>(std::make_shared<Perceptron>(sizes));
    nb::object made = nb::cast(*held);
    made.attr(kOwner) =
        nb::capsule(held.release(), [](void* p) noexcept { delete static_cast<std::shared_ptr<Perceptron>*>(p); });
    return made;
  }

  static Out weights(nb::handle_t<Perceptron> h) {
    const std::span<float> all = nb::cast<Perceptron&>(h).weights();
    return Out(all.data(), {all.size()}, h.attr(kOwner));
  }

  static std::vector<std::size_t> strides(const Perceptron& self) {
    std::vector<std::size_t> out;
    for (const Perceptron::Layer& layer : self.layers()) out.push_back(layer.stride);
    return out;
  }

  static Out values(const Perceptron& self, const Rows& obs) {
    need(obs.shape(1) == self.inputs(), "rows as wide as its inputs");
    auto out = new_array<float>({obs.shape(0), self.outputs()});
    Perceptron::Scratch scratch(self);
    for (std::size_t row = 0; row < obs.shape(0); ++row)
      self(obs.data() + row * self.inputs(), out.data() + row * self.outputs(), scratch);
    return out;
  }

  static Out values_of_options(const Perceptron& self, const Rows& obs, const Whole& counts, const Rows& options) {
    need(obs.shape(1) < self.inputs() && options.shape(1) == self.inputs() - obs.shape(1),
         "rows as wide as its inputs");
    const std::span<const std::int64_t> each(counts.data(), counts.size());
    std::int64_t sum = 0;
    for (std::int64_t n : each) {
      need(n >= 0, "counts of options");
      sum += n;
    }
    need(obs.shape(0) == each.size() && static_cast<std::size_t>(sum) == options.shape(0), "a row for every option");
    auto out = new_array<float>({options.shape(0)});
    Perceptron::Scratch scratch(self);
    self.values_of_options(obs.data(), obs.shape(1), each, options.data(), out.data(), scratch);
    return out;
  }

  static void check(const Gradient& self, const Rows& obs, const Slope& slope) {
    need(slope.size() == self.net().weights().size(), "a vector of its size");
    need(obs.shape(1) == self.net().inputs(), "rows as wide as its inputs");
  }

  static Out begin(Gradient& self, const Rows& obs) {
    need(obs.shape(1) == self.net().inputs(), "rows as wide as its inputs");
    auto out = new_array<float>({obs.shape(0), self.net().outputs()});
    self.begin(obs.data(), obs.shape(0), out.data());
    return out;
  }

  static void back(Gradient& self, const Rows& obs, const Rows& by_outputs, const Slope& slope) {
    check(self, obs, slope);
    need(by_outputs.shape(1) == self.net().outputs(), "slopes as wide as its outputs");
    need(obs.shape(0) == self.rows() && by_outputs.shape(0) == self.rows(), "the rows it began with");
    self.back(obs.data(), by_outputs.data(), slope.data());
  }

  static std::pair<double, double> fit(Gradient& self, const Rows& obs, const Whole& actions,
                                       const std::vector<std::pair<Numbers, float>>& goals, const Slope& slope) {
    check(self, obs, slope);
    const std::span<const std::int64_t> each(actions.data(), actions.size());
    need(each.size() == obs.shape(0) && !each.empty(), "an action for every row");
    for (std::int64_t action : each)
      need(action >= 0 && static_cast<std::size_t>(action) < self.net().outputs(), "actions that it has outputs for");
    std::vector<Goal> wanted;
    for (const auto& [values, weight] : goals) {
      need(values.size() == each.size(), "a goal for every row");
      wanted.push_back({values.data(), weight});
    }
    const Gradient::Fitted found = self.fit(obs.data(), each, wanted, slope.data());
    return {found.loss, found.mean};
  }
};

}  // namespace

void bind_perceptron(nb::module_& m) { PerceptronBinder::bind(m); }

}  // namespace kibitz::bind
