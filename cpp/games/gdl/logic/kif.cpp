#include "games/gdl/logic/kif.h"

#include <algorithm>

namespace kibitz::gdl {

void Findings::add(Finding f) {
  errors_ += f.error;
  if (f.text.size() > kLongest) {
    std::size_t end = kLongest;
    while ((static_cast<unsigned char>(f.text[end]) & 0xc0) == 0x80) --end;  // not within a character
    f.text = f.text.substr(0, end) + "...";
  }
  if (list_.size() < kMost) list_.push_back(std::move(f));
  if (list_.size() == kMost) list_.back() = {f.place, true, "too many findings; the rest is left out"};
}

void Findings::sort() {
  std::stable_sort(list_.begin(), list_.end(), [](const Finding& a, const Finding& b) {
    return a.place.line != b.place.line ? a.place.line < b.place.line : a.place.column < b.place.column;
  });
  // A rule with `or` stands several times.
  const auto same = [](const Finding& a, const Finding& b) {
    return a.place.line == b.place.line && a.place.column == b.place.column && a.text == b.text;
  };
  list_.erase(std::unique(list_.begin(), list_.end(), same), list_.end());
}

namespace {

class KifReader {
 public:
  KifReader(std::string_view text, Findings& findings, Budget& budget)
      : text_(text), findings_(findings), budget_(budget) {}

  std::vector<Expr> read() {
    if (text_.size() > kMostBytes) {
      findings_.error({}, "the rulesheet is larger than " + std::to_string(kMostBytes >> 20) + " MB");
      return {};
    }
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // a byte order mark
    open_.emplace_back();
    while (at_ < text_.size()) step();
    for (std::size_t i = 1; i < open_.size(); ++i) findings_.error(open_[i].place, "this '(' is never closed");
    for (std::size_t i = 1; i < open_.size(); ++i) save_sentences(open_[i].items);
    return std::move(open_[0].items);
  }

 private:
  static constexpr std::size_t kBytes = 2 * sizeof(Expr);  // lists grow by doubling

  static bool space(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  static bool ends_atom(unsigned char c) { return space(c) || c == '(' || c == ')' || c == ';'; }

  // CR, LF and CR LF end lines. Only first bytes of characters move the column.
  void advance() {
    budget_.tick();
    const unsigned char c = static_cast<unsigned char>(text_[at_++]);
    const bool pair = c == '\r' && at_ < text_.size() && text_[at_] == '\n';
    if ((c == '\n' || c == '\r') && !pair) {
      ++here_.line;
      here_.column = 1;
    } else if ((c & 0xc0) != 0x80 && !pair) {
      ++here_.column;
    }
  }

  void step() {
    const unsigned char c = static_cast<unsigned char>(text_[at_]);
    if (space(c)) return advance();
    if (c == ';') {
      while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r') advance();
    } else if (c == '(') {
      open_list();
    } else if (c == ')') {
      close_list();
    } else {
      read_atom();
    }
  }

  // What begins a line within a list that is never closed was meant to follow it: there may be more to be found there.
  void save_sentences(std::vector<Expr>& items) {
    for (Expr& e : items)
      if (e.list && e.place.column == 1) open_[0].items.push_back(std::move(e));
  }

  void open_list() {
    if (open_.size() > kMostNesting) {
      findings_.error(here_, "lists are nested more than " + std::to_string(kMostNesting) + " deep");
      at_ = text_.size();
      open_.resize(1);  // the parentheses that follow would only be reported, too
      return;
    }
    budget_.grow(kBytes);
    open_.push_back({here_, true, {}, {}});
    advance();
  }

  void close_list() {
    if (open_.size() == 1) {
      findings_.error(here_, "this ')' closes nothing");
    } else {
      Expr done = std::move(open_.back());
      open_.pop_back();
      open_.back().items.push_back(std::move(done));
    }
    advance();
  }

  void read_atom() {
    const Place place = here_;
    const std::size_t begin = at_;
    bool strange = false;
    while (at_ < text_.size() && !ends_atom(static_cast<unsigned char>(text_[at_]))) {
      strange |= static_cast<unsigned char>(text_[at_]) < 32 || text_[at_] == 127;
      advance();
    }
    if (strange) findings_.error(place, "a name has a control character in it");
    budget_.grow(kBytes + at_ - begin);
    open_.back().items.push_back({place, false, std::string(text_.substr(begin, at_ - begin)), {}});
  }

  std::string_view text_;
  Findings& findings_;
  Budget& budget_;
  std::size_t at_ = 0;
  Place here_;
  std::vector<Expr> open_;  // the lists that are not closed yet, within each other; the first is the file
};

}  // namespace

std::string clean_text(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size();) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(k < bytes.size() ? bytes[k] : 0); };
    const unsigned char c = byte(i), d = byte(i + 1);
    std::size_t n = c < 0x80                ? 1
                    : c >= 0xc2 && c < 0xe0 ? 2
                    : c >= 0xe0 && c < 0xf0 ? 3
                    : c >= 0xf0 && c < 0xf5 ? 4
                                            : 0;
    for (std::size_t k = 1; k < n; ++k)
      if ((byte(i + k) & 0xc0) != 0x80) n = 0;
    // No overlong forms, surrogates, or anything beyond the last character.
    if (n == 3 && ((c == 0xe0 && d < 0xa0) || (c == 0xed && d >= 0xa0))) n = 0;
    if (n == 4 && ((c == 0xf0 && d < 0x90) || (c == 0xf4 && d >= 0x90))) n = 0;
    out += n > 0 ? bytes.substr(i, n) : std::string_view("\xef\xbf\xbd");
    i += std::max<std::size_t>(n, 1);
  }
  return out;
}

std::vector<Expr> read_kif(std::string_view text, Findings& findings, Budget& budget) {
  return KifReader(text, findings, budget).read();
}

}  // namespace kibitz::gdl
