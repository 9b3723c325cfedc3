#include "games/gdl/engine/network_engine.h"

#include <algorithm>
#include <unordered_map>

#include "core/bits.h"
#include "games/gdl/engine/runner.h"

namespace kibitz::gdl {

namespace {

struct Shared {
  std::shared_ptr<const Network> network;
  std::shared_ptr<const Moves> moves;
  std::vector<std::vector<std::uint16_t>> index;   // [role][action] its number among the role's moves
  std::vector<std::vector<int>> goals;             // [role] values of the role's goal outputs
  std::unordered_map<TermId, std::uint32_t> bits;  // of fluents
};

class NetworkReasoner final : public Reasoner {
 public:
  NetworkReasoner(std::shared_ptr<const Shared> shared, const Runner& fresh, Budget* within)
      : shared_(std::move(shared)), n_(*shared_->network), runner_(fresh) {
    runner_.limit(within);
  }

  void look(const Words& position) override { runner_.look(position.data()); }
  void read(Words& position) override { std::copy_n(runner_.words(0), n_.state_words, position.data()); }
  bool terminal() override { return runner_.on(n_.terminal); }

  int legal_count(int role) override {
    const auto& part = n_.roles[role];
    const std::uint64_t* words = runner_.words(part.legal_word);
    int count = 0;
    for (std::uint32_t w = 0; w < part.legal_words; ++w) count += count_bits(words[w]);
    return count;
  }
  Action nth_legal(int role, int n) override {
    const auto& part = n_.roles[role];
    const std::uint64_t* words = runner_.words(part.legal_word);
    std::size_t w = 0;
    if (part.legal_words > 1)
      for (int here; n >= (here = count_bits(words[w])); ++w) n -= here;
    const auto local = 64 * w + nth_bit(words[w], n);
    return shared_->moves->of_role(role)[local];
  }
  bool legal(int role, Action a) override {
    const std::uint16_t local = shared_->index[role][a];
    return local != kNoMove && runner_.on(64 * n_.roles[role].legal_word + local);
  }
  void goals(std::span<int> out) override {
    runner_.settle_goals();
    for (std::size_t r = 0; r < out.size(); ++r) {
      out[r] = 0;
      for (std::size_t i = 0; i < n_.roles[r].goals.size(); ++i)
        if (runner_.on(n_.roles[r].goals[i].position)) out[r] = std::max(out[r], shared_->goals[r][i]);
    }
  }
  void sees(std::span<const Action> moves, int role, std::vector<TermId>& out) override {
    act(moves);
    runner_.settle_sees();
    out.clear();
    for (const auto& o : n_.roles[role].sees)
      if (runner_.on(o.position)) out.push_back(o.term);
    std::sort(out.begin(), out.end());
  }
  void advance(std::span<const Action> moves) override {
    act(moves);
    runner_.advance();
  }

 private:
  void act(std::span<const Action> moves) {
    for (std::size_t r = 0; r < moves.size(); ++r) runner_.act(r, shared_->index[r][moves[r]]);
  }

  std::shared_ptr<const Shared> shared_;
  const Network& n_;
  Runner runner_;
};

class NetworkEngine final : public Engine {
 public:
  NetworkEngine(std::shared_ptr<Shared> shared, Budget& budget)
      : shared_(std::move(shared)), fresh_(*shared_->network, &budget) {
    fresh_.limit(nullptr);
  }

  std::unique_ptr<Reasoner> reasoner(Budget* within) const override {
    return std::make_unique<NetworkReasoner>(shared_, fresh_, within);
  }
  Words start() const override {
    Words out(shared_->network->state_words);
    std::copy(shared_->network->init.begin(), shared_->network->init.end(), out.data());
    return out;
  }
  std::vector<TermId> fluents(const Words& position) const override {
    std::vector<TermId> out;
    for (std::size_t w = 0; w < position.size(); ++w)
      each_bit(position.data()[w], [&](int b) { out.push_back(shared_->network->fluents[64 * w + b]); });
    return out;
  }
  bool write(const std::vector<TermId>& fluents, Words& out) const override {
    out = Words(shared_->network->state_words);
    for (TermId f : fluents) {
      const auto it = shared_->bits.find(f);
      if (it == shared_->bits.end()) return false;
      out.data()[it->second / 64] |= bit(it->second % 64);
    }
    return true;
  }
  const std::vector<TermId>* all_fluents() const override { return &shared_->network->fluents; }

 private:
  std::shared_ptr<const Shared> shared_;
  Runner fresh_;
};

}  // namespace

std::unique_ptr<Engine> network_engine(std::shared_ptr<const Network> network, std::shared_ptr<const Moves> moves,
                                       const Terms& terms, Budget& budget) {
  budget.grow(network->fluents.size() * 48 + network->words * std::size_t{64 * 4});
  auto shared = std::make_shared<Shared>();
  shared->index.assign(network->roles.size(), std::vector<std::uint16_t>(moves->size(), kNoMove));
  shared->goals.resize(network->roles.size());
  for (std::size_t r = 0; r < network->roles.size(); ++r) {
    for (std::size_t i = 0; i < moves->of_role(r).size(); ++i) shared->index[r][moves->of_role(r)[i]] = i;
    for (const auto& o : network->roles[r].goals) shared->goals[r].push_back(goal_value(terms, o.term));
  }
  for (std::uint32_t i = 0; i < network->fluents.size(); ++i) {
    budget.tick(4);
    shared->bits.emplace(network->fluents[i], i);
  }
  shared->network = std::move(network);
  shared->moves = std::move(moves);
  return std::make_unique<NetworkEngine>(std::move(shared), budget);
}

}  // namespace kibitz::gdl
