// What can be told of `sees` by looking at its rules: whether moves show something each for itself, and whatever the
// position. Then what a role may have done can be concluded from what was seen, without trying what all of them did.
#include "games/gdl/logic/percepts.h"

#include <algorithm>

namespace kibitz::gdl {

namespace {

class Looker {
 public:
  Looker(const Program& program, Budget& budget)
      : p_(program), budget_(budget), moves_(program.terms.symbols()), position_(moves_.size()), tied_(moves_.size()) {
    moves_[p_.words.does] = 1;
    position_[p_.words.true_] = true;
  }

  // Each round may find what the one before has made possible; rulesheets that need many are not worth the time.
  Percepts run() {
    int rounds = 0;
    while (rounds < kMost && count()) ++rounds;
    while (rounds < kMost && tie()) ++rounds;
    if (rounds == kMost) return {};
    out_.apart = moves_[p_.words.sees] < 2;
    return out_;
  }

 private:
  static constexpr int kMost = 100;

  // On how many moves a conclusion of a relation may rest, and whether on the position. One that must not be done
  // counts as several: it is shown by what all others did. True while something is new.
  bool count() {
    bool again = false;
    for (const Rule& rule : p_.rules) {
      budget_.tick(1 + rule.body.size());
      const Symbol head = p_.functor(rule.head);
      int sum = 0;
      bool looks = false;
      for (const Literal& l : rule.body) {
        if (!l.asks()) continue;
        const Symbol s = p_.functor(l.a);
        sum += l.kind == Literal::kNot && moves_[s] > 0 ? 2 : moves_[s];
        looks = looks || position_[s];
      }
      sum = std::min(sum, 2);
      again |= sum > moves_[head] || (looks && !position_[head]);
      moves_[head] = std::max(moves_[head], sum);
      position_[head] = position_[head] || looks;
    }
    return again;
  }

  // From `sees` down to `does`: where the position has a say on the way.
  bool tie() {
    bool again = false;
    needed_.resize(moves_.size());
    needed_[p_.words.sees] = true;
    for (const Rule& rule : p_.rules) {
      const Symbol head = p_.functor(rule.head);
      budget_.tick(1 + rule.body.size());
      if (!needed_[head]) continue;
      const auto looks = std::count_if(rule.body.begin(), rule.body.end(),
                                       [&](const Literal& l) { return l.asks() && position_[p_.functor(l.a)]; });
      for (const Literal& l : rule.body) {
        if (!l.asks() || moves_[p_.functor(l.a)] == 0) continue;
        const Symbol s = p_.functor(l.a);
        const bool beside = looks > (position_[s] ? 1 : 0);
        const bool tied = tied_[head] || beside;
        again |= !needed_[s] || (tied && !tied_[s] && s != p_.words.does);
        needed_[s] = true;
        if (s == p_.words.does && tied)
          note(p_.argument(l.a, 1));
        else if (s != p_.words.does)
          tied_[s] = tied_[s] || tied;
      }
    }
    return again;
  }

  void note(const Term& move) {
    if (move.kind == Term::kVariable)
      out_.any_tied = true;
    else
      out_.tied.insert(p_.functor(move));
  }

  const Program& p_;
  Budget& budget_;
  std::vector<int> moves_;             // [relation] 0, 1, or 2 for several
  std::vector<bool> position_, tied_;  // [relation]
  std::vector<bool> needed_;
  Percepts out_;
};

}  // namespace

Percepts percepts_of(const Program& program, Budget& budget) { return Looker(program, budget).run(); }

}  // namespace kibitz::gdl
