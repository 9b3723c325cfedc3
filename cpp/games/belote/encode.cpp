// The encoder of Belote. README.md has its layout.
#include "games/belote/belote.h"

namespace kibitz::belote {

namespace {

class Writer {
 public:
  explicit Writer(std::span<float> out) : at_(out.data()) {}

  void plane(Cards cards) {
    for (int c = 0; c < kDeck; ++c) *at_++ = cards >> c & 1;
  }
  void one_hot(int index, int size) {  // all zero where the index is out of range
    for (int i = 0; i < size; ++i) *at_++ = i == index;
  }
  void number(double x) { *at_++ = x; }

 private:
  float* at_;
};

}  // namespace

void Belote::encode(const State& s, Seat seat, int, std::span<float> out) const {
  Writer w(out);
  const auto absolute = [seat](int relative) { return (seat + relative) & 3; };
  const auto relative = [seat](int absolute) { return absolute < kSeats ? (absolute - seat) & 3 : -1; };
  const int leader = (s.actor - s.in_trick) & 3;
  w.plane(s.hands[seat]);
  for (int r = 0; r < kSeats; ++r) w.plane(s.played[absolute(r)]);
  Cards in_trick[kSeats] = {};
  for (int i = 0; i < s.in_trick; ++i) in_trick[relative((leader + i) & 3)] = one(s.trick[i]);
  for (Cards c : in_trick) w.plane(c);
  for (int r = 0; r < kSeats; ++r) w.plane(s.barred[absolute(r)]);
  w.plane(s.turned == kNoCard ? 0 : one(s.turned));
  w.one_hot(s.trump, kSuits);
  w.one_hot(static_cast<int>(s.phase), 3);
  w.one_hot(s.taker == State::kNobody ? -1 : relative(s.taker), kSeats);
  w.one_hot(relative(leader), kSeats);
  w.one_hot(s.in_trick ? relative(s.winner) : -1, kSeats);
  const int mine = seat & 1;
  w.number(s.points[mine] / 152.0);
  w.number(s.points[1 - mine] / 152.0);
  w.number(s.at_stake / 152.0);
  w.number(s.tricks[mine] / 8.0);
  w.number(s.tricks[1 - mine] / 8.0);
  w.number(relative(s.actor) == 0);
}

}  // namespace kibitz::belote
