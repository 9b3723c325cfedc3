// Positions: JSON <-> State and View. README.md has the format.
#include "core/position.h"

#include <algorithm>

#include "games/gdl/beliefs.h"
#include "games/gdl/gdl.h"
#include "games/gdl/logic/read.h"

namespace kibitz::gdl {

namespace {

constexpr int kVersion = 1;
const std::vector<std::string> kMembers = {"turn", "to_act", "fluents", "pending", "moves", "stream", "past"};

// The chain from its start.
std::vector<const Glimpse*> unrolled(const Glimpse* g) {
  std::vector<const Glimpse*> out;
  for (; g; g = g->before.get()) out.push_back(g);
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<std::string> Gdl::fluents(const State& s) const {
  auto list = shared_->engine->fluents(s.position);
  sort_terms(shared_->program->terms, list);
  std::vector<std::string> out;
  for (TermId f : list) out.push_back(shared_->program->terms.text(f));
  return out;
}

Value Gdl::header() const {
  Value out = Value::Object{{"game", kName}, {"version", kVersion}};
  for (const auto& [name, value] : shared_->info.options.object("options"))
    if (const Value* usual = shared_->usual.find(name); !usual || usual->describe() != value.describe())
      out.set(name, value);
  return out;
}

// Where something is hidden, a position is its history.
void Gdl::write_turns(const State& s, Value& out) const {
  Value::List turns;
  std::array<std::vector<const Glimpse*>, kMostRoles> chains;
  for (int r = 0; r < roles(); ++r) chains[r] = unrolled(s.memory->of[r].get());
  for (std::size_t t = 1; t <= s.turn; ++t) {
    Value::List moves;
    for (int r = 0; r < roles(); ++r) moves.push_back(text(chains[r][t]->move));
    turns.push_back(moves);
  }
  out.set("moves", turns);
}

Value Gdl::position(const State& s) const {
  Value out = header();
  out.set("turn", static_cast<std::int64_t>(s.turn));
  if (s.to_act >= 0) out.set("to_act", s.to_act);
  Value::List list;
  for (auto& f : fluents(s)) list.push_back(std::move(f));
  out.set("fluents", list);
  Value::List pending;
  for (int seat = 0; seat < seats(); ++seat) {
    const Action a = s.pending[seat];
    pending.push_back(a == kNoMove ? Value() : Value(text(a)));
  }
  out.set("pending", pending);
  if (shared_->hides) write_turns(s, out);
  if (shared_->random >= 0) out.set("stream", stream_json(s.stream));
  return out;
}

Value Gdl::position(const View& v) const {
  if (!shared_->hides) {
    State s = v.known;
    Value all = position(s), out = header();
    out.set("seat", v.seat);
    for (const char* name : {"turn", "to_act", "fluents", "pending"})
      if (const Value* member = all.find(name)) out.set(name, *member);
    return out;
  }
  Value out = header();
  out.set("seat", v.seat);
  out.set("turn", static_cast<std::int64_t>(v.known.turn));
  if (v.known.to_act >= 0) out.set("to_act", v.known.to_act);
  if (v.seat == kPublic) return out;
  const Action own = v.known.pending[v.seat];
  out.set("pending", own == kNoMove ? Value() : Value(text(own)));
  Value::List past;
  for (const Glimpse* g : unrolled(v.known.memory->of[role(v.seat)].get())) {
    Value turn = Value::Object{};
    if (g->move != kNoMove) turn.set("move", text(g->move));
    std::vector<TermId> seen = g->sees;
    sort_terms(shared_->program->terms, seen);
    Value::List sees, legal;
    for (TermId t : seen) sees.push_back(shared_->program->terms.text(t));
    for (Action a : g->legal) legal.push_back(text(a));
    turn.set("sees", sees);
    turn.set("legal", legal);
    past.push_back(turn);
  }
  out.set("past", past);
  return out;
}

Action Gdl::read_move(const Value& json, const std::string& what) const {
  try {
    return parse(json.string(what));
  } catch (const BadInput& e) {
    throw BadInput(what + ": " + e.what());
  }
}

void Gdl::read_fluents(const Value& json, State& s) const {
  const Value* list = json.find("fluents");
  if (!list) throw BadInput("a position of gdl needs fluents, a list of what holds");
  std::vector<TermId> terms;
  for (const Value& v : list->list("fluents"))
    terms.push_back(read_term(shared_->program->terms, v.string("a fluent"), "a fluent"));
  for (TermId t : terms)
    if (Words one; !shared_->engine->write({t}, one))
      throw BadInput("fluent " + quoted(shared_->program->terms.text(t)) + " cannot hold in this rulesheet");
  shared_->engine->write(terms, s.position);
}

// The history, played again.
void Gdl::read_moves(const Value& json, State& s) const {
  const Value* list = json.find("moves");
  if (!list) throw BadInput("a position of a rulesheet with 'sees' needs moves: those of all roles, turn by turn");
  s.position = shared_->engine->start();
  Reasoner& r = reasoner(s.position);
  s.memory = first_memory(r);
  const auto& turns = list->list("moves");
  if (turns.size() > shared_->most_turns) throw BadInput("there are more moves than turns");
  for (const Value& turn : turns) {
    if (over(r, s.turn)) throw BadInput("moves go on after the end of the game");
    std::array<Action, kMostRoles> moves;
    for (int i = 0; i < roles(); ++i) {
      const Value& entry = per_seat(turn, "the moves of a turn", i, roles());
      moves[i] = read_move(entry, "turn " + std::to_string(s.turn));
      if (!r.legal(i, moves[i]))
        throw BadInput("turn " + std::to_string(s.turn) + ": " + quoted(text(moves[i])) + " is not legal for " +
                       shared_->program->terms.text(shared_->program->roles[i]));
    }
    s.memory = remember(*s.memory, {moves.data(), static_cast<std::size_t>(roles())}, r);
    ++s.turn;
  }
  r.read(s.position);
  if (json.find("fluents")) {
    State told;
    read_fluents(json, told);
    if (!(told.position == s.position)) throw BadInput("the moves do not lead to these fluents");
  }
}

// Who is to act follows from the position and from who has chosen already.
void Gdl::read_pending(const Value& json, State& s) const {
  Reasoner& r = reasoner(s.position);
  const Value* list = json.find("pending");
  const bool view = json.find("seat");
  s.to_act = kOver;
  int chosen = 0;
  if (const Value* v = json.find("to_act")) chosen = v->integer("to_act", 0, seats() - 1);
  const bool ended = over(r, s.turn);
  if (json.find("to_act") && ended) throw BadInput("to_act stands in a position in which the game is over");
  if (ended) return;
  const Seat first = first_asked(r);
  if (first == kOver) throw BadInput("nobody is asked in this position");
  for (int seat = 0; seat < seats(); ++seat) {
    if (!decides(r, seat) && seat != first) continue;
    const Value none, &entry = list ? per_seat(*list, "pending", seat, seats()) : none;
    const bool may_be_hidden = view && seat < chosen && seat != view_seat(json, seats());
    if (entry.is_null() && !may_be_hidden) {
      if (s.to_act == kOver) s.to_act = seat;
    } else if (!entry.is_null()) {
      if (s.to_act != kOver) throw BadInput("pending has a move of a seat that comes after the one to act");
      s.pending[seat] = read_move(entry, "pending");
      if (!r.legal(role(seat), s.pending[seat]))
        throw BadInput("pending: " + quoted(entry.string("pending")) + " is not legal");
    }
  }
  if (s.to_act == kOver) throw BadInput("everybody has chosen: pending leaves nobody to act");
  if (json.find("to_act") && s.to_act != chosen)
    throw BadInput("seat " + std::to_string(s.to_act) + " is to act, not seat " + std::to_string(chosen));
}

State Gdl::from_position(const Value& json) const {
  check_header(shared_->info, kVersion, json, kMembers);
  refuse_view(json);
  State s;
  s.pending.fill(kNoMove);
  if (shared_->hides) {
    read_moves(json, s);
    if (const Value* v = json.find("turn")) v->integer("turn", s.turn, s.turn);
  } else {
    read_fluents(json, s);
    if (const Value* v = json.find("turn")) s.turn = v->integer("turn", 0, shared_->most_turns);
  }
  if (shared_->random >= 0) {
    const Value* v = json.find("stream");
    s.stream = v ? read_stream(*v) : Rng(std::uint64_t{0});
  }
  Reasoner& r = reasoner(s.position);
  if (!over(r, s.turn) && first_asked(r) == kOver)
    begin(s, r);  // on to where somebody is asked
  else
    read_pending(json, s);
  return s;
}

View Gdl::from_view(const Value& json) const {
  check_header(shared_->info, kVersion, json, kMembers);
  const Seat seat = view_seat(json, seats());
  if (!shared_->hides) {
    State s;
    s.pending.fill(kNoMove);
    read_fluents(json, s);
    if (const Value* v = json.find("turn")) s.turn = v->integer("turn", 0, shared_->most_turns);
    read_pending(json, s);
    return view(s, seat);
  }
  if (seat == kPublic) return read_public(json);
  State s;
  s.pending.fill(kNoMove);
  const Value* past = json.find("past");
  if (!past || past->list("past").empty())
    throw BadInput("the position of a view of a rulesheet with 'sees' needs its past: what the seat did and saw");
  std::shared_ptr<const Glimpse> chain;
  s.turn = past->list("past").size() - 1;
  if (s.turn > shared_->most_turns) throw BadInput("past has more entries than there are turns");
  std::uint32_t turn = 0;
  for (const Value& entry : past->list("past")) chain = read_glimpse(entry, seat, turn++, std::move(chain));
  if (const Value* v = json.find("turn")) v->integer("turn", s.turn, s.turn);
  if (const Value* v = json.find("to_act")) s.to_act = v->integer("to_act", 0, seats() - 1);
  if (const Value* v = json.find("pending"); v && !v->is_null()) {
    s.pending[seat] = read_move(*v, "pending");
    if (seat >= s.to_act) throw BadInput("pending has a move of a seat that has not acted yet");
    if (std::find(chain->legal.begin(), chain->legal.end(), s.pending[seat]) == chain->legal.end())
      throw BadInput("pending is not legal");
  } else if (seat < s.to_act) {
    throw BadInput("pending is missing: the seat has acted already");
  }
  Beliefs::of(*this, seat, chain, s.turn, s.to_act == kOver);  // BadInput where nothing fits
  auto memory = std::make_shared<Memory>();
  memory->of_view = true;
  memory->of[role(seat)] = std::move(chain);
  s.memory = std::move(memory);
  return {s, seat};
}

// Where something is hidden, each role knows what it did and saw, and all only how far the game has come.
View Gdl::read_public(const Value& json) const {
  for (const char* name : {"past", "pending", "fluents", "moves"})
    if (json.find(name)) throw BadInput(std::string(name) + " is not known to all: a public view has turn and to_act");
  State s;
  s.pending.fill(kNoMove);
  if (const Value* v = json.find("turn")) s.turn = v->integer("turn", 0, shared_->most_turns);
  if (const Value* v = json.find("to_act")) s.to_act = v->integer("to_act", 0, seats() - 1);
  auto memory = std::make_shared<Memory>();
  memory->of_view = true;
  s.memory = std::move(memory);
  return {s, kPublic};
}

// One entry of a view's past.
std::shared_ptr<const Glimpse> Gdl::read_glimpse(const Value& json, Seat seat, std::uint32_t turn,
                                                 std::shared_ptr<const Glimpse> before) const {
  auto g = std::make_shared<Glimpse>();
  const Value* move = json.find("move");
  if (!move != !before) throw BadInput("every entry of past but the first needs a move");
  if (move) {
    g->move = read_move(*move, "a move of past");
    if (std::find(before->legal.begin(), before->legal.end(), g->move) == before->legal.end())
      throw BadInput("past: " + quoted(text(g->move)) + " was not legal");
  }
  const Value* list = json.find("sees");
  if (!list) throw BadInput("every entry of past needs sees");
  for (const Value& v : list->list("sees"))
    g->sees.push_back(read_term(shared_->program->terms, v.string("sees"), "a percept"));
  std::sort(g->sees.begin(), g->sees.end());
  g->before = std::move(before);
  if (!json.find("legal") && g->before) {
    Beliefs::conclude_legal(*this, seat, g, turn);
    return g;
  }
  g->legal = read_legal(json, seat);
  seal(*g, g->before.get());
  return g;
}

// Where it is not told at the start, everybody knows it.
std::vector<Action> Gdl::read_legal(const Value& json, Seat seat) const {
  const Value* list = json.find("legal");
  if (!list) return first_memory(reasoner(shared_->engine->start()))->of[role(seat)]->legal;
  std::vector<Action> out;
  for (const Value& v : list->list("legal")) {
    // Where moves get their numbers as they are met, those of a view from elsewhere may be new.
    if (shared_->moves->open())
      shared_->moves->number(read_term(shared_->program->terms, v.string("legal"), "a move of legal"));
    out.push_back(read_move(v, "legal"));
  }
  std::sort(out.begin(), out.end());
  if (static_cast<int>(out.size()) > Legal::kCapacity) throw BadInput("legal has too many moves");
  return out;
}

}  // namespace kibitz::gdl
