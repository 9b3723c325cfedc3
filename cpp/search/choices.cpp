#include "search/choices.h"

namespace kibitz {

int read_policy(OptionReader& read, const std::string& option, std::vector<std::string> names,
                const std::vector<std::string>& policies, int& chosen, const char* meaning) {
  const auto first = static_cast<int>(names.size());
  names.insert(names.end(), policies.begin(), policies.end());
  chosen = read.word(option, names, 0, meaning);
  return chosen < first ? -1 : chosen - first;
}

LeafOptions read_leaves(OptionReader& read, const std::vector<std::string>& policies, bool can_solve, bool beside) {
  LeafOptions out;
  out.net = read_net(read,
                     "a file with a network, or the name of one that comes with Kibitz: it says what a state "
                     "is worth, in place of a play-out, unless rollout, opponents or prior has another use "
                     "for it");
  std::vector<std::string> names{"random", "net"};
  if (can_solve) names.push_back("solver");
  int rollout = 0, opponents = 0;
  out.own = read_policy(read, "rollout", names, policies, rollout,
                        "who plays on where the tree ends; solver: says how the world ends with all cards open");
  out.theirs = read_policy(
      read, "opponents", {"search", "random", "net"}, policies, opponents,
      "how the other side plays inside the search: it thinks, too, or follows a policy in the tree and below it; "
      "partners always think");
  out.own_net = rollout == 1;
  out.their_net = opponents == 2;
  out.solver = can_solve && rollout == 2;
  out.others_think = opponents == 0;
  if ((out.own_net || out.their_net) && out.net.empty())
    throw BadInput(std::string(out.own_net ? "rollout" : "opponents") + "=net needs a network: net=FILE");
  out.values = !out.net.empty() && !out.own_net && !out.their_net && !beside;
  for (const char* other : {"rollout", "opponents"})
    if (out.values && read.has(other))
      throw BadInput(std::string(other) + " and net exclude each other: with a net nothing is played out, unless " +
                     "rollout=net or opponents=net");
  if (out.solver && !out.others_think)
    throw BadInput("rollout=solver plays nothing out: opponents has no meaning there");
  return out;
}

InferenceOptions read_inference(OptionReader& read, const std::vector<std::string>& policies,
                                const InferenceKinds& kinds) {
  using enum Model;
  const std::vector<Model> models =
      kinds.exact ? std::vector{kNone, kMinimax, kExpectimax, kRandom} : std::vector{kNone, kRandom};
  std::vector<std::string> names;
  for (Model model : models) names.push_back(kModelNames[static_cast<std::size_t>(model)]);
  InferenceOptions out;
  int chosen = 0;
  out.policy = read_policy(
      read, "inference", names, policies, chosen,
      "what was played weighs the worlds: likelier where such a player would have played so; it needs the past of the "
      "game, which a position does not have");
  if (out.policy < 0) out.model = models[static_cast<std::size_t>(chosen)];
  out.doubt =
      read.number("doubt", out.policy >= 0 ? 0.2 : 0, 0, 1, "how often that player is taken to play at random instead");
  if (kinds.tie_break) out.tie_break = read.number("model_tie_break", 0, 0, kMostTieBreak, "tie_break of that player");
  if (kinds.drawn)
    out.candidates = static_cast<int>(read.whole("candidates", 500, 1, 1'000'000,
                                                 "how many worlds are drawn and weighed, where they are not listed"));
  return out;
}

Observer read_observer(OptionReader& read, bool hidden_moves) {
  const auto out = static_cast<Observer>(read.word(
      "observers", {"moves", "views"}, hidden_moves ? 1 : 0,
      "what the other seats can tell apart in their trees: the moves, as in the paper, or their views, own cards "
      "included"));
  if (hidden_moves && out == Observer::kMoves)
    throw BadInput("observers=moves needs a game in which everybody sees all moves; allowed here: views");
  return out;
}

}  // namespace kibitz
