"""Search: the same position under several searches, one of them driven step by step, and where hidden cards may be."""

import kibitz

SPECS = (
    "mcs:iterations=2000,rollout=rules",
    "ismcts:iterations=2000",
    "pimc:iterations=2000,worlds=20",
    "solver-pimc:worlds=5",
)


def main() -> None:
    game = kibitz.make("belote")
    state = game.deal(seed=9)
    view = state.view(state.to_act)
    print(view)

    for spec in SPECS:
        agent = kibitz.agent(spec)
        agent.begin(seed=1)
        thought = agent.think(view)
        values = ", ".join(
            f"{game.text(action)} {value:.1f}"
            for action, value in zip(thought.actions, thought.value, strict=True)
            if value is not None
        )
        print(f"{spec:36} plays {game.text(thought.best):3} of {values}")

    # The same search in pieces: the answer after all of them is that of one run.
    search = game.search(view, "ismcts:iterations=2000", seed=1)
    while search.thought().iterations != 2_000:
        search.run(iterations=500)
        print(search.thought().iterations, "iterations:", game.text(search.thought().best))

    odds = view.card_odds(400, seed=1)
    for seat, cards in odds.items():
        likely = sorted(cards, key=cards.__getitem__, reverse=True)[:4]
        print(f"seat {seat} most likely holds", ", ".join(f"{card} ({cards[card]:.0%})" for card in likely))


if __name__ == "__main__":
    main()
