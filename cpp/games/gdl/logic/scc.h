// Strongly connected components by Tarjan's algorithm, iteratively: graphs come from untrusted files, and a long path
// must not overflow the stack.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kibitz::gdl {

struct Components {
  std::vector<std::uint32_t> of;  // [node] its component; in reverse topological order: edges lead to lower numbers
  std::vector<std::uint32_t> members;  // all nodes, component after component
  std::vector<std::uint32_t> begin;    // [component] its first member, and one entry more
};

// targets(node) returns the successors of a node, with size() and [].
template <class Targets>
Components components(std::uint32_t nodes, Targets&& targets) {
  constexpr std::uint32_t kNew = 0xffffffffu;
  Components out;
  out.of.assign(nodes, kNew);
  out.begin.push_back(0);
  std::vector<std::uint32_t> number(nodes, kNew), low(nodes), stack;
  struct Frame {
    std::uint32_t node;
    std::size_t edge;
  };
  std::vector<Frame> frames;
  std::uint32_t count = 0;
  const auto enter = [&](std::uint32_t v) {
    number[v] = low[v] = count++;
    stack.push_back(v);
    frames.push_back({v, 0});
  };
  for (std::uint32_t root = 0; root < nodes; ++root) {
    if (number[root] == kNew) enter(root);
    while (!frames.empty()) {
      const std::uint32_t v = frames.back().node;
      const auto& to = targets(v);
      if (frames.back().edge < to.size()) {
        const std::uint32_t w = to[frames.back().edge++];
        if (number[w] == kNew)
          enter(w);
        else if (out.of[w] == kNew)
          low[v] = std::min(low[v], number[w]);
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[v]);
      if (low[v] != number[v]) continue;
      for (std::uint32_t w = kNew; w != v;) {
        w = stack.back();
        stack.pop_back();
        out.of[w] = out.begin.size() - 1;
        out.members.push_back(w);
      }
      out.begin.push_back(out.members.size());
    }
  }
  return out;
}

}  // namespace kibitz::gdl
