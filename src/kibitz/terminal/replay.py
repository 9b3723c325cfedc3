"""A match that was played, turn by turn."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from kibitz.ggp.record import Record, describe_mishap, describe_turn, pictures, printable

PROMPT = "Enter: on, b: back, a number: to that turn, q: end > "


def replay(path: Path, auto: float | None, turn: int | None) -> None:
    """Prints a record: one turn, or all, or as the reader asks for them."""
    if auto is not None and not 0 <= auto <= 3600:
        raise ValueError(f"auto must be within 0 to 3600 seconds, not {auto:g}")
    record = Record.load(path)
    drawn = pictures(record)
    if turn is not None:
        if not 0 <= turn < len(drawn):
            raise ValueError(f"turn must be within 0 to {len(drawn) - 1}, not {turn}")
        print(_page(record, drawn, turn))
        return
    print(_header(record))
    if auto is None and sys.stdin.isatty() and sys.stdout.isatty():
        _step(record, drawn)
        return
    for at in range(len(drawn)):
        if at and auto:
            time.sleep(auto)
        print("\n" + _page(record, drawn, at), flush=True)


def _step(record: Record, drawn: list[str]) -> None:
    at = 0
    while True:
        print("\n" + _page(record, drawn, at))
        try:
            said = input(PROMPT).strip().lower()
        except EOFError:
            return
        if said in ("q", "quit") or (not said and at == len(drawn) - 1):
            return
        if said.isdecimal():
            at = min(int(said[:9]), len(drawn) - 1)
        else:
            at = max(0, at - 1) if said == "b" else min(at + 1, len(drawn) - 1)


def _header(record: Record) -> str:
    seats = ", ".join(f"{role}: {player}" for role, player in zip(record.roles, record.players, strict=True))
    lines = [f"{record.game} {record.match}, {record.began}, {record.status} after {len(record.moves)} turns", seats]
    lines += [describe_mishap(error) for error in record.errors if error.turn is None]
    return printable("\n".join(lines))


def _page(record: Record, drawn: list[str], at: int) -> str:
    lines = [f"turn {at} of {len(drawn) - 1}" + (f": {describe_turn(record, at - 1)}" if at else "")]
    lines.append(drawn[at])
    if at == len(drawn) - 1 and record.goals is not None:
        lines.append("goals " + " ".join(f"{r} {g}" for r, g in zip(record.roles, record.goals, strict=True)))
    return printable("\n".join(lines))
