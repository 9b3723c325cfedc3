// From options to a game: the file, the reasoner that suits it, and what there is to say of it.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>

#include "games/gdl/gdl.h"

namespace kibitz::gdl {

namespace {

std::mutex folder_mutex;
std::string folder;

std::filesystem::path as_path(const std::string& name) {
  return std::filesystem::path(std::u8string(name.begin(), name.end()));
}

// A bare name is one of our own rulesheets, unless there is such a file.
std::filesystem::path find_file(const std::string& name) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(as_path(name), ignored)) return as_path(name);
  const std::lock_guard lock(folder_mutex);
  std::set<std::string> known;
  for (const auto& entry : std::filesystem::directory_iterator(as_path(folder), ignored))
    if (entry.path().extension() == ".kif") known.insert(entry.path().stem().string());
  if (known.contains(name)) return as_path(folder) / as_path(name + ".kif");
  throw BadInput("file of gdl must be a rulesheet's path, or the name of one of ours (" +
                 joined({known.begin(), known.end()}) + "), not " + quoted(name));
}

std::string read_file(const std::string& name) {
  std::ifstream in(find_file(name), std::ios::binary);
  std::string text;
  if (!in) throw BadInput("the rulesheet " + quoted(name) + " cannot be read");
  for (char part[1 << 16]; text.size() <= kMostBytes && (in.read(part, sizeof part) || in.gcount() > 0);)
    text.append(part, static_cast<std::size_t>(in.gcount()));
  return clean_text(text);
}

std::string summary(const Findings& findings, const std::string& name) {
  const auto first = std::find_if(findings.list().begin(), findings.list().end(), [](auto& f) { return f.error; });
  const auto more = std::count_if(first + 1, findings.list().end(), [](auto& f) { return f.error; });
  return name + ":" + std::to_string(first->place.line) + ":" + std::to_string(first->place.column) + ": " +
         first->text + (more == 0 ? "" : " (and " + std::to_string(more) + " more, which kibitz gdl check tells)");
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void set_folder(const std::string& to) {
  const std::lock_guard lock(folder_mutex);
  folder = to;
}

Findings check(const std::string& text, bool strict) {
  Findings findings;
  read_program(text, findings, strict);
  return findings;
}

struct Gdl::Setup {
  std::string file = "tictactoe", text, engine = "auto";
  int turns = 10'000, seconds = 10;
  bool strict = true;
  std::shared_ptr<Shared> out = std::make_shared<Shared>();
  std::shared_ptr<const Network> network;

  void read_options(const Value& options) {
    std::int64_t players = 0;
    for (const auto& [name, value] : options.object("options of gdl")) {
      switch (one_of("option of gdl:", name, {"file", "text", "engine", "turns", "seconds", "strict", "players"})) {
        case 0: file = value.string("file of gdl"); break;
        case 1: text = value.string("text of gdl"); break;
        case 2: engine = value.string("engine of gdl"); break;
        case 3: turns = static_cast<int>(value.integer("turns of gdl", 1, 1'000'000)); break;
        case 4: seconds = static_cast<int>(value.integer("seconds of gdl", 0, 3600)); break;
        case 5: strict = value.boolean("strict of gdl"); break;
        default: players = value.integer("players of gdl", 1, kMostRoles);
      }
    }
    one_of("engine of gdl:", engine, {"auto", "propnet", "prover"});
    if (!text.empty()) file.clear();
    read_rules();
    const auto seats = static_cast<std::int64_t>(out->role_of.size());
    if (players != 0 && players != seats)
      throw BadInput("this rulesheet is for " + std::to_string(seats) + " players, not " + std::to_string(players));
  }

  void read_rules() {
    Findings findings;
    out->program = read_program(text.empty() ? read_file(file) : text, findings, strict);
    if (findings.errors())
      throw BadInput("the rulesheet has errors: " + summary(findings, text.empty() ? file : "text"));
    for (std::size_t r = 0; r < out->program->roles.size(); ++r) {
      if (out->program->random_role(r))
        out->random = static_cast<int>(r);
      else
        out->role_of.push_back(static_cast<int>(r));
    }
    for (const Rule& rule : out->program->rules) {
      out->hides |= out->program->functor(rule.head) == out->program->words.sees;
      for (const Literal& l : rule.body)
        if (l.asks() && out->program->functor(l.a) == out->program->words.does) out->done.push_back(&l.a);
    }
    if (out->hides) out->sees = percepts_of(*out->program);
  }

  // The network if it can be had, else the prover; and the moves, which both need.
  void choose_engine() {
    const auto start = std::chrono::steady_clock::now();
    std::string why = engine == "prover" ? "asked for" : "";
    std::vector<TermId> fluents;
    try {
      if (seconds == 0) throw OverBudget("it has no time");
      Grounding grounding = ground(*out->program, {.seconds = static_cast<double>(seconds)});
      for (auto& list : grounding.moves) sort_terms(out->program->terms, list);
      out->moves = std::make_shared<Moves>(out->program->terms, grounding.moves);
      collect(grounding);
      fluents = grounding.fluents;
      if (engine != "prover") network = std::make_shared<Network>(build_network(*out->program, grounding));
    } catch (const OverBudget& e) {
      if (engine == "propnet") throw BadInput(std::string("the rulesheet cannot be grounded: ") + e.what());
      if (why.empty()) why = std::string("grounding was given up: ") + e.what();
      out->moves = std::make_shared<Moves>(out->program->terms);
    }
    if (network)
      out->engine = network_engine(network, out->moves, out->program->terms);
    else
      out->engine = prover_engine(out->program, out->moves, fluents);
    describe(why, seconds_since(start));
  }

  // What learners get to see: everything that ever can hold, or be seen by a seat.
  void collect(const Grounding& grounding) {
    const Program& p = *out->program;
    std::vector<TermId> fluents = grounding.fluents;
    sort_terms(p.terms, fluents);
    for (TermId f : fluents) out->fluents.emplace(f, static_cast<std::uint32_t>(out->fluents.size()));
    std::set<TermId> percepts;
    for (TermId head : grounding.heads)
      if (p.terms.functor(head) == p.words.sees) percepts.insert(p.terms.args(head)[1]);
    out->percepts.assign(percepts.begin(), percepts.end());
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
    const int seats = static_cast<int>(out->role_of.size()), actions = static_cast<int>(out->moves->size());
    if (out->moves->open()) return {};
    if (!out->hides) return {{"fluents", {seats + static_cast<int>(out->fluents.size())}, false}};
    return {{"percepts", {seats + 2 * static_cast<int>(out->percepts.size()) + 2 * actions}, false}};
  }

  void describe_game() {
    static std::atomic<std::uint64_t> games{0};
    out->id = ++games;
    out->most_turns = static_cast<std::uint32_t>(turns);
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
    for (std::size_t i = 0; i < out->role_of.size(); ++i) team.push_back(static_cast<int>(i));
    const int seats = static_cast<int>(team.size()), actions = static_cast<int>(out->moves->size());
    out->info = {kName, seats, actions, 0, 100, false, team, encoders(), options};
    out->info.hidden = out->info.hidden_moves = out->hides || out->random >= 0;
  }
};

// Whether seats ever choose at the same time is not written in a rulesheet: a few games tell.
Gdl Gdl::make(const Value& options) {
  Setup setup;
  setup.read_options(options);
  setup.choose_engine();
  setup.describe_game();
  const Gdl game(setup.out);
  Rng rng(1);
  try {
    for (int g = 0, turns = setup.network ? 2000 : 20; g < 20 && turns > 0 && !setup.out->info.hidden; ++g) {
      State s = game.deal(rng);
      for (; s.to_act >= 0 && turns > 0; --turns) {
        const std::uint32_t turn = s.turn;
        game.apply(s, game.random_legal(s, rng));
        if (s.to_act >= 0 && s.turn == turn) setup.out->info.hidden = setup.out->info.hidden_moves = true;
      }
    }
  } catch (const OverBudget&) {  // those who play that far will hear of it
  }
  return game;
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
