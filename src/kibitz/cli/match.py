"""kibitz match: agents against each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from cyclopts import App

import kibitz
from kibitz.arena import MatchResult
from kibitz.cli.common import errors, inputs
from kibitz.files import check_writable, write_atomically
from kibitz.record_files import check_target
from kibitz.registry import parse_spec
from kibitz.terminal import screen
from kibitz.terminal.fitting import Fitting
from kibitz.terminal.progress import Progress

Format = Literal["table", "json", "csv"]

app = App(
    name="match",
    help_epilogue="""Examples:
    kibitz match uno --agents rules,random,random --games 10000 --seed 1
    kibitz match uno --agents rules,random --rules rlcard --format json
    kibitz match uno --agents rules,random,random,random -o stacking=true --out result.csv
    kibitz match uno --agents rules,random --series 500 --games 1000
    kibitz match uno --agents rules,random --games 100 --records games.jsonl
    kibitz match uno --agents ismcts,rules --games 10000 --ray head:6379
""",
)


@app.default
def match(
    game: str,
    /,
    *,
    agents: str,
    games: inputs.Games = 1000,
    seed: inputs.Seed = 0,
    players: inputs.Players = None,
    rules: inputs.Rules = None,
    option: inputs.GameOptions = None,
    series: inputs.Points = None,
    threads: inputs.Threads = 0,
    format: Format | None = None,
    out: Path | None = None,
    records: Path | None = None,
    ray: inputs.Ray = None,
) -> int:
    """Let agents play many games; every deal is played with each rotation of the seats.

    Parameters
    ----------
    game
        The game.
    agents
        One per seat, separated by commas, as name or name:key=value,key=value.
    games
        How many games, or series, to play.
    seed
        Of all chance: the same seed gives the same result.
    players
        Number of players; as many as there are agents if left out.
    series
        Play series to this many points (500 is usual in Uno) instead of single games.
    format
        How to print the result (table, unless the file's ending says otherwise).
    out
        Write the result to this file, device or pipe, and print the table.
    records
        Write a record of every game: a line of a file that ends in .jsonl, or a file of a folder.
    """
    specs = inputs.split_agents(agents)
    _check(specs, out, records)
    made = inputs.make_game(
        game, players=players, rules=rules, option=option, seats=len(specs), points=series is not None
    )
    threads = threads if ray is None else max(1, threads)  # of each worker
    with inputs.hired(ray, threads) as hire, Progress("match", "games" if series is None else "series") as progress:
        common: Any = {"seed": seed, "threads": threads, "progress": progress, "records": records, "hire": hire}
        if series is None:
            result = kibitz.play(made, specs, games=games, **common)
        else:
            result = kibitz.series(made, specs, to=series, series=games, **common)
    _deliver(result, format, out)
    if records is not None:
        screen.note(f"records of all games are in {records}")
    return errors.INTERRUPTED if result.interrupted else 0


def _check(specs: list[str], out: Path | None, records: Path | None) -> None:
    if any(parse_spec(spec).name == "human" for spec in specs):
        raise ValueError("a match has no room for a human; play with: kibitz play")
    if out is not None:
        check_writable(out)
    if records is not None:
        check_target(records)


def _deliver(result: MatchResult, format: Format | None, out: Path | None) -> None:
    if out is None:
        _print(result, format or "table")
        return
    endings: dict[str, Format] = {".json": "json", ".csv": "csv"}
    try:
        write_atomically(out, _text(result, format or endings.get(out.suffix, "table")))
    finally:  # what was played is not lost where the file cannot be written
        _print(result, "table")
    screen.note(f"written to {out}")


def _print(result: MatchResult, format: Format) -> None:
    if format == "table":
        screen.out().print(Fitting(result.table()))
    else:
        print(_text(result, format), end="")


def _text(result: MatchResult, format: Format) -> str:
    if format == "json":
        return json.dumps(result.to_dict(), indent=2) + "\n"
    return result.to_csv() if format == "csv" else f"{result}\n"
