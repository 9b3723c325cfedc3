// What is added to search/agents.h, before the list `Searches`.

struct Maximin {
  static SearchInfo info() { return {"maximin", "flat search for the action whose worst world is best"}; }
  template <Game G>
  static Recipe<G> read(OptionReader& read, const G& game) {
    const Effort effort = read_effort(read, 1'000);
    const int worlds = read_worlds<G>(read, 20);
    const auto evaluator = read_evaluator(read, game);
    return {[=](const G& g, const auto& view, Rng& rng, const Evidence<G>& evidence) -> std::unique_ptr<Search> {
              return std::make_unique<MaximinSearch<G>>(g, view, worlds, *evaluator, rng, evidence);
            },
            effort};
  }
};
