// A parser of the Knowledge Interchange Format: S-expressions with their source locations, and diagnostics.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "games/gdl/logic/budget.h"

namespace kibitz::gdl {

// A source location. Lines and columns count from 1, columns in code points.
struct Place {
  int line = 1, column = 1;
};

// A diagnostic for the author of a rulesheet.
struct Finding {
  Place place;
  bool error;  // else a warning
  std::string text;
};

// The diagnostics of a rulesheet. Their number and length are bounded: a file that is no rulesheet at all would have
// one on every line.
class Findings {
 public:
  static constexpr std::size_t kMost = 200;
  static constexpr std::size_t kLongest =
      2000;  // bytes of a text, which is cut there: names may be as long as the file

  void error(Place place, std::string text) { add({place, true, std::move(text)}); }
  void warning(Place place, std::string text) { add({place, false, std::move(text)}); }
  const std::vector<Finding>& list() const { return list_; }
  bool errors() const { return errors_ > 0; }
  void sort();  // by place; also drops duplicates, which alternatives of one rule cause

 private:
  void add(Finding f);

  std::vector<Finding> list_;
  std::size_t errors_ = 0;
};

// An S-expression: an atom, or a list of expressions.
struct Expr {
  Place place;
  bool list = false;
  std::string atom;         // of an atom
  std::vector<Expr> items;  // of a list
};

inline constexpr std::size_t kMostBytes = 4 << 20;  // of a rulesheet
inline constexpr std::size_t kMostNesting = 400;    // of lists

// The text with malformed UTF-8 replaced by U+FFFD, so that every name in it can be printed.
std::string clean_text(std::string_view bytes);

// Parses a whole file. Recovers from errors: all expressions that could be read, and a finding for what could not.
std::vector<Expr> read_kif(std::string_view text, Findings& findings, Budget& budget);

}  // namespace kibitz::gdl
