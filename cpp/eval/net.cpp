#include "eval/net.h"

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>

namespace kibitz {

namespace {

const std::string kOption = "option.";

const std::string& needed(const Metadata& metadata, const std::string& key) {
  const auto it = metadata.find(key);
  if (it == metadata.end()) throw BadInput("the metadata of a net needs " + quoted(key));
  return it->second;
}

Final read_final(const Metadata& metadata) {
  const auto it = metadata.find("final");
  if (it == metadata.end()) return Final::kLinear;
  return one_of("final of a net", it->second, {"linear", "tanh"}) == 0 ? Final::kLinear : Final::kTanh;
}

// Not std::from_chars, which libc++ has for whole numbers only; nor std::stod, which reads as the user's country
// writes.
double read_number(const char* what, const std::string& text) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  double x = 0;
  if (!(in >> std::noskipws >> x) || in.peek() != std::istringstream::traits_type::eof() || !std::isfinite(x))
    throw BadInput(std::string(what) + " must be a number, not " + quoted(text));
  return x;
}

Meaning read_meaning(const Metadata& metadata) {
  Meaning out;
  out.output =
      static_cast<Output>(one_of("output of a net", needed(metadata, "output"), {"q", "values", "policy", "action"}));
  if (const auto it = metadata.find("total"); it != metadata.end()) {
    out.total = read_number("total of a net", it->second);
  }
  return out;
}

Meaning check_metadata(const Metadata& metadata) {
  const std::string& format = needed(metadata, "format");
  if (format != kNetFormat) throw BadInput("format " + quoted(format) + " is unknown; a net has " + kNetFormat);
  const std::string& version = needed(metadata, "version");
  if (version != kNetVersion)
    throw BadInput("version " + quoted(version) + " of nets is unknown; this Kibitz reads version " + kNetVersion);
  for (const char* key : {"game", "encoder"}) needed(metadata, key);
  return read_meaning(metadata);
}

std::string option_text(const Value& value) {
  const auto* text = value.get<std::string>();
  return text ? *text : value.describe();
}

}  // namespace

Net make_net(TensorFile file) {
  const Meaning meaning = check_metadata(file.metadata);
  Perceptron perceptron(file.tensors, read_final(file.metadata));
  return {std::move(perceptron), std::move(file.metadata), meaning};
}

Net make_net(const Perceptron& trained, Metadata metadata) {
  const Meaning meaning = check_metadata(metadata);
  if (read_final(metadata) != trained.final()) throw BadInput("final of a net must be that of its perceptron");
  const auto weights = trained.weights();
  if (!std::all_of(weights.begin(), weights.end(), [](float x) { return std::isfinite(x); }))
    throw BadInput("the perceptron has a weight that is not finite");
  return {trained, std::move(metadata), meaning};
}

Net load_net(const std::string& path) {
  TensorFile file = read_safetensors(path);
  try {
    return make_net(std::move(file));
  } catch (const BadInput& error) {
    throw BadInput("'" + path + "': " + error.what());
  }
}

int row_size(const Meaning& meaning, const GameInfo& game) {
  if (meaning.output == Output::kValues) return game.seats;
  if (meaning.output != Output::kQ)
    throw BadInput("outputs policy and action do not tell what a state is worth to everybody; play with net:FILE");
  if (game.partners_vary)
    throw BadInput("output q cannot tell the payoffs of partners who are found in the game; use values");
  if (!meaning.total && !game.zero_sum)
    throw BadInput("output q needs total, what all payoffs sum to, because this game of " + game.name +
                   " is not zero-sum");
  if (std::all_of(game.team.begin(), game.team.end(), [&](int t) { return t == game.team[0]; }))
    throw BadInput("output q needs somebody to play against; use values");
  return game.actions;
}

namespace {

// The game, its options and the encoder; returns how many numbers the encoder gives.
int check_game(const Net& net, const GameInfo& game) {
  if (net.text("game") != game.name)
    throw BadInput("the net is for the game " + quoted(net.text("game")) + ", not for " + game.name);
  for (const auto& [key, value] : net.metadata) {
    if (!key.starts_with(kOption)) continue;
    const std::string name = key.substr(kOption.size());
    const Value* has = game.options.find(name);
    if (!has) throw BadInput("the net is for a game with the option " + quoted(name) + ", which is unknown");
    if (option_text(*has) != value)
      throw BadInput("the net is for " + game.name + " with " + name + "=" + value + ", not " + option_text(*has));
  }
  return game.encoders[static_cast<std::size_t>(find_encoder(game, net.text("encoder")))].size();
}

void check_sizes(const Net& net, int encoder, int action, int outputs) {
  if (net.perceptron.inputs() != static_cast<std::size_t>(encoder + action))
    throw BadInput("the net takes " + std::to_string(net.perceptron.inputs()) + " inputs, but the encoder '" +
                   net.text("encoder") + "' gives " + std::to_string(encoder) +
                   (action == 0 ? "" : ", and an action has " + std::to_string(action) + " features"));
  if (net.perceptron.outputs() != static_cast<std::size_t>(outputs))
    throw BadInput("the net gives " + std::to_string(net.perceptron.outputs()) + " outputs, but its output '" +
                   net.text("output") + "' needs " + std::to_string(outputs) + " for this game");
}

}  // namespace

void check_net(const Net& net, const GameInfo& game) {
  const int inputs = check_game(net, game);
  check_sizes(net, inputs, 0, row_size(net.meaning, game));
}

void check_player(const Net& net, const GameInfo& game) {
  const int inputs = check_game(net, game);
  const bool featured = net.meaning.output == Output::kAction;
  if (net.meaning.output == Output::kValues)
    throw BadInput("a net with output values cannot choose between actions by itself; let a search ask it: net=FILE");
  if (featured && game.action_features == 0)
    throw BadInput("output action needs a game whose actions have features, which " + game.name + " has not");
  check_sizes(net, inputs, featured ? game.action_features : 0, featured ? 1 : game.actions);
}

}  // namespace kibitz
