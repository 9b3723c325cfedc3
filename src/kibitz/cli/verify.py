"""kibitz verify: whether a game was dealt as promised, and went as its record says."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App

from kibitz.record import Record
from kibitz.record_files import read_all
from kibitz.terminal import screen

app = App(
    name="verify",
    help_epilogue="""Examples:
    kibitz verify game.json
    kibitz verify games.jsonl --hash 9f3c…
""",
)


@app.default
def verify(records: Path, /, *, hash: str | None = None) -> None:
    """Check records of games: that the hash, published before the first move, is that of seed and salt, that the seed
    deals these cards, that every move is legal, and that the moves lead to the result.

    Parameters
    ----------
    records
        A record, a file of many (.jsonl) or a folder of them: from the page, from kibitz export, or any other.
    hash
        The hash that you were shown before the first move: one of the records must have it.
    """
    promised = told = 0
    for record in read_all(records):  # which checks each
        told += 1
        promised += record.start.hash is not None
        if hash is not None and record.start.hash == hash.strip().lower():
            screen.out().print(f"This is the deal that was promised: {_said(record)}.")
            return
    if hash is not None:
        raise ValueError(f"{records} has no record with the hash {hash}")
    if told == 0:
        raise ValueError(f"{records} has no records")
    screen.out().print(
        f"{told} {'record' if told == 1 else 'records'}: every move is legal and leads to what is recorded. "
        f"{promised} of them {'was' if promised == 1 else 'were'} promised by a hash, which is that of seed and salt."
    )


def _said(record: Record) -> str:
    return f"{record.game}, {len(record.actions)} moves"
