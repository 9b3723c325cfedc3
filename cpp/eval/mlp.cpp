#include "eval/mlp.h"

#include <algorithm>
#include <cmath>

#include "eval/columns.h"

namespace kibitz {

namespace {

constexpr std::uint64_t kMostUnits = 1 << 20;

// N of "N.weight" and "N.bias", or -1.
int layer_number(const std::string& name, const std::string& ending) {
  if (name.size() <= ending.size() || name.size() > ending.size() + 4 || !name.ends_with(ending)) return -1;
  int out = 0;
  for (std::size_t i = 0; i + ending.size() < name.size(); ++i) {
    if (name[i] < '0' || name[i] > '9') return -1;
    out = out * 10 + (name[i] - '0');
  }
  return out;
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::vector<std::string> out;
  for (std::size_t n : shape) out.push_back(std::to_string(n));
  return "[" + joined(out) + "]";
}

}  // namespace

Mlp::Mlp(const std::map<std::string, Tensor>& tensors, Final final) : final_(final) {
  std::map<int, const Tensor*> weights, biases;
  for (const auto& [name, tensor] : tensors) {
    const int w = layer_number(name, ".weight"), b = layer_number(name, ".bias");
    if (w < 0 && b < 0) throw BadInput("tensor " + quoted(name) + " is unknown; allowed are N.weight and N.bias");
    if (!(w >= 0 ? weights.emplace(w, &tensor) : biases.emplace(b, &tensor)).second)
      throw BadInput("tensor " + quoted(name) + " is there twice");
  }
  if (weights.empty()) throw BadInput("there is no layer: N.weight and N.bias are needed");
  for (const auto& [number, w] : weights) {
    const std::string name = std::to_string(number);
    const auto b = biases.find(number);
    if (b == biases.end() || weights.size() != biases.size())
      throw BadInput("every N.weight needs its N.bias, and every N.bias its N.weight");
    if (w->shape.size() != 2 || w->shape[0] < 1 || w->shape[1] < 1)
      throw BadInput(name + ".weight must be [outputs, inputs], not " + shape_text(w->shape));
    const std::size_t out = w->shape[0], in = w->shape[1];
    if (in > kMostUnits || out > kMostUnits) throw BadInput(name + ".weight is too large: " + shape_text(w->shape));
    if (!layers_.empty() && layers_.back().out != in)
      throw BadInput(name + ".weight takes " + std::to_string(in) + " inputs, but the layer before gives " +
                     std::to_string(layers_.back().out));
    if (b->second->shape != std::vector<std::size_t>{out})
      throw BadInput(name + ".bias must be [" + std::to_string(out) + "], not " + shape_text(b->second->shape));
    const std::size_t stride = whole_blocks(out);
    Layer layer{in, out, stride, std::vector<float>(in * stride), std::vector<float>(stride)};
    for (std::size_t o = 0; o < out; ++o)
      for (std::size_t i = 0; i < in; ++i) layer.weights[i * stride + o] = w->values[o * in + i];
    std::copy_n(b->second->values.begin(), out, layer.bias.begin());
    layers_.push_back(std::move(layer));
  }
}

std::vector<int> Mlp::sizes() const {
  std::vector<int> out{inputs()};
  for (const Layer& layer : layers_) out.push_back(static_cast<int>(layer.out));
  return out;
}

Mlp::Scratch::Scratch(const Mlp& mlp) {
  std::size_t in = 0, stride = 0;
  for (const Layer& layer : mlp.layers_) {
    in = std::max(in, layer.in);
    stride = std::max(stride, layer.stride);
  }
  here_.resize(stride);
  there_.resize(stride);
  places_.resize(in);
}

void Mlp::operator()(const float* in, float* out, Scratch& scratch) const {
  float *here = scratch.here_.data(), *there = scratch.there_.data();
  std::uint32_t* places = scratch.places_.data();
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    const Wanted wanted = l == 0 ? not_zero(in, layer.in, places) : positive(in, layer.in, places);
    kernels().add_columns(layer.weights.data(), layer.bias.data(), layer.stride, wanted, there);
    std::swap(here, there);
    in = here;
  }
  const std::size_t outputs = layers_.back().out;
  if (final_ == Final::kTanh)
    std::transform(in, in + outputs, out, [](float x) { return std::tanh(x); });
  else
    std::copy_n(in, outputs, out);
}

}  // namespace kibitz
