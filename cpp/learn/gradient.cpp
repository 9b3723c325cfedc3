#include "learn/gradient.h"

#include <algorithm>

namespace kibitz {

Gradient::Gradient(const Perceptron& net) : net_(net), layers_(net.layers()), wanted_(net.layers().size()) {
  if (net.final() != Final::kLinear) throw BadInput("a perceptron that ends in tanh does not learn");
  for (const Layer& layer : layers_) {
    places_.emplace_back(layer.in);
    sums_.emplace_back(layer.stride);
    waiting_.push_back({std::vector<std::uint32_t>(layer.in), std::vector<std::uint32_t>(layer.in * kTogether),
                        std::vector<float>(layer.in * kTogether), std::vector<float>(kTogether * layer.stride)});
  }
}

void Gradient::climb(const float* in, std::size_t end) {
  const float* weights = net_.weights().data();
  for (std::size_t l = 0; l < end; ++l) {
    const Layer& layer = layers_[l];
    std::uint32_t* places = places_[l].data();
    wanted_[l] = l == 0 ? not_zero(in, layer.in, places) : positive(in, layer.in, places);
    kernels().add_columns(weights + layer.weights, weights + layer.bias, layer.stride, wanted_[l], sums_[l].data());
    in = sums_[l].data();
  }
}

void Gradient::descend(std::size_t layer, float* slope) {
  const float* weights = net_.weights().data();
  for (std::size_t l = layer; l > 0; --l) {
    const Layer& at = layers_[l];
    note(l);
    std::fill_n(slopes(l - 1), layers_[l - 1].stride, 0.0F);  // ReLU lets nothing through where it gave zero
    kernels().dot_columns(weights + at.weights, slopes(l), at.stride, wanted_[l], slopes(l - 1));
  }
  note(0);
  if (++waits_ == kTogether) add_waiting(layer, slope);
}

void Gradient::note(std::size_t layer) {
  const Wanted& wanted = wanted_[layer];
  Waiting& waiting = waiting_[layer];
  for (std::size_t i = 0; i < wanted.n; ++i) {
    const std::size_t place = wanted.places[i], first = place * kTogether;
    waiting.rows[first + waiting.counts[place]++] = static_cast<std::uint32_t>(waits_);
    waiting.inputs[first + waits_] = wanted.in[place];
  }
  waiting.ones &= wanted.ones;
}

void Gradient::add_waiting(std::size_t layer, float* slope) {
  for (std::size_t l = 0; l <= layer; ++l) {
    const Layer& at = layers_[l];
    Waiting& waiting = waiting_[l];
    for (std::size_t i = 0; i < at.in; ++i) {
      const Wanted rows{&waiting.inputs[i * kTogether], &waiting.rows[i * kTogether], waiting.counts[i], waiting.ones};
      float* column = slope + at.weights + i * at.stride;
      if (rows.n > 0) kernels().add_columns(waiting.slopes.data(), column, at.stride, rows, column);
      waiting.counts[i] = 0;
    }
    for (std::size_t row = 0; row < waits_; ++row)
      for (std::size_t j = 0; j < at.stride; ++j) slope[at.bias + j] += waiting.slopes[row * at.stride + j];
    waiting.ones = true;
  }
  waits_ = 0;
}

void Gradient::begin(const float* obs, std::size_t rows, float* out) {
  hidden_.clear();
  for (std::size_t row = 0; row < rows; ++row) {
    climb(obs + row * net_.inputs(), layers_.size());
    std::copy_n(sums_.back().data(), net_.outputs(), out + row * net_.outputs());
    for (std::size_t l = 0; l + 1 < layers_.size(); ++l)
      hidden_.insert(hidden_.end(), sums_[l].begin(), sums_[l].end());
  }
  rows_ = rows;
}

void Gradient::back(const float* obs, const float* by_outputs, float* slope) {
  const float* hidden = hidden_.data();
  for (std::size_t row = 0; row < rows_; ++row) {
    wanted_[0] = not_zero(obs + row * net_.inputs(), net_.inputs(), places_[0].data());
    for (std::size_t l = 1; l < layers_.size(); ++l) {
      wanted_[l] = positive(hidden, layers_[l].in, places_[l].data());
      hidden += layers_[l - 1].stride;
    }
    std::copy_n(by_outputs + row * net_.outputs(), net_.outputs(), slopes(layers_.size() - 1));
    descend(layers_.size() - 1, slope);
  }
  add_waiting(layers_.size() - 1, slope);
}

Gradient::Fitted Gradient::fit(const float* obs, std::span<const std::int64_t> actions, std::span<const Goal> goals,
                               float* slope) {
  const float* weights = net_.weights().data();
  const std::size_t last = layers_.size() - 1;
  const Layer& top = layers_[last];
  const auto rows = static_cast<float>(actions.size());
  Fitted found{0, 0};
  for (std::size_t row = 0; row < actions.size(); ++row) {
    const float* in = obs + row * net_.inputs();
    climb(in, last);
    // Of the last layer one output matters: one number of each of its columns.
    if (last > 0) in = sums_[last - 1].data();
    std::uint32_t* places = places_[last].data();
    const Wanted wanted = last == 0 ? not_zero(in, top.in, places) : positive(in, top.in, places);
    const auto action = static_cast<std::size_t>(actions[row]);
    const float* column = weights + top.weights + action;
    float q = weights[top.bias + action];
    for (std::size_t i = 0; i < wanted.n; ++i) q += in[wanted.places[i]] * column[wanted.places[i] * top.stride];
    float by_q = 0;
    for (const Goal& goal : goals) {
      const float error = q - goal.values[row];
      found.loss += static_cast<double>(error * error) * goal.weight;
      by_q += error * (2 * goal.weight / rows);
    }
    found.mean += q;
    slope[top.bias + action] += by_q;
    float* by_column = slope + top.weights + action;
    for (std::size_t i = 0; i < wanted.n; ++i) by_column[wanted.places[i] * top.stride] += in[wanted.places[i]] * by_q;
    if (last == 0) continue;
    float* below = slopes(last - 1);
    std::fill_n(below, layers_[last - 1].stride, 0.0F);
    for (std::size_t i = 0; i < wanted.n; ++i) below[wanted.places[i]] = column[wanted.places[i] * top.stride] * by_q;
    descend(last - 1, slope);
  }
  if (last > 0) add_waiting(last - 1, slope);
  return {found.loss / rows, found.mean / rows};
}

}  // namespace kibitz
