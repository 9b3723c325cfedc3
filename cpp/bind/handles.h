// What Python holds of a game's states, views and agents, and the checks that several bindings make.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bind/convert.h"
#include "core/agent.h"
#include "core/game.h"

namespace kibitz::bind {

namespace nb = nanobind;
using namespace nb::literals;

using History = std::vector<std::pair<int, int>>;  // (seat, action)

template <Game G>
struct StateHandle {
  std::shared_ptr<G> game;
  typename G::State state;
  History history;
  std::optional<std::uint64_t> seed;            // with the history it replays the game
  std::optional<typename G::State> start = {};  // where the history began; unknown for a world
};

template <Game G>
struct ViewHandle {
  std::shared_ptr<G> game;
  typename G::View view;
  History history;
  std::optional<typename G::View> start = {};  // what the seat saw where the history began
};

template <Game G>
struct AgentHandle {
  std::shared_ptr<G> game;
  std::string name;
  std::shared_ptr<Agent<G>> agent;
};

template <Game G>
bool same_options(const G& a, const G& b) {
  return &a == &b || to_python(a.info().options).equal(to_python(b.info().options));
}

template <Game G>
void check_same(const G& game, const G& other) {
  if (!same_options(game, other)) throw BadInput("this state belongs to a game with other options");
}

// The agent itself, for use in `game`: it may have arrays of another number of seats or actions inside.
template <Game G>
std::shared_ptr<Agent<G>> bare_agent(const G& game, const AgentHandle<G>& handle) {
  if (!same_options(game, *handle.game))
    throw BadInput("agent '" + handle.name + "' was made for a game with other options");
  return handle.agent;
}

// A NumPy array that owns its memory.
template <class T>
nb::ndarray<nb::numpy, T> new_array(std::initializer_list<std::size_t> shape) {
  std::size_t size = 1;
  for (std::size_t d : shape) size *= d;
  T* data = new T[size]();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::ndarray<nb::numpy, T>(data, shape, owner);
}

inline int check_threads(int threads) {
  if (threads < 0 || threads > 1024)
    throw BadInput("threads must be from 0 (all cores) to 1024, not " + std::to_string(threads));
  return threads ? threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace kibitz::bind
