"""Exact solvers, beside their peers where there are some, in the same process, on the same deals.

    python benchmarks/solver.py [--deals 200] [--only belote,doudizhu,mini_doudizhu,boards]

Belote: the value of every first card of a full 32-card deal, trump spades, seat 0 to lead, against colver 0.11.1
`solve_scores`. Its rules are contrée's. Ours are set alike with `discard=True`: who cannot overtrump may play anything.
Where values still differ, the table says how often.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from typing import Any

from families import run_chosen

import kibitz
from kibitz.adapters import colver


def first_side(difference: float) -> int:
    """What colver calls the points of seats 0 and 2: 252 for capot, 0 for that of the others."""
    return {252: 252, -252: 0}.get(round(difference), (round(difference) + 162) // 2)


def belote(deals: int) -> None:
    game = kibitz.make("belote", discard=True)
    cards = colver.cards_of(game)
    ours: list[float] = []
    theirs: list[float] = []
    differing = values = 0
    for seed in range(deals):
        state = game.deal(seed)
        env = colver.deal(state, cards)
        colver.start(env, "s", 80)
        start = time.perf_counter()
        solution = game.solve(state, all_actions=True)
        middle = time.perf_counter()
        scores = dict(env.solve_scores()["scores"])
        end = time.perf_counter()
        ours.append(1e3 * (middle - start))
        theirs.append(1e3 * (end - middle))
        hands = game.position(state)["hands"]
        extra = [20 if {"Ks", "Qs"} <= set(hand) else 0 for hand in hands]
        bonus = extra[0] + extra[2] - extra[1] - extra[3]
        for action, value in solution.values.items():
            values += 1
            differing += scores.get(cards[action]) != first_side(value - bonus)
    print(f"Belote, {deals} full deals, every first card")
    print_times("colver 0.11.1", theirs)
    print_times("kibitz", ours)
    ratios = [b / a for a, b in zip(ours, theirs, strict=True)]
    print(f"  kibitz is {statistics.median(ratios):.1f} times as fast (median of the ratios)")
    print(f"  {differing} of {values} values differ")


def print_times(name: str, times: list[float]) -> None:
    low, middle, high = statistics.quantiles(times, n=4)
    mean, worst = statistics.mean(times), max(times)
    print(
        f"  {name:26} median {middle:8.2f} ms   quartiles {low:.2f} to {high:.2f}   mean {mean:.2f}   most {worst:.1f}"
    )


def timed(game: Any, states: list[Any]) -> list[float]:
    """Milliseconds per state."""
    times = []
    for state in states:
        start = time.perf_counter()
        game.solve(state)
        times.append(1e3 * (time.perf_counter() - start))
    return times


def doudizhu(deals: int) -> None:
    game = kibitz.make("doudizhu")
    print(f"Dou Di Zhu, endgames of {deals} random games")
    for cards in (12, 20, 30):
        states = []
        for seed in range(deals):
            state = game.deal(seed)
            rng = random.Random(seed)
            while not state.over and sum(map(len, game.position(state)["hands"])) > cards:
                state.apply(rng.choice(state.legal()))
            if not state.over:
                states.append(state)
        print_times(f"at most {cards} cards left", timed(game, states))


def mini_doudizhu() -> None:
    game = kibitz.make("mini_doudizhu")
    deals = game.deals()
    begin = time.perf_counter()
    won = sum(game.solve(state).value == 1 for state, _ in deals)
    took = time.perf_counter() - begin
    print(f"Mini Dou Di Zhu: all {len(deals):,} deals in {took:.2f} s, {won:,} won by the first player")


BOARDS: list[tuple[str, dict[str, int]]] = [
    ("tictactoe", {}),
    ("tictactoe", {"size": 4}),
    ("connect_four", {"rows": 4, "columns": 4}),
    ("connect_four", {"rows": 4, "columns": 5}),
    ("hex", {"size": 3}),
    ("hex", {"size": 4}),
]


def boards() -> None:
    print("Empty boards")
    for name, options in BOARDS:
        game = kibitz.make(name, **options)
        begin = time.perf_counter()
        solution = game.solve(game.deal())
        print(f"  {game!r:60} {1e3 * (time.perf_counter() - begin):10.1f} ms   {solution}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100, help="how many deals of a card game are solved")
    run_chosen(
        parser,
        {
            "belote": lambda options: belote(options.deals),
            "doudizhu": lambda options: doudizhu(options.deals),
            "mini_doudizhu": lambda _: mini_doudizhu(),
            "boards": lambda _: boards(),
        },
    )


if __name__ == "__main__":
    main()
