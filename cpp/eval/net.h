// Weights with their meaning: a perceptron, and what the file says about its inputs and outputs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/game.h"
#include "eval/perceptron.h"

namespace kibitz {

// What the numbers mean that somebody, a net or a function in Python, says of a state, for the seat to act:
// q: one payoff per action, of which it takes the best legal one;
// values: one payoff per seat, counted from the seat to act;
// policy: one number per action, whose exponentials are the odds of playing it;
// action: the payoff of one action, whose features follow those of the state.
// The last two are for playing (eval/net_agent.h); they do not tell what a state is worth to everybody.
enum class Output : std::uint8_t { kQ, kValues, kPolicy, kAction };

struct Meaning {
  Output output = Output::kQ;
  // What the payoffs of all seats sum to: with q, the others share what the seat to act and its partners leave of it.
  // Without it, zero in a game that is zero-sum.
  std::optional<double> total;
};

using Metadata = std::map<std::string, std::string>;

struct Net {
  Perceptron perceptron;
  Metadata metadata;
  Meaning meaning;

  const std::string& text(const std::string& key) const { return metadata.at(key); }
};

// The metadata that a file must have; it may have others, with any content.
//   format kibitz-net · version 1 · game NAME · encoder NAME · output q, values, policy or action
// and those that it may have:
//   final linear or tanh · total NUMBER · option.NAME: an option that the game must have with this value
inline constexpr const char* kNetFormat = "kibitz-net";
inline constexpr const char* kNetVersion = "1";

Net make_net(TensorFile file);          // BadInput says what is wrong
Net load_net(const std::string& path);  // ... and with which file

// The weights of a perceptron in training, as they are now, for a search: what a file with them would give.
Net make_net(const Perceptron& trained, Metadata metadata);

// BadInput unless the net was made for such a game, with its encoders and sizes.
void check_net(const Net& net, const GameInfo& game);

// BadInput unless the net can choose between the actions of such a game.
void check_player(const Net& net, const GameInfo& game);

// How many numbers a row has; BadInput where they would not tell the payoff of everybody.
int row_size(const Meaning& meaning, const GameInfo& game);

inline double within(double x, double low, double high) { return x > low ? (x < high ? x : high) : low; }  // NaN: low

// The payoffs of all seats that a row of numbers promises, kept within the range of the game.
template <Game G>
void read_row(const G& game, const Meaning& meaning, const typename G::State& state, const float* row,
              std::span<double> payoffs) {
  const GameInfo& info = game.info();
  const auto actor = static_cast<std::size_t>(game.to_act(state)), seats = static_cast<std::size_t>(info.seats);
  if (meaning.output == Output::kValues) {
    for (std::size_t i = 0; i < seats; ++i)
      payoffs[(actor + i) % seats] = within(static_cast<double>(row[i]), info.low, info.high);
    return;
  }
  typename G::Legal list;
  game.legal(state, list);
  float best = row[list[0]];
  for (Action a : list) best = row[a] > best ? row[a] : best;
  const double mine = within(static_cast<double>(best), info.low, info.high);
  std::size_t partners = 0;  // the seat itself among them
  for (std::size_t s = 0; s < seats; ++s) partners += info.team[s] == info.team[actor];
  const double left = meaning.total.value_or(0) - mine * static_cast<double>(partners);
  const double others = within(left / static_cast<double>(seats - partners), info.low, info.high);
  for (std::size_t s = 0; s < seats; ++s) payoffs[s] = info.team[s] == info.team[actor] ? mine : others;
}

}  // namespace kibitz
