// The sums behind a layer of a perceptron whose inputs are mostly zero. Weights lie as [in, stride]: what one input
// adds to all outputs side by side, filled up with zeros to whole blocks. Every sum has one order and products are
// rounded before they are added (no fused multiply-add): wide registers and narrow ones give the same bits, and every
// machine the same answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kibitz {

constexpr std::size_t kBlock = 32;  // outputs that are summed in registers at a time

constexpr std::size_t whole_blocks(std::size_t n) { return (n + kBlock - 1) / kBlock * kBlock; }

// The inputs of a layer that are not zero.
struct Wanted {
  const float* in;
  const std::uint32_t* places;
  std::size_t n;
  bool ones;  // they are all 1
};

// Of inputs from outside: those that are not zero. `places` has room for all.
Wanted not_zero(const float* in, std::size_t n, std::uint32_t* places);
// Of the sums of a layer: those that ReLU lets through.
Wanted positive(const float* in, std::size_t n, std::uint32_t* places);

// The same two sums for one kind of machine.
struct Kernels {
  // sums[0..stride) = bias + inputs times their columns; `sums` may be `bias`.
  void (*add_columns)(const float* weights, const float* bias, std::size_t stride, const Wanted& wanted, float* sums);
  // out[i] = column i times `slope`, for the inputs that are wanted; the others are left alone.
  void (*dot_columns)(const float* weights, const float* slope, std::size_t stride, const Wanted& wanted, float* out);
  const char* name;  // of the registers that they use
};

std::vector<Kernels> all_kernels();  // that this machine can run, the fastest last
const Kernels& kernels();            // the fastest

}  // namespace kibitz
