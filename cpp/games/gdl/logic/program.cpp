#include "games/gdl/logic/program.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace kibitz::gdl {

namespace {

void write(const Program& p, const Term& t, const Rule& rule, std::string& out) {
  if (t.kind == Term::kVariable) {
    out += rule.variables[t.id];
  } else if (t.kind == Term::kGround) {
    out += p.terms.text(t.id);
  } else {
    out += '(' + p.terms.name(t.id);
    for (const Term& a : t.args) {
      out += ' ';
      write(p, a, rule, out);
    }
    out += ')';
  }
}

}  // namespace

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out) c = std::tolower(static_cast<unsigned char>(c));
  return out;
}

Program::Program() {
  words = {terms.symbol("role"), terms.symbol("init"),  terms.symbol("true"), terms.symbol("does"),
           terms.symbol("next"), terms.symbol("legal"), terms.symbol("goal"), terms.symbol("terminal"),
           terms.symbol("base"), terms.symbol("input"), terms.symbol("sees")};
}

bool Program::random_role(std::size_t role) const { return lower(terms.text(roles[role])) == "random"; }

std::string Program::text(const Term& t, const Rule& rule) const {
  std::string out;
  write(*this, t, rule, out);
  return out;
}

std::size_t weight(const Term& t) {
  std::size_t out = 1;
  for (const Term& a : t.args) out += weight(a);
  return out;
}

std::size_t Rule::weight() const {
  std::size_t out = gdl::weight(head);
  for (const Literal& l : body) out += gdl::weight(l);
  return out;
}

std::size_t Rule::bytes() const {
  std::size_t out = sizeof(Rule) + weight() * kBytesOfTerm + body.size() * (sizeof(Literal) - 2 * sizeof(Term));
  for (const std::string& name : variables) out += sizeof name + (name.size() > 15 ? name.size() : 0);
  return out;
}

void collect_variables(const Term& t, Variables& out) {
  if (t.kind == Term::kVariable) out.insert(t.id);
  for (const Term& a : t.args) collect_variables(a, out);
}

bool within(const Variables& some, const Variables& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

std::uint32_t variables_up_to(const Term& t) {
  std::uint32_t out = t.kind == Term::kVariable ? t.id + 1 : 0;
  for (const Term& a : t.args) out = std::max(out, variables_up_to(a));
  return out;
}

int goal_value(const Terms& terms, TermId value) {
  if (!terms.args(value).empty()) return 0;
  const std::string& text = terms.name(terms.functor(value));
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::clamp(number, 0, 100);
}

}  // namespace kibitz::gdl
