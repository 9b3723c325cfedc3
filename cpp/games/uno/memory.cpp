#include "games/uno/memory.h"

#include <cstring>

namespace kibitz::uno {

namespace {

// Takes one from every byte above `gone`, eight bytes at a time. All bytes are below 128: there are 108 cards.
template <std::size_t N>
void close_gap(std::array<std::uint8_t, N>& bytes, int gone) {
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL, kHigh = 0x80 * kOnes;
  for (std::size_t i = 0; i < N; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    const std::uint64_t above = ((word | kHigh) - (gone + 1) * kOnes) & kHigh;
    word -= above >> 7;
    std::memcpy(bytes.data() + i, &word, 8);
  }
}

}  // namespace

void Memory::fold(const Reshuffle& last) {
  for (int i = 0; i < pending_; ++i) {
    const int event = notes_[i], target = event % 64;
    switch (event / 64 * 64) {
      case kNothingFits: bar_fitting(target); break;
      case kDrewAndKept:
        bar_fitting(target);
        ++slots_;
        bar_colour_and_wilds(target / kTraits);
        break;
      case kWild4Instead: {
        lose(kWild4, last);
        const std::uint8_t wild4 = prefix_[kWilds + 1];
        bar_fitting(target);
        prefix_[kWilds + 1] = wild4;  // there may be more of them
        break;
      }
      default:
        if (event >= kGained)
          slots_ += event - kGained + 1;
        else
          lose(event, last);
    }
    notes_[i] = 0;
  }
  pending_ = 0;
}

void Memory::lose(Card c, const Reshuffle& last) {
  const bool alike = tokens_ == 0 && barred(c) >= top_;
  if (!alike && tokens_ == kTokens) settle_one();
  int first = barred(c), end = slots_;
  const Side side = last.side_of(c);
  if (side == Side::kPiled) first = std::max(first, old());
  if (side == Side::kHeld && first < old()) end = old();
  tell_side(c, first, end, last);
  if (alike)
    --slots_;
  else
    add_token({c, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(end)});
}

void Memory::lose_newest(Card c, const Reshuffle& last) {
  fold(last);
  tell_side(c, slots_ - 1, slots_, last);
  --slots_;
}

// The slots first..end-1 that the card may have left tell where it was at the last reshuffle if they are all on one
// side.
void Memory::tell_side(Card c, int first, int end, const Reshuffle& last) {
  if (last.fresh.one == 0) return;
  if (end <= old())
    left_held_.add(c);
  else if (first >= old())
    left_piled_.add(c);
}

void Memory::require_colour(int c, int n) {
  std::uint8_t& must = prefix_[kMust + c];
  bool spent = must == 0;
  for (int i = 0; i < tokens_; ++i) spent |= colour_of(card_[i]) == c && end_[i] > must;
  if (spent || n < must) must = n;
  find_top();
}

void Memory::find_top() { top_ = *std::max_element(prefix_.begin(), prefix_.end()); }

// Why the token that ends first may always take its oldest slot: whatever really lay there, a card still held or one of
// another token, ends no earlier and could lie in any newer slot, so it can change places with it.
void Memory::settle_one() {
  int which = 0;  // before any reshuffle they end in the order they came
  for (int i = 1; old() > 0 && i < tokens_; ++i)
    if (end_[i] < end_[which]) which = i;
  const Token t = token(which);
  int gone = t.first;
  bool fewer = false;
  for (int c = 0; promised() && c < kColours; ++c) {
    std::uint8_t& must = prefix_[kMust + c];
    const bool same = colour_of(t.card) == c;
    // One slot that must hold a colour cannot be where a card of another colour left.
    if (must == 1 && !same && gone == 0 && t.end > 1) gone = 1;
    if (must > gone && same && t.end > must) {
      must = 0;  // found: this was such a card
      fewer = true;
    }
  }
  if (t.first < old() && t.end > old()) forgotten_ |= bit(t.card);
  --tokens_;
  for (auto* bytes : {&card_, &first_, &end_}) {
    std::copy(bytes->begin() + which + 1, bytes->end(), bytes->begin() + which);
    bytes->back() = 0;
  }
  close_gap(prefix_, gone);
  close_gap(first_, gone);
  close_gap(end_, gone);
  --slots_;
  if (top_ > gone) --top_;
  if (fewer) find_top();
}

}  // namespace kibitz::uno
