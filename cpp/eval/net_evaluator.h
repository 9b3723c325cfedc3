// A net of the core as evaluator: no play-out, no Python.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "eval/evaluator.h"
#include "eval/net.h"

namespace kibitz {

template <Game G>
class NetEvaluator final : public Evaluator<G> {
 public:
  // BadInput where the net is not for this game.
  NetEvaluator(const G& game, std::shared_ptr<const Net> net)
      : net_((check_net(*net, game.info()), std::move(net))),
        encoder_(find_encoder(game.info(), net_->text("encoder"))),
        input_(net_->perceptron.inputs()),
        row_(net_->perceptron.outputs()),
        scratch_(net_->perceptron) {}

  std::unique_ptr<Evaluator<G>> seen_from(const G&, const typename G::View&) const override {
    return std::make_unique<NetEvaluator>(*this);
  }

  void evaluate(const G& game, typename G::State& state, Rng&, std::span<double> payoffs) override {
    game.encode(state, game.to_act(state), encoder_, input_);
    net_->perceptron(input_.data(), row_.data(), scratch_);
    read_row(game, net_->meaning, state, row_.data(), payoffs);
  }

 private:
  std::shared_ptr<const Net> net_;
  int encoder_;
  std::vector<float> input_, row_;
  Perceptron::Scratch scratch_;
};

}  // namespace kibitz
