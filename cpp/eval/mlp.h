// A multilayer perceptron: ReLU between the layers, the last one linear or tanh. Inputs of games are mostly zeros and
// ones, and so are, in part, its own layers after ReLU: each layer adds up the columns of the inputs that are not zero.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "eval/safetensors.h"

namespace kibitz {

enum class Final : std::uint8_t { kLinear, kTanh };  // what becomes of the last layer's sums

class Mlp {
 public:
  // Where an evaluation puts what it needs in between: made once, used by one thread at a time.
  class Scratch {
   public:
    explicit Scratch(const Mlp& mlp);

   private:
    friend class Mlp;
    std::vector<float> here_, there_;
    std::vector<std::uint32_t> places_;
  };

  // Tensors as in the state dict of torch's nn.Sequential: N.weight [out, in] and N.bias [out], in ascending order of
  // N.
  Mlp(const std::map<std::string, Tensor>& tensors, Final final);

  int inputs() const { return static_cast<int>(layers_.front().in); }
  int outputs() const { return static_cast<int>(layers_.back().out); }
  std::vector<int> sizes() const;  // of the input and of every layer

  // `in` holds inputs() floats, `out` takes outputs(). Does not allocate. The sums are the same on every machine.
  void operator()(const float* in, float* out, Scratch& scratch) const;

 private:
  struct Layer {
    std::size_t in, out, stride;  // stride: out, rounded up to whole blocks
    std::vector<float> weights;   // [in, stride]: what one input adds to all outputs lies side by side
    std::vector<float> bias;      // [stride]
  };

  std::vector<Layer> layers_;
  Final final_;
};

}  // namespace kibitz
