#include "bind/python_game.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>

namespace kibitz::bind {

namespace {

constexpr double kRounding = 1e-9;

// The names that are asked for at every step, made once.
struct Names {
  static PyObject* make(const char* text) { return PyUnicode_InternFromString(text); }
  PyObject* all_worlds = make("all_worlds");
  PyObject* apply = make("apply");
  PyObject* copy = make("copy");
  PyObject* key = make("key");
  PyObject* legal = make("legal");
  PyObject* payoffs = make("payoffs");
  PyObject* sample = make("sample");
  PyObject* solver_key = make("solver_key");
  PyObject* to_act = make("to_act");
  PyObject* view = make("view");
};

const Names& names() {
  static const Names all;
  return all;
}

nb::object checked(PyObject* result) {
  if (!result) throw nb::python_error();
  return nb::steal(result);
}

nb::object get(nb::handle from, PyObject* name) { return checked(PyObject_GetAttr(from.ptr(), name)); }

nb::object call(nb::handle on, PyObject* name) { return checked(PyObject_CallMethodNoArgs(on.ptr(), name)); }

nb::object call(nb::handle on, PyObject* name, nb::handle argument) {
  return checked(PyObject_CallMethodOneArg(on.ptr(), name, argument.ptr()));
}

// Python looks for signals between its own instructions; a game may spend all its time in somebody's native code.
void let_signals_through() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

std::string class_of(nb::handle h) { return nb::cast<std::string>(h.type().attr("__name__")); }

std::string shown(nb::handle h) {
  const std::string out = nb::cast<std::string>(nb::str(nb::repr(h)));
  return out.size() <= 60 ? out : out.substr(0, 57) + "...";
}

// A list or tuple of what may be any sequence.
nb::object listed(nb::handle h) {
  PyObject* out = PySequence_Fast(h.ptr(), "");
  if (!out) PyErr_Clear();
  return nb::steal(out);
}

// A number that Python can take for a float; NaN for everything else.
double number(nb::handle h) {
  const double out = PyFloat_AsDouble(h.ptr());
  if (out != -1 || !PyErr_Occurred()) return out;
  PyErr_Clear();
  return std::nan("");
}

}  // namespace

PythonGame::State::State(const State& other) : chance(other.chance) {
  if (!other.object.is_valid()) return;
  object = call(other.object, names().copy);
  if (object.is(other.object))
    throw BadInput("copy() of " + class_of(object) + " gives the state itself; a copy must be another object");
}

bool operator==(const PythonGame::View& a, const PythonGame::View& b) {
  return a.seat == b.seat && a.seen.is_valid() == b.seen.is_valid() && (!a.seen.is_valid() || a.seen.equal(b.seen));
}

void PythonGame::fail(const std::string& what) const { throw BadInput("game '" + info_.name + "': " + what); }

PythonGame::PythonGame(nb::object game) : game_(std::move(game)) {
  info_.name = nb::cast<std::string>(nb::str(game_.attr("name")));
  info_.options = Value(Value::Object{});
  info_.seats = whole(game_.attr("players"), "players");
  if (info_.seats < 1 || info_.seats > kMostSeats)
    fail("players is " + std::to_string(info_.seats) + "; searches are for 1 to " + std::to_string(kMostSeats));
  info_.actions = whole(game_.attr("num_actions"), "num_actions");
  if (info_.actions < 1 || info_.actions > UINT16_MAX)
    fail("num_actions is " + std::to_string(info_.actions) + "; searches are for 1 to " + std::to_string(UINT16_MAX));
  const nb::object range = listed(game_.attr("payoff_range"));
  if (!range.is_valid() || nb::len(range) != 2) fail("payoff_range must be two numbers, the least and the greatest");
  info_.low = number(range[0]);
  info_.high = number(range[1]);
  if (!(std::isfinite(info_.low) && std::isfinite(info_.high) && info_.low <= info_.high))
    fail("payoff_range must be two numbers, the least and the greatest, not " + shown(range));
  info_.zero_sum = nb::cast<bool>(nb::bool_(nb::getattr(game_, "zero_sum", nb::bool_(false))));
  info_.hidden = nb::cast<bool>(nb::bool_(nb::getattr(game_, "hidden", nb::bool_(true))));
  info_.hidden_moves = nb::cast<bool>(nb::bool_(nb::getattr(game_, "hidden_moves", nb::bool_(info_.hidden))));
  for (int seat = 0; seat < info_.seats && !nb::hasattr(game_, "teams"); ++seat) info_.team.push_back(seat);
  if (info_.team.empty()) {
    const nb::object teams = listed(game_.attr("teams"));
    if (!teams.is_valid()) fail("teams must be a list with a number for every seat, not " + shown(game_.attr("teams")));
    for (nb::handle team : teams) info_.team.push_back(whole(team, "a team"));
  }
  if (static_cast<int>(info_.team.size()) != info_.seats)
    fail("teams has " + std::to_string(info_.team.size()) + " entries for " + std::to_string(info_.seats) + " seats");
}

int PythonGame::whole(nb::handle value, const char* what) const {
  const nb::object index = nb::steal(PyNumber_Index(value.ptr()));  // also NumPy's integers
  int overflow = 0;
  const long out = index.is_valid() ? PyLong_AsLongAndOverflow(index.ptr(), &overflow) : 0;
  PyErr_Clear();
  if (!index.is_valid()) fail(std::string(what) + " must be a whole number, not " + shown(value));
  if (overflow || out < INT32_MIN || out > INT32_MAX) fail(std::string(what) + " is far out of range: " + shown(value));
  return static_cast<int>(out);
}

Seat PythonGame::seat_of(nb::handle to_act) const {
  const int seat = whole(to_act, "to_act");
  if (seat < kOver || seat >= info_.seats)
    fail("to_act is " + std::to_string(seat) + "; allowed are seats from 0 to " + std::to_string(info_.seats - 1) +
         ", NATURE (-1) and OVER (-2)");
  return static_cast<Seat>(seat);
}

void PythonGame::read_legal(nb::handle given, Legal& list) const {
  list.clear();
  const nb::object items = listed(given);
  if (!items.is_valid()) fail("legal() must give a list of actions, not " + shown(given));
  // Item by item and with the size asked again: reading a number may run Python code, which may change the list.
  for (Py_ssize_t i = 0, before = -1; i < PySequence_Fast_GET_SIZE(items.ptr()); ++i) {
    const int action = whole(nb::borrow(PySequence_Fast_GET_ITEM(items.ptr(), i)), "an action of legal()");
    if (action < 0 || action >= info_.actions)
      fail("legal() has action " + std::to_string(action) + "; ids are 0 to " + std::to_string(info_.actions - 1) +
           " (num_actions)");
    if (action <= before) fail("legal() must ascend without duplicates, not " + shown(given));
    list.push(static_cast<Action>(action));
    before = action;
  }
}

PythonGame::State PythonGame::deal(Rng& rng) const {
  State out(game_.attr("deal")(rng.next()), Rng(rng.next()));
  settle(out);
  return out;
}

Seat PythonGame::to_act(const State& state) const { return seat_of(get(state.object, names().to_act)); }

void PythonGame::legal(const State& state, Legal& list) const {
  read_legal(call(state.object, names().legal), list);
  if (list.empty() && to_act(state) != kOver) fail("legal() is empty, but the game is not over");
}

void PythonGame::legal(const View& view, Legal& list) const {
  if (view.seen.is_valid())
    read_legal(call(view.seen, names().legal), list);
  else
    legal(view.known, list);
}

void PythonGame::apply(State& state, Action action) const {
  let_signals_through();
  call(state.object, names().apply, nb::int_(static_cast<int>(action)));
  settle(state);
}

void PythonGame::settle(State& state) const {
  while (to_act(state) == kNature) {
    if (state.chance == Rng())
      fail(
          "chance is to act (NATURE), and the state does not tell what it will do; only searches that draw worlds can "
          "plan for that: mcs, ismcts, pimc" +
          std::string(info_.hidden ? "" : ", and only if the game does not say hidden = False"));
    Legal list;
    legal(state, list);
    let_signals_through();
    call(state.object, names().apply, nb::int_(static_cast<int>(random_of(list, state.chance))));
  }
}

void PythonGame::payoff(const State& state, std::span<double> payoffs) const {
  const nb::object given = get(state.object, names().payoffs), items = listed(given);
  if (!items.is_valid()) fail("payoffs must be a list of numbers, not " + shown(given));
  const Py_ssize_t n = PySequence_Fast_GET_SIZE(items.ptr());
  if (n != info_.seats)
    fail("payoffs has " + std::to_string(n) + " entries for " + std::to_string(info_.seats) + " seats");
  for (Py_ssize_t i = 0; i < std::min(n, PySequence_Fast_GET_SIZE(items.ptr())); ++i) {
    const double p = number(nb::borrow(PySequence_Fast_GET_ITEM(items.ptr(), i)));
    if (std::isnan(p)) fail("payoffs must be numbers, not " + shown(given));
    const double slack = kRounding * (1 + info_.high - info_.low);
    if (p < info_.low - slack || p > info_.high + slack)
      fail("payoffs " + shown(given) + " are outside payoff_range " + shown(game_.attr("payoff_range")));
    payoffs[static_cast<std::size_t>(i)] = p;
  }
}

PythonGame::View PythonGame::view(const State& state, Seat seat) const {
  return {State(), seat, call(state.object, names().view, nb::int_(static_cast<int>(seat)))};
}

std::uint64_t PythonGame::key(const View& view) const {
  const nb::object key = get(view.seen, names().key);
  const nb::object index = nb::steal(PyNumber_Index(key.ptr()));
  PyErr_Clear();
  if (!index.is_valid()) fail("key must be a whole number of 64 bits, not " + shown(key));
  return PyLong_AsUnsignedLongLongMask(index.ptr());
}

void PythonGame::check_world(const View& view, const State& world) const {
  const Seat seat = to_act(world);
  if (seat != view.seat)
    fail("sample() contradicts its view: seat " + std::to_string(view.seat) +
         " is to act, but in the world to_act is " + std::to_string(seat));
  if (view.expected.empty()) return;
  Legal list;
  legal(world, list);
  if (list == view.expected) return;
  fail("sample() contradicts its view: legal() is " + shown(call(view.seen, names().legal)) + " there and " +
       shown(call(world.object, names().legal)) + " in the world");
}

PythonGame::View PythonGame::look(nb::object given) const {
  View out{State(), 0, std::move(given)};
  const Seat acting = seat_of(out.seen.attr("to_act"));
  const int seat = whole(out.seen.attr("seat"), "seat");
  if (seat < 0 || seat >= info_.seats)
    fail("a view has seat " + std::to_string(seat) + "; seats are 0 to " + std::to_string(info_.seats - 1));
  out.seat = static_cast<Seat>(seat);
  if (acting == kOver) throw BadInput("the game is over: no action is legal");
  if (acting != out.seat) throw BadInput("this seat is not to act");
  legal(out, out.expected);
  if (out.expected.empty()) fail("legal() of the view is empty, but its seat is to act");
  // One world is looked at thoroughly; of those that follow only what can be told quickly.
  State world(call(out.seen, names().sample, nb::int_(0)));
  check_world(out, world);
  if (key(view(world, out.seat)) != key(out))
    fail("sample() contradicts its view: the world's view of seat " + std::to_string(seat) + " has another key");
  if (!info_.hidden) out.known = std::move(world);
  return out;
}

PythonGame::State PythonGame::sample(const View& view, Rng& rng) const {
  if (!info_.hidden) return view.known;
  let_signals_through();
  const std::uint64_t seed = rng.next();
  State out(call(view.seen, names().sample, nb::int_(seed)), Rng(mix(seed, 1)));
  check_world(view, out);
  return out;
}

void PythonGame::each_world(const View& view, const WorldVisitor<State>& f) const {
  int count = 0;
  for (nb::handle entry : call(view.seen, names().all_worlds)) {
    const nb::object pair = listed(entry);
    if (!pair.is_valid() || nb::len(pair) != 2) fail("all_worlds() must give (state, weight) pairs");
    const double weight = number(pair[1]);
    if (!(weight > 0 && std::isfinite(weight))) fail("the weight of a world must be positive, not " + shown(pair[1]));
    if (++count > kMostWorlds) fail("all_worlds() gives more than " + std::to_string(static_cast<int>(kMostWorlds)));
    State world(pair[0]);
    check_world(view, world);
    f(world, weight);
  }
  if (count == 0) fail("all_worlds() is empty; there is at least the true one");
}

std::array<std::uint64_t, 2> PythonGame::solver_key(const State& state) const {
  const nb::object key = get(state.object, names().solver_key);
  const nb::object index = nb::steal(PyNumber_Index(key.ptr()));
  PyErr_Clear();
  if (!index.is_valid()) fail("solver_key must be a whole number, not " + shown(key));
  const nb::object high = checked(PyNumber_Rshift(index.ptr(), nb::int_(64).ptr()));
  const std::uint64_t top = PyLong_AsUnsignedLongLong(high.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    fail("solver_key must be from 0 to 2^128 - 1, not " + shown(key));
  }
  return {PyLong_AsUnsignedLongLongMask(index.ptr()), top};
}

std::string PythonGame::text(Action action) const {
  return nb::cast<std::string>(nb::str(game_.attr("text")(static_cast<int>(action))));
}

}  // namespace kibitz::bind
