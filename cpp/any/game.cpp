#include "any/game.h"

#include <algorithm>
#include <chrono>
#include <typeinfo>

namespace kibitz::any {

namespace {

constexpr HookSet bit(Hook hook) { return HookSet{1} << static_cast<int>(hook); }

std::map<std::string, MakeGame>& shelf() {
  static std::map<std::string, MakeGame> all;
  return all;
}

}  // namespace

const std::vector<Capability>& capabilities() {
  static const std::vector<Capability> all{
      {"about", bit(Hook::kAbout), "only rulesheets have something to say of themselves"},
      {"action_features", bit(Hook::kActionFeatures), "its actions have no features; their ids are a mask"},
      {"all_worlds", bit(Hook::kEachWorld), "the worlds of its views cannot be listed; draw some by view.sample"},
      {"card_odds", bit(Hook::kHands), "there are no hands of cards in it"},
      {"deals", bit(Hook::kDeals), "its deals cannot be listed; draw some by game.deal"},
      {"held", bit(Hook::kHeld), "every deal is decided: no points are held for the next"},
      {"solve", bit(Hook::kSolve) | bit(Hook::kSolverKey), "it has no exact solver"},
      {"worlds", bit(Hook::kWorlds), "the worlds of its views are not counted"},
  };
  return all;
}

bool Game::can(const std::string& name) const {
  std::vector<std::string> known;
  for (const Capability& c : capabilities()) known.push_back(c.name);
  return (hooks() & capabilities()[static_cast<std::size_t>(one_of("capability", name, known))].hooks) != 0;
}

void Game::cannot(const std::string& name) const {
  for (const Capability& c : capabilities())
    if (c.name == name) throw BadInput("game '" + info().name + "' has no " + name + ": " + c.without);
  throw BadInput("game '" + info().name + "' has no " + name);
}

bool Game::same(const Game& other) const {
  return this == &other || (typeid(*this) == typeid(other) && info().options == other.info().options);
}

void Game::check_mine(const Game& its, const char* what) const {
  if (same(its)) return;
  const bool other = its.info().name != info().name;
  throw BadInput(
      "this " + std::string(what) + " belongs to " +
      (other ? "game '" + its.info().name + "', not to '" + info().name + "'" : "a game with other options"));
}

void Game::check_made_for(const Game& its, const std::string& agent) const {
  if (same(its)) return;
  throw BadInput("agent '" + agent + "' was made for " +
                 (its.info().name == info().name ? "a game with other options" : "game '" + its.info().name + "'"));
}

void Game::refuse(int action, const std::vector<int>& legal) const {
  if (legal.empty()) throw BadInput("the game is over: no action is legal");
  std::vector<std::string> names;
  for (int a : legal) names.push_back(std::to_string(a) + " (" + text(a) + ")");
  throw BadInput("action " + std::to_string(action) + " is illegal here; legal: " + joined(names));
}

void Game::refuse_agent(const std::string& name) const {
  const std::string why = why_no_agent(name);
  std::vector<std::string> names = agent_names();
  std::sort(names.begin(), names.end());
  throw BadInput("game '" + info().name + "' has no " + name + " agent" + (why.empty() ? "" : ": " + why) +
                 "; it has " + joined(names));
}

int Game::check_seat(int seat) const {
  if (seat < 0 || seat >= info().seats)
    throw BadInput("seat " + std::to_string(seat) + " does not exist; seats are 0 to " +
                   std::to_string(info().seats - 1));
  return seat;
}

int Game::check_action(int action) const {
  if (action < 0 || action >= info().actions)
    throw BadInput("action " + std::to_string(action) + " does not exist; ids are 0 to " +
                   std::to_string(info().actions - 1));
  return action;
}

void DrivenSearch::run(const std::optional<Effort>& more) {
  const Turn turn(exclusive_, "this search");
  if (stop_) return;
  Effort effort;
  if (more) {
    effort = *more;
  } else {
    const Effort whole = agent_->effort();
    effort = {whole.iterations > 0 ? whole.iterations - asked_ : 0, whole.ms > 0 ? whole.ms - spent_ms_ : 0};
    if ((whole.iterations > 0 && effort.iterations <= 0) || (whole.ms > 0 && effort.ms <= 0)) return;
  }
  const auto start = std::chrono::steady_clock::now();
  search->run(effort, &stop_);
  asked_ = effort.ms > 0 || stop_ ? search->thought().iterations : asked_ + effort.iterations;
  spent_ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

Thought DrivenSearch::thought() const {
  const Turn turn(exclusive_, "this search");
  return search->thought();
}

Matrix DrivenSearch::matrix() const {
  const Turn turn(exclusive_, "this search");
  if (!worlds) throw BadInput("this search does not look at worlds one by one; mcs, pimc, solver-pimc and minimax do");
  return worlds();
}

const std::map<std::string, MakeGame>& games() { return shelf(); }

GamePtr make(const std::string& name, const Value& options) {
  std::vector<std::string> names;
  for (const auto& [known, make] : shelf()) names.push_back(known);
  one_of("game", name, names);
  return shelf().at(name)(options);
}

Registered::Registered(const char* name, MakeGame make) { shelf().emplace(name, make); }

}  // namespace kibitz::any
