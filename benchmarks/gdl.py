"""Rulesheets: how fast they are played, how long grounding takes, how large the networks are.

    python benchmarks/gdl.py [--seconds 1] [FILE ...]

Random play on one core, per second of its time; states are counted by the decisions that are made in them. The second
table has ever more boards side by side, of which each move changes one: its cost should not grow with the network. The
last has how long tables of action values learn.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from rich.console import Console
from rich.table import Table

import kibitz
from kibitz import gdl
from kibitz.learn import q_table


def speed(game: Any, seconds: float) -> tuple[float, float]:
    """Decisions and play-outs per second of processor time: others may use the machine, too."""
    games, decisions, used = 0, 0, 0.0
    batch = 1
    while used < seconds:
        start = time.process_time()
        played = game.playouts(batch, seed=games)
        took = time.process_time() - start
        used += took
        games += batch
        decisions += played.decisions
        if took < seconds / 8:
            batch = min(2 * batch, 100_000)
    return decisions / used, games / used


def boards(count: int) -> str:
    """Noughts on `count` boards of nine cells, one after the other, nine moves in all."""
    cells = "\n".join(f"(board {board})" for board in range(count))
    return f"""(role x) (init (step 0))
    {cells} (index 1) (index 2) (index 3)
    {" ".join(f"(succ {n} {n + 1})" for n in range(9))}
    (<= (init (cell ?b ?c ?r free)) (board ?b) (index ?c) (index ?r))
    (<= (legal x (mark ?b ?c ?r)) (true (cell ?b ?c ?r free)))
    (<= (next (cell ?b ?c ?r x)) (does x (mark ?b ?c ?r)))
    (<= (next (cell ?b ?c ?r x)) (true (cell ?b ?c ?r x)))
    (<= (next (cell ?b ?c ?r free)) (true (cell ?b ?c ?r free)) (not (does x (mark ?b ?c ?r))))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= (line ?b) (board ?b) (index ?c)
        (true (cell ?b ?c 1 x)) (true (cell ?b ?c 2 x)) (true (cell ?b ?c 3 x)))
    (<= (line ?b) (board ?b) (index ?r)
        (true (cell ?b 1 ?r x)) (true (cell ?b 2 ?r x)) (true (cell ?b 3 ?r x)))
    (<= any (line ?b))
    (<= terminal (true (step 9))) (<= (goal x 100) any) (<= (goal x 0) (not any))"""


def measure(named: dict[str, dict[str, Any]], seconds: float, title: str) -> Table:
    table = Table(title=title)
    for heading in (
        "rulesheet",
        "fluents",
        "moves",
        "gates",
        "edges",
        "grounding",
        "states/s",
        "play-outs/s",
        "prover",
    ):
        table.add_column(heading, justify="left" if heading == "rulesheet" else "right")
    for name, options in named.items():
        game = kibitz.make("gdl", **options)
        about = game.about
        sizes = [f"{about[key]:,}" if key in about else "-" for key in ("fluents", "moves", "gates", "edges")]
        states, playouts = speed(game, seconds)
        slow, _ = speed(kibitz.make("gdl", **options, engine="prover"), seconds / 4)
        took = f"{about['seconds'] * 1000:.1f} ms"
        table.add_row(name, *sizes, took, f"{states:,.0f}", f"{playouts:,.0f}", f"{slow:,.0f}")
    return table


def learning(matches: int) -> Table:
    """Tables of action values (docs/q_table.md), learnt from Tic-Tac-Toe against a random player."""
    table = Table(title=f"{matches:,} matches with learning, seconds of one core")
    for heading in ("game", *q_table.PLAYERS):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for game in ("tictactoe", "gdl:file=tictactoe"):
        took = []
        for make in q_table.PLAYERS.values():
            start = time.process_time()
            q_table.train(make(game=game, learning=matches))
            took.append(time.process_time() - start)
        table.add_row(game, *(f"{seconds:.2f}" for seconds in took))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="rulesheets; ours without any")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    arguments = parser.parse_args()
    console = Console(width=140)
    ours = {file: {"file": file} for file in arguments.files or gdl.rulesheets()}
    console.print(measure(ours, arguments.seconds, "random play, one core; the prover in states/s"))
    if not arguments.files:
        many = {f"{count} boards": {"text": boards(count)} for count in (1, 10, 100, 400)}
        console.print(measure(many, arguments.seconds, "the same change in ever larger networks"))
        console.print(learning(50_000))


if __name__ == "__main__":
    main()
