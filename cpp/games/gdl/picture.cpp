// A drawing of any position: cells as a board, everything else as text.
#include <algorithm>
#include <map>
#include <set>

#include "games/gdl/gdl.h"

namespace kibitz::gdl {

namespace {

constexpr std::size_t kMostSide = 40;

// What stands in a cell, as one sign; the usual names of nothing are a dot.
std::string sign(const std::string& what) {
  if (what == "b" || what == "blank" || what == "empty" || what == "e") return ".";
  return what.substr(0, what[0] == '(' ? 2 : 1).substr(what[0] == '(' ? 1 : 0);
}

}  // namespace

// Fluents like (cell 1 2 x), two places and what is there, of which there are many with the same name.
std::string Gdl::board(const std::vector<TermId>& fluents) const {
  const Terms& terms = shared_->program->terms;
  const auto* all = shared_->engine->all_fluents();
  std::map<Symbol, std::pair<std::set<TermId>, std::set<TermId>>> sides;
  for (TermId f : all ? *all : fluents)
    if (terms.args(f).size() == 3) {
      sides[terms.functor(f)].first.insert(terms.args(f)[0]);
      sides[terms.functor(f)].second.insert(terms.args(f)[1]);
    }
  std::string out;
  std::set<TermId> drawn;
  for (const auto& [name, side] : sides) {
    std::vector<TermId> columns(side.first.begin(), side.first.end()), rows(side.second.begin(), side.second.end());
    if (columns.size() < 2 || rows.size() < 2 || std::max(columns.size(), rows.size()) > kMostSide) continue;
    sort_terms(terms, columns);
    sort_terms(terms, rows);
    std::map<std::pair<TermId, TermId>, std::string> at;
    for (TermId f : fluents)
      if (terms.functor(f) == name && terms.args(f).size() == 3) {
        at[{terms.args(f)[0], terms.args(f)[1]}] = sign(terms.text(terms.args(f)[2]));
        drawn.insert(f);
      }
    out += "\n" + terms.name(name) + ":";
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
      std::string label = terms.text(*row);
      out += "\n" + std::string(label.size() < 4 ? 4 - label.size() : 0, ' ') + label + " ";
      for (TermId column : columns) out += " " + (at.contains({column, *row}) ? at[{column, *row}] : std::string("."));
    }
    out += "\n     ";
    for (TermId column : columns) out += " " + terms.text(column).substr(0, 1);
  }
  std::vector<std::string> rest;
  for (TermId f : fluents)
    if (!drawn.contains(f)) rest.push_back(terms.text(f));
  return rest.empty() ? out : out + "\n" + joined(rest, " ");
}

std::string Gdl::caption(const State& s) const {
  const Program& p = *shared_->program;
  std::string out = "gdl, turn " + std::to_string(s.turn);
  if (s.to_act >= 0) return out + ", " + p.terms.text(p.roles[static_cast<std::size_t>(role(s.to_act))]) + " to act";
  return out + ", over";
}

std::string Gdl::picture(const State& s) const {
  auto list = shared_->engine->fluents(s.position);
  sort_terms(shared_->program->terms, list);
  std::string out = caption(s) + board(list);
  if (s.to_act >= 0) return out;
  std::array<double, kMostRoles> goals{};
  payoff(s, goals);
  out += "\ngoals";
  for (int seat = 0; seat < seats(); ++seat)
    out += " " + shared_->program->terms.text(shared_->program->roles[static_cast<std::size_t>(role(seat))]) + " " +
           std::to_string(static_cast<int>(goals[static_cast<std::size_t>(seat)]));
  return out;
}

std::string Gdl::picture(const View& v) const {
  if (!shared_->hides) return picture(v.known);
  std::vector<std::string> lines;
  std::size_t number = 0;
  std::vector<const Glimpse*> chain;
  for (const Glimpse* g = v.known.memory->of[static_cast<std::size_t>(role(v.seat))].get(); g; g = g->before.get())
    chain.push_back(g);
  for (auto g = chain.rbegin(); g != chain.rend(); ++g, ++number) {
    if ((*g)->move == kNoMove) continue;
    std::string line = "\nturn " + std::to_string(number) + ": " + text((*g)->move);
    std::vector<std::string> sees;
    for (TermId t : (*g)->sees) sees.push_back(shared_->program->terms.text(t));
    std::sort(sees.begin(), sees.end());
    if (!sees.empty()) line += ", then saw " + joined(sees, " ");
    lines.push_back(line);
  }
  return caption(v.known) + joined(lines, "");
}

}  // namespace kibitz::gdl
