"""First steps: deal a game, look at it from one seat, ask an agent, play a match."""

import kibitz
from kibitz.advice import words


def main() -> None:
    game = kibitz.make("uno", players=3)
    state = game.deal(seed=7)
    view = state.view(state.to_act)
    print(view)

    # Whatever the seat cannot see is different in each world, and nothing else.
    worlds = [view.sample(seed) for seed in range(3)]
    for world in worlds:
        print("a world:", game.position(world)["hands"])

    adviser = kibitz.adviser(game)
    adviser.begin(seed=1)
    print(words.summary(game, adviser.think(view), view))

    print(kibitz.play(game, ["rules", "random", "random"], games=600, seed=1))


if __name__ == "__main__":
    main()
