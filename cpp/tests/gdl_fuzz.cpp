// Rulesheets that nobody would write: real ones with something changed in them, and plain noise, under sanitizers.
//
//   kibitz_fuzz SECONDS [SEED [FROM]]  as many cases as fit into the time; a case follows from seed and number alone,
//   so
//                                      that `kibitz_fuzz 0 SEED NUMBER` does the one again that failed
//
// Reading must end with findings that have a place, or with a game; a game must be the same for the network and for the
// prover, position by position; its positions must round-trip. A case that takes too long or too much memory fails, and
// so does a game that is not made within its seconds: some cases double something again and again.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "games/gdl/engine/network_engine.h"
#include "games/gdl/engine/prover.h"
#include "games/gdl/gdl.h"
#include "games/gdl/logic/ground.h"
#include "games/gdl/logic/read.h"

// Read by the sanitizer when the program starts: the most it may take, in MB.
extern "C" const char* __asan_default_options() { return "hard_rss_limit_mb=3000:allocator_may_return_null=0"; }

namespace kibitz::gdl {

namespace {

constexpr unsigned kHang = 240;           // seconds of a case; most take a hundredth of one
constexpr double kGrounding = 0.5;        // seconds
constexpr double kAnswer = 0.5;           // seconds for a question to the prover
constexpr int kMaking = 1;                // seconds for a game
constexpr double kLate = 2.5;             // seconds of the processor beyond that; sanitizers take their time to free it
constexpr std::size_t kMemory = 1 << 29;  // bytes
constexpr int kTurns = 8;                 // that are compared
constexpr std::size_t kMostSay = 40'000;  // characters of a failing case that are shown

// What real sheets lack, in little: cycles that lose their reason, growing terms, percepts, `or` and `not` nested.
const char* const kSmall[] = {
    "(role r) (init (on 1)) (init (wire 1 2)) (init (wire 2 1)) (init (wire 2 3)) (<= (live ?x) (true (on ?x)))"
    "(<= (live ?y) (live ?x) (true (wire ?x ?y))) (<= (legal r off) (live 1)) (<= (legal r rest) (live 3))"
    "(<= (legal r quit) (not (live 3))) (<= (next (wire ?x ?y)) (true (wire ?x ?y)))"
    "(<= (next (on ?x)) (true (on ?x)) (does r rest)) (<= (next done) (does r quit)) (<= terminal (true done))"
    "(<= (goal r 44) (not (live 2)))",
    "(role r) (init (n zero)) (bound zero) (bound (s zero)) (bound (s (s zero))) (<= (legal r up) (true (n ?x)) (bound "
    "?x)) (legal r stay) (<= (next (n (s ?x))) (true (n ?x)) (does r up) (bound ?x)) (<= (next (n ?x)) (true (n ?x))"
    "(does r stay)) (<= terminal (true (n (s (s (s zero)))))) (<= (goal r 70) (true (n (s (s ?x)))))",
    "(role a) (role b) (role random) (n 1) (n 2) (init (t 1)) (succ 1 2) (succ 2 3) (<= (legal ?p (say ?x)) (role ?p)"
    "(n ?x)) (<= (next (t ?m)) (true (t ?n)) (succ ?n ?m)) (<= (next (heard ?x)) (does random (say ?x)))"
    "(<= (sees a (does b ?m)) (does b ?m)) (<= (sees b high) (does random (say ?x)) (distinct ?x 1))"
    "(<= terminal (true (t 3))) (<= (goal ?p ?v) (role ?p) (true (heard ?x)) (worth ?x ?v)) (worth 1 10) (worth 2 90)",
    "(role x) (role o) (init (bad 2)) (n 1) (n 2) (n 3) (<= (legal ?p (pick ?x ?y)) (role ?p) (n ?x) (n ?y) (or"
    "(distinct ?x ?y) (not (or (true (bad ?x)) (not (n ?y)))))) (<= (next (got ?p ?x)) (does ?p (pick ?x ?y)))"
    "(<= (next (bad ?y)) (does ?p (pick ?x ?y)) (not (true (bad ?y)))) (<= both (true (got ?p 3)) (true (got ?q 3))"
    "(distinct ?p ?q)) (<= terminal both) (<= (goal ?p 50) (role ?p) (or both (not both)))",
    "(role r) (init (link 1 2)) (init (link 2 3)) (init (link 3 4)) (<= (far ?x ?y) (true (link ?x ?y))) (<= (far ?x "
    "?z)"
    "(far ?x ?y) (far ?y ?z)) (<= (odd ?x) (true (link ?x ?y)) (not (even ?x))) (even 2) (<= (legal r (cut ?x ?y))"
    "(true (link ?x ?y))) (<= (legal r (jump ?x)) (far ?y ?x) (odd ?y)) (<= (next (link ?x ?y)) (true (link ?x ?y))"
    "(not (does r (cut ?x ?y)))) (<= (next (link 4 ?x)) (does r (jump ?x))) (<= terminal (not (far 1 2)))"
    "(<= (goal r 100) (far 1 4)) (<= (goal r 0) (not (far 1 4)))",
};

struct Corpus {
  std::vector<std::string> texts;
  std::vector<std::vector<Expr>> trees;
  std::vector<std::string> names;  // all atoms
};

std::string read_whole(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void collect_names(const Expr& e, std::set<std::string>& out) {
  if (!e.list) out.insert(e.atom);
  for (const Expr& item : e.items) collect_names(item, out);
}

// Not the ones that take long to ground: many small steps find more than a few large ones.
Corpus read_corpus() {
  Corpus out;
  std::set<std::filesystem::path> files;
  for (const char* folder : {KIBITZ_RULESHEETS, KIBITZ_SHEETS})
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".kif") files.insert(entry.path());
  for (const char* text : kSmall) out.texts.push_back(text);
  for (const auto& path : files) {
    const auto name = path.stem();
    if (name != "amazons" && name != "chess" && name != "breakthrough") out.texts.push_back(read_whole(path));
  }
  std::set<std::string> names{"<=",    "not",  "or", "and", "distinct", "random", "base",
                              "input", "sees", "?",  "?x",  "?y",       "100",    "é"};
  for (const auto& text : out.texts) {
    Findings ignored;
    Budget budget(kHang);
    out.trees.push_back(read_kif(clean_text(text), ignored, budget));
    for (const Expr& e : out.trees.back()) collect_names(e, names);
  }
  out.names.assign(names.begin(), names.end());
  return out;
}

class Mutator {
 public:
  Mutator(const Corpus& corpus, Rng& rng) : corpus_(corpus), rng_(rng) {}

  std::string text() {
    const std::uint32_t kind = rng_.below(20);
    if (kind == 0) return noise();
    const bool small = kind < 15;
    const auto n = static_cast<std::uint32_t>(small ? std::size(kSmall) : corpus_.trees.size());
    tree_ = corpus_.trees[rng_.below(n)];
    if (rng_.below(8) == 0) splice();
    for (std::uint32_t k = rng_.below(5); k > 0 && !tree_.empty(); --k) change();
    if (rng_.below(6) == 0) doubles();
    std::string out;
    for (const Expr& e : tree_) {
      write(e, out);
      out += rng_.below(2) ? "\n" : "\r\n";
    }
    for (std::uint32_t k = rng_.below(4) == 0 ? 1 + rng_.below(4) : 0; k > 0; --k) spoil(out);
    return out;
  }

 private:
  template <class T>
  const T& any(const std::vector<T>& list) {
    return list[rng_.below(static_cast<std::uint32_t>(list.size()))];
  }

  std::string noise() {
    static constexpr char kSigns[] = "()() \n\r\t;?<=x1\x01\xc3\xa9\xff|\"";
    std::string out = rng_.below(2) ? "(role r) (legal r a) " : "";
    for (std::uint32_t k = rng_.below(300); k > 0; --k)
      if (rng_.below(3) == 0)
        out += any(corpus_.names) + " ";
      else
        out += kSigns[rng_.below(sizeof kSigns - 1)];
    return out;
  }

  void splice() {
    const auto& other = any(corpus_.trees);
    for (std::uint32_t k = 1 + rng_.below(3); k > 0; --k) tree_.push_back(any(other));
  }

  // Some expression within, deeper ones as likely as others.
  Expr& pick(Expr& e) {
    Expr* at = &e;
    while (at->list && !at->items.empty() && rng_.below(4) != 0)
      at = &at->items[rng_.below(static_cast<std::uint32_t>(at->items.size()))];
    return *at;
  }
  Expr& pick() { return pick(tree_[rng_.below(static_cast<std::uint32_t>(tree_.size()))]); }

  static Expr list(std::initializer_list<Expr> items) { return {{}, true, {}, items}; }
  static Expr atom(std::string name) { return {{}, false, std::move(name), {}}; }

  void change() {
    const auto at = rng_.below(static_cast<std::uint32_t>(tree_.size()));
    Expr& e = pick();
    switch (rng_.below(10)) {
      case 0: tree_.erase(tree_.begin() + at); break;
      case 1: tree_.push_back(tree_[at]); break;
      case 2: std::swap(tree_[at], tree_.back()); break;
      case 3: e = Expr(pick()); break;
      case 4: e = list({atom("not"), Expr(e)}); break;
      case 5: e = list({atom("or"), Expr(e), Expr(pick())}); break;
      case 6: tree_[at].items.push_back(Expr(pick())); break;
      case 7:
        if (!e.items.empty()) e.items.erase(e.items.begin() + rng_.below(static_cast<std::uint32_t>(e.items.size())));
        break;
      case 8: rename(tree_[at]); break;
      default: e = atom(any(corpus_.names));
    }
  }

  // Adds a sentence; `#` stands for a relation of this level.
  void add(std::string text, int level) {
    for (std::size_t at; (at = text.find('#')) != std::string::npos;)
      text.replace(at, 1, "twin" + std::to_string(level));
    Findings ignored;
    Budget budget(kHang);
    tree_.push_back(read_kif(text, ignored, budget).front());
  }

  // Something that is twice as much, or as much squared, from level to level: pairs of all that there is, terms of two
  // equal halves, and in some sentences alternatives, conditions and arguments.
  void doubles() {
    static constexpr const char* kFirst[] = {"(# b)", "(<= (# ?x) (true ?x))", "(<= (# ?x) (does ?r ?x))"};
    static constexpr const char* kStep[] = {"(f ?x ?y)) (# ?x) (# ?y))", "(f ?x ?x)) (# ?x))",
                                            "(f ?x (g ?x ?y))) (# ?x) (# ?y) (# ?z))"};
    static constexpr const char* kUse[] = {"(<= (legal ?r (m ?x)) (role ?r) (# ?x))",
                                           "(<= (next (n ?x)) (# ?x))",
                                           "(<= (init (n ?x)) (# ?x))",
                                           "(<= (goal ?r ?x) (role ?r) (# ?x))",
                                           "(<= (sees ?r ?x) (role ?r) (# ?x))",
                                           "(<= terminal (# ?x) (# ?y) (# ?z))"};
    const auto levels = static_cast<int>(2 + rng_.below(28));
    add("(# a)", 0);
    add(kFirst[rng_.below(std::size(kFirst))], 0);
    const std::string step = kStep[rng_.below(std::size(kStep))];
    for (int i = 0; i < levels; ++i) add("(<= (twin" + std::to_string(i + 1) + " " + step, i);
    add(kUse[rng_.below(std::size(kUse))], levels);
    for (std::uint32_t k = rng_.below(3); k > 0; --k)
      widen(tree_[rng_.below(static_cast<std::uint32_t>(tree_.size()))]);
  }

  // A condition many times over, or its alternatives; or an argument.
  void widen(Expr& sentence) {
    if (!sentence.list || sentence.items.size() < 2) return;
    const auto at = static_cast<std::ptrdiff_t>(1 + rng_.below(static_cast<std::uint32_t>(sentence.items.size() - 1)));
    Expr one = sentence.items[static_cast<std::size_t>(at)];
    const std::uint32_t kind = rng_.below(3);
    if (kind == 0) one = list({atom("or"), one, Expr(pick())});
    if (kind == 1 && one.list && !one.items.empty()) {
      one.items.insert(one.items.end(), 1u << rng_.below(13), Expr(one.items.back()));
      sentence.items[static_cast<std::size_t>(at)] = one;
    } else {
      sentence.items.insert(sentence.items.begin() + at, 1u << rng_.below(10), one);
    }
  }

  // One variable or constant of a sentence in place of another: mostly still a sound rule.
  void rename(Expr& sentence) {
    std::set<std::string> names;
    collect_names(sentence, names);
    const std::vector<std::string> all(names.begin(), names.end());
    if (all.empty()) return;
    const std::string from = any(all), to = any(all);
    if (to != "<=" && (from[0] == '?') == (to[0] == '?')) replace(sentence, from, to);
  }
  void replace(Expr& e, const std::string& from, const std::string& to) {
    if (!e.list && e.atom == from && rng_.below(3) != 0) e.atom = to;
    for (Expr& item : e.items) replace(item, from, to);
  }

  void write(const Expr& e, std::string& out) {
    if (!e.list) {
      out += e.atom;
      return;
    }
    out += "(";
    for (const Expr& item : e.items) {
      write(item, out);
      out += rng_.below(40) == 0 ? " ; (odd\n" : " ";
    }
    out += ")";
  }

  // Bytes, not expressions.
  void spoil(std::string& out) {
    const std::size_t at = rng_.below(static_cast<std::uint32_t>(out.size() + 1));
    const std::size_t n = std::min<std::size_t>(rng_.below(30), out.size() - at);
    switch (rng_.below(5)) {
      case 0: out.erase(at, n); break;
      case 1: out.insert(at, out.substr(at, n)); break;
      case 2: out.insert(at, std::string(rng_.below(600), "()"[rng_.below(2)])); break;
      case 3: out.insert(at, 1, static_cast<char>(rng_.below(256))); break;
      default:
        if (at < out.size()) out[at] = static_cast<char>(rng_.below(256));
    }
  }

  const Corpus& corpus_;
  Rng& rng_;
  std::vector<Expr> tree_;
};

struct Tally {
  std::uint64_t cases = 0, sound = 0, grounded = 0, turns = 0, given_up = 0;
};

struct Failure {
  std::string what;
};

void demand(bool ok, const std::string& what) {
  if (!ok) throw Failure{what};
}

// Network and prover beside each other, by the names of things.
class Twins {
 public:
  Twins(std::shared_ptr<Program> program, Grounding& grounding, Budget& budget) : p_(std::move(program)) {
    for (auto& list : grounding.moves) sort_terms(p_->terms, list);
    moves_ = std::make_shared<Moves>(p_->terms, grounding.moves, budget);
    const auto network = std::make_shared<Network>(build_network(*p_, grounding, budget));
    network_ = network_engine(network, moves_, p_->terms, budget);
    prover_ = prover_engine(p_, moves_, grounding.fluents, budget, {kAnswer, 300'000});
  }

  void play(int turns, Rng& rng, Tally& tally) {
    const auto a = network_->reasoner(), b = prover_->reasoner();
    Words at = network_->start(), bt = prover_->start();
    a->look(at);
    b->look(bt);
    for (int turn = 0; turn < turns; ++turn, ++tally.turns) {
      compare(*a, *b, at, bt);
      std::vector<Action> joint;
      for (int r = 0; r < roles(); ++r) {
        const int n = a->legal_count(r);
        if (n == 0 || a->terminal()) return;
        joint.push_back(a->nth_legal(r, static_cast<int>(rng.below(static_cast<std::uint32_t>(n)))));
      }
      for (int r = 0; r < roles(); ++r) {
        std::vector<TermId> x, y;
        a->sees(joint, r, x);
        b->sees(joint, r, y);
        demand(x == y, "percepts differ");
      }
      a->advance(joint);
      b->advance(joint);
      a->read(at);
      b->read(bt);
      if (rng.below(4) == 0) {  // look elsewhere and come back, as searches do
        a->look(network_->start());
        a->look(at);
      }
    }
  }

 private:
  int roles() const { return static_cast<int>(p_->roles.size()); }

  void compare(Reasoner& a, Reasoner& b, const Words& at, const Words& bt) {
    std::vector<TermId> x = network_->fluents(at), y = prover_->fluents(bt);
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    demand(x == y, "fluents differ");
    demand(a.terminal() == b.terminal(), "they disagree about the end");
    std::vector<int> m(p_->roles.size()), n(p_->roles.size());
    a.goals(m);
    b.goals(n);
    demand(m == n, "goals differ");
    for (int r = 0; r < roles(); ++r) {
      const int count = a.legal_count(r);
      demand(count == b.legal_count(r), "numbers of legal moves differ");
      for (int i = 0; i < count; ++i) {
        const Action move = a.nth_legal(r, i);
        demand(move == b.nth_legal(r, i), "legal moves differ");
        demand(move < moves_->size() && a.legal(r, move) && b.legal(r, move), "a legal move is not legal");
      }
    }
  }

  std::shared_ptr<Program> p_;
  std::shared_ptr<Moves> moves_;
  std::unique_ptr<Engine> network_, prover_;
};

// A game, or OverBudget; neither later than it may be.
Gdl make_in_time(const std::string& text, bool strict) {
  const std::clock_t begun = std::clock();
  const auto late = [&] {
    const double took = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
    demand(took < kMaking + kLate, "a game of " + std::to_string(kMaking) + " s takes " + std::to_string(took) + " s");
  };
  try {
    const Gdl game =
        Gdl::make(Value::Object{{"text", text}, {"turns", kTurns}, {"seconds", kMaking}, {"strict", strict}});
    late();
    return game;
  } catch (const BadInput&) {
    late();
    throw;
  }
}

// Whether it is a game or not.
void try_making(const std::string& text, bool strict) {
  try {
    make_in_time(text, strict);
  } catch (const BadInput&) {
  }
}

// The game as everybody else sees it.
void play_game(const std::string& text, bool strict, Rng& rng) {
  const Gdl game = make_in_time(text, strict);
  State s = game.deal(rng);
  Gdl::Legal legal;
  while (s.to_act >= 0) {
    game.legal(s, legal);
    demand(!legal.empty(), "somebody is asked who has no move");
    demand(game.from_position(game.position(s)) == s, "a position does not round-trip");
    const View v = game.view(s, s.to_act);
    demand(game.view(game.sample(v, rng), v.seat) == v, "a world does not fit its view");
    demand(game.from_view(game.position(v)) == v, "a view does not round-trip");
    const Action a = legal[static_cast<int>(rng.below(static_cast<std::uint32_t>(legal.size())))];
    demand(game.parse(game.text(a)) == a, "a move is not read as it is written");
    game.apply(s, a);
  }
  demand(!game.picture(s).empty(), "there is no picture");
}

void one_case(const std::string& bytes, Rng& rng, Tally& tally) {
  const std::string text = clean_text(bytes);
  Findings findings;
  Budget budget(kHang, kMemory);
  const bool strict = rng.below(2) == 0;
  ++tally.cases;
  if (text.find("twin") != std::string::npos) try_making(text, strict);
  std::shared_ptr<Program> program;
  try {
    program = read_program(text, findings, strict, budget);
  } catch (const OverBudget&) {
    ++tally.given_up;
    return;
  }
  demand(findings.list().size() <= Findings::kMost, "there are too many findings");
  for (const Finding& f : findings.list())
    demand(f.place.line >= 1 && f.place.column >= 1 && !f.text.empty(), "a finding has no place");
  if (findings.errors()) return;
  ++tally.sound;
  try {
    const std::size_t unsplit = rng.below(2) == 0 ? 300'000 : 0;
    const std::size_t few = rng.below(2) == 0 ? 30'000 : 0;
    Budget part(budget, kGrounding / kHang);
    Grounding grounding = ground(*program, {300'000, unsplit, few}, part);
    ++tally.grounded;
    Twins twins(program, grounding, budget);
    // The prover is slow on real games; small ones are where the odd cases are.
    const bool small = text.size() < 2000;
    for (int games = small ? 3 : 1; games > 0; --games) twins.play(small ? kTurns : 2, rng, tally);
    if (rng.below(4) == 0) play_game(text, strict, rng);
  } catch (const OverBudget&) {
    ++tally.given_up;  // which is what the bounds are for
  }
}

// Reasons behind reasons: p0 holds if p1 does, and so on, with more conditions beside each. Whether that is too deep is
// for the bounds to say, not for the stack.
std::string deep_sheet(int length, int conditions) {
  std::string out = "(role r) (init (at 0)) (legal r go) (<= (next done) (does r go)) (<= terminal (true done))";
  out += " (<= (goal r 50) p0) (<= p" + std::to_string(length) + " (true (at 0)))";
  for (int i = 0; i < length; ++i) {
    out += " (<= p" + std::to_string(i);
    for (int k = 0; k < conditions; ++k) out += " (not (true (at " + std::to_string(1 + k) + ")))";
    out += " p" + std::to_string(i + 1) + ")";
  }
  return out;
}

void go_deep() {
  for (int length : {100, 2900, 3100})
    for (int conditions : {0, 2, 10, 1000}) {
      Findings findings;
      Budget budget(kHang);
      const std::shared_ptr<Program> program = read_program(deep_sheet(length, conditions), findings, true, budget);
      if (findings.errors()) continue;  // too many conditions: for the reader to say
      const auto moves = std::make_shared<Moves>(program->terms);
      const auto prover = prover_engine(program, moves, {}, budget, {kAnswer, 300'000});
      try {
        const auto reasoner = prover->reasoner();
        reasoner->look(prover->start());
        std::vector<int> goals(1);
        reasoner->goals(goals);
        demand(goals[0] == 50, "a chain is not followed to its end");
        demand(length < 3000, "a chain is followed deeper than it may be");
      } catch (const OverBudget&) {
        demand(length > 100 || conditions > 10, "a short chain is not followed");
      }
    }
}

std::string current;  // the case, for whoever is told about a hang
std::uint64_t number = 0, seed = 1;

extern "C" void hangs(int) {
  std::fprintf(stderr, "FAILED case %llu of seed %llu: it takes longer than %u seconds\n%.40000s\n",
               static_cast<unsigned long long>(number), static_cast<unsigned long long>(seed), kHang, current.c_str());
  std::_Exit(1);
}

int fuzz(double seconds, bool single) {
  using Clock = std::chrono::steady_clock;
  const Corpus corpus = read_corpus();
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  Tally tally;
  double slowest = 0;
  std::uint64_t slow = 0;  // its number
  std::signal(SIGALRM, hangs);
  for (; tally.cases == 0 || (!single && Clock::now() < end); ++number) {
    Rng rng(mix(seed, number));
    current = Mutator(corpus, rng).text();
    const auto begun = Clock::now();
    alarm(kHang);
    try {
      one_case(current, rng, tally);
    } catch (const Failure& f) {
      std::printf("FAILED case %llu of seed %llu: %s\n%.*s\n", static_cast<unsigned long long>(number),
                  static_cast<unsigned long long>(seed), f.what.c_str(),
                  static_cast<int>(std::min(current.size(), kMostSay)), current.c_str());
      return 1;
    } catch (const BadInput& e) {
      std::printf("FAILED case %llu of seed %llu: refused after it was checked: %s\n%s\n",
                  static_cast<unsigned long long>(number), static_cast<unsigned long long>(seed), e.what(),
                  current.c_str());
      return 1;
    }
    alarm(0);
    const double took = std::chrono::duration<double>(Clock::now() - begun).count();
    if (took > slowest) slow = number;
    slowest = std::max(slowest, took);
  }
  std::printf(
      "%llu cases of seed %llu: %llu sound, %llu grounded, %llu given up, %llu turns; the slowest, %llu, took %.1f s\n",
      static_cast<unsigned long long>(tally.cases), static_cast<unsigned long long>(seed),
      static_cast<unsigned long long>(tally.sound), static_cast<unsigned long long>(tally.grounded),
      static_cast<unsigned long long>(tally.given_up), static_cast<unsigned long long>(tally.turns),
      static_cast<unsigned long long>(slow), slowest);
  return 0;
}

}  // namespace

}  // namespace kibitz::gdl

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    std::fprintf(stderr, "kibitz_fuzz SECONDS [SEED [FROM]]\n");
    return 2;
  }
  using namespace kibitz::gdl;
  if (argc > 2) seed = std::strtoull(argv[2], nullptr, 10);
  if (argc > 3) number = std::strtoull(argv[3], nullptr, 10);
  const double seconds = std::atof(argv[1]);
  const bool single = argc > 3 && seconds <= 0;
  try {
    if (!single) go_deep();
  } catch (const Failure& f) {
    std::printf("FAILED: %s\n", f.what.c_str());
    return 1;
  }
  return fuzz(seconds, single);
}
