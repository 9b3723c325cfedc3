"""kibitz bench: does play stay the same, and how fast is it."""

from __future__ import annotations

import time
import zlib
from dataclasses import dataclass

import numpy as np
from cyclopts import App
from rich.table import Table

import kibitz
from kibitz._core import Game
from kibitz.cli.common import inputs
from kibitz.terminal import screen

FIXED_GAMES = 10_000
FIXED_SEED = 1

app = App(
    name="bench",
    help_epilogue="""Examples:
    kibitz bench
    kibitz bench uno --rules rlcard --players 3 --seconds 5
""",
)


@app.default
def bench(
    game: str | None = None,
    /,
    *,
    seconds: float = 2.0,
    threads: inputs.Threads = 0,
    players: inputs.Players = None,
    rules: inputs.Rules = None,
    option: inputs.GameOptions = None,
) -> None:
    """Measure random play inside the core, and print a number that must not change unless the rules do.

    Parameters
    ----------
    game
        The game; all games with a native core if left out.
    seconds
        How long each speed is measured.
    players
        Number of players.
    """
    if not 0 < seconds <= 3600:
        raise ValueError(f"seconds must be above 0 and at most 3600, not {seconds:g}")
    most = inputs.cores(threads)
    if game is None:
        if players is not None or rules is not None or option:
            raise ValueError("options of a game need the game's name: kibitz bench GAME …")
        chosen = [made for made in map(kibitz.make, kibitz.games()) if isinstance(made, Game)]
    else:
        chosen = [inputs.make_game(game, players=players, rules=rules, option=option)]
    table = Table("game", "players", "fixed decisions", "fixed checksum", "threads", "games/s", "decisions/s")
    for made in chosen:
        decisions, checksum = fingerprint(made)
        for used in sorted({1, most}):
            speed = measure(made, seconds, used)
            speeds = (f"{speed.games:,.0f}", f"{speed.decisions:,.0f}")
            table.add_row(made.name, str(made.players), f"{decisions:,}", checksum, str(used), *speeds)
    console = screen.out()
    console.print(table)
    console.print(f"Fixed: {FIXED_GAMES:,} random games from seed {FIXED_SEED}; they change only if play does.")


def fingerprint(game: Game) -> tuple[int, str]:
    """Total decisions of the fixed games, and a checksum of all lengths and payoffs."""
    if not isinstance(game, Game):
        raise ValueError(f"game {game.name!r} has no native playouts to measure")
    played = game.playouts(FIXED_GAMES, seed=FIXED_SEED, threads=1)
    data = np.asarray(played.lengths, "<u4").tobytes() + np.asarray(played.payoffs, "<f4").tobytes()
    return int(np.sum(played.lengths)), f"{zlib.crc32(data):08x}"


@dataclass(frozen=True)
class Speed:
    games: float  # per second
    decisions: float


def measure(game: Game, seconds: float, threads: int) -> Speed:
    """Speed over about that many seconds, in batches that are long enough for the clock and short for Ctrl-C."""
    games = decisions = 0
    batch = 256 * threads
    start, passed = time.perf_counter(), 0.0
    while passed < seconds:
        played = game.playouts(batch, seed=games, threads=threads)
        games += batch
        decisions += int(played.decisions)
        before, passed = passed, time.perf_counter() - start
        if passed - before < seconds / 20:
            batch *= 2
    return Speed(games / passed, decisions / passed)
