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
    const std::uint64_t above = ((word | kHigh) - static_cast<std::uint64_t>(gone + 1) * kOnes) & kHigh;
    word -= above >> 7;
    std::memcpy(bytes.data() + i, &word, 8);
  }
}

}  // namespace

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
