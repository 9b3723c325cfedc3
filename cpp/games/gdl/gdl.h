// Games given as rulesheets in the Game Description Language, with or without hidden information (GDL-II). README.md
// beside this file has the options, how moves become decisions, and the position format.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/optional.h"
#include "games/gdl/logic/percepts.h"
#include "games/gdl/state.h"

namespace kibitz::gdl {

// The game of one rulesheet. Immutable; copies share everything.
//
// Defined by purpose: make.cpp (construction, names of moves), play.cpp (the rules of the contract, views, encoders),
// position.cpp, picture.cpp; worlds are drawn by Beliefs.
class Gdl {
 public:
  using State = gdl::State;
  using View = gdl::View;
  using Legal = ActionList<8192>;
  static constexpr const char* kName = "gdl";

  // The options of the README, and `folder`: where rulesheets are found by their bare names. It says where this process
  // has its files, not which game is played, so it is not among info().options.
  static Gdl make(const Value& options);

  State deal(Rng& rng) const;
  Seat to_act(const State& s) const { return s.to_act; }
  void legal(const State& s, Legal& out) const;
  void legal(const View& v, Legal& out) const;
  Action random_legal(const State& s, Rng& rng) const;
  void apply(State& s, Action a) const;
  std::uint32_t playout(State& s, Rng& rng) const;
  void payoff(const State& s, std::span<double> out) const;
  View view(const State& s, Seat seat) const;
  std::uint64_t key(const View& v) const;
  State sample(const View& v, Rng& rng) const;
  void encode(const State& s, Seat seat, int encoder, std::span<float> out) const;
  Value position(const State& s) const;
  Value position(const View& v) const;
  State from_position(const Value& json) const;
  View from_view(const Value& json) const;

  const GameInfo& info() const { return shared_->info; }
  std::string text(Action a) const { return shared_->moves->text(a); }
  Action parse(const std::string& text) const;
  std::string picture(const State& s) const;
  std::string picture(const View& v) const;

  // The decisions, (seat, action) pairs, that a seat knows: its own, and without `sees` those of the others once the
  // turn is over. Those are also what the public knows.
  using Decisions = std::vector<std::pair<int, int>>;
  Decisions witnessed(const State& s, const Decisions& all, Seat seat) const;

  // For people: roles, the engine and why it was chosen, sizes, the time it took.
  Value about() const { return shared_->about; }
  // The fluents of a state as text, sorted.
  std::vector<std::string> fluents(const State& s) const;

 private:
  friend class Beliefs;

  // Everything that is the same for all copies of a game.
  struct Shared {
    std::uint64_t id = 0;  // unique in the process: the key of what threads cache
    std::shared_ptr<Program> program;
    std::shared_ptr<const Moves> moves;
    std::unique_ptr<Engine> engine;
    std::vector<int> role_of;  // [seat]
    int random = -1;           // its role
    bool hides = false;        // there is `sees`
    Percepts sees;             // what depends on whose move
    std::uint32_t most_turns = 0;
    std::vector<const Term*> done;                      // what rules look at of the moves: all patterns of `does`
    std::unordered_map<TermId, std::uint32_t> fluents;  // all, with their places in the encoder; empty where unknown
    std::vector<TermId> percepts;                       // all that anybody ever can see, ascending; the same
    GameInfo info;
    Value usual;  // options that a position need not tell
    Value about;
  };

  struct Setup;
  explicit Gdl(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

  int seats() const { return shared_->role_of.size(); }
  int roles() const { return seats() + (shared_->random >= 0); }
  int role(int seat) const { return shared_->role_of[seat]; }
  Reasoner& reasoner() const;                       // of this thread
  Reasoner& reasoner(const Words& position) const;  // and looking at the position

  bool over(Reasoner& r, std::uint32_t turn) const;
  bool decides(Reasoner& r, int seat) const { return shared_->hides || r.legal_count(role(seat)) > 1; }
  // The seat that is asked first: one that has a choice, or if nobody has, one whose only move matters; kOver: none.
  Seat first_asked(Reasoner& r) const;
  bool idle(int role, Action a) const;      // no rule looks at the move
  void begin(State& s, Reasoner& r) const;  // of a turn, or of several where nobody is asked
  void finish(State& s, Reasoner& r) const;
  std::array<Action, kMostRoles> joint(const std::array<Action, kMostRoles>& pending, Reasoner& r, Rng& stream) const;

  std::shared_ptr<const Glimpse> glimpse(std::shared_ptr<const Glimpse> before, int role, Action move,
                                         std::vector<TermId> sees, Reasoner& after) const;
  void seal(Glimpse& g, const Glimpse* before) const;  // gives it its hash
  View read_public(const Value& json) const;
  // An entry of a view's past, and what the seat may do next, told or worked out.
  std::shared_ptr<const Glimpse> read_glimpse(const Value& json, Seat seat, std::uint32_t turn,
                                              std::shared_ptr<const Glimpse> before) const;
  std::vector<Action> read_legal(const Value& json, Seat seat) const;
  std::shared_ptr<const Memory> first_memory(Reasoner& r) const;
  // Plays the moves of all roles, and remembers what each saw.
  std::shared_ptr<const Memory> remember(const Memory& before, std::span<const Action> moves, Reasoner& r) const;

  void encode_percepts(const State& s, Seat seat, std::span<float> out) const;
  Value header() const;
  void write_turns(const State& s, Value& out) const;
  void read_moves(const Value& json, State& s) const;
  void read_fluents(const Value& json, State& s) const;
  void read_pending(const Value& json, State& s) const;
  Action read_move(const Value& json, const std::string& what) const;
  std::string board(const std::vector<TermId>& fluents) const;
  std::string caption(const State& s) const;

  std::shared_ptr<const Shared> shared_;
};

static_assert(Game<Gdl>);
static_assert(has_exactly<Gdl>({Hook::kRandomLegal, Hook::kPlayout, Hook::kWitnessed, Hook::kAbout}));

}  // namespace kibitz::gdl
