// What the game asks of whoever reasons about a rulesheet, and the two who do.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/action_list.h"
#include "games/gdl/ground.h"
#include "games/gdl/network.h"
#include "games/gdl/terms.h"

namespace kibitz::gdl {

// A position: bits of fluents for the network, numbers of their terms for the prover. Small ones need no heap.
class Words {
 public:
  Words() = default;
  explicit Words(std::size_t size) { resize(size); }
  void resize(std::size_t size) {
    size_ = static_cast<std::uint32_t>(size);
    if (size > kInline)
      more_.assign(size, 0);
    else
      few_.fill(0), more_.clear();
  }
  std::size_t size() const { return size_; }
  std::uint64_t* data() { return size_ > kInline ? more_.data() : few_.data(); }
  const std::uint64_t* data() const { return size_ > kInline ? more_.data() : few_.data(); }
  std::span<const std::uint64_t> span() const { return {data(), size_}; }
  friend bool operator==(const Words&, const Words&) = default;

 private:
  static constexpr std::size_t kInline = 6;
  std::array<std::uint64_t, kInline> few_{};
  std::vector<std::uint64_t> more_;
  std::uint32_t size_ = 0;
};

// The moves of a game: every term that ever can be a move of somebody has a number. Where that cannot be found out
// beforehand the table is open, and a move gets its number when it is first met.
class Moves {
 public:
  static constexpr std::size_t kMost = 0xffff;

  Moves() = default;
  Moves(const Terms& terms, const std::vector<std::vector<TermId>>& of_role, Budget& budget);  // sorted already
  explicit Moves(const Terms& terms);                                                          // open

  bool open() const { return open_; }
  std::size_t size() const { return open_ ? kMost : terms_.size(); }
  std::size_t met() const;           // those that have a number by now
  Action number(TermId term) const;  // kNoMove where it is none; an open table adds it
  Action known(TermId term) const;   // adds nothing
  TermId term(Action a) const { return terms_[a]; }
  std::string text(Action a) const;
  const std::vector<Action>& of_role(std::size_t role) const { return of_role_[role]; }  // ascending; unless open

 private:
  const Terms* names_ = nullptr;
  bool open_ = false;
  mutable std::vector<TermId> terms_;  // [action]
  mutable std::unordered_map<TermId, Action> numbers_;
  std::vector<std::vector<Action>> of_role_;
  mutable std::shared_mutex mutex_;
};

// By number where both are numbers, so that 10 comes after 9.
int compare_terms(const Terms& terms, TermId a, TermId b, Budget* budget = nullptr);
void sort_terms(const Terms& terms, std::vector<TermId>& list);
void sort_terms(const Terms& terms, std::vector<TermId>& list, Budget& budget);

inline constexpr Action kNoMove = 0xffff;

// One position at a time, by one thread. All questions are about the position that was looked at last, or that
// advance() has led to.
class Reasoner {
 public:
  virtual ~Reasoner() = default;
  virtual void look(const Words& position) = 0;
  virtual void read(Words& position) = 0;  // writes where we are

  virtual bool terminal() = 0;
  virtual int legal_count(int role) = 0;
  virtual Action nth_legal(int role, int n) = 0;  // ascending
  virtual bool legal(int role, Action a) = 0;
  virtual void goals(std::span<int> out) = 0;  // per role: the highest that holds, 0 without any

  // What a role sees when all roles do this; ascending numbers of terms.
  virtual void sees(std::span<const Action> moves, int role, std::vector<TermId>& out) = 0;
  virtual void advance(std::span<const Action> moves) = 0;  // one per role, each legal
};

// What is the same for all threads.
class Engine {
 public:
  virtual ~Engine() = default;
  // `within`: what all that it is asked may cost together; it must outlive the reasoner. Otherwise each question may
  // take what is usual.
  virtual std::unique_ptr<Reasoner> reasoner(Budget* within = nullptr) const = 0;
  virtual Words start() const = 0;
  virtual std::vector<TermId> fluents(const Words& position) const = 0;          // that hold
  virtual bool write(const std::vector<TermId>& fluents, Words& out) const = 0;  // false: one of them is none
  virtual const std::vector<TermId>* all_fluents() const { return nullptr; }     // where they are known
};

std::unique_ptr<Engine> network_engine(std::shared_ptr<const Network> network, std::shared_ptr<const Moves> moves,
                                       const Terms& terms, Budget& budget);
// What the prover may take to answer one question; OverBudget beyond.
struct ProverLimits {
  double seconds = 60;
  std::size_t answers = 4'000'000;  // found on the way
};

// `fluents`: all there are, where they are known; a position cannot have others then. OverBudget where it takes too
// much to find the first position.
std::unique_ptr<Engine> prover_engine(std::shared_ptr<Program> program, std::shared_ptr<const Moves> moves,
                                      const std::vector<TermId>& fluents, Budget& budget,
                                      const ProverLimits& limits = {});

int goal_value(const Terms& terms, TermId value);  // 0..100

}  // namespace kibitz::gdl
