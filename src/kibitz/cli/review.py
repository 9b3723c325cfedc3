"""kibitz review: a game that was played, judged move by move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from kibitz import record_files
from kibitz.advice import judge
from kibitz.advice.columns import EFFORT
from kibitz.cli.common import inputs
from kibitz.record import Record
from kibitz.terminal import review as pages
from kibitz.terminal import screen
from kibitz.terminal.progress import Progress

app = App(
    name="review",
    help_epilogue="""Examples:
    kibitz review game.json
    kibitz review game.json --seat Ada --brief
    kibitz review games.jsonl --number 3 --seat 0 --effort 5000 --seed 1
    kibitz review game.json --json > review.json

Every decision has two columns: the worlds that the player could imagine, and the cards as they lay. Bad in both is a
mistake; bad over the worlds alone, lucky; bad in fact alone, unlucky. A loss is called so only beyond its error.
""",
)


@app.default
def review(
    file: Path,
    /,
    *,
    number: Annotated[int | None, inputs.whole(1, 10**9)] = None,
    seat: str | None = None,
    effort: Annotated[int, inputs.whole(1, judge.MOST_EFFORT)] = EFFORT,
    seed: inputs.Seed = 0,
    threads: inputs.Threads = 0,
    brief: inputs.Flag = False,
    json_: Annotated[bool, Parameter(name="--json", show_default=False)] = False,
) -> None:
    """Go through a game that was played: what could be known, what was played, and what it cost.

    Parameters
    ----------
    file
        A record (.json), a file with one in each line (.jsonl), or a folder of records.
    number
        Which game of a file or folder with several, from 1.
    seat
        Whose decisions: a seat, from 0, or a player's name; those of people if left out, or all if no person played.
    effort
        Worlds that are looked into for a decision.
    seed
        Of the judge's chance: the same seed gives the same review.
    brief
        A line for each decision.
    json_
        Print everything as JSON.
    """
    record = _choose(file, number)
    with Progress("review", "decisions") as progress:
        judged = judge.game(
            record, seats=_seats(record, seat), effort=effort, seed=seed, threads=threads, progress=progress
        )
    if json_:
        print(json.dumps(judged.to_json(), indent=1))
    else:
        pages.show(judged, screen.table(), brief=brief)


def _choose(file: Path, number: int | None) -> Record:
    """One game of a file."""
    chosen, count = None, 0
    for count, record in enumerate(record_files.read_all(file), start=1):
        if count == (number or 1):
            chosen = record
    if count == 0:
        raise ValueError(f"{file} has no records of games")
    if number is None and count > 1:
        raise ValueError(f"{file} has {count:,} games: choose one with --number 1 to {count}")
    if chosen is None:
        raise ValueError(f"{file} has {count:,} game{'s' * (count != 1)}, and no number {number:,}")
    return chosen


def _seats(record: Record, wanted: str | None) -> list[int]:
    names = [seat.name for seat in record.seats]
    if wanted is None:
        people = [at for at, seat in enumerate(record.seats) if seat.person]
        return people or list(range(len(names)))
    found = [at for at, name in enumerate(names) if name.casefold() == wanted.casefold()]
    if not found and wanted.isdecimal() and int(wanted[:9]) < len(names):
        found = [int(wanted)]
    if not found:
        known = ", ".join(f"{at} {name}" for at, name in enumerate(names))
        raise ValueError(f"there is no seat {wanted!r}; the seats are: {known}")
    return found
