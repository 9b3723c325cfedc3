"""What the benchmarks have in common: families of games to choose from on the command line, and how to measure."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Mapping

Work = Callable[[int], int]  # does so many units and says how many they were


Clock = Callable[[], float]


def rate(work: Work, seconds: float, start: int, clock: Clock = time.perf_counter) -> float:
    """How much per second, with as many units of work as fit into about `seconds`."""
    units = start
    while True:
        begin = clock()
        done = work(units)
        took = clock() - begin
        if took >= seconds / 2:
            return done / took
        units = max(units + 1, int(units * min(20.0, seconds / max(took, 1e-6))))


def run_chosen(parser: argparse.ArgumentParser, families: Mapping[str, Callable[[argparse.Namespace], None]]) -> None:
    """Reads the command line and runs the families that it names: all, unless --only says otherwise."""
    parser.add_argument("--only", default=",".join(families), help="the families to measure, separated by commas")
    options = parser.parse_args()
    chosen = options.only.split(",")
    for family in chosen:
        if family not in families:
            parser.error(f"unknown family {family!r}; allowed: {', '.join(families)}")
    for family in chosen:
        families[family](options)


def in_turn(
    label: str,
    peer: Work,
    ours: Work,
    seconds: float,
    rounds: int,
    start: int = 200,
    unit: str = "games",
    clock: Clock = time.perf_counter,
) -> None:
    """Measures both in turn and prints medians, and the ratios of neighbours."""
    theirs, mine = [], []
    for _ in range(rounds):
        theirs.append(rate(peer, seconds, start, clock))
        mine.append(rate(ours, seconds, 10 * start, clock))
    ratios = [b / a for a, b in zip(theirs, mine, strict=True)]
    print(f"  {label:48} {statistics.median(theirs):12,.0f} {unit}/s")
    print(
        f"  {'kibitz, one thread':48} {statistics.median(mine):12,.0f} {unit}/s"
        f"   {statistics.median(ratios):,.1f} times ({min(ratios):,.1f} to {max(ratios):,.1f})"
    )
