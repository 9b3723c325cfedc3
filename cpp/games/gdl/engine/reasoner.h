// What the game asks of an engine. There are two: the propositional network (network_engine.h) and the prover
// (prover.h). They give the same answers.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "games/gdl/engine/moves.h"
#include "games/gdl/engine/words.h"

namespace kibitz::gdl {

// A cursor on one position, used by one thread. All questions are about the position that look() was given or advance()
// has led to. Roles are numbered in the order of the rulesheet, `random` included. OverBudget if a question takes too
// much; the reasoner can be used after that, unless it was made with a budget for all of its questions.
class Reasoner {
 public:
  virtual ~Reasoner() = default;
  virtual void look(const Words& position) = 0;  // with the network, costs what differs from the current position
  virtual void read(Words& position) = 0;        // the inverse: writes the current position, to words of its size

  virtual bool terminal() = 0;
  virtual int legal_count(int role) = 0;
  virtual Action nth_legal(int role, int n) = 0;  // n from 0, in ascending order
  virtual bool legal(int role, Action a) = 0;
  virtual void goals(std::span<int> out) = 0;  // per role the highest goal that holds, 0 if none does

  // `moves`: one legal move per role.
  // What a role will see if all roles play these moves, as ascending term ids. The position stays.
  virtual void sees(std::span<const Action> moves, int role, std::vector<TermId>& out) = 0;
  virtual void advance(std::span<const Action> moves) = 0;  // to the next position
};

// The part of an engine that all threads share. Immutable.
class Engine {
 public:
  virtual ~Engine() = default;
  // `within`: the budget for all questions together, which must outlive the reasoner; null: each question has the
  // engine's usual limits. The reasoner may outlive the engine.
  virtual std::unique_ptr<Reasoner> reasoner(Budget* within = nullptr) const = 0;
  virtual Words start() const = 0;                                               // the initial position
  virtual std::vector<TermId> fluents(const Words& position) const = 0;          // those that hold
  virtual bool write(const std::vector<TermId>& fluents, Words& out) const = 0;  // the inverse; false: one is unknown
  // [bit] all fluents, if a position has one bit for each; else null.
  virtual const std::vector<TermId>* all_fluents() const { return nullptr; }
};

}  // namespace kibitz::gdl
