"""kibitz train q, qm and td: tables of action values, kept in a file. They need no torch."""

from __future__ import annotations

import dataclasses
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from rich.table import Table

from kibitz.files import check_writable
from kibitz.learn import q_table
from kibitz.learn.common.settings import check_fixed, fixed_players, read_toml, read_values
from kibitz.terminal import screen
from kibitz.terminal.fitting import Fitting
from kibitz.terminal.progress import Progress

# What other learners call it -> what tables do.
NAMES = {"episodes": "learning", "opponents": "opponent"}
# What the command itself says.
ELSEWHERE = {"file": "--out names the file", "method": "it is named first, as in kibitz train td"}


def train(method: str, out: Path, resume: bool, file: Path | None, given: dict[str, Any]) -> None:
    """One of `q_table.PLAYERS` learns into the file `out`."""
    settings = _settings(method, out, resume, read_toml(file) if file is not None else {}, given)
    start = time.monotonic()
    with Progress(method, "matches") as progress:
        try:
            trained = q_table.train(settings, progress=progress)
        except KeyboardInterrupt:
            screen.note(f"kept in {out}; --resume goes on from here")
            raise
    _print(trained, out, time.monotonic() - start)


def _settings(method: str, out: Path, resume: bool, toml: dict[str, Any], given: dict[str, Any]) -> q_table.Settings:
    if out.exists() and not out.is_file():  # tables are read again: a device or a pipe will not do
        raise ValueError(f"{out} is not a file")
    check_writable(out)
    if resume:
        before = dataclasses.asdict(q_table.read(out).settings)
        if (learnt := _method(before)) != method:
            raise ValueError(f"{out} holds a training of {learnt}, not of {method}")
    elif out.exists():
        raise ValueError(f"{out} is there already: --resume goes on with it, or name another file")
    else:
        before = dataclasses.asdict(q_table.PLAYERS[method]())
    wanted = _named(toml) | _named(given)
    players = wanted.pop("players", None)
    values = read_values(q_table.Settings, before, wanted)
    if players is not None:
        values["game"] = _seated(values["game"], str(players))
    return q_table.Settings(**values | {"file": str(out)})


def _named(settings: dict[str, Any]) -> dict[str, Any]:
    """By the names that tables have for them."""
    for name, instead in ELSEWHERE.items():
        if name in settings:
            raise ValueError(f"{name} is no setting here: {instead}")
    for name, own in NAMES.items():
        if {name, own} <= settings.keys():
            raise ValueError(f"{name} and {own} are the same: give one of them")
    return {NAMES.get(name, name): value for name, value in settings.items()}


def _seated(game: str, players: str) -> str:
    """The spec of a game with this number of players."""
    fixed = fixed_players(game)
    if fixed is None:
        return f"{game}{',' if ':' in game else ':'}players={players}"
    check_fixed(game, fixed, players)
    return game


def _method(settings: dict[str, Any]) -> str:
    """The name that a training has as a command."""
    return "qm" if settings["method"] == "q" and settings["fallback"] is not None else str(settings["method"])


def _print(trained: q_table.Trained, out: Path, seconds: float) -> None:
    learnt, seats = trained.settings.learning, trained.game.players
    table = Table("matches", "", "payoff", *([] if seats == 1 else ["ahead of all", "level"]))
    cuts = sorted({learnt * tenth // 10 for tenth in range(11)} | {trained.settings.matches})
    for first, last in pairwise(cuts):
        part = trained.curve.between(first, last)
        row = [f"{first + 1:,} to {last:,}", "learning" if last <= learnt else "playing", f"{part.payoff:.3f}"]
        table.add_row(*row, *([] if seats == 1 else [f"{part.ahead:.1%}", f"{part.level:.1%}"]))
    console = screen.out()
    console.print(Fitting(table))
    sizes = sum(trained.learner.size(seat) for seat in range(seats))
    console.print(f"{seconds:.0f} s, {sizes:,} values; play with q:{out} or qm:{out}")
