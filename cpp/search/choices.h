// Options that several searches share and that choose parts of a search: who plays on, what values a leaf, what is
// inferred. Here is what does not depend on the type of the game, compiled once; agents.h makes the parts.
#pragma once

#include <string>
#include <vector>

#include "search/belief.h"
#include "search/options.h"
#include "search/places.h"

namespace kibitz {

// A policy: one of `names`, or one of the game's own agents, `policies`. `chosen` is its index in both together; the
// index among the policies is returned, negative where it is none of them.
int read_policy(OptionReader& read, const std::string& option, std::vector<std::string> names,
                const std::vector<std::string>& policies, int& chosen, const char* meaning);

// rollout: who plays on where the tree ends, or the solver, which knows how it ends. opponents: they think (search), or
// they follow a policy everywhere. net=FILE: the network plays where one of these says so; otherwise it says what a
// leaf is worth, and nothing is played out, unless it is there for something else (`beside`).
struct LeafOptions {
  std::string net;            // empty: none
  bool values = false;        // the net values leaves
  bool solver = false;        // the solver does
  int own = -1, theirs = -1;  // the policies that play; negative: at random, or the net
  bool own_net = false, their_net = false;
  bool others_think = true;
};
LeafOptions read_leaves(OptionReader& read, const std::vector<std::string>& policies, bool can_solve, bool beside);

// What kinds of inference a game allows.
struct InferenceKinds {
  bool exact;      // models that know all worlds
  bool tie_break;  // of the model
  bool drawn;      // worlds are drawn and weighed
};
struct InferenceOptions {
  Model model = Model::kNone;
  int policy = -1;  // in place of a model
  double doubt = 0, tie_break = 0;
  int candidates = 0;
};
InferenceOptions read_inference(OptionReader& read, const std::vector<std::string>& policies,
                                const InferenceKinds& kinds);

// What the others are taken to know in their trees: the moves, unless some of these are hidden from them.
Observer read_observer(OptionReader& read, bool hidden_moves);

}  // namespace kibitz
