// Gradients of perceptrons against differences, with all reads and writes watched by the sanitizers.

#include <algorithm>
#include <cmath>

#include "core/rng.h"
#include "learn/gradient.h"

namespace kibitz {

namespace {

constexpr std::size_t kRows = 70;

float random_float(Rng& rng) { return static_cast<float>(rng.unit() * 2 - 1); }

std::vector<float> values(const Perceptron& net, const std::vector<float>& obs) {
  Perceptron::Scratch scratch(net);
  std::vector<float> out(obs.size() / net.inputs() * net.outputs());
  for (std::size_t row = 0; row < obs.size() / net.inputs(); ++row)
    net(obs.data() + row * net.inputs(), out.data() + row * net.outputs(), scratch);
  return out;
}

// The loss that `fit` speaks of, from what the perceptron says.
double loss_of(const Perceptron& net, const std::vector<float>& obs, const std::vector<std::int64_t>& actions,
               const std::vector<float>& goals) {
  const std::vector<float> out = values(net, obs);
  double sum = 0;
  for (std::size_t row = 0; row < kRows; ++row)
    sum += std::pow(out[row * net.outputs() + static_cast<std::size_t>(actions[row])] - goals[row], 2) / kRows;
  return sum;
}

int wrong_slopes_of(const std::vector<std::size_t>& sizes, Rng& rng) {
  Perceptron net(sizes);
  std::vector<float> obs(kRows * net.inputs()), goals(kRows);
  for (const Perceptron::Layer& layer : net.layers())  // zeros behind the outputs of a layer
    for (std::size_t i = 0; i <= layer.in; ++i)
      for (std::size_t o = 0; o < layer.out; ++o)
        net.weights()[layer.weights + i * layer.stride + o] = random_float(rng) / 4;
  for (float& x : obs) x = rng.below(3) == 0 ? random_float(rng) : 0;
  for (float& x : goals) x = random_float(rng);
  std::vector<std::int64_t> actions(kRows);
  for (std::int64_t& a : actions) a = rng.below(static_cast<std::uint32_t>(net.outputs()));

  const std::size_t size = net.weights().size();
  Gradient gradient(net);
  std::vector<float> slope(size), again(size), out(kRows * net.outputs());
  const Goal goal{goals.data(), 1};
  const double loss = gradient.fit(obs.data(), actions, {&goal, 1}, slope.data()).loss;
  int wrong = std::abs(loss - loss_of(net, obs, actions, goals)) > 1e-5;

  gradient.begin(obs.data(), kRows, out.data());
  wrong += out != values(net, obs);  // to the last bit
  std::vector<float> by_outputs(out.size());
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::size_t at = row * net.outputs() + static_cast<std::size_t>(actions[row]);
    by_outputs[at] = 2 * (out[at] - goals[row]) / kRows;
  }
  gradient.back(obs.data(), by_outputs.data(), again.data());
  for (std::size_t i = 0; i < size; ++i) wrong += std::abs(slope[i] - again[i]) > 1e-5F;

  for (int tries = 0; tries < 40;) {
    const std::size_t i = rng.below(static_cast<std::uint32_t>(size));
    if (net.weights()[i] == 0) continue;  // nobody's weight
    ++tries;
    constexpr float kStep = 1e-3F;
    Perceptron more = net, less = net;
    more.weights()[i] += kStep;
    less.weights()[i] -= kStep;
    // On both sides, since a kink of ReLU may lie on one.
    const double up = (loss_of(more, obs, actions, goals) - loss) / kStep,
                 down = (loss - loss_of(less, obs, actions, goals)) / kStep;
    wrong += std::min(std::abs(up - slope[i]), std::abs(down - slope[i])) > 1e-2;
  }
  return wrong;
}

int wrong_options(Rng& rng) {
  Perceptron net({9, 40, 3});
  std::vector<float> rows(4 * 9), options, both(4);
  for (float& x : net.weights()) x = random_float(rng);
  for (float& x : rows) x = random_float(rng);
  for (std::size_t row = 0; row < 4; ++row) {  // all of one table
    std::copy_n(rows.data(), 6, rows.data() + row * 9);
    options.insert(options.end(), rows.begin() + static_cast<std::ptrdiff_t>(row * 9 + 6),
                   rows.begin() + static_cast<std::ptrdiff_t>(row * 9 + 9));
  }
  const std::int64_t count = 4;
  Perceptron::Scratch scratch(net);
  net.values_of_options(rows.data(), 6, {&count, 1}, options.data(), both.data(), scratch);
  const std::vector<float> alone = values(net, rows);
  int wrong = 0;
  for (std::size_t row = 0; row < 4; ++row) wrong += std::abs(both[row] - alone[row * 3]) > 1e-4F;
  return wrong;
}

// Inputs that pass are found one and all, whatever their number.
int wrong_places() {
  int wrong = 0;
  const std::vector<float> in{0, 1, -1, -0.0F, NAN, 2, 0, 0, 1, 1, -3, 0.5F, 0};
  for (std::size_t n = 0; n <= in.size(); ++n) {
    std::vector<std::uint32_t> places(n), not_zeros, positives;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (in[i] != 0) not_zeros.push_back(i);
      if (in[i] > 0) positives.push_back(i);
    }
    const std::size_t found = not_zero(in.data(), n, places.data()).n;
    wrong += !std::equal(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(found), not_zeros.begin(),
                         not_zeros.end());
    const std::size_t above = positive(in.data(), n, places.data()).n;
    wrong += !std::equal(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(above), positives.begin(),
                         positives.end());
  }
  return wrong;
}

// All kernels give the same bits.
int wrong_kernels(Rng& rng) {
  int wrong = 0;
  const std::vector<Kernels> all = all_kernels();
  for (int tries = 0; tries < 60; ++tries) {
    constexpr std::size_t kIn = 50;
    const std::size_t stride = kBlock * (1 + rng.below(3));
    const bool ones = tries % 2 == 0;
    std::vector<float> weights(kIn * stride), bias(stride), in(kIn), slope(stride);
    for (std::vector<float>* some : {&weights, &bias, &slope})
      for (float& x : *some) x = random_float(rng);
    for (float& x : in) x = rng.below(3) == 0 ? (ones ? 1 : random_float(rng)) : 0;
    std::vector<std::uint32_t> places(kIn);
    const Wanted wanted = not_zero(in.data(), kIn, places.data());
    wrong += wanted.ones != ones && wanted.n > 0;
    std::vector<std::vector<float>> found;
    for (const Kernels& kernels : all) {
      std::vector<float> out(stride + kIn);
      kernels.add_columns(weights.data(), bias.data(), stride, wanted, out.data());
      kernels.dot_columns(weights.data(), slope.data(), stride, wanted, out.data() + stride);
      found.push_back(std::move(out));
    }
    for (const Kernels& kernels : all) {
      std::vector<float> out = bias;  // sums that are added to
      kernels.add_columns(weights.data(), out.data(), stride, wanted, out.data());
      wrong += !std::equal(out.begin(), out.end(), found.front().begin());
    }
    for (const std::vector<float>& out : found) wrong += out != found.front();
  }
  return wrong;
}

}  // namespace

// Returns how many slopes and values differ from what they should be.
int wrong_perceptrons() {
  Rng rng(1);
  int wrong = wrong_options(rng) + wrong_places() + wrong_kernels(rng);
  const std::vector<std::vector<std::size_t>> nets{{5, 3}, {12, 33, 4}, {40, 32, 64, 1}, {8, 31, 65, 9}};
  for (const std::vector<std::size_t>& sizes : nets) wrong += wrong_slopes_of(sizes, rng);
  return wrong;
}

}  // namespace kibitz
