#include "games/gdl/logic/read.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "games/gdl/logic/check.h"
#include "games/gdl/logic/repair.h"

namespace kibitz::gdl {

namespace {

// Relations of the language with their number of arguments.
const std::map<std::string, int, std::less<>> kRelations = {{"role", 1},     {"init", 1},  {"true", 1}, {"does", 2},
                                                            {"next", 1},     {"legal", 2}, {"goal", 2}, {"sees", 2},
                                                            {"terminal", 0}, {"base", 1},  {"input", 2}};
const std::set<std::string, std::less<>> kConnectives = {"<=", "not", "or", "and", "distinct"};

// One way to choose from the alternatives of a rule.
struct Body {
  std::vector<Literal> literals;
  std::size_t weight = 0;  // of all of them

  void add(const Body& more) {
    literals.insert(literals.end(), more.literals.begin(), more.literals.end());
    weight += more.weight;
  }
};
using Alternatives = std::vector<Body>;

constexpr double kSecondsToCheck = 60;  // for reading and checking alone

std::string arity_text(std::size_t n) { return std::to_string(n) + (n == 1 ? " argument" : " arguments"); }

class Translator {
 public:
  Translator(Program& program, Findings& findings, Budget& budget)
      : p_(program), findings_(findings), budget_(budget) {}

  void sentence(const Expr& e) {
    rule_ = Rule{};
    rule_.place = e.place;
    numbers_.clear();
    const bool rule = e.list && !e.items.empty() && !e.items[0].list && e.items[0].atom == "<=";
    if (of_older_kind(rule && e.items.size() > 1 ? e.items[1] : e)) return;
    if (rule) return implication(e);
    if (Term head; relation(e, head, true)) {
      rule_.head = std::move(head);
      add_rule({});
    }
  }

 private:
  // Before `base` and `input` were in the language some rulesheets told their domains in other forms, such as
  // (base cell (x 1 2 3) (y 1 2 3)). Nobody needs them.
  bool of_older_kind(const Expr& head) {
    if (!head.list || head.items.empty() || head.items[0].list) return false;
    const std::string word = lower(head.items[0].atom);
    const auto it = kRelations.find(word);
    if ((word != "base" && word != "input") || static_cast<int>(head.items.size()) == it->second + 1) return false;
    findings_.warning(head.place, "'" + word + "' takes " + arity_text(it->second) + ", here it has " +
                                      std::to_string(head.items.size() - 1) + "; it is left out");
    return true;
  }

  void implication(const Expr& e) {
    if (e.items.size() < 2) return findings_.error(e.place, "'<=' needs a head");
    if (e.items.size() - 2 > kMostConditions)
      return findings_.error(e.place, "the rule has more than " + std::to_string(kMostConditions) + " conditions");
    Budget work(budget_, 1);  // for alternatives until they are rules
    Term head;
    bool good = relation(e.items[1], head, true);
    Alternatives bodies(1);
    for (std::size_t i = 2; i < e.items.size(); ++i) {
      Alternatives more;
      good &= condition(e.items[i], true, more, work) && multiply(bodies, more, e.items[i].place, work);
    }
    for (const Body& body : bodies) conditions_ += 1 + body.literals.size();
    if (conditions_ > kMostOfAll && good)
      throw OverBudget("the rules have more than " + std::to_string(kMostOfAll) +
                       " conditions, their 'or's multiplied");
    if (!good) return;
    rule_.head = std::move(head);
    for (Body& body : bodies) add_rule(std::move(body.literals));
  }

  // With the head and the variables of the sentence.
  void add_rule(std::vector<Literal> body) {
    rule_.body = std::move(body);
    budget_.tick(rule_.weight() + rule_.variables.size());
    budget_.grow(rule_.bytes());
    p_.rules.push_back({rule_.head, std::move(rule_.body), rule_.variables, rule_.place});
  }

  bool multiply(Alternatives& bodies, const Alternatives& more, Place place, Budget& work) {
    std::size_t conditions = 0, weight = 0;
    const auto count = [&](const Alternatives& some, std::size_t times) {
      for (const Body& one : some) {
        conditions += one.literals.size() * times;
        weight += one.weight * times;
      }
    };
    count(bodies, std::max<std::size_t>(more.size(), 1));
    count(more, bodies.size());
    if (bodies.size() * more.size() > kMostAlternatives || conditions > 64 * kMostAlternatives) {
      findings_.error(place, "the rule has too many alternatives: its 'or's multiply to more than " +
                                 std::to_string(kMostAlternatives));
      return false;
    }
    work.tick(bodies.size() + more.size());
    if (more.size() == 1) {
      work.tick(more[0].weight * bodies.size());
      work.grow(more[0].weight * bodies.size() * kBytesOfTerm);
      for (Body& one : bodies) one.add(more[0]);
      return true;
    }
    work.tick(weight);
    work.grow(weight * kBytesOfTerm + conditions * sizeof(Literal));
    Alternatives out;
    for (const Body& one : bodies)
      for (const Body& two : more) {
        out.push_back(one);
        out.back().add(two);
      }
    bodies = std::move(out);
    return true;
  }

  // One condition of a body, wanted true or false, as alternatives that each are a list of literals.
  bool condition(const Expr& e, bool wanted, Alternatives& out, Budget& work) {
    const std::string word = e.list ? (e.items.empty() || e.items[0].list ? "" : lower(e.items[0].atom)) : "";
    if (word == "not") {
      if (e.items.size() == 2) return condition(e.items[1], !wanted, out, work);
      findings_.error(e.place, "'not' takes 1 argument, here it has " + std::to_string(e.items.size() - 1));
      return false;
    }
    if (word == "or" || word == "and") return connective(e, (word == "or") == wanted, wanted, out, work);
    Literal literal;
    literal.place = e.place;
    if (word == "distinct") {
      if (e.items.size() != 3) {
        findings_.error(e.place, "'distinct' takes 2 arguments, here it has " + std::to_string(e.items.size() - 1));
        return false;
      }
      literal.kind = wanted ? Literal::kDistinct : Literal::kEqual;
      if (!term(e.items[1], literal.a) || !term(e.items[2], literal.b)) return false;
    } else {
      literal.kind = wanted ? Literal::kHolds : Literal::kNot;
      if (!relation(e, literal.a, false)) return false;
    }
    const std::size_t weight = gdl::weight(literal);
    work.grow(sizeof(Literal) + weight * kBytesOfTerm);
    out.emplace_back();
    out[0].literals.push_back(std::move(literal));
    out[0].weight = weight;
    return true;
  }

  bool connective(const Expr& e, bool any, bool wanted, Alternatives& out, Budget& work) {
    if (e.items.size() == 1) findings_.warning(e.place, "'" + e.items[0].atom + "' has no arguments");
    if (lower(e.items[0].atom) == "and" && !std::exchange(told_of_and_, true))
      findings_.warning(e.place, "'and' is no word of the language; it is read as all of its arguments, also below");
    out = any ? Alternatives{} : Alternatives(1);
    bool good = true;
    for (std::size_t i = 1; i < e.items.size(); ++i) {
      Alternatives more;
      if (!condition(e.items[i], wanted, more, work)) {
        good = false;
      } else if (!any) {
        good &= multiply(out, more, e.place, work);
      } else if (out.size() + more.size() > kMostAlternatives) {
        findings_.error(e.place, "the rule has too many alternatives");
        return false;
      } else {
        std::move(more.begin(), more.end(), std::back_inserter(out));
      }
    }
    return good;
  }

  // An atom of the language: a relation with its arguments.
  bool relation(const Expr& e, Term& out, bool head) {
    if (e.list && e.items.empty()) return wrong(e.place, "an empty list says nothing");
    const Expr& first = e.list ? e.items[0] : e;
    if (first.list) return wrong(first.place, "a relation must be a name, not a list");
    if (first.atom[0] == '?') return wrong(first.place, "a relation must be a name, not the variable " + first.atom);
    std::string name = first.atom;
    const std::string word = lower(name);
    const std::size_t arity = e.list ? e.items.size() - 1 : 0;
    if (kConnectives.contains(word))
      return wrong(e.place, head ? "'" + word + "' cannot be a head or a fact" : "'" + word + "' cannot stand here");
    if (const auto it = kRelations.find(word); it != kRelations.end()) {
      name = word;
      if (static_cast<int>(arity) != it->second)
        return wrong(e.place,
                     "'" + word + "' takes " + arity_text(it->second) + ", here it has " + std::to_string(arity));
    } else {
      same_arity(relations_, "relation", name, arity, e.place);
    }
    return apply(e, name, out);
  }

  bool term(const Expr& e, Term& out) {
    if (e.list && e.items.empty()) return wrong(e.place, "an empty list is no term");
    const Expr& first = e.list ? e.items[0] : e;
    if (first.list) return wrong(first.place, "a function must be a name, not a list");
    if (first.atom[0] == '?') {
      if (e.list) return wrong(first.place, "a function must be a name, not the variable " + first.atom);
      out = {Term::kVariable, variable(first.atom), {}};
      return true;
    }
    // `does`, `not` and so on are only names within terms, as in (sees ?r (does ?s ?m)).
    if (first.atom == "<=") return wrong(first.place, "'<=' cannot stand within a term");
    if (e.list && e.items.size() > 1) same_arity(functions_, "function", first.atom, e.items.size() - 1, e.place);
    return apply(e, first.atom, out);
  }

  // The symbol applied to the rest of the list; (p) equals p.
  bool apply(const Expr& e, const std::string& name, Term& out) {
    out = {Term::kApply, p_.terms.symbol(name), {}};
    bool good = true, ground = true;
    std::vector<TermId> ids;
    for (std::size_t i = 1; e.list && i < e.items.size(); ++i) {
      budget_.tick();
      out.args.emplace_back();
      good &= term(e.items[i], out.args.back());
      ground &= out.args.back().kind == Term::kGround;
      ids.push_back(out.args.back().id);
    }
    if (good && ground) out = {Term::kGround, p_.terms.make(out.id, ids), {}};
    return good;
  }

  std::uint32_t variable(const std::string& name) {
    const auto [it, fresh] = numbers_.emplace(name, rule_.variables.size());
    if (fresh) {
      budget_.grow(kName + 2 * name.size());
      rule_.variables.push_back(name);
    }
    return it->second;
  }

  bool wrong(Place place, std::string text) {
    findings_.error(place, std::move(text));
    return false;
  }

  static constexpr std::size_t kName = 128;  // bytes of an entry in a table of names

  struct Use {
    std::size_t arity;
    Place place;
    bool told;
  };
  using Uses = std::map<std::string, Use, std::less<>>;

  void same_arity(Uses& uses, const char* kind, const std::string& name, std::size_t arity, Place place) {
    const auto [it, fresh] = uses.emplace(name, Use{arity, place, false});
    if (fresh) budget_.grow(kName + name.size());
    if (fresh || it->second.arity == arity || it->second.told) return;
    it->second.told = true;
    findings_.error(place, std::string(kind) + " '" + name + "' has " + arity_text(arity) + " here, but " +
                               std::to_string(it->second.arity) + " in line " + std::to_string(it->second.place.line));
  }

  Program& p_;
  Findings& findings_;
  Budget& budget_;
  Rule rule_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;  // of the rule's variables
  Uses relations_, functions_;
  std::size_t conditions_ = 0;  // of all rules so far
  bool told_of_and_ = false;
};

void translate(std::string_view text, Program& program, Findings& findings, Budget& budget) {
  Budget reading(budget, 1);  // for the lists, until they are rules
  const auto sentences = read_kif(text, findings, reading);
  Translator translator(program, findings, budget);
  for (const Expr& e : sentences) translator.sentence(e);
  if (sentences.empty() && !findings.errors()) findings.error({}, "there is nothing in the rulesheet");
}

TermId ground_term(Terms& terms, const Expr& e) {
  const Expr& first = e.list && !e.items.empty() ? e.items[0] : e;
  if (first.list || first.atom[0] == '?') throw BadInput("");
  std::vector<TermId> args;
  for (std::size_t i = 1; i < e.items.size(); ++i) args.push_back(ground_term(terms, e.items[i]));
  return terms.make(terms.symbol(first.atom), args);
}

}  // namespace

std::unique_ptr<Program> read_program(std::string_view text, Findings& findings, bool strict, Budget& budget) {
  auto program = std::make_unique<Program>();
  budget.watch(program->terms);
  try {
    translate(text, *program, findings, budget);
    if (!strict && !findings.errors()) repair(*program, findings, budget);
    check_program(*program, !findings.errors(), findings, budget);
  } catch (const OverBudget& e) {
    if (budget.over()) throw;
    findings.error({}, e.what());
  }
  findings.sort();
  return program;
}

Findings check(const std::string& text, bool strict) {
  Findings findings;
  Budget budget(kSecondsToCheck, kMostMemory);
  try {
    read_program(text, findings, strict, budget);
  } catch (const OverBudget& e) {
    findings.error({}, std::string("the rulesheet cannot be checked: ") + e.what());
    findings.sort();
  }
  return findings;
}

TermId read_term(Terms& terms, const std::string& text, const std::string& what) {
  Findings findings;
  Budget budget(60);
  const auto list = text.size() > Terms::kLength ? std::vector<Expr>() : read_kif(text, findings, budget);
  if (list.size() == 1 && !findings.errors()) try {
      return ground_term(terms, list[0]);
    } catch (const BadInput&) {
    }
  throw BadInput(what + " must be one term without variables, such as (mark 1 2), not " + quoted(text));
}

}  // namespace kibitz::gdl
