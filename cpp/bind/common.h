// What the bindings share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <typeinfo>
#include <utility>
#include <vector>

#include "any/game.h"
#include "bind/convert.h"
#include "bind/interrupt.h"

namespace kibitz::bind {

namespace nb = nanobind;
using namespace nb::literals;

// Python's == takes anything.
inline const nb::sig kEqual("def __eq__(self, arg: object, /) -> bool");

inline const Int kSeedZero{0, 0, true, true};

template <class X, int Dims>
using Filled = nb::ndarray<X, nb::ndim<Dims>, nb::c_contig, nb::device::cpu>;

// A NumPy array that owns its memory.
template <class T>
nb::ndarray<nb::numpy, T> new_array(const std::vector<std::size_t>& shape) {
  std::size_t size = 1;
  for (std::size_t d : shape) size *= d;
  T* data = new T[size]();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner);
}

inline int check_threads(int threads) {
  if (threads < 0 || threads > 1024)
    throw BadInput("threads must be from 0 (all cores) to 1024, not " + std::to_string(threads));
  return threads ? threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

// Agents that are None are learners, or left out.
inline std::vector<any::AgentPtr> agents_of(const std::vector<std::optional<any::AgentPtr>>& given) {
  std::vector<any::AgentPtr> out;
  for (const auto& agent : given) out.push_back(agent ? *agent : nullptr);
  return out;
}

}  // namespace kibitz::bind

namespace nanobind::detail {

// Whatever the game, a state is a State: no use to look for a class of its own.
template <class T>
struct erased_hook {
  static const std::type_info* get(T*) { return &typeid(T); }
};
template <>
struct type_hook<kibitz::any::Game> : erased_hook<kibitz::any::Game> {};
template <>
struct type_hook<kibitz::any::State> : erased_hook<kibitz::any::State> {};
template <>
struct type_hook<kibitz::any::View> : erased_hook<kibitz::any::View> {};
template <>
struct type_hook<kibitz::any::Agent> : erased_hook<kibitz::any::Agent> {};
template <>
struct type_hook<kibitz::any::Tables> : erased_hook<kibitz::any::Tables> {};
template <>
struct type_hook<kibitz::any::Waves> : erased_hook<kibitz::any::Waves> {};
template <>
struct type_hook<kibitz::any::QLearner> : erased_hook<kibitz::any::QLearner> {};

}  // namespace nanobind::detail
