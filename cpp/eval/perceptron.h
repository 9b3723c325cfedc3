// A multilayer perceptron: ReLU between the layers, the last one linear or tanh. Inputs of games are mostly zeros and
// ones, and so are, in part, its own layers after ReLU: each layer adds up the columns of the inputs that are not zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "eval/safetensors.h"

namespace kibitz {

enum class Final : std::uint8_t { kLinear, kTanh };  // what becomes of the last layer's sums

// Memory that begins with a line of the cache: what other libraries make of weights, to the last bit, must not depend
// on where they happen to lie.
template <class T>
struct Aligned {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* at, std::size_t) { ::operator delete(at, kLine); }
  friend bool operator==(Aligned, Aligned) { return true; }
};

// The layout of weights is the same for playing and for learning (learn/gradient.h), so that a search during training
// takes them as they are: one vector with, for every layer, its weights [in, stride] and its bias [stride]. What one
// input adds to all outputs lies side by side; where a stride is longer than the layer there are zeros.
class Perceptron {
 public:
  struct Layer {
    std::size_t in, out, stride;  // stride: out, rounded up to whole blocks
    std::size_t weights, bias;    // where they begin in the vector
  };

  // Where an evaluation puts what it needs in between: made once, used by one thread at a time.
  class Scratch {
   public:
    explicit Scratch(const Perceptron& net);

   private:
    friend class Perceptron;
    std::vector<float> here_, there_, state_;
    std::vector<std::uint32_t> places_;
  };

  // Of the input and of every layer; all weights are zero. BadInput where there is no layer, or an empty one.
  explicit Perceptron(const std::vector<std::size_t>& sizes, Final final = Final::kLinear);
  // Tensors as in the state dict of torch's nn.Sequential: N.weight [out, in] and N.bias [out], in ascending order of
  // N.
  explicit Perceptron(const std::map<std::string, Tensor>& tensors, Final final = Final::kLinear);

  std::size_t inputs() const { return layers_.front().in; }
  std::size_t outputs() const { return layers_.back().out; }
  std::vector<std::size_t> sizes() const;
  std::span<const Layer> layers() const { return layers_; }
  Final final() const { return final_; }
  std::span<const float> weights() const { return weights_; }
  std::span<float> weights() { return weights_; }

  // `in` holds inputs() floats, `out` takes outputs(). Does not allocate. The sums are the same on every machine.
  void operator()(const float* in, float* out, Scratch& scratch) const;

  // The first output for every option of every state: the input is a row of `states` [n, features], then one of its
  // counts[i] options. What a state adds to the first layer is summed once.
  void values_of_options(const float* states, std::size_t features, std::span<const std::int64_t> counts,
                         const float* options, float* out, Scratch& scratch) const;

 private:
  void add_layer(std::size_t in, std::size_t out);
  // The sums of the last layer, given what layer `first` takes.
  const float* climb(const float* in, std::size_t first, Scratch& scratch) const;
  void finish(const float* sums, std::size_t n, float* out) const;

  std::vector<Layer> layers_;
  std::vector<float, Aligned<float>> weights_;
  Final final_;
};

}  // namespace kibitz
