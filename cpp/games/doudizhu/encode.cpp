// Features for learners; README.md has the tables.
#include <algorithm>

#include "games/doudizhu/doudizhu.h"
#include "games/doudizhu/turns.h"

namespace kibitz::doudizhu {

namespace {

// Writes into a span that starts as zeros.
class Writer {
 public:
  explicit Writer(std::span<float> out) : out_(out) { std::fill(out.begin(), out.end(), 0.0f); }
  // 54 floats: four per rank from 3 to 2, a one where the count is 1, 2, 3, 4; then one per joker.
  void cards(Bits hand) {
    for (int r = 0; r <= kTwo; ++r)
      if (const int n = count_of(hand, r)) out_[at_ + 4 * r + n - 1] = 1;
    out_[at_ + 52] = count_of(hand, kBlack);
    out_[at_ + 53] = count_of(hand, kRed);
    at_ += 54;
  }
  // Nothing is written where `value` is outside.
  void one_hot(int value, int size) {
    if (value >= 0 && value < size) out_[at_ + value] = 1;
    at_ += size;
  }
  void number(float x) { out_[at_++] = x; }

 private:
  std::span<float> out_;
  std::size_t at_ = 0;
};

int relative(int seat, int own) { return seat >= kSeats ? -1 : (seat - own + kSeats) % kSeats; }

}  // namespace

void DouDiZhu::encode(const State& s, Seat seat, int, std::span<float> out) const {
  Writer w(out);
  const Bits shown = shown_left(s);
  const Bits known = s.landlord == seat ? 0 : shown;  // beside what everybody sees
  w.cards(s.hands[seat]);
  w.cards(kDeck - s.hands[seat] - s.played[0] - s.played[1] - s.played[2] - known);
  for (int i = 0; i < kSeats; ++i) w.cards(s.played[(seat + i) % kSeats]);
  w.cards(shown);
  const bool answer = s.last != kNoMove;
  w.cards(answer ? (*moves_)[s.last].cards : 0);
  w.one_hot(answer ? static_cast<int>((*moves_)[s.last].category) : -1, 14);
  w.one_hot(answer ? (*moves_)[s.last].main : -1, kRanks);
  w.one_hot(answer ? (*moves_)[s.last].length - 1 : -1, 12);
  w.one_hot(answer ? relative(s.leader, seat) : -1, kSeats);
  w.one_hot(s.passes, 2);
  for (int i = 0; i < kSeats; ++i) w.one_hot(s.counts[(seat + i) % kSeats] - 1, kLandlordSize);
  w.one_hot(s.bombs, 15);
  w.one_hot(relative(s.landlord, seat), kSeats);
  w.one_hot(relative(s.turn, seat), kSeats);
  w.one_hot(static_cast<int>(s.phase), 3);
  w.one_hot(s.stake, 4);
  for (int i = 0; i < kSeats; ++i) {
    const int bid = s.bids[(seat + i) % kSeats];
    w.one_hot(bid > 3 ? -1 : bid, 4);
  }
  const bool announced = s.group != State::kNobody;
  w.cards(announced ? (*moves_)[kFirstGroup + s.group].cards : 0);
  w.one_hot(announced ? static_cast<int>(moves_->group(s.group).category) : -1, 14);
  w.cards(s.talon * (s.landlord != State::kNobody));
  w.one_hot(s.moves[seat], 2);
  for (int i = 0; i < kSeats; ++i) w.number(static_cast<float>(s.counts[(seat + i) % kSeats]) / kLandlordSize);
}

void DouDiZhu::action_features(const State& s, Action a, std::span<float> out) const {
  const Move& m = (*moves_)[a];
  Writer w(out);
  w.cards(m.cards);
  w.one_hot(static_cast<int>(m.category), kCategories);
  w.one_hot(m.cards ? m.main : -1, kRanks);
  w.number(static_cast<float>(m.length) / kChainRanks);
  w.number(static_cast<float>(m.size) / kLandlordSize);
  const bool plays = m.category < Category::kPass;
  const int left = s.counts[s.turn] - (plays ? m.size : 0);
  w.number(static_cast<float>(left) / kLandlordSize);
  w.number(left == 0);
  // What is left decides more than what is played, and a small net cannot subtract.
  const Bits rest = s.hands[s.turn] - m.cards;  // after an announcement, too
  w.cards(rest);
  w.number(static_cast<float>(turns_of(rest)) / 8);
}

}  // namespace kibitz::doudizhu
