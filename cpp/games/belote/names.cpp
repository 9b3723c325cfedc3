// Options, names of cards and actions, and pictures.
#include <optional>

#include "games/belote/belote.h"

namespace kibitz::belote {

namespace {

const std::vector<std::string> kRankNames = {"7", "8", "9", "10", "J", "Q", "K", "A"};

}  // namespace

std::string card_text(Card c) { return kRankNames[rank_of(c)] + kSuitLetters[suit_of(c)]; }

Card parse_card(const std::string& text) {
  for (Card c = 0; c < kDeck; ++c)
    if (card_text(c) == text) return c;
  return kNoCard;
}

std::string cards_text(Cards cards) {
  std::string out;
  each_bit(cards, [&out](int c) {
    if (!out.empty()) out += ' ';
    out += card_text(c);
  });
  return out;
}

std::string Belote::text(Action a) const {
  if (a >= info_.actions)
    throw BadInput("action " + std::to_string(a) + " does not exist; ids are 0 to " +
                   std::to_string(info_.actions - 1));
  if (a < kPass) return card_text(a);
  return a == kPass ? "pass" : std::string("take-") + kSuitLetters[a - kTake];
}

Action Belote::parse(const std::string& text) const {
  for (int a = 0; a < info_.actions; ++a)
    if (this->text(a) == text) return a;
  throw BadInput(quoted(text) + " is no action of belote; actions look like 7s, 10h, Jd, Ac" +
                 (options_.bidding ? ", pass, take-s" : ""));
}

namespace {

void check_together(const Options& o, bool trump_given) {
  if (o.rules == Rules::kOfficial && o.strict)
    throw BadInput("option trumping of belote: 'strict' needs rules 'olech'");
  if (o.rules == Rules::kOlech && (o.bidding || o.discard))
    throw BadInput("rules 'olech' of belote have no bidding and no discard; these need rules 'official'");
  if (o.bidding && o.cards != kDeck) throw BadInput("bidding in belote needs cards=32");
  if (trump_given && o.bidding) throw BadInput("option trump of belote: with bidding the taker names it; leave it out");
}

}  // namespace

Belote Belote::make(const Value& json) {
  Options o;
  bool trump_given = false, bid = false, scoring_given = false;
  for (const auto& option : json.object("options of belote")) {
    const auto& name = option.first;
    const auto& value = option.second;
    const std::string what = "option " + name + " of belote";
    const auto word = [&](const std::vector<std::string>& allowed) {
      return one_of(what + ":", value.string(what), allowed);
    };
    if (name == "cards") {
      const auto* cards = value.get<std::int64_t>();
      if (!cards || (*cards != 12 && *cards != kDeck))
        throw BadInput("cards of belote must be 32 or 12, not " + value.describe());
      o.cards = *cards;
    } else if (name == "rules") {
      o.rules = static_cast<Rules>(word({"official", "olech"}));
    } else if (name == "trumping") {
      o.strict = word({"official", "strict"}) == 1;
    } else if (name == "discard") {
      o.discard = value.boolean(what);
    } else if (name == "bidding") {
      o.bidding = value.boolean(what);
    } else if (name == "scoring") {
      o.scoring = static_cast<Scoring>(word({"points", "difference", "win"}));
      scoring_given = true;
    } else if (name == "trump") {
      o.trump = word({"spades", "hearts", "diamonds", "clubs", "random", "bid"});
      bid = o.trump > Options::kRandomTrump;
      trump_given = !bid;
    } else {
      one_of("option of belote:", name, {"cards", "rules", "trumping", "discard", "bidding", "trump", "scoring"});
    }
  }
  if (bid && !o.bidding) throw BadInput("option trump of belote: 'bid' needs bidding=true");
  if (bid) o.trump = 0;
  if (o.rules == Rules::kOlech && !scoring_given) o.scoring = Scoring::kWin;
  check_together(o, trump_given);
  return Belote(o);
}

namespace {

const char* const kSuitNames[] = {"spades", "hearts", "diamonds", "clubs"};

std::string bidding_text(const State& s) {
  if (s.phase == Phase::kOver) return "all passed";
  return "turned up " + card_text(s.turned) + (s.phase == Phase::kFirst ? ", first round" : ", second round");
}

// With all hands; of a view with its own alone.
std::string table_text(const Belote& game, const State& s, std::optional<Seat> own = {}) {
  std::string out = std::string("belote, ") + (game.official() ? "official" : "olech") + " rules, ";
  out += s.trump == kNoSuit ? bidding_text(s) : std::string("trump ") + kSuitNames[s.trump];
  if (s.taker != State::kNobody) out += ", taken by seat " + std::to_string(s.taker);
  out += ", points " + std::to_string(s.points[0]) + " : " + std::to_string(s.points[1]) + ", tricks " +
         std::to_string(s.tricks[0]) + " : " + std::to_string(s.tricks[1]);
  const int leader = (s.actor - s.in_trick) & 3;
  for (int i = 0; i < kSeats; ++i) {
    const int place = (i - leader) & 3;
    out += "\n" + std::string(game.to_act(s) == i ? "> " : "  ") + "seat " + std::to_string(i) + "  " +
           (place < s.in_trick ? card_text(s.trick[place]) : "-");
    int left = s.trump == kNoSuit ? State::kFirstCards : game.hand_size();
    each_bit(s.played[i], [&left](int) { --left; });
    out += "  " + (!own || *own == i ? cards_text(s.hands[i]) : std::to_string(left) + " cards");
  }
  if (s.phase == Phase::kOver) {
    const auto score = game.scores(s);
    out += "\nover: " + std::to_string(score[0]) + " : " + std::to_string(score[1]);
  }
  return out;
}

}  // namespace

std::string Belote::picture(const State& s) const { return table_text(*this, s); }
std::string Belote::picture(const View& v) const { return table_text(*this, v.known, v.seat); }

}  // namespace kibitz::belote
