"""Belote's engine beside colver 0.11.1, measured in turn in one process; medians.

    python benchmarks/belote.py --seconds 2

colver's `Env.rollout` plays from one position; our `playouts` deal every game anew, which is included in the figure.
Worlds are drawn after so many cards, with all that random play has shown by then.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

import colver

import kibitz


def rate(work: Callable[[int], object], seconds: float) -> float:
    """Pieces of work per second."""
    n, spent = 1_000, 0.0
    while spent < seconds / 2:
        n *= 2
        start = time.perf_counter()
        work(n)
        spent = time.perf_counter() - start
    return n / spent


def play(seconds: float, rounds: int) -> None:
    game = kibitz.make("belote", discard=True)
    env = colver.Env.deal(seed=3)
    env.set_contract(0, 80, 0, 0)
    env.set_phase_playing()
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(rate(game.playouts, seconds))
        theirs.append(rate(env.rollout, seconds))
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    print("random deals, 32 cards, one thread")
    print(f"  colver 0.11.1 {statistics.median(theirs):12,.0f} /s   from one position")
    print(f"  kibitz        {statistics.median(ours):12,.0f} /s   dealing included   {ratio:.2f} times")


def worlds(draws: int = 300) -> None:
    """Mean and worst time of a draw over random positions, from Python: the call itself costs most of it."""
    game = kibitz.make("belote")
    print("drawing a world, microseconds, calls from Python included")
    for cards in (0, 8, 16, 20, 24, 28):
        times = []
        for seed in range(100):
            state = game.deal(seed)
            rng = random.Random(seed)
            for _ in range(cards):
                state.apply(rng.choice(state.legal()))
            view = state.view(state.to_act)
            start = time.perf_counter()
            for draw in range(draws):
                view.sample(draw)
            times.append(1e6 * (time.perf_counter() - start) / draws)
        print(f"  after {cards:2} cards   median {statistics.median(times):.2f}   worst position {max(times):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="about how long each measurement takes")
    parser.add_argument("--rounds", type=int, default=5, help="how often both are measured in turn")
    options = parser.parse_args()
    play(options.seconds, options.rounds)
    worlds()


if __name__ == "__main__":
    main()
