// Options, names of cards and actions, and pictures.
#include <algorithm>
#include <optional>

#include "games/uno/uno.h"

namespace kibitz::uno {

namespace {

constexpr char kColourNames[] = "rgby";
const std::vector<std::string> kTraitNames = {"0", "1", "2",    "3",       "4",      "5",    "6",          "7",
                                              "8", "9", "skip", "reverse", "draw_2", "wild", "wild_draw_4"};
const std::vector<std::string> kOtherNames = {"draw", "play",   "keep",  "challenge", "accept",
                                              "uno",  "silent", "catch", "pass"};

std::string hand_text(const Hand& h) {
  std::string out;
  h.each([&out](Card c) {
    if (!out.empty()) out += ' ';
    out += card_text(c);
  });
  return out;
}

}  // namespace

std::string target_text(int colour, int trait) {
  const std::string name = kTraitNames[trait];
  return colour >= kColours ? name : std::string(1, kColourNames[colour]) + "-" + name;
}

std::string card_text(Card c) { return target_text(colour_of(c), trait_of(c)); }

Card parse_card(const std::string& text) {
  for (Card c = 0; c < kColours * kTraits; ++c)
    if ((trait_of(c) < kWildTrait || is_wild(c)) && card_text(c) == text) return c;
  return kNoCard;
}

std::string Uno::text(Action a) const {
  if (a >= info_.actions)
    throw BadInput("action " + std::to_string(a) + " does not exist; ids are 0 to " +
                   std::to_string(info_.actions - 1));
  if (a < kDraw) return target_text(a / kTraits, a % kTraits);
  if (a < kNameColour) return kOtherNames[a - kDraw];
  if (a < kSwap) return std::string("name-") + kColourNames[a - kNameColour];
  return "swap-" + std::to_string(a - kSwap);
}

Action Uno::parse(const std::string& text) const {
  for (int a = 0; a < info_.actions; ++a)
    if (this->text(a) == text) return a;
  throw BadInput(quoted(text) + " is no action of uno; actions look like r-5, g-skip, b-wild, y-wild_draw_4, draw" +
                 (rlcard() ? "" : ", play, keep, challenge, accept, uno, silent, catch, pass, name-r, swap-1"));
}

Uno Uno::make(const Value& json) {
  Options o;
  bool official_only = false;
  for (const auto& option : json.object("options of uno")) {
    const auto& name = option.first;
    const auto& value = option.second;
    const auto word = [&](const std::vector<std::string>& allowed) {
      return one_of("option " + name + " of uno:", value.string("option " + name + " of uno"), allowed);
    };
    if (name == "players") {
      o.players = value.integer("players of uno", 2, kMaxSeats);
      continue;
    }
    if (name == "rules") {
      o.rules = static_cast<Rules>(word({"official", "rlcard"}));
      continue;
    }
    bool* flag = name == "stacking"     ? &o.stacking
                 : name == "draw_until" ? &o.draw_until
                 : name == "seven_zero" ? &o.seven_zero
                                        : nullptr;
    if (flag) {
      *flag = value.boolean("option " + name + " of uno");
    } else if (name == "scoring") {
      *(flag = &o.points) = word({"win", "points"}) == 1;
    } else if (name == "uno_call") {
      *(flag = &o.call) = word({"auto", "decision"}) == 1;
    } else if (name == "opening_wild") {
      *(flag = &o.opening_back) = word({"name", "back"}) == 1;
    } else {
      one_of("option of uno:", name,
             {"players", "rules", "scoring", "uno_call", "opening_wild", "stacking", "draw_until", "seven_zero"});
    }
    official_only |= flag && *flag;
  }
  if (o.rules == Rules::kRlcard && official_only)
    throw BadInput(
        "rules 'rlcard' of uno take no other option than players; house rules, points and calls need rules 'official'");
  return Uno(o);
}

namespace {

// With all hands; of a view with its own alone.
std::string table_text(const Uno& game, const State& s, std::optional<Seat> own = {}) {
  static const char* const kPhases[] = {
      "to play",     "drew a card: play or keep it", "to name a colour",    "to swap hands",
      "to call Uno", "may catch a missing Uno call", "must draw, or answer"};
  std::string out = std::string("uno, ") + (game.rlcard() ? "rlcard" : "official") + " rules, target " +
                    target_text(s.colour, s.trait) + ", pile " + std::to_string(s.pile) + ", discards " +
                    std::to_string(s.discards) + (s.direction > 0 ? ", direction +1" : ", direction -1");
  if (s.pending) out += ", " + std::to_string(s.pending) + " cards pending";
  for (int i = 0; i < game.options().players; ++i) {
    out += "\n" + std::string(game.to_act(s) == i ? "> " : "  ") + "seat " + std::to_string(i) + "  " +
           std::to_string(s.counts[i]) + (s.counts[i] == 1 ? " card " : " cards");
    if (!own || *own == i) out += "  " + hand_text(s.hands[i]);
    if (game.to_act(s) == i) out += std::string("  (") + kPhases[static_cast<int>(s.phase)] + ")";
  }
  if (s.phase == Phase::kOver)
    out += s.winner == State::kNobody ? "\nover: a draw" : "\nover: seat " + std::to_string(s.winner) + " won";
  return out;
}

}  // namespace

std::string Uno::picture(const State& s) const { return table_text(*this, s); }
std::string Uno::picture(const View& v) const { return table_text(*this, v.known, v.seat); }

}  // namespace kibitz::uno
