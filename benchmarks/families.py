"""What the benchmarks have in common: families of games to choose from on the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping


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
