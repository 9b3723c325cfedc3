// Reads safetensors files: eight bytes that say how long the header is, the header (JSON: names, types, shapes,
// places), and the numbers. Strict: whatever is not exactly right is BadInput that says what; nothing is guessed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/value.h"

namespace kibitz {

struct Tensor {
  std::vector<std::size_t> shape;
  std::vector<float> values;  // row-major
};

struct TensorFile {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> metadata;
};

inline constexpr std::size_t kMostFileBytes = std::size_t{1} << 30;

// The content of a file. All tensors must be F32 and finite.
TensorFile parse_safetensors(std::string_view bytes);

// Errors name the file.
TensorFile read_safetensors(const std::string& path);

}  // namespace kibitz
