// A drawing of any position: cells as a board, everything else as text.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <set>

#include "games/gdl/gdl.h"

namespace kibitz::gdl {

namespace {

constexpr std::size_t kMostSide = 40;

// "white rook" and whiteRook have two words.
std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> out;
  const auto is = [](char c, int (*what)(int)) { return what(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ' || text[i] == '(' || text[i] == ')' || text[i] == '_' || text[i] == '-') continue;
    const bool inside = i > 0 && is(text[i - 1], std::isalnum) && is(text[i], std::isalnum);
    const bool hump = i > 0 && is(text[i - 1], std::islower) && is(text[i], std::isupper);
    if (!inside || hump) out.emplace_back();
    out.back() += text[i];
  }
  return out;
}

// The first letters of all words, and so many of the last.
std::string abbreviation(const std::string& text, std::size_t letters) {
  const auto all = words(text);
  std::string out;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) out += all[i][0];
  return all.empty() ? text : out + all.back().substr(0, letters);
}

// For everything that can stand in a cell a sign of its own, as short as possible and all as wide; for nothing a dot.
std::map<std::string, std::string> signs(const std::set<std::string>& contents) {
  std::set<std::string> nothing{"blank", "empty", "none", "free", "e"};
  const bool colour = std::any_of(contents.begin(), contents.end(), [](auto& c) { return c == "w" || c == "r"; });
  if (!colour) nothing.insert("b");  // else it is black or blue
  std::map<std::string, std::string> out;
  for (std::size_t letters = 1; letters <= 8; ++letters) {
    std::set<std::string> taken{"."};
    bool apart = true;
    for (const std::string& what : contents) {
      out[what] = nothing.contains(what) ? "." : abbreviation(what, letters);
      apart &= nothing.contains(what) || taken.insert(out[what]).second;
    }
    if (apart) break;
  }
  return out;
}

bool number(const std::string& text, int& out) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && std::to_string(out) == text;
}

std::string padded(const std::string& text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

// The names of a side's places, in their order. If they are numbers none is missing, though nothing may be there now.
std::vector<std::string> side(const Terms& terms, const std::set<TermId>& places) {
  std::vector<TermId> sorted(places.begin(), places.end());
  sort_terms(terms, sorted);
  std::vector<std::string> out;
  for (TermId place : sorted) out.push_back(terms.text(place));
  int first = 0, last = 0;
  if (!number(out.front(), first) || !number(out.back(), last) || last - first >= static_cast<int>(kMostSide))
    return out;
  out.clear();
  for (int i = first; i <= last; ++i) out.push_back(std::to_string(i));
  return out;
}

// Fluents such as (cell 1 2 x) or (cell 1 2 white rook): two places, and what is there.
struct Board {
  const Terms& terms;
  std::set<TermId> across, up;
  std::set<std::string> contents;
  std::map<std::pair<std::string, std::string>, std::string> at;
  bool clear = true;  // nowhere are two things

  std::string content(TermId fluent) const {
    std::string out;
    for (TermId part : terms.args(fluent).subspan(2)) out += (out.empty() ? "" : " ") + terms.text(part);
    return out;
  }
  void may_hold(TermId fluent) {
    across.insert(terms.args(fluent)[0]);
    up.insert(terms.args(fluent)[1]);
    contents.insert(content(fluent));
  }
  void holds(TermId fluent) {
    may_hold(fluent);
    const auto args = terms.args(fluent);
    clear &= at.emplace(std::pair(terms.text(args[0]), terms.text(args[1])), content(fluent)).second;
  }
  bool drawable() const {
    return clear && !at.empty() && std::min(across.size(), up.size()) >= 2 &&
           std::max(across.size(), up.size()) <= kMostSide;
  }

  std::string draw() const {
    const auto columns = side(terms, across), rows = side(terms, up);
    const auto sign = signs(contents);
    std::size_t width = 1;
    for (const auto& [what, text] : sign) width = std::max(width, text.size());
    for (const std::string& column : columns) width = std::max(width, std::min<std::size_t>(column.size(), 3));
    std::string out;
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
      out += "\n" + padded(*row, 4) + " ";
      for (const std::string& column : columns) {
        const auto here = at.find({column, *row});
        out += " " + padded(here == at.end() ? "." : sign.at(here->second), width);
      }
    }
    out += "\n     ";
    for (const std::string& column : columns) out += " " + padded(column.substr(0, width), width);
    return out;
  }
};

}  // namespace

// Boards of all fluents that look like cells, of which there are many with the same name; the rest as it is.
std::string Gdl::board(const std::vector<TermId>& fluents) const {
  const Terms& terms = shared_->program->terms;
  std::map<Symbol, Board> boards;
  const auto of = [&](TermId f) -> Board* {
    const bool cell = terms.args(f).size() == 3 || terms.args(f).size() == 4;
    return cell ? &boards.try_emplace(terms.functor(f), Board{terms, {}, {}, {}, {}}).first->second : nullptr;
  };
  if (const auto* all = shared_->engine->all_fluents())
    for (TermId f : *all)
      if (Board* b = of(f)) b->may_hold(f);
  for (TermId f : fluents)
    if (Board* b = of(f)) b->holds(f);
  std::string out;
  for (const auto& [name, b] : boards)
    if (b.drawable()) out += "\n" + terms.name(name) + ":" + b.draw();
  std::vector<std::string> rest;
  for (TermId f : fluents)
    if (const Board* b = of(f); !b || !b->drawable()) rest.push_back(terms.text(f));
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
