// Gradients of a perceptron's losses. As its inputs are mostly zero, and a loss often speaks of one action only, most
// products of a dense layer would be with zeros; they are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "eval/columns.h"
#include "eval/perceptron.h"

namespace kibitz {

// Q(s, a) should be this, with this weight in the loss.
struct Goal {
  const float* values;  // one per row
  float weight;
};

// Room to work in for one perceptron, which must live as long: for one thread at a time. A gradient, called a slope,
// lies as the weights do and belongs to the caller. The perceptron's end is linear: tanh is not for learning.
class Gradient {
 public:
  explicit Gradient(const Perceptron& net);

  const Perceptron& net() const { return net_; }
  std::size_t rows() const { return rows_; }  // that `begin` remembers

  // What the perceptron says of each row of `obs`, [rows, outputs]; remembers what `back` needs.
  void begin(const float* obs, std::size_t rows, float* out);
  // Adds to `slope` the gradient of a loss whose derivative by the outputs of `begin` is `by_outputs`; same obs.
  void back(const float* obs, const float* by_outputs, float* slope);

  struct Fitted {
    double loss, mean;
  };
  // Adds to `slope` the gradient of the sum of weight · mean (Q(s, a) - goal)²; tells this loss, and the mean of
  // Q(s, a).
  Fitted fit(const float* obs, std::span<const std::int64_t> actions, std::span<const Goal> goals, float* slope);

 private:
  // So many rows wait: gradients of weights are summed over them in registers, and their slopes stay in the cache.
  static constexpr std::size_t kTogether = 64;

  using Layer = Perceptron::Layer;
  // What a layer took in the rows that wait, input by input, and the slopes of its sums.
  struct Waiting {
    std::vector<std::uint32_t> counts, rows;  // [in], [in, kTogether]: rows in which the input was not zero
    std::vector<float> inputs, slopes;        // [in, kTogether], [kTogether, stride]
    bool ones = true;                         // all inputs that were not zero
  };

  // The sums of layers [0, end).
  void climb(const float* in, std::size_t end);
  // From the slopes of a layer: those of all layers below. The row at work then waits with others.
  void descend(std::size_t layer, float* slope);
  // Puts what a layer took in the row at work among what waits.
  void note(std::size_t layer);
  // Adds what the rows that wait mean for the weights up to a layer; none waits then.
  void add_waiting(std::size_t layer, float* slope);

  // Of the sums of a layer, in the row at work.
  float* slopes(std::size_t layer) { return waiting_[layer].slopes.data() + waits_ * layers_[layer].stride; }

  const Perceptron& net_;
  std::span<const Layer> layers_;
  std::size_t rows_ = 0;
  // Of the row at work, for every layer: what it takes, and its sums.
  std::vector<Wanted> wanted_;
  std::vector<std::vector<std::uint32_t>> places_;
  std::vector<std::vector<float>> sums_;
  std::vector<Waiting> waiting_;
  std::size_t waits_ = 0;      // rows that wait
  std::vector<float> hidden_;  // of all rows of `begin`: the sums of all layers but the last
};

}  // namespace kibitz
