"""A tournament: every agent against every other, with intervals, and the order that is beyond doubt."""

from itertools import combinations

import kibitz

AGENTS = ("random", "rules", "mcs:iterations=50,rollout=rules", "ismcts:iterations=200")


def tournament(game: str, agents: tuple[str, ...], games: int) -> list[tuple[str, str, kibitz.arena.Interval]]:
    """Winner, loser and how often the winner wins, for each pair."""
    found = []
    for one, other in combinations(agents, 2):
        result = kibitz.play(game, [one, other], games=games, seed=1)
        ahead, behind = sorted(result.agents, key=lambda agent: agent.win_rate.mean, reverse=True)
        found.append((ahead.name, behind.name, ahead.win_rate))
    return found


def main() -> None:
    for ahead, behind, rate in tournament("uno:rules=rlcard", AGENTS, games=200):
        certain = "is stronger than" if rate.low > 0.5 else "may be no stronger than"
        print(f"{ahead} {certain} {behind}: wins {rate.mean:.1%} [{rate.low:.1%}, {rate.high:.1%}]")


if __name__ == "__main__":
    main()
