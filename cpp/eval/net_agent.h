// Networks that choose between actions: by themselves as agents, and for searches of one seat.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/agent.h"
#include "eval/net.h"

namespace kibitz {

// What a net with output q, policy or action says of every legal action. One thread at a time.
template <Game G>
class ActionNet {
 public:
  // BadInput where the net cannot play this game.
  ActionNet(const G& game, std::shared_ptr<const Net> net)
      : net_((check_player(*net, game.info()), std::move(net))),
        encoder_(find_encoder(game.info(), net_->text("encoder"))),
        input_(net_->perceptron.inputs()),
        row_(net_->perceptron.outputs()),
        scratch_(net_->perceptron) {}

  bool peeks(const G& game) const { return game.info().encoders[static_cast<std::size_t>(encoder_)].peeks; }
  const Net& net() const { return *net_; }

  // Writes what `seat` sees; `ask` answers for this.
  std::span<const float> look(const G& game, const typename G::State& state, Seat seat) {
    const std::size_t extra =
        net_->meaning.output == Output::kAction ? static_cast<std::size_t>(game.info().action_features) : 0;
    const std::span<float> seen(input_.data(), input_.size() - extra);
    game.encode(state, seat, encoder_, seen);
    return seen;
  }

  // say(i, number) for the i-th action of the list.
  template <class Say>
  void ask(const G& game, const typename G::State& state, const typename G::Legal& list, Say&& say) {
    if (net_->meaning.output != Output::kAction) {
      net_->perceptron(input_.data(), row_.data(), scratch_);
      for (int i = 0; i < list.size(); ++i) say(i, row_[list[i]]);
      return;
    }
    if constexpr (FeaturedActions<G>) {
      const auto width = static_cast<std::size_t>(game.info().action_features);
      for (int i = 0; i < list.size(); ++i) {
        game.action_features(state, list[i], {input_.data() + input_.size() - width, width});
        net_->perceptron(input_.data(), row_.data(), scratch_);
        say(i, row_[0]);
      }
    }
  }

 private:
  std::shared_ptr<const Net> net_;
  int encoder_;
  std::vector<float> input_, row_;
  Perceptron::Scratch scratch_;
};

// Plays the best legal action of a q net, the first of equals; draws from the odds of a policy, unless `best`. With
// probability epsilon it plays any action.
template <Game G>
class NetAgent final : public QuickAgent<G> {
 public:
  NetAgent(const G& game, std::shared_ptr<const Net> net, double epsilon = 0, bool best = false)
      : net_(std::move(net)),
        epsilon_(epsilon),
        peeks_(ActionNet<G>(game, net_).peeks(game)),
        draws_(net_->meaning.output == Output::kPolicy && !best) {}

  Action act_within(const G& game, const typename G::State& world, Seat seat, const typename G::Legal& list,
                    Rng& rng) const override {
    if (epsilon_ > 0 && rng.unit() < epsilon_) return random_of(list, rng);
    if (list.size() == 1) return list[0];
    const std::vector<float> said = ask(game, world, seat, list);
    if (!draws_) return list[static_cast<int>(std::max_element(said.begin(), said.end()) - said.begin())];
    const std::vector<double> odds = softmax(said);
    double at = rng.unit();
    int i = 0;
    while (i + 1 < list.size() && (at -= odds[static_cast<std::size_t>(i)]) >= 0) ++i;
    return list[i];
  }

  // Values are payoffs, where the net speaks of such; they count as seen once.
  Thought think(const G& game, const typename G::View& view, Rng&, const std::atomic<bool>*) const override {
    typename G::Legal list;
    game.legal(view, list);
    const std::vector<float> said = ask(game, view.known, view.seat, list);
    const auto best = static_cast<int>(std::max_element(said.begin(), said.end()) - said.begin());
    const std::vector<double> odds = softmax(said);
    Thought out;
    for (int i = 0; i < list.size(); ++i) {
      const double sure = draws_ ? odds[static_cast<std::size_t>(i)] : i == best;
      const bool payoffs = net_->meaning.output != Output::kPolicy;
      out.opinions.push_back({list[i], payoffs ? static_cast<double>(said[static_cast<std::size_t>(i)]) : 0.0,
                              payoffs ? 1.0 : 0.0, (1 - epsilon_) * sure + epsilon_ / list.size()});
    }
    return out;
  }
  bool peeks() const override { return peeks_; }

 private:
  std::vector<float> ask(const G& game, const typename G::State& state, Seat seat,
                         const typename G::Legal& list) const {
    ActionNet<G> net(game, net_);  // agents are shared between threads, what a net writes to is not
    std::vector<float> said(static_cast<std::size_t>(list.size()));
    net.look(game, state, seat);
    net.ask(game, state, list, [&](int i, float x) { said[static_cast<std::size_t>(i)] = x; });
    return said;
  }

  static std::vector<double> softmax(const std::vector<float>& logits) {
    const float most = *std::max_element(logits.begin(), logits.end());
    std::vector<double> out;
    double sum = 0;
    for (float x : logits) sum += out.emplace_back(std::exp(static_cast<double>(x - most)));
    for (double& x : out) x /= sum;
    return out;
  }

  std::shared_ptr<const Net> net_;
  double epsilon_;
  bool peeks_, draws_;
};

}  // namespace kibitz
