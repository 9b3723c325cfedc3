#include "games/gdl/engine/moves.h"

#include <algorithm>
#include <mutex>

namespace kibitz::gdl {

Moves::Moves(const Terms& terms, const std::vector<std::vector<TermId>>& of_role, Budget& budget) : names_(&terms) {
  for (const auto& list : of_role)
    for (TermId t : list)
      if (numbers_.emplace(t, 0).second) terms_.push_back(t);
  if (terms_.size() > kMostMoves) throw OverBudget("there are more than " + std::to_string(kMostMoves) + " moves");
  sort_terms(terms, terms_, budget);
  for (std::size_t i = 0; i < terms_.size(); ++i) numbers_[terms_[i]] = i;
  for (const auto& list : of_role) {
    of_role_.emplace_back();
    for (TermId t : list) of_role_.back().push_back(numbers_[t]);
    std::sort(of_role_.back().begin(), of_role_.back().end());
  }
}

Moves::Moves(const Terms& terms) : names_(&terms), open_(true) {
  terms_.reserve(kMostMoves);  // so that they never move
}

Action Moves::known(TermId term) const {
  std::shared_lock lock(mutex_);
  const auto it = numbers_.find(term);
  return it == numbers_.end() ? kNoMove : it->second;
}

Action Moves::number(TermId term) const {
  if (const Action a = known(term); a != kNoMove || !open_) return a;
  std::unique_lock lock(mutex_);
  const auto [it, fresh] = numbers_.emplace(term, terms_.size());
  if (!fresh) return it->second;
  if (terms_.size() == kMostMoves) {
    numbers_.erase(it);
    throw OverBudget("there are more than " + std::to_string(kMostMoves) + " moves");
  }
  terms_.push_back(term);
  return it->second;
}

std::size_t Moves::met() const {
  std::shared_lock lock(mutex_);
  return terms_.size();
}

std::string Moves::text(Action a) const {
  std::shared_lock lock(mutex_);
  return a < terms_.size() ? names_->text(terms_[a]) : "(unused " + std::to_string(a) + ")";
}

}  // namespace kibitz::gdl
