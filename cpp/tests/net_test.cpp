// Files of nets, cut and changed in every way: under sanitizers, nothing but BadInput may come of them.
#include "eval/net.h"

#include <cstdio>
#include <string>

#include "core/rng.h"

namespace kibitz {

namespace {

std::string net_file() {
  std::string header =
      R"({"__metadata__":{"format":"kibitz-net","version":"1","game":"uno","encoder":"li","output":"q","n":"\u00e9é"},)"
      R"("0.weight":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]},)"
      R"("0.bias":{"dtype":"F32","shape":[3],"data_offsets":[24,36]}})";
  std::string length(8, '\0');
  for (std::size_t i = 0, n = header.size(); n > 0; n >>= 8) length[i++] = static_cast<char>(n & 0xFF);
  return length + header + std::string(36, '\0');
}

// Whether it is a net; if so, it is asked something.
bool reads(const std::string& bytes) {
  try {
    const Net net = make_net(parse_safetensors(bytes));
    Perceptron::Scratch scratch(net.perceptron);
    std::vector<float> in(net.perceptron.inputs(), 1), out(net.perceptron.outputs());
    net.perceptron(in.data(), out.data(), scratch);
    return true;
  } catch (const BadInput&) {
    return false;
  }
}

}  // namespace

// Returns how many files were taken for what they are not.
int misread_nets() {
  const std::string good = net_file();
  int wrong = !reads(good);
  for (std::size_t end = 0; end < good.size(); ++end) wrong += reads(good.substr(0, end));
  Rng rng(1);
  for (int i = 0; i < 30'000; ++i) {
    std::string changed = good;
    for (std::uint32_t changes = 1 + rng.below(3); changes > 0; --changes) {
      const std::size_t at = rng.below(static_cast<std::uint32_t>(changed.size()));
      if (rng.below(2) == 0)
        changed[at] = static_cast<char>(rng.below(256));
      else
        changed.erase(at, 1 + rng.below(3)).insert(rng.below(2) ? at : 0, rng.below(2), '9');
    }
    reads(changed);
  }
  return wrong;
}

}  // namespace kibitz
