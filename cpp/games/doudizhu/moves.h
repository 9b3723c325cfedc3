// All moves, their ids, and which of them a hand can make. Ids 0..27471 are rlcard's, in its order; what only other
// options need comes after. README.md has the table.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/action_list.h"
#include "games/doudizhu/cards.h"

namespace kibitz::doudizhu {

enum class Category : std::uint8_t {
  kSolo,
  kPair,
  kTrio,
  kTrioSolo,
  kTrioPair,
  kSoloChain,
  kPairChain,
  kPlane,
  kPlaneSolos,
  kPlanePairs,
  kQuadSolos,
  kQuadPairs,
  kBomb,
  kRocket,
  kPass,
  kBid,      // a decision of the bidding
  kKickers,  // announces the main part of a move with kickers (kickers="separate")
};
inline constexpr int kCategories = 17;

enum : Action {
  kFirstSolo = 0,
  kFirstPair = 15,
  kFirstTrio = 28,
  kFirstTrioSolo = 41,
  kFirstTrioPair = 223,
  kFirstSoloChain = 379,
  kFirstPairChain = 415,
  kFirstPlane = 467,
  kFirstPlaneSolos = 512,
  kFirstPlanePairs = 22334,
  kFirstQuadSolos = 25273,
  kFirstQuadPairs = 26599,
  kFirstBomb = 27457,
  kRocket = 27470,
  kPass = 27471,
  kRlcardActions = 27472,
  kFirstBid = kRlcardActions,  // + bid, 0 to 3
  kFirstGroup = kFirstBid + 4,
  kGroups = 120,
  kFirstBothJokers = kFirstGroup + kGroups,
  kNoMove = 0xffff,
};

// What an id means. A bid has its number in `length`; a group its main part in `cards`.
struct Move {
  Bits cards = 0;
  Category category = Category::kPass;
  std::uint8_t length = 1;   // ranks in the chain
  std::uint8_t main = 0;     // lowest rank of the main part
  std::uint8_t size = 0;     // number of cards
  std::uint8_t group = 255;  // of a move with kickers: which main part and kind of kickers
};

// Moves that share the main part and the kind of kickers: consecutive ids, and those with both jokers elsewhere.
struct Group {
  Category category;
  std::uint8_t length, main;
  Action first, end;
  Action both_first, both_end;
};

// The ranks of a hand, sorted by how often they are there.
struct Counts {
  Bits one, two, three, four;
  int ones, twos;
  bool rocket;

  explicit Counts(Bits h)
      : one(at_least_1(h)),
        two(at_least_2(h)),
        three(at_least_3(h)),
        four(at_least_4(h)),
        ones(ranks_in(one)),
        twos(ranks_in(two)),
        rocket((h & kJokers) == kJokers) {}
};

// A run of legal ids that are counted together: a mask of main ranks, and for each the same number of kickers.
struct Block {
  enum Kind : std::uint8_t { kBare, kSolo, kPair, kTwoSolos, kTwoPairs, kScan };
  Bits mains;
  Action first;          // id of the move with main rank 3 and the first kickers (kScan: of the group's first move)
  std::uint16_t stride;  // ids per main rank (kScan: ids in the group)
  std::uint16_t each;    // legal ids per main rank
  std::uint16_t total;
  Kind kind;
  std::uint8_t length;
};

// The legal moves as blocks, ascending: no heap, and counting needs no list.
class Blocks {
 public:
  void add(Bits mains, Action first, std::uint16_t stride, std::uint16_t each, Block::Kind kind, std::uint8_t length) {
    if (mains == 0 || each == 0) return;
    const std::uint16_t total = ranks_in(mains) * each;
    blocks_[size_++] = {mains, first, stride, each, total, kind, length};
    total_ += total;
  }
  void add_one(Action id) { add(1, id, 0, 1, Block::kBare, 1); }
  int total() const { return total_; }
  const Block* begin() const { return blocks_.data(); }
  const Block* end() const { return blocks_.data() + size_; }

 private:
  std::array<Block, 160> blocks_;  // left uninitialised on purpose
  int size_ = 0, total_ = 0;
};

class Moves {
 public:
  static const Moves& all();

  const Move& operator[](Action id) const { return moves_[id]; }
  const Group& group(int g) const { return groups_[g]; }
  int size() const { return moves_.size(); }
  std::string text(Action id) const;
  // kNoMove where there is no such move.
  Action parse(const std::string& text) const;

  // What may be played from a hand: everything at a free lead (`last` is kNoMove), else pass and what beats `last`.
  // `separate`: moves with kickers appear as groups. `both`: both jokers may be kickers of one move.
  void collect(Bits hand, Action last, bool separate, bool both, Blocks& out) const;
  // The moves of one group that the hand can make.
  void collect_group(Bits hand, int group, bool both, Blocks& out) const;
  // The ids of the blocks; and the one that is number k of them.
  template <class List>
  void list(Bits hand, const Blocks& blocks, List& out) const;
  Action pick(Bits hand, const Blocks& blocks, int k) const;

 private:
  Moves();
  void add(Category category, int length, int main, Bits cards, int group = 255);
  void add_chains(Category category, int copies, int shortest, int longest);
  void add_groups(Category category, int copies, int length);
  void add_both_jokers();
  void collect_kickers(Bits hand, const Counts& c, Category category, int length, Bits mains, Blocks& out) const;
  void collect_free(Bits hand, const Counts& c, bool separate, Blocks& out) const;
  void collect_same(Bits hand, const Counts& c, const Move& last, bool separate, Blocks& out) const;
  // Calls f(group index) for the groups whose main part is in the hand and that may follow `last`.
  template <class F>
  void each_group(const Counts& c, const Move* last, F&& f) const;
  void add_scan(Bits hand, Action first, Action end, Blocks& out) const;
  template <class List>
  static void list_block(Bits hand, const Counts& c, const Block& b, List& out);

  std::vector<Move> moves_;
  std::vector<Group> groups_;
  static constexpr std::size_t kGroupWords = 2;
  std::array<std::array<Bits, kGroupWords>, kRanks> groups_of_{};  // [main rank]: a bit for each group
};

// First id of the chains of a length, as id of the (perhaps not existing) chain from 3; main rank r is r ids further.
constexpr int chain_base(int first, int shortest, int length) {
  int id = first;
  for (int n = shortest; n < length; ++n) id += kChainRanks - n + 1;
  return id;
}

// Position of a rank among those outside the main part, and the number of a pair of positions a <= b in order; `m`
// positions, the last two are the jokers. With a == b for two cards of one rank, never both jokers.
constexpr int position_of(int rank, int main, int length) { return rank < main ? rank : rank - length; }
constexpr int two_solos(int a, int b, int m) { return a * m - a * (a - 1) / 2 + (b - a); }
constexpr int two_pairs(int a, int b, int m) { return a * (m - 1) - a * (a - 1) / 2 + (b - a - 1); }

template <class List>
void Moves::list_block(Bits, const Counts& c, const Block& b, List& out) {
  for (Bits mains = b.mains; mains; mains &= mains - 1) {
    const int main = rank_at(mains), n = b.length;
    const int id = b.first + b.stride * main;
    const Bits chain = ((Bits{1} << (4 * n)) - 1) << (4 * main);
    const auto push = [&](int i) { out.push(id + i); };
    if (b.kind == Block::kBare) push(0);
    if (b.kind == Block::kSolo || b.kind == Block::kPair)
      for (Bits k = (b.kind == Block::kSolo ? c.one : c.two) & ~chain; k; k &= k - 1)
        push(position_of(rank_at(k), main, n));
    if (b.kind == Block::kTwoSolos)
      for (Bits k = c.one & ~chain; k; k &= k - 1) {
        const int a = rank_at(k), m = kRanks - n;
        if (a >= kBlack) break;
        if (count_of(c.two, a)) push(two_solos(position_of(a, main, n), position_of(a, main, n), m));
        for (Bits l = k & (k - 1); l; l &= l - 1)
          push(two_solos(position_of(a, main, n), position_of(rank_at(l), main, n), m));
      }
    if (b.kind == Block::kTwoPairs)
      for (Bits k = c.two & ~chain; k; k &= k - 1)
        for (Bits l = k & (k - 1); l; l &= l - 1)
          push(two_pairs(position_of(rank_at(k), main, n), position_of(rank_at(l), main, n), kTwo + 1 - n));
  }
}

template <class List>
void Moves::list(Bits hand, const Blocks& blocks, List& out) const {
  const Counts c(hand);
  for (const Block& b : blocks) {
    if (b.kind != Block::kScan) {
      list_block(hand, c, b, out);
      continue;
    }
    for (int id = b.first; id < b.first + b.stride; ++id)
      if (contains(hand, moves_[id].cards)) out.push(id);
  }
}

}  // namespace kibitz::doudizhu
