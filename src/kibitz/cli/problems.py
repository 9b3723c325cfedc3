"""kibitz problems: positions in which one move is clearly best, to solve or to find."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App

from kibitz import problems as gallery
from kibitz.cli.common import inputs
from kibitz.problems import Problems
from kibitz.terminal import problems as asking
from kibitz.terminal import screen
from kibitz.terminal.progress import Progress

WITH_BIDDING = ("belote", "doudizhu")  # as people play them, unless they say otherwise

app = App(
    name="problems",
    help_epilogue="""Examples:
    kibitz problems
    kibitz problems belote
    kibitz problems uno --number 3
    kibitz problems mine.json
    kibitz problems hex --find 10 --seed 1 -o size=5 --out mine.json

A move counts as the solution only if it is better than all others beyond the error of two judgements, and some level
misses it. docs/advice.md says how problems are found.
""",
)


@app.default
def problems(
    game: str | None = None,
    /,
    *,
    number: Annotated[int | None, inputs.whole(1, 10**6)] = None,
    find: Annotated[int | None, inputs.whole(1, 1000)] = None,
    seed: inputs.Seed = 0,
    out: Path | None = None,
    players: inputs.Players = None,
    rules: inputs.Rules = None,
    option: inputs.GameOptions = None,
) -> None:
    """Solve problems of a game at the terminal, or find new ones in games between levels.

    Parameters
    ----------
    game
        A game, or a file of problems to solve; without one, the games are listed.
    number
        Begin with this problem, from 1.
    find
        Find so many, and write them to --out.
    seed
        Of the games that are played to find them.
    out
        Where found problems are written.
    players
        Number of players of the games in which problems are looked for.
    """
    if game is None:
        for name in gallery.names():
            print(f"{name}: {len(gallery.of(name).problems)} problems")
        return
    if find is not None:
        if out is None:
            raise ValueError("--find needs --out FILE, where the problems are written")
        _find(game, find, seed, out, players=players, rules=rules, option=option)
        return
    given = {"--out": out, "--players": players, "--rules": rules, "--option": option}
    if wrong := [name for name, value in given.items() if value is not None]:
        raise ValueError(f"{wrong[0]} is for --find")
    chosen = Problems.load(game) if game.endswith(".json") else gallery.of(game)
    first = number or 1
    if first > len(chosen.problems):
        raise ValueError(f"there are {len(chosen.problems)} problems of {chosen.game}, and no number {first}")
    asking.ask(chosen, screen.table(), first=first)


def _find(
    name: str,
    number: int,
    seed: int,
    out: Path,
    *,
    players: int | None,
    rules: str | None,
    option: list[str] | None,
) -> None:
    from kibitz.problems import find as finding

    bare = name in WITH_BIDDING and not any(one.startswith("bidding=") for one in option or [])
    options = [*(option or []), *(["bidding=true"] if bare else [])]
    game = inputs.make_game(name, players=players, rules=rules, option=options)
    with Progress("problems", "candidates") as progress:
        found = finding.find(game, number, seed, progress)
    parts = ["kibitz problems", name, f"--find {number} --seed {seed}"]
    parts += [f"--{key} {value}" for key, value in (("players", players), ("rules", rules)) if value is not None]
    parts += [f"-o {one}" for one in options]
    made = {"command": f"{' '.join(parts)} --out {out.name}", "seed": str(seed), "gap": finding.GAP}
    Problems(game.name, made, tuple(found)).save(out)
    print(f"{len(found)} problems of {game.name} in {out}")
