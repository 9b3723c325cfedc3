#include "eval/perceptron.h"

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

Perceptron::Perceptron(const std::vector<std::size_t>& sizes, Final final) : final_(final) {
  if (sizes.size() < 2 || std::count(sizes.begin(), sizes.end(), 0U) > 0 ||
      *std::max_element(sizes.begin(), sizes.end()) > kMostUnits)
    throw BadInput("a perceptron needs at least two sizes, each from 1 to " + std::to_string(kMostUnits));
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l) add_layer(sizes[l], sizes[l + 1]);
}

Perceptron::Perceptron(const std::map<std::string, Tensor>& tensors, Final final) : final_(final) {
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
    if (!layers_.empty() && outputs() != in)
      throw BadInput(name + ".weight takes " + std::to_string(in) + " inputs, but the layer before gives " +
                     std::to_string(outputs()));
    if (b->second->shape != std::vector<std::size_t>{out})
      throw BadInput(name + ".bias must be [" + std::to_string(out) + "], not " + shape_text(b->second->shape));
    add_layer(in, out);
    const Layer& layer = layers_.back();
    for (std::size_t o = 0; o < out; ++o)
      for (std::size_t i = 0; i < in; ++i) weights_[layer.weights + i * layer.stride + o] = w->values[o * in + i];
    std::copy_n(b->second->values.begin(), out, weights_.begin() + static_cast<std::ptrdiff_t>(layer.bias));
  }
}

void Perceptron::add_layer(std::size_t in, std::size_t out) {
  const std::size_t stride = whole_blocks(out), at = weights_.size();
  layers_.push_back({in, out, stride, at, at + in * stride});
  weights_.resize(at + (in + 1) * stride);
}

std::vector<std::size_t> Perceptron::sizes() const {
  std::vector<std::size_t> out{inputs()};
  for (const Layer& layer : layers_) out.push_back(layer.out);
  return out;
}

Perceptron::Scratch::Scratch(const Perceptron& net) : state_(net.layers_.front().stride) {
  std::size_t in = 0, stride = 0;
  for (const Layer& layer : net.layers_) {
    in = std::max(in, layer.in);
    stride = std::max(stride, layer.stride);
  }
  here_.resize(stride);
  there_.resize(stride);
  places_.resize(in);
}

const float* Perceptron::climb(const float* in, std::size_t first, Scratch& scratch) const {
  float *here = scratch.here_.data(), *there = scratch.there_.data();
  std::uint32_t* places = scratch.places_.data();
  for (std::size_t l = first; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    const Wanted wanted = l == 0 ? not_zero(in, layer.in, places) : positive(in, layer.in, places);
    kernels().add_columns(&weights_[layer.weights], &weights_[layer.bias], layer.stride, wanted, there);
    std::swap(here, there);
    in = here;
  }
  return in;
}

void Perceptron::finish(const float* sums, std::size_t n, float* out) const {
  if (final_ == Final::kTanh)
    std::transform(sums, sums + n, out, [](float x) { return std::tanh(x); });
  else
    std::copy_n(sums, n, out);
}

void Perceptron::operator()(const float* in, float* out, Scratch& scratch) const {
  finish(climb(in, 0, scratch), outputs(), out);
}

void Perceptron::values_of_options(const float* states, std::size_t features, std::span<const std::int64_t> counts,
                                   const float* options, float* out, Scratch& scratch) const {
  const Layer& first = layers_.front();
  const std::size_t more = inputs() - features;
  const float *by_state = &weights_[first.weights], *by_option = by_state + features * first.stride;
  float* here = scratch.here_.data();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const Wanted known = not_zero(states + i * features, features, scratch.places_.data());
    kernels().add_columns(by_state, &weights_[first.bias], first.stride, known, scratch.state_.data());
    for (std::int64_t k = 0; k < counts[i]; ++k, options += more) {
      const Wanted asked = not_zero(options, more, scratch.places_.data());
      kernels().add_columns(by_option, scratch.state_.data(), first.stride, asked, here);
      finish(climb(here, 1, scratch), 1, out++);
    }
  }
}

}  // namespace kibitz
