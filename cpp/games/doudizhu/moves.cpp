#include "games/doudizhu/moves.h"

#include <unordered_map>

namespace kibitz::doudizhu {

namespace {

constexpr int kShortestSolos = 5, kShortestPairs = 3, kShortestPlane = 2;

// Base ids of chains by length, see chain_base.
template <int N>
constexpr std::array<int, N> bases(int first, int shortest) {
  std::array<int, N> out{};
  for (int n = shortest; n < N; ++n) out[n] = chain_base(first, shortest, n);
  return out;
}
constexpr auto kSoloChains = bases<13>(kFirstSoloChain, kShortestSolos);
constexpr auto kPairChains = bases<11>(kFirstPairChain, kShortestPairs);
constexpr auto kPlanes = bases<7>(kFirstPlane, kShortestPlane);
// Groups are numbered like their moves; their main ranks follow each other in the same way.
constexpr int kPlaneGroups = 26, kPlanePairGroups = 64;
constexpr auto kPlaneSoloGroup = bases<6>(kPlaneGroups, kShortestPlane);
constexpr auto kPlanePairGroup = bases<5>(kPlanePairGroups, kShortestPlane);

constexpr Bits chain_of(int main, int length) { return ((Bits{1} << (4 * length)) - 1) << (4 * main); }
constexpr int two_of(int n) { return n * (n - 1) / 2; }

bool with_kickers(Category c) {
  return c == Category::kTrioSolo || c == Category::kTrioPair || c == Category::kPlaneSolos ||
         c == Category::kPlanePairs || c == Category::kQuadSolos || c == Category::kQuadPairs;
}

// The ways to choose kickers for a main part, in rlcard's order.
class Kickers {
 public:
  Kickers(int main, int length) : main_(main), length_(length) {}

  std::vector<Bits> make(Category category) {
    if (category == Category::kTrioPair) pairs(1, 0, 0);
    if (category == Category::kQuadPairs) pairs(2, 0, 0);
    if (category == Category::kPlanePairs) pairs(length_, 0, 0);
    if (category == Category::kTrioSolo) solos(1, 0, kRed, 0);
    if (category == Category::kQuadSolos || (category == Category::kPlaneSolos && length_ == 2)) solos(2, 0, kRed, 0);
    if (category == Category::kPlaneSolos && length_ == 3) three_solos();
    if (category == Category::kPlaneSolos && length_ > 3) {
      solos(length_ - 1, 0, kTwo, 0);
      std::vector<Bits> with_joker;
      for (Bits k : out_)
        for (int joker : {kBlack, kRed}) with_joker.push_back(k + cards_of(joker, 1));
      out_ = with_joker;
      solos(length_, 0, kTwo, 0);
    }
    return out_;
  }

  // Both jokers and solos to the number.
  std::vector<Bits> both_jokers(int number) {
    solos(number - 2, 0, kTwo, kJokers);
    return out_;
  }

 private:
  bool outside(int rank) const { return rank < main_ || rank >= main_ + length_; }

  // Three of a rank next to the chain would make it a longer chain with other kickers, or none: one set of cards is
  // one move. 2 is never next to a chain.
  int most(int rank) const {
    const bool beside = rank != kTwo && (rank == main_ - 1 || rank == main_ + length_);
    return rank >= kBlack ? 1 : beside ? 2 : 3;
  }

  void solos(int number, int from, int highest, Bits chosen) {
    if (number == 0) return out_.push_back(chosen);
    for (int r = from; r <= highest; ++r) {
      const Bits next = chosen + cards_of(r, 1);
      const bool fine = outside(r) && count_of(next, r) <= most(r) && (highest < kRed || (next & kJokers) != kJokers);
      if (fine) solos(number - 1, r, highest, next);
    }
  }

  void pairs(int number, int from, Bits chosen) {
    if (number == 0) return out_.push_back(chosen);
    for (int r = from; r <= kTwo; ++r)
      if (outside(r)) pairs(number - 1, r + 1, chosen + cards_of(r, 2));
  }

  // All different, then three of a kind, then a pair and another.
  void three_solos() {
    solos(3, 0, kRed, 0);
    std::vector<Bits> all;
    all.swap(out_);
    for (Bits k : all)
      if (at_least_2(k) == 0) out_.push_back(k);
    for (Bits k : all)
      if (at_least_3(k)) out_.push_back(k);
    for (int pair = 0; pair <= kTwo; ++pair)
      for (int other = 0; other < kRanks; ++other)
        if (pair != other && outside(pair) && outside(other)) out_.push_back(cards_of(pair, 2) + cards_of(other, 1));
  }

  int main_, length_;
  std::vector<Bits> out_;
};

Bits main_part(int main, int length, int copies) { return copies * (kOnes & chain_of(main, length)); }

const std::unordered_map<std::string, Action>& texts() {
  static const auto made = [] {
    std::unordered_map<std::string, Action> out;
    const Moves& moves = Moves::all();
    for (int id = 0; id < moves.size(); ++id) out.emplace(moves.text(id), static_cast<Action>(id));
    return out;
  }();
  return made;
}

}  // namespace

// ------------------------------------------------------------------------------------------------ the list

const Moves& Moves::all() {
  static const Moves moves;
  return moves;
}

Moves::Moves() {
  using enum Category;
  for (int r = 0; r < kRanks; ++r) add(kSolo, 1, r, cards_of(r, 1));
  for (int r = 0; r <= kTwo; ++r) add(kPair, 1, r, cards_of(r, 2));
  for (int r = 0; r <= kTwo; ++r) add(kTrio, 1, r, cards_of(r, 3));
  add_groups(kTrioSolo, 3, 1);
  add_groups(kTrioPair, 3, 1);
  add_chains(kSoloChain, 1, kShortestSolos, 12);
  add_chains(kPairChain, 2, kShortestPairs, 10);
  add_chains(kPlane, 3, kShortestPlane, 6);
  for (int n = 2; n <= 5; ++n) add_groups(kPlaneSolos, 3, n);
  for (int n = 2; n <= 4; ++n) add_groups(kPlanePairs, 3, n);
  add_groups(kQuadSolos, 4, 1);
  add_groups(kQuadPairs, 4, 1);
  for (int r = 0; r <= kTwo; ++r) add(kBomb, 1, r, cards_of(r, 4));
  add(Category::kRocket, 1, kBlack, kJokers);
  add(Category::kPass, 1, 0, 0);
  for (int bid = 0; bid <= 3; ++bid) add(kBid, bid, 0, 0);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    const int copies = group.category == kQuadSolos || group.category == kQuadPairs ? 4 : 3;
    add(Category::kKickers, group.length, group.main, main_part(group.main, group.length, copies), g);
    groups_of_[group.main][g / 64] |= bit(g % 64);
  }
  add_both_jokers();
}

void Moves::add(Category category, int length, int main, Bits cards, int group) {
  moves_.push_back({cards, category, static_cast<std::uint8_t>(length), static_cast<std::uint8_t>(main),
                    static_cast<std::uint8_t>(size_of(cards)), static_cast<std::uint8_t>(group)});
}

void Moves::add_chains(Category category, int copies, int shortest, int longest) {
  for (int n = shortest; n <= longest; ++n)
    for (int r = 0; r + n <= kChainRanks; ++r) add(category, n, r, main_part(r, n, copies));
}

void Moves::add_groups(Category category, int copies, int length) {
  for (int r = 0; length == 1 ? r <= kTwo : r + length <= kChainRanks; ++r) {
    Group g{
        category, static_cast<std::uint8_t>(length), static_cast<std::uint8_t>(r), static_cast<Action>(size()), 0, 0,
        0};
    for (Bits k : Kickers(r, length).make(category))
      add(category, length, r, k + main_part(r, length, copies), groups_.size());
    g.end = size();
    groups_.push_back(g);
  }
}

void Moves::add_both_jokers() {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    Group& g = groups_[i];
    g.both_first = size();
    const bool quad = g.category == Category::kQuadSolos;
    if (quad || g.category == Category::kPlaneSolos)
      for (Bits k : Kickers(g.main, g.length).both_jokers(quad ? 2 : g.length))
        add(g.category, g.length, g.main, k + main_part(g.main, g.length, quad ? 4 : 3), i);
    g.both_end = size();
  }
}

std::string Moves::text(Action id) const {
  const Move& m = moves_[id];
  if (m.category == Category::kPass) return "pass";
  if (m.category == Category::kBid) return "bid-" + std::to_string(m.length);
  if (m.category != Category::kKickers) return cards_text(m.cards);
  const Category c = groups_[m.group].category;
  const bool one = c == Category::kTrioSolo || c == Category::kTrioPair;
  const bool solos = c == Category::kTrioSolo || c == Category::kPlaneSolos || c == Category::kQuadSolos;
  return cards_text(m.cards) + (solos ? "+solo" : "+pair") + (one ? "" : "s");
}

Action Moves::parse(const std::string& text) const {
  const auto found = texts().find(text);
  return found == texts().end() ? Action{kNoMove} : found->second;
}

// ------------------------------------------------------------------------------------------------ what a hand can do

void Moves::add_scan(Bits hand, Action first, Action end, Blocks& out) const {
  int n = 0;
  for (int id = first; id < end; ++id) n += contains(hand, moves_[id].cards);
  out.add(1, first, end - first, n, Block::kScan, 1);
}

// Moves with these kickers and main ranks. Where the number of kickers is the same for every main rank it follows from
// the counts; chains of three and more are too rare for more than looking through their list.
void Moves::collect_kickers(Bits hand, const Counts& c, Category category, int length, Bits mains, Blocks& out) const {
  if (mains == 0) return;
  const int ones = c.ones - length, twos = c.twos - length;
  switch (category) {
    case Category::kTrioSolo: return out.add(mains, kFirstTrioSolo, 14, ones, Block::kSolo, 1);
    case Category::kTrioPair: return out.add(mains, kFirstTrioPair, 12, twos, Block::kPair, 1);
    case Category::kQuadSolos:
      return out.add(mains, kFirstQuadSolos, 102, two_of(ones) + twos - c.rocket, Block::kTwoSolos, 1);
    case Category::kQuadPairs: return out.add(mains, kFirstQuadPairs, 66, two_of(twos), Block::kTwoPairs, 1);
    case Category::kPlaneSolos:
      if (length == 2) return out.add(mains, kFirstPlaneSolos, 88, two_of(ones) + twos - c.rocket, Block::kTwoSolos, 2);
      break;
    default:
      if (length == 2) return out.add(mains, kFirstPlanePairs, 55, two_of(twos), Block::kTwoPairs, 2);
  }
  const int base = category == Category::kPlaneSolos ? kPlaneSoloGroup[length] : kPlanePairGroup[length];
  for (; mains; mains &= mains - 1) {
    const Group& g = group(base + rank_at(mains));
    add_scan(hand, g.first, g.end, out);
  }
}

void Moves::collect_free(Bits hand, const Counts& c, bool separate, Blocks& out) const {
  out.add(c.one, kFirstSolo, 1, 1, Block::kBare, 1);
  out.add(c.two, kFirstPair, 1, 1, Block::kBare, 1);
  out.add(c.three, kFirstTrio, 1, 1, Block::kBare, 1);
  if (!separate) {
    collect_kickers(hand, c, Category::kTrioSolo, 1, c.three, out);
    collect_kickers(hand, c, Category::kTrioPair, 1, c.three, out);
  }
  const Bits ones = c.one & kChainOnes, twos = c.two & kChainOnes, threes = c.three & kChainOnes;
  Bits run = ones & ones >> 4 & ones >> 8 & ones >> 12;
  for (int n = 5; n <= 12 && (run &= ones >> (4 * n - 4)); ++n) out.add(run, kSoloChains[n], 1, 1, Block::kBare, 1);
  run = twos & twos >> 4;
  for (int n = 3; n <= 10 && (run &= twos >> (4 * n - 4)); ++n) out.add(run, kPairChains[n], 1, 1, Block::kBare, 1);
  std::array<Bits, 7> planes{};
  run = threes;
  for (int n = 2; n <= 6 && (run &= threes >> (4 * n - 4)); ++n) {
    planes[n] = run;
    out.add(run, kPlanes[n], 1, 1, Block::kBare, 1);
  }
  if (!separate) {
    if (planes[2]) {
      for (int n = 2; n <= 5; ++n) collect_kickers(hand, c, Category::kPlaneSolos, n, planes[n], out);
      for (int n = 2; n <= 4; ++n) collect_kickers(hand, c, Category::kPlanePairs, n, planes[n], out);
    }
    collect_kickers(hand, c, Category::kQuadSolos, 1, c.four, out);
    collect_kickers(hand, c, Category::kQuadPairs, 1, c.four, out);
  }
}

// Those of the category and length of `last` with a higher main rank.
void Moves::collect_same(Bits hand, const Counts& c, const Move& last, bool separate, Blocks& out) const {
  const std::size_t n = last.length;
  const Bits higher = above(last.main);
  const auto chain = [&](Bits mask) {
    mask &= kChainOnes;
    Bits run = mask;
    for (int i = 1; i < last.length; ++i) run &= mask >> (4 * i);
    return run & higher;
  };
  const auto bare = [&](Bits mains, int first) { out.add(mains & higher, first, 1, 1, Block::kBare, 1); };
  const auto kicked = [&](Bits mains) {
    if (!separate) collect_kickers(hand, c, last.category, last.length, mains & higher, out);
  };
  switch (last.category) {
    case Category::kSolo: return bare(c.one, kFirstSolo);
    case Category::kPair: return bare(c.two, kFirstPair);
    case Category::kTrio: return bare(c.three, kFirstTrio);
    case Category::kSoloChain: return bare(chain(c.one), kSoloChains[n]);
    case Category::kPairChain: return bare(chain(c.two), kPairChains[n]);
    case Category::kPlane: return bare(chain(c.three), kPlanes[n]);
    case Category::kTrioSolo:
    case Category::kTrioPair: return kicked(c.three);
    case Category::kPlaneSolos:
    case Category::kPlanePairs: return kicked(chain(c.three));
    case Category::kQuadSolos:
    case Category::kQuadPairs: return kicked(c.four);
    default: return;  // bombs are added for all categories
  }
}

template <class F>
void Moves::each_group(const Counts& c, const Move* last, F&& f) const {
  std::array<Bits, kGroupWords> there{};  // groups whose main rank is there three times: few, of all that there are
  for (Bits mains = c.three; mains; mains &= mains - 1)
    for (std::size_t w = 0; w < kGroupWords; ++w) there[w] |= groups_of_[rank_at(mains)][w];
  for (std::size_t w = 0; w < kGroupWords; ++w)
    for (Bits left = there[w]; left; left &= left - 1) {
      const int g = 64 * w + lowest(left);
      const Group& group = groups_[g];
      if (last && (group.category != last->category || group.length != last->length || group.main <= last->main))
        continue;
      const Bits ranks = kOnes & chain_of(group.main, group.length);
      const bool quad = group.category == Category::kQuadSolos || group.category == Category::kQuadPairs;
      if (((quad ? c.four : c.three) & ranks) == ranks) f(g);
    }
}

void Moves::collect_group(Bits hand, int g, bool both, Blocks& out) const {
  const Group& group = groups_[g];
  collect_kickers(hand, Counts(hand), group.category, group.length, cards_of(group.main, 1), out);
  if (both && (hand & kJokers) == kJokers) add_scan(hand, group.both_first, group.both_end, out);
}

void Moves::collect(Bits hand, Action last, bool separate, bool both, Blocks& out) const {
  const Counts c(hand);
  const Move* answered = last == kNoMove ? nullptr : &moves_[last];
  if (answered && answered->category == Category::kRocket) return out.add_one(doudizhu::kPass);
  if (answered)
    collect_same(hand, c, *answered, separate, out);
  else
    collect_free(hand, c, separate, out);
  const bool bomb = answered && answered->category == Category::kBomb;
  out.add(bomb ? c.four & above(answered->main) : c.four, kFirstBomb, 1, 1, Block::kBare, 1);
  if (c.rocket) out.add_one(doudizhu::kRocket);
  if (answered) out.add_one(doudizhu::kPass);
  if (!separate && !(both && c.rocket)) return;
  if (answered && !with_kickers(answered->category)) return;
  if (separate)
    each_group(c, answered, [&](int g) {
      Blocks kickers;
      collect_group(hand, g, both, kickers);
      if (kickers.total()) out.add_one(kFirstGroup + g);
    });
  else
    each_group(c, answered, [&](int g) { add_scan(hand, group(g).both_first, group(g).both_end, out); });
}

namespace {

// The number of the k-th pair of kickers that the hand has, among all that there are.
int nth_two_solos(const Counts& c, int main, int length, int k) {
  for (Bits rest = c.one & ~chain_of(main, length);; rest &= rest - 1) {
    const int a = rank_at(rest), twice = count_of(c.two, a);
    const Bits higher = rest & (rest - 1);
    const int n = ranks_in(higher) + twice;
    if (k >= n) {
      k -= n;
      continue;
    }
    const int b = k < twice ? a : nth_rank(higher, k - twice);
    return two_solos(position_of(a, main, length), position_of(b, main, length), kRanks - length);
  }
}

int nth_two_pairs(const Counts& c, int main, int length, int k) {
  for (Bits rest = c.two & ~chain_of(main, length);; rest &= rest - 1) {
    const Bits higher = rest & (rest - 1);
    if (const int n = ranks_in(higher); k >= n) {
      k -= n;
      continue;
    }
    return two_pairs(position_of(rank_at(rest), main, length), position_of(nth_rank(higher, k), main, length),
                     kTwo + 1 - length);
  }
}

}  // namespace

Action Moves::pick(Bits hand, const Blocks& blocks, int k) const {
  const Block* b = blocks.begin();
  for (; k >= b->total; ++b) k -= b->total;
  if (b->kind == Block::kScan) {
    for (Action id = b->first;; ++id)
      if (contains(hand, moves_[id].cards) && k-- == 0) return id;
  }
  if (b->kind == Block::kBare) return b->first + b->stride * nth_rank(b->mains, k);
  const Counts c(hand);
  const int main = nth_rank(b->mains, k / b->each), n = b->length, kicker = k % b->each;
  const int id = b->first + b->stride * main;
  const Bits outside = ~chain_of(main, n);
  switch (b->kind) {
    case Block::kSolo: return id + position_of(nth_rank(c.one & outside, kicker), main, n);
    case Block::kPair: return id + position_of(nth_rank(c.two & outside, kicker), main, n);
    case Block::kTwoSolos: return id + nth_two_solos(c, main, n, kicker);
    default: return id + nth_two_pairs(c, main, n, kicker);
  }
}

}  // namespace kibitz::doudizhu
