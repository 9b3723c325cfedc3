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

// Bytes beyond ASCII belong to letters that are neither large nor small.
bool is_letter(char c) { return static_cast<unsigned char>(c) >= 0x80 || std::isalnum(c) != 0; }
bool is_small(char c) { return static_cast<unsigned char>(c) < 0x80 && std::islower(c) != 0; }
bool is_large(char c) { return static_cast<unsigned char>(c) < 0x80 && std::isupper(c) != 0; }

// "white rook" and whiteRook have two words.
std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ' || text[i] == '(' || text[i] == ')' || text[i] == '_' || text[i] == '-') continue;
    const bool inside = i > 0 && is_letter(text[i - 1]) && is_letter(text[i]);
    const bool hump = i > 0 && is_small(text[i - 1]) && is_large(text[i]);
    if (!inside || hump) out.emplace_back();
    out.back() += text[i];
  }
  return out;
}

bool begins_letter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }  // in UTF-8

std::size_t letters(const std::string& text) { return std::count_if(text.begin(), text.end(), begins_letter); }

std::string first_letters(const std::string& text, std::size_t n) {
  std::size_t at = 0;
  for (; at < text.size() && (n > 0 || !begins_letter(text[at])); ++at) n -= begins_letter(text[at]);
  return text.substr(0, at);
}

// So many letters of the last word, and of those before it.
std::string abbreviation(const std::string& text, std::size_t last, std::size_t others) {
  const auto all = words(text);
  std::string out;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) out += first_letters(all[i], others);
  return all.empty() ? text : out + first_letters(all.back(), last);
}

// For everything that can stand in a cell a sign of its own, as short as possible and all as wide; for nothing a dot.
std::map<std::string, std::string> signs(const std::set<std::string>& contents) {
  std::set<std::string> nothing{"blank", "empty", "none", "free"};
  const std::set<std::string> colours{"w", "r"};
  const auto has = [&](const auto& some) {
    return std::any_of(some.begin(), some.end(), [&](auto& c) { return contents.contains(c); });
  };
  if (!has(nothing) && !has(colours)) nothing.insert({"b", "e"});  // else b is black or blue
  std::map<std::string, std::string> out;
  for (std::size_t sum = 2; sum <= 12; ++sum)  // of letters
    for (std::size_t others = 1; others < sum; ++others) {
      std::set<std::string> taken{"."};
      bool apart = true;
      for (const std::string& what : contents) {
        out[what] = nothing.contains(what) ? "." : abbreviation(what, sum - others, others);
        apart &= nothing.contains(what) || taken.insert(out[what]).second;
      }
      if (apart) return out;
    }
  return out;
}

bool number(const std::string& text, std::int64_t& out) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size() && std::to_string(out) == text;
  return whole && out > -1'000'000 && out < 1'000'000;  // larger ones are names
}

std::string padded(const std::string& text, std::size_t width) {
  return std::string(width > letters(text) ? width - letters(text) : 0, ' ') + text;
}

// The names of a side's places, in their order. If they are numbers none is missing, though nothing may be there now.
std::vector<std::string> side(const Terms& terms, const std::set<TermId>& places) {
  std::vector<TermId> sorted(places.begin(), places.end());
  sort_terms(terms, sorted);
  std::vector<std::string> out;
  for (TermId place : sorted) out.push_back(terms.text(place));
  std::int64_t first = 0, last = 0;
  if (!number(out.front(), first) || !number(out.back(), last) || last - first >= static_cast<int>(kMostSide))
    return out;
  out.clear();
  for (std::int64_t i = first; i <= last; ++i) out.push_back(std::to_string(i));
  return out;
}

// Fluents such as (cell 1 2 x) or (cell 1 2 white rook): two places, and what is there.
struct Board {
  const Terms& terms;
  std::set<TermId> across, up;
  std::set<std::string> contents;
  std::map<std::pair<std::string, std::string>, std::string> at;
  std::set<std::pair<TermId, TermId>> cells;
  bool clear = true;  // nowhere are two things

  std::string content(TermId fluent) const {
    std::string out;
    for (TermId part : terms.args(fluent).subspan(2)) out += (out.empty() ? "" : " ") + terms.text(part);
    return out;
  }
  void may_hold(TermId fluent) {
    across.insert(terms.args(fluent)[0]);
    up.insert(terms.args(fluent)[1]);
    cells.emplace(terms.args(fluent)[0], terms.args(fluent)[1]);
    contents.insert(content(fluent));
  }
  void holds(TermId fluent) {
    may_hold(fluent);
    const auto args = terms.args(fluent);
    clear &= at.emplace(std::pair(terms.text(args[0]), terms.text(args[1])), content(fluent)).second;
  }
  bool drawable() const {
    return clear && std::min(across.size(), up.size()) >= 2 && std::max(across.size(), up.size()) <= kMostSide;
  }
  // Empty, but every place is a cell: a board before the first stone.
  bool waits() const { return drawable() && at.empty() && cells.size() == across.size() * up.size(); }

  std::string draw() const {
    const auto columns = side(terms, across), rows = side(terms, up);
    const auto sign = signs(contents);
    std::size_t width = 1;
    for (const auto& [what, text] : sign) width = std::max(width, letters(text));
    for (const std::string& column : columns) width = std::max(width, std::min<std::size_t>(letters(column), 3));
    std::string out;
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
      out += "\n" + padded(*row, 4) + " ";
      for (const std::string& column : columns) {
        const auto here = at.find({column, *row});
        out += " " + padded(here == at.end() ? "." : sign.at(here->second), width);
      }
    }
    out += "\n     ";
    for (const std::string& column : columns) out += " " + padded(first_letters(column, width), width);
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
    return cell ? &boards.try_emplace(terms.functor(f), Board{terms, {}, {}, {}, {}, {}}).first->second : nullptr;
  };
  if (const auto* all = shared_->engine->all_fluents())
    for (TermId f : *all)
      if (Board* b = of(f)) b->may_hold(f);
  for (TermId f : fluents)
    if (Board* b = of(f)) b->holds(f);
  const auto full = [](const auto& named) { return named.second.drawable() && !named.second.at.empty(); };
  const bool begun = std::any_of(boards.begin(), boards.end(), full);
  std::string out;
  for (const auto& named : boards)
    if (full(named) || (!begun && named.second.waits()))
      out += "\n" + terms.name(named.first) + ":" + named.second.draw();
  std::vector<std::string> rest;
  for (TermId f : fluents)
    if (const Board* b = of(f); !b || !b->drawable()) rest.push_back(terms.text(f));
  return rest.empty() ? out : out + "\n" + joined(rest, " ");
}

std::string Gdl::caption(const State& s) const {
  const Program& p = *shared_->program;
  std::string out = "gdl, turn " + std::to_string(s.turn);
  if (s.to_act >= 0) return out + ", " + p.terms.text(p.roles[role(s.to_act)]) + " to act";
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
    out += " " + shared_->program->terms.text(shared_->program->roles[role(seat)]) + " " +
           std::to_string(static_cast<int>(goals[seat]));
  return out;
}

std::string Gdl::picture(const View& v) const {
  if (!shared_->hides) return picture(v.known);
  std::vector<std::string> lines;
  std::size_t number = 0;
  std::vector<const Glimpse*> chain;
  const Glimpse* last = v.seat == kPublic ? nullptr : v.known.memory->of[role(v.seat)].get();
  for (const Glimpse* g = last; g; g = g->before.get()) chain.push_back(g);
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
