// Reader of the Knowledge Interchange Format: lists of atoms and lists, with the place of each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "games/gdl/budget.h"

namespace kibitz::gdl {

// Where something stands in a rulesheet, both from 1; columns count characters, not bytes.
struct Place {
  int line = 1, column = 1;
};

// Something a reader of a rulesheet should know.
struct Finding {
  Place place;
  bool error;  // else a warning
  std::string text;
};

// All findings of a rulesheet. There is an end to them: a file that is no rulesheet at all has one in every line.
class Findings {
 public:
  static constexpr std::size_t kMost = 200;
  static constexpr std::size_t kLongest = 2000;  // bytes of a text: names can be as long as the file

  void error(Place place, std::string text) { add({place, true, std::move(text)}); }
  void warning(Place place, std::string text) { add({place, false, std::move(text)}); }
  const std::vector<Finding>& list() const { return list_; }
  bool errors() const { return errors_ > 0; }
  void sort();

 private:
  void add(Finding f);

  std::vector<Finding> list_;
  std::size_t errors_ = 0;
};

struct Expr {
  Place place;
  bool list = false;
  std::string atom;         // of an atom
  std::vector<Expr> items;  // of a list
};

inline constexpr std::size_t kMostBytes = 4 << 20;  // of a rulesheet
inline constexpr std::size_t kMostNesting = 400;    // of lists within lists

// The text with what is no UTF-8 replaced, so that every name in it can be shown.
std::string clean_text(std::string_view bytes);

// Everything that can be read; what cannot is among the findings.
std::vector<Expr> read_kif(std::string_view text, Findings& findings, Budget& budget);

}  // namespace kibitz::gdl
