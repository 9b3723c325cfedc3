"""What several commands take apart in the same way: games with options, lists of agents, positions."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter, Token

import kibitz
from kibitz import positions
from kibitz._core import Game
from kibitz.protocols import facts
from kibitz.registry import parse_spec


def whole(low: int, high: int, **more: Any) -> Parameter:
    """For a whole number within bounds. Cyclopts by itself rounds fractions, and takes numbers of any size."""

    def read(kind: type[int], tokens: Sequence[Token]) -> int:
        text = tokens[0].value
        with contextlib.suppress(ValueError):
            if low <= (number := int(text)) <= high:
                return number
        raise ValueError(f"it must be a whole number from {low:,} to {high:,}, not {text[:40]}")

    return Parameter(converter=read, **more)


def number(low: float, high: float, **more: Any) -> Parameter:
    """For a number within bounds."""

    def read(kind: type[float], tokens: Sequence[Token]) -> float:
        text = tokens[0].value
        with contextlib.suppress(ValueError):
            if low <= (value := float(text)) <= high:
                return value
        raise ValueError(f"it must be a number from {low:g} to {high:g}, not {text[:40]}")

    return Parameter(converter=read, **more)


# What is within these bounds may still be refused, by the game.
Games = Annotated[int, whole(1, 10**9)]
Players = Annotated[int | None, whole(1, 1000)]
Points = Annotated[int | None, whole(1, 10**6)]
Seat = Annotated[int | None, whole(0, 999)]
Seed = Annotated[int, whole(0, 2**64 - 1)]
Threads = Annotated[int, whole(0, 1024, help="Threads; 0 means one per core (on Ray, one per worker).")]
Ray = Annotated[
    str | None,
    Parameter(
        help="Play on a Ray cluster: local, auto (the one that runs on this machine) or HOST:PORT.", name="--ray"
    ),
]

GameOptions = Annotated[
    list[str] | None,
    Parameter(name=["--option", "-o"], help="An option of the game, key=value; may be given repeatedly."),
]
Rules = Annotated[str | None, Parameter(help="Rule set of the game; short for -o rules=….")]
Flag = Annotated[bool, Parameter(show_default=False)]


@contextlib.contextmanager
def hired(ray: str | None, threads: int = 1) -> Iterator[Any]:
    """What `kibitz.play` is told of workers on Ray, with so many threads each; None without --ray."""
    if ray is None:
        yield None
        return
    from kibitz.scale import cluster, crew

    with cluster.connected(ray):
        yield crew.hire(threads=threads)


def make_game(
    name: str,
    *,
    players: int | None = None,
    rules: str | None = None,
    option: list[str] | None = None,
    file: str | None = None,
    seats: int | None = None,
    points: bool = False,
) -> Any:
    """The game with its options from the command line; ValueError says what is allowed.

    `seats`: so many players if nobody says otherwise, in games whose number of players is an option.
    `points`: scored by points if nobody says otherwise, in games that can be.
    """
    options = read_options(option or [])
    for key, value in (("players", players), ("rules", rules), ("file", file)):
        if value is None:
            continue
        if key in options:
            raise ValueError(f"{key} is given twice: --{key} and -o {key}=…")
        options[key] = value
    in_name = parse_spec(name).options
    try:
        made = kibitz.make(name, **options)
    except ValueError as problem:  # the game may be one that cannot be made without a number of players
        if seats is None or "players" in options | in_name:
            raise
        options["players"] = seats
        try:
            made = kibitz.make(name, **options)
        except ValueError:
            raise problem from None
    # Rulesheets take a while to be made: a game is made again only where it came out other than wanted.
    wanted = _wanted(made, seats, points)
    left_out = {key: wanted[key] for key in wanted.keys() - options.keys() - in_name.keys()}
    return kibitz.make(name, **options, **left_out) if left_out else made


def _wanted(game: Game, seats: int | None, points: bool) -> dict[str, Any]:
    """Options that the game should have been made with."""
    of = facts(game)
    options = of.options or {"players": game.players}
    scoring = of.point_scoring if points else ""
    wanted: dict[str, Any] = {"players": seats} if "players" in options and seats not in (None, game.players) else {}
    if scoring and options.get("scoring") != scoring:
        wanted["scoring"] = scoring
    return wanted


def read_options(items: Sequence[str]) -> dict[str, Any]:
    """["stacking=true", "players=4"] as a dict of values."""
    options: dict[str, Any] = {}
    for item in items:
        # The same values as in spec strings, so read by the same reader.
        spec = parse_spec(f"options:{item}")
        if spec.source is not None:
            raise ValueError(f"bad option {item!r}: write key=value")
        for key, value in spec.options.items():
            if key in options:
                raise ValueError(f"option {key!r} is given twice")
            options[key] = value
    return options


def split_agents(text: str) -> list[str]:
    """Spec strings in a comma-separated list. A part like `key=value` belongs to the spec before it."""
    specs: list[str] = []
    for part in text.split(","):
        before, equals, _ = part.partition("=")
        if equals and ":" not in before and specs:
            specs[-1] += "," + part
        elif part.strip():
            specs.append(part.strip())
        else:
            raise ValueError(f"bad list of agents {text!r}: an entry is empty; write them as in rules,random,random")
    return specs


def cores(threads: int) -> int:
    return threads or os.cpu_count() or 1


def check_seed(seed: int) -> int:
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed must be within 0..2^64-1, not {seed}")
    return seed


def read_position(source: str) -> tuple[Any, Any]:
    """The game and the state, or the view if cards are left unknown, of a file (- is standard input)."""
    raw = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    where = "standard input" if source == "-" else source
    try:
        data = json.loads(raw)
    except RecursionError:
        raise ValueError(f"{where}: nested too deeply for a position") from None
    except ValueError as problem:
        raise ValueError(f"{where} is not JSON: {problem}") from None
    try:
        return positions.read(data)
    except ValueError as problem:
        raise ValueError(f"{where}: {problem}") from None
