// From options to a game: the file, the reasoner that suits it, and what there is to say of it.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "games/gdl/engine/network_engine.h"
#include "games/gdl/engine/prover.h"
#include "games/gdl/gdl.h"
#include "games/gdl/logic/ground.h"
#include "games/gdl/logic/read.h"

namespace kibitz::gdl {

namespace {

std::filesystem::path as_path(const std::string& name) {
  return std::filesystem::path(std::u8string(name.begin(), name.end()));
}

// A bare name is that of a rulesheet in the folder, unless there is such a file.
std::filesystem::path find_file(const std::string& name, const std::string& folder) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(as_path(name), ignored)) return as_path(name);
  std::set<std::string> known;
  for (const auto& entry : std::filesystem::directory_iterator(as_path(folder), ignored))
    if (entry.path().extension() == ".kif") known.insert(entry.path().stem().string());
  if (known.contains(name)) return as_path(folder) / as_path(name + ".kif");
  const std::string ours =
      known.empty() ? "" : ", or the name of one of ours (" + joined({known.begin(), known.end()}) + ")";
  throw BadInput("file of gdl must be a rulesheet's path" + ours + ", not " + quoted(name));
}

std::string read_file(const std::string& name, const std::string& folder) {
  std::ifstream in(find_file(name, folder), std::ios::binary);
  std::string text;
  if (!in) throw BadInput("the rulesheet " + quoted(name) + " cannot be read");
  for (char part[1 << 16]; text.size() <= kMostBytes && (in.read(part, sizeof part) || in.gcount() > 0);)
    text.append(part, in.gcount());
  return clean_text(text);
}

std::string summary(const Findings& findings, const std::string& name) {
  const auto first = std::find_if(findings.list().begin(), findings.list().end(), [](auto& f) { return f.error; });
  const auto more = std::count_if(first + 1, findings.list().end(), [](auto& f) { return f.error; });
  return name + ":" + std::to_string(first->place.line) + ":" + std::to_string(first->place.column) + ": " +
         first->text + (more == 0 ? "" : " (and " + std::to_string(more) + " more, which kibitz gdl check tells)");
}

// Shares of the time that is left, so that there is some for what comes after: for grounding, for the network, and for
// the games that are tried.
constexpr double kForGrounding = 0.6, kForNetwork = 0.75, kForGames = 0.5;
constexpr std::size_t kMostAnswers = 1'000'000;  // of the prover in these games

}  // namespace

struct Gdl::Setup {
  std::string file = "tictactoe", folder, text, engine = "auto";
  int turns = 10'000, seconds = 10;
  bool strict = true;
  std::shared_ptr<Shared> out = std::make_shared<Shared>();
  std::shared_ptr<const Network> network;
  std::optional<Budget> budget;  // for everything from here on

  void read_options(const Value& options) {
    std::int64_t players = 0;
    for (const auto& [name, value] : options.object("options of gdl")) {
      if (name == "folder") {  // given by the program around us, so that users do not read of it
        folder = value.string("folder of gdl");
        continue;
      }
      switch (one_of("option of gdl:", name, {"file", "text", "engine", "turns", "seconds", "strict", "players"})) {
        case 0: file = value.string("file of gdl"); break;
        case 1: text = value.string("text of gdl"); break;
        case 2: engine = value.string("engine of gdl"); break;
        case 3: turns = value.integer("turns of gdl", 1, 1'000'000); break;
        case 4: seconds = value.integer("seconds of gdl", 0, 3600); break;
        case 5: strict = value.boolean("strict of gdl"); break;
        default: players = value.integer("players of gdl", 1, kMostRoles);
      }
    }
    one_of("engine of gdl:", engine, {"auto", "propnet", "prover"});
    if (!text.empty()) file.clear();
    budget.emplace(seconds > 0 ? seconds : Setup().seconds, kMostMemory);
    try {
      read_rules();
    } catch (const OverBudget& e) {
      throw OverBudget(std::string("the rulesheet cannot be read and checked: ") + e.what());
    }
    const std::int64_t seats = out->role_of.size();
    if (players != 0 && players != seats)
      throw BadInput("this rulesheet is for " + std::to_string(seats) + " players, not " + std::to_string(players));
  }

  void read_rules() {
    Findings findings;
    out->program = read_program(text.empty() ? read_file(file, folder) : text, findings, strict, *budget);
    if (findings.errors())
      throw BadInput("the rulesheet has errors: " + summary(findings, text.empty() ? file : "text"));
    for (std::size_t r = 0; r < out->program->roles.size(); ++r) {
      if (out->program->random_role(r))
        out->random = r;
      else
        out->role_of.push_back(r);
    }
    for (const Rule& rule : out->program->rules) {
      out->hides |= out->program->functor(rule.head) == out->program->words.sees;
      for (const Literal& l : rule.body)
        if (l.asks() && out->program->functor(l.a) == out->program->words.does) out->done.push_back(&l.a);
    }
    if (out->hides) out->sees = percepts_of(*out->program, *budget);
  }

  // The network if it can be had, else the prover; and the moves, which both need.
  void choose_engine() {
    const double start = budget->used();
    std::string why = engine == "prover" ? "asked for" : "";
    std::vector<TermId> fluents;
    try {
      const Grounding grounding = ground_rules();
      fluents = grounding.fluents;
      if (engine != "prover") build(grounding);
    } catch (const OverBudget& e) {
      if (engine == "propnet") throw BadInput(std::string("the rulesheet cannot be grounded: ") + e.what());
      if (why.empty()) why = std::string(out->moves ? "the network" : "grounding") + " was given up: " + e.what();
    }
    if (!out->moves) out->moves = std::make_shared<Moves>(out->program->terms);
    if (!network) try {
        out->engine = prover_engine(out->program, out->moves, fluents, *budget);
      } catch (const OverBudget& e) {
        throw OverBudget(std::string("the first position of the rulesheet cannot be found: ") + e.what());
      }
    describe(why, budget->used() - start);
  }

  Grounding ground_rules() {
    if (seconds == 0) throw OverBudget("it has no time");
    Budget part(*budget, kForGrounding);
    Grounding grounding = ground(*out->program, {}, part);
    budget->grow(grounding.bytes());
    for (auto& list : grounding.moves) sort_terms(out->program->terms, list, part);
    auto moves = std::make_shared<Moves>(out->program->terms, grounding.moves, part);
    collect(grounding, part);
    out->moves = std::move(moves);
    return grounding;
  }

  void build(const Grounding& grounding) {
    Budget part(*budget, kForNetwork);
    auto built = std::make_shared<Network>(build_network(*out->program, grounding, part));
    out->engine = network_engine(built, out->moves, out->program->terms, part);
    network = std::move(built);
  }

  // What learners get to see: everything that ever can hold, or be seen by a seat.
  void collect(const Grounding& grounding, Budget& part) {
    const Program& p = *out->program;
    std::vector<TermId> fluents = grounding.fluents, percepts;
    budget->grow(fluents.size() * 48);
    sort_terms(p.terms, fluents, part);
    for (TermId head : grounding.heads)
      if (part.tick(); p.terms.functor(head) == p.words.sees) percepts.push_back(p.terms.args(head)[1]);
    std::sort(percepts.begin(), percepts.end());
    percepts.erase(std::unique(percepts.begin(), percepts.end()), percepts.end());
    out->percepts = std::move(percepts);
    for (TermId f : fluents) out->fluents.emplace(f, out->fluents.size());
  }

  void describe(const std::string& why, double took) {
    const Program& p = *out->program;
    Value::List roles;
    for (TermId r : p.roles) roles.push_back(p.terms.text(r));
    Value about = Value::Object{{"roles", roles}, {"hidden", out->hides}, {"engine", network ? "propnet" : "prover"}};
    if (!why.empty()) about.set("why", why);
    about.set("rules", static_cast<std::int64_t>(p.rules.size()));
    if (!out->moves->open()) {
      about.set("moves", static_cast<std::int64_t>(out->moves->size()));
      about.set("fluents", static_cast<std::int64_t>(out->fluents.size()));
    }
    if (network) {
      about.set("gates", static_cast<std::int64_t>(network->gates));
      about.set("edges", static_cast<std::int64_t>(network->edges.size()));
      about.set("cycles", static_cast<std::int64_t>(network->blocks.size()));
    }
    about.set("seconds", took);
    out->about = std::move(about);
  }

  std::vector<EncoderInfo> encoders() {
    const int seats = out->role_of.size(), actions = out->moves->size();
    if (out->moves->open()) return {};
    if (!out->hides) return {{"fluents", {seats + static_cast<int>(out->fluents.size())}, false}};
    return {{"percepts", {seats + 2 * static_cast<int>(out->percepts.size()) + 2 * actions}, false}};
  }

  void describe_game() {
    static std::atomic<std::uint64_t> games{0};
    out->id = ++games;
    out->most_turns = turns;
    Value options = Value::Object{};
    if (text.empty())
      options.set("file", file);
    else
      options.set("text", text);
    const Setup usual;
    out->usual =
        Value::Object{{"engine", usual.engine}, {"turns", usual.turns}, {"seconds", usual.seconds}, {"strict", true}};
    options.set("engine", engine);
    options.set("turns", turns);
    options.set("seconds", seconds);
    options.set("strict", strict);
    std::vector<int> team;
    for (std::size_t i = 0; i < out->role_of.size(); ++i) team.push_back(i);
    const int seats = team.size(), actions = out->moves->size();
    out->info = {kName, seats, actions, 0, 100, false, team, encoders(), options};
    out->info.hidden = out->info.hidden_moves = out->hides || out->random >= 0;
  }

  // Whether seats ever choose at the same time is not written in a rulesheet: a few games tell, as far as there is
  // time.
  bool chosen_together() {
    Rng rng(1);
    int left = network ? 2000 : 20;  // turns
    Budget part(*budget, kForGames, kMostAnswers);
    try {
      const auto reasoner = out->engine->reasoner(&part);
      for (int games = 0; games < 20 && left > 0; ++games)
        if (chosen_together(*reasoner, rng, left, part)) return true;
    } catch (const OverBudget&) {  // those who play that far will hear of it
    }
    return false;
  }

  // In one random game, of so many turns.
  bool chosen_together(Reasoner& r, Rng& rng, int& left, Budget& part) {
    const int roles = out->role_of.size();
    std::vector<Action> moves(out->role_of.size());
    r.look(out->engine->start());
    for (int turn = 0; turn < turns && left > 0 && !r.terminal(); ++turn, --left) {
      part.check();
      int choosing = 0;
      for (int i = 0; i < roles; ++i) {
        const int n = r.legal_count(i);
        if (n == 0) return false;
        choosing += n > 1;
        moves[i] = r.nth_legal(i, n == 1 ? 0 : rng.below(n));
      }
      if (choosing > 1) return true;
      r.advance(moves);
    }
    return false;
  }
};

Gdl Gdl::make(const Value& options) {
  Setup setup;
  setup.read_options(options);
  setup.choose_engine();
  setup.describe_game();
  GameInfo& info = setup.out->info;
  if (!info.hidden) info.hidden = info.hidden_moves = setup.chosen_together();
  return Gdl(setup.out);
}

Action Gdl::parse(const std::string& text) const {
  Action a = kNoMove;
  try {
    a = shared_->moves->known(read_term(shared_->program->terms, text, "a move"));
  } catch (const BadInput&) {
  }
  if (a != kNoMove && this->text(a) == text) return a;
  std::vector<std::string> some;
  for (std::size_t i = 0; i < std::min<std::size_t>(shared_->moves->met(), 10); ++i)
    some.push_back(this->text(static_cast<Action>(i)));
  throw BadInput(quoted(text) + " is no move of this rulesheet" + (some.empty() ? "" : "; moves are ") + joined(some) +
                 (shared_->moves->size() > some.size() ? ", and others" : ""));
}

}  // namespace kibitz::gdl
