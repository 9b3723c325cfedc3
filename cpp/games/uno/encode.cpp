// The encoders of Uno: li, brown (peeks), brown-fair, full. README.md has their layouts.
#include "games/uno/uno.h"

namespace kibitz::uno {

namespace {

constexpr int kPlane = kColours * kTraits;

// Writes features one after the other, as floats or, of binary encoders, as bytes.
template <class T>
class Writer {
 public:
  explicit Writer(std::span<T> out) : at_(out.data()) {}

  void plane(Bits b) {
    spread<kPlane>(b, at_);
    at_ += kPlane;
  }
  void one_hot(int index, int size) {  // all zero where the index is out of range
    for (int i = 0; i < size; ++i) *at_++ = i == index;
  }
  void number(double x) { *at_++ = x; }

  // Three planes: cards held 0, 1, 2 times. Wilds fill their whole column; more than two count as two.
  void three_planes(const Hand& h) {
    Bits one = h.one & kColoured, two = h.two;
    for (Card wild : {kWild, kWild4}) {  // k of them are the k lowest of their bits
      one |= (0 - ((h.one >> wild) & 1)) & Hand::wild_bits(wild);
      two |= (0 - ((h.one >> (wild + kTraits)) & 1)) & Hand::wild_bits(wild);
    }
    plane(~one & kAllBits);
    plane(one & ~two);
    plane(two);
  }

  void two_planes(const Hand& h) {  // exact: held at least once, at least twice; wilds in unary
    plane(h.one);
    plane(h.two);
  }

 private:
  T* at_;
};

Bits target_bit(const State& s) { return s.colour == kNoColour ? 0 : bit(s.colour * kTraits + s.trait); }

Hand discarded(const State& s) {
  Hand h;
  for (int i = kCards - s.discards; i < kCards; ++i) h.add(s.cards[i]);
  return h;
}

// Not in the own hand and not among the discards.
Hand unseen(const State& s, int seat) {
  Hand h = kFullDeck;
  s.hands[seat].each([&h](Card c) { h.remove(c); });
  discarded(s).each([&h](Card c) { h.remove(c); });
  return h;
}

Hand others(const State& s, int seat, int players) {
  Hand h;
  for (int i = 0; i < players; ++i)
    if (i != seat) s.hands[i].each([&h](Card c) { h.add(c); });
  return h;
}

void encode_full(const State& s, int seat, int players, Writer<float> w) {
  w.two_planes(s.hands[seat]);
  w.one_hot(s.colour, kColours);
  w.one_hot(s.trait, kTraits);
  const auto relative = [&](int r) { return ((seat + r * s.direction) % players + players) % players; };
  for (int r = 0; r < kMaxSeats; ++r) {  // in the order of play, the own seat first
    const int count = r < players ? s.counts[relative(r)] : -1;
    w.number(r < players);
    w.one_hot(count - 1, 3);
    w.number(count > 0 ? count / 10.0 : 0);
  }
  w.number(s.direction);
  w.two_planes(discarded(s));
  w.number(s.pile / static_cast<double>(kCards));
  for (int r = 1; r < kMaxSeats; ++r) {  // which share of the seat's cards is known to lack each colour and trait
    Memory m = r < players ? s.memory[relative(r)] : Memory();
    m.fold(s.last);
    const double slots = m.slots() ? m.slots() : 1;
    for (auto n : m.colours()) w.number(n / slots);
    for (auto n : m.traits()) w.number(n / slots);
    for (auto n : m.wilds()) w.number(n / slots);
  }
  w.one_hot(static_cast<int>(s.phase), 7);
  w.number(s.pending / 10.0);
  const bool mine = s.drawn != kNoCard && s.actor == seat;
  w.one_hot(mine ? colour_of(s.drawn) : -1, kColours);
  w.one_hot(mine ? trait_of(s.drawn) : -1, kTraits);
}

// li, brown, brown-fair: planes of the own hand, of others, and of the target.
template <class T>
void encode_planes(const State& s, Seat seat, int encoder, int players, Writer<T> w) {
  w.three_planes(s.hands[seat]);
  if (encoder == 1) w.three_planes(others(s, seat, players));
  if (encoder == 2) w.three_planes(unseen(s, seat));
  w.plane(target_bit(s));
}

}  // namespace

void Uno::encode(const State& s, Seat seat, int encoder, std::span<float> out) const {
  if (encoder == 3) return encode_full(s, seat, options_.players, Writer(out));
  encode_planes(s, seat, encoder, options_.players, Writer(out));
}

void Uno::encode(const State& s, Seat seat, int encoder, std::span<std::uint8_t> out) const {
  encode_planes(s, seat, encoder, options_.players, Writer(out));
}

}  // namespace kibitz::uno
