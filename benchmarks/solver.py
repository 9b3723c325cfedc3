"""Exact solvers beside their peers, in the same process, on the same deals.

    python benchmarks/solver.py --deals 200

Belote: the value of every first card of a full 32-card deal, trump spades, seat 0 to lead, against colver 0.11.1
`solve_scores`. Its rules are contrée's. Ours are set alike with `discard=True`: who cannot overtrump may play anything.
Where values still differ, the table says how often.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

import colver

import kibitz

CONTRACT = (0, 80, 0, 0)  # spades, 80, seats 0 and 2, not doubled


def peer_cards(game: Any) -> dict[int, int]:
    """Our id -> colver's."""
    names = [rank + suit for suit in "shdc" for rank in ("7", "8", "9", "J", "Q", "K", "10", "A")]
    return {game.parse(name): card for card, name in enumerate(names)}


def peer_env(game: Any, state: Any, cards: dict[int, int]) -> Any:
    hands = [[cards[game.parse(text)] for text in hand] for hand in game.position(state)["hands"]]
    env = colver.Env.deal_with_hands(3, hands)
    env.set_contract(*CONTRACT)
    env.set_phase_playing()
    return env


def first_side(difference: int) -> int:
    """What colver calls the points of seats 0 and 2: 252 for capot, 0 for that of the others."""
    return {252: 252, -252: 0}.get(difference, (difference + 162) // 2)


def belote(deals: int) -> None:
    game = kibitz.make("belote", discard=True)
    cards = peer_cards(game)
    ours: list[float] = []
    theirs: list[float] = []
    differing = values = 0
    for seed in range(deals):
        state = game.deal(seed)
        env = peer_env(game, state, cards)
        start = time.perf_counter()
        solution = game.solve(state)
        middle = time.perf_counter()
        scores = dict(env.solve_scores()["scores"])
        end = time.perf_counter()
        ours.append(1e3 * (middle - start))
        theirs.append(1e3 * (end - middle))
        hands = game.position(state)["hands"]
        extra = [20 if {"Ks", "Qs"} <= set(hand) else 0 for hand in hands]
        bonus = extra[0] + extra[2] - extra[1] - extra[3]
        for action, value in zip(solution.actions, solution.values, strict=True):
            values += 1
            differing += scores.get(cards[action]) != first_side(value - bonus)
    ratios = [b / a for a, b in zip(ours, theirs, strict=True)]
    print(f"belote, {deals} full deals, every first card")
    for name, times in (("colver 0.11.1", theirs), ("kibitz", ours)):
        low, middle_, high = statistics.quantiles(times, n=4)
        mean = statistics.mean(times)
        print(f"  {name:14} median {middle_:7.1f} ms   quartiles {low:.1f} to {high:.1f}   mean {mean:.1f}")
    print(f"  kibitz is {statistics.median(ratios):.1f} times as fast (median of the ratios)")
    print(f"  {differing} of {values} values differ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100, help="how many deals are solved by both")
    belote(parser.parse_args().deals)


if __name__ == "__main__":
    main()
