// Names of actions and pictures of states.
#include <optional>

#include "games/doudizhu/doudizhu.h"

namespace kibitz::doudizhu {

Action DouDiZhu::parse(const std::string& text) const {
  const Action a = moves_->parse(text);
  if (a == kNoMove || a >= info_.actions)
    throw BadInput("unknown move " + quoted(text) +
                   "; moves are cards in order (3 4 5 6 7 8 9 T J Q K A 2 B R), as 3334 or 45678, or pass" +
                   (options_.rules == Rules::kRlcard ? "" : ", bid-0 to bid-3, 333+solo"));
  return a;
}

namespace {

// With all hands; of a view with its own alone.
std::string draw(const DouDiZhu& game, const State& s, std::optional<Seat> own = {}) {
  std::string out;
  for (int i = 0; i < kSeats; ++i) {
    const bool seen = !own || *own == i;
    out += (i == s.turn && s.phase != Phase::kOver ? "> " : "  ");
    out += "seat " + std::to_string(i) + (i == s.landlord ? " landlord" : s.landlord < kSeats ? " peasant " : "");
    out += "  " + std::to_string(s.counts[i]) + (s.counts[i] == 1 ? " card   " : " cards  ");
    out += (seen ? cards_text(s.hands[i]) : i == s.landlord ? cards_text(shown_left(s)) + "..." : "...");
    if (s.played[i]) out += "   played " + cards_text(s.played[i]);
    if (s.bids[i] != State::kNobody) out += "   bid " + std::to_string(s.bids[i]);
    out += "\n";
  }
  if (s.talon) out += "  talon " + cards_text(s.talon) + "\n";
  if (s.phase == Phase::kBid) out += "  bidding";
  if (s.phase == Phase::kKickers) out += "  kickers for " + game.text(kFirstGroup + s.group);
  if (s.phase == Phase::kPlay)
    out += s.last == kNoMove ? "  the lead is free"
                             : "  to beat: " + game.text(s.last) + " of seat " + std::to_string(s.leader);
  if (s.phase == Phase::kOver)
    out += s.winner == State::kNobody ? "  nobody bid"
           : s.winner == s.landlord   ? "  the landlord won"
                                      : "  the peasants won";
  return out;
}

}  // namespace

std::string DouDiZhu::picture(const State& s) const { return draw(*this, s); }
std::string DouDiZhu::picture(const View& v) const { return draw(*this, v.known, v.seat); }

}  // namespace kibitz::doudizhu
