// A game written in Python, as the searches see it: the contract, answered by the methods of the object
// (kibitz.protocols says what they must do). So the same templates search it, on one thread and with the GIL held
// throughout. What the object does wrong is BadInput that names the game; what it raises goes through as it is.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/optional.h"

namespace kibitz::bind {

namespace nb = nanobind;

// The list that `legal` fills: a game in Python need not say how long it can get.
class LongActionList {
 public:
  void clear() { items_.clear(); }
  void push(Action a) { items_.push_back(a); }
  int size() const { return static_cast<int>(items_.size()); }
  bool empty() const { return items_.empty(); }
  Action operator[](int i) const { return items_[static_cast<std::size_t>(i)]; }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  bool contains(Action a) const { return std::find(begin(), end(), a) != end(); }
  friend bool operator==(const LongActionList&, const LongActionList&) = default;

 private:
  std::vector<Action> items_;
};

class PythonGame {
 public:
  static constexpr const char* kName = "python";
  using Legal = LongActionList;

  // A Python state as a value: to copy it is to call its copy().
  struct State {
    State() = default;
    explicit State(nb::object o, Rng stream = Rng()) : object(std::move(o)), chance(stream) {}
    State(const State& other);
    State(State&&) noexcept = default;
    State& operator=(const State& other) { return *this = State(other); }
    State& operator=(State&&) noexcept = default;

    nb::object object;
    // What NATURE will do, where it acts. A world has a stream, so that it fixes all future chance; other states have
    // none (the all-zero one), because nobody knows it.
    Rng chance;
  };

  // `seen` is the Python view; without it this is the unwiped view of an agent that peeks. `known` is there if it peeks
  // or if nothing is hidden.
  struct View {
    State known;
    Seat seat = 0;
    nb::object seen = {};
    Legal expected = {};  // what every world must have as legal actions, where that has been asked

    friend bool operator==(const View& a, const View& b);
  };

  explicit PythonGame(nb::object game);

  // The view of a seat that is to act, from Python; checks what it says of itself.
  View look(nb::object view) const;

  State deal(Rng& rng) const;
  Seat to_act(const State& state) const;
  void legal(const State& state, Legal& list) const;
  void legal(const View& view, Legal& list) const;
  void apply(State& state, Action action) const;
  void payoff(const State& state, std::span<double> payoffs) const;
  View view(const State& state, Seat seat) const;
  std::uint64_t key(const View& view) const;
  State sample(const View& view, Rng& rng) const;

  // Optional members of a game in Python: view.all_worlds(), and state.solver_key, a number below 2^128.
  void each_world(const View& view, const WorldVisitor<State>& f) const;
  std::array<std::uint64_t, 2> solver_key(const State& state) const;

  nb::handle object() const { return game_; }
  const GameInfo& info() const { return info_; }
  std::string text(Action action) const;

  // No search asks for these.
  static PythonGame make(const Value&) { nowhere(); }
  void encode(const State&, Seat, int, std::span<float>) const { nowhere(); }
  Value position(const State&) const { nowhere(); }
  Value position(const View&) const { nowhere(); }
  State from_position(const Value&) const { nowhere(); }
  View from_view(const Value&) const { nowhere(); }
  Action parse(const std::string&) const { nowhere(); }
  std::string picture(const State&) const { nowhere(); }
  std::string picture(const View&) const { nowhere(); }

 private:
  [[noreturn]] static void nowhere() { throw BadInput("not offered for games written in Python"); }
  [[noreturn]] void fail(const std::string& what) const;

  int whole(nb::handle value, const char* what) const;
  Seat seat_of(nb::handle to_act) const;
  void read_legal(nb::handle given, Legal& list) const;
  void settle(State& state) const;  // lets NATURE act until somebody else is to
  void check_world(const View& view, const State& world) const;

  nb::object game_;
  GameInfo info_;
};

static_assert(Game<PythonGame>);

}  // namespace kibitz::bind
