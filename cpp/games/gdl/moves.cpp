// Moves and their order, and what goals are worth.
#include <algorithm>
#include <charconv>
#include <mutex>

#include "games/gdl/reasoner.h"

namespace kibitz::gdl {

int compare_terms(const Terms& terms, TermId a, TermId b, Budget* budget) {
  if (a == b) return 0;
  if (budget) budget->tick();
  const std::string &x = terms.name(terms.functor(a)), &y = terms.name(terms.functor(b));
  if (x != y) {
    int m = 0, n = 0;
    const auto p = std::from_chars(x.data(), x.data() + x.size(), m);
    const auto q = std::from_chars(y.data(), y.data() + y.size(), n);
    const bool first = p.ec == std::errc() && p.ptr == x.data() + x.size();  // numbers come before names
    const bool second = q.ec == std::errc() && q.ptr == y.data() + y.size();
    if (first != second) return first ? -1 : 1;
    return first && m != n ? (m < n ? -1 : 1) : (x < y ? -1 : 1);
  }
  const auto s = terms.args(a), t = terms.args(b);
  for (std::size_t i = 0; i < std::min(s.size(), t.size()); ++i)
    if (const int c = compare_terms(terms, s[i], t[i], budget)) return c;
  return s.size() < t.size() ? -1 : 1;
}

void sort_terms(const Terms& terms, std::vector<TermId>& list) {
  std::sort(list.begin(), list.end(), [&](TermId a, TermId b) { return compare_terms(terms, a, b) < 0; });
}

void sort_terms(const Terms& terms, std::vector<TermId>& list, Budget& budget) {
  std::sort(list.begin(), list.end(), [&](TermId a, TermId b) { return compare_terms(terms, a, b, &budget) < 0; });
}

Moves::Moves(const Terms& terms, const std::vector<std::vector<TermId>>& of_role, Budget& budget) : names_(&terms) {
  for (const auto& list : of_role)
    for (TermId t : list)
      if (numbers_.emplace(t, 0).second) terms_.push_back(t);
  if (terms_.size() > kMost) throw OverBudget("there are more than " + std::to_string(kMost) + " moves");
  sort_terms(terms, terms_, budget);
  for (std::size_t i = 0; i < terms_.size(); ++i) numbers_[terms_[i]] = static_cast<Action>(i);
  for (const auto& list : of_role) {
    of_role_.emplace_back();
    for (TermId t : list) of_role_.back().push_back(numbers_[t]);
    std::sort(of_role_.back().begin(), of_role_.back().end());
  }
}

Moves::Moves(const Terms& terms) : names_(&terms), open_(true) {
  terms_.reserve(kMost);  // so that they never move
}

Action Moves::known(TermId term) const {
  std::shared_lock lock(mutex_);
  const auto it = numbers_.find(term);
  return it == numbers_.end() ? kNoMove : it->second;
}

Action Moves::number(TermId term) const {
  if (const Action a = known(term); a != kNoMove || !open_) return a;
  std::unique_lock lock(mutex_);
  const auto [it, fresh] = numbers_.emplace(term, static_cast<Action>(terms_.size()));
  if (!fresh) return it->second;
  if (terms_.size() == kMost) {
    numbers_.erase(it);
    throw OverBudget("there are more than " + std::to_string(kMost) + " moves");
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

int goal_value(const Terms& terms, TermId value) {
  if (!terms.args(value).empty()) return 0;
  const std::string& text = terms.name(terms.functor(value));
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::clamp(number, 0, 100);
}

}  // namespace kibitz::gdl
