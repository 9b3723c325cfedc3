"""kibitz gdl: rulesheets in the Game Description Language."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import App
from rich.table import Table

import kibitz
from kibitz import gdl
from kibitz._core import Game
from kibitz.cli.common import inputs
from kibitz.terminal import replay, screen

app = App(
    name="gdl",
    help="Check a rulesheet, look at the game it describes, or at a match that was played.",
    help_epilogue="""Examples:
    kibitz gdl check mygame.kif
    kibitz gdl show connect_four
    kibitz gdl show matches/RECORD.json --auto 1
    kibitz play gdl --file connect_four --agents uct:ms=500
""",
)


@app.command
def check(file: str, /, *, option: inputs.GameOptions = None) -> int:
    """Print everything that is wrong with a rulesheet, or strange, and how it would be played.

    Parameters
    ----------
    file
        A rulesheet, or the name of one of ours.
    """
    path = gdl.find(file)
    text = _read(path)
    findings = gdl.check(text, strict=inputs.read_options(option or []).get("strict") is not False)
    for finding in findings:
        print(f"{path}:{finding}")
    errors = sum(finding.error for finding in findings)
    if errors:
        mended = not any(finding.error for finding in gdl.check(text, strict=False))
        how = "it is played with -o strict=false only" if mended else "it cannot be played"
        print(f"{errors} error{'s' * (errors != 1)}: {how}")
        return 1
    game = _make(path, option)
    if (state := game.deal()).over:
        turns = game.position(state)["turn"]
        why = (
            f"nobody ever has a choice; it is over after {turns:,} turns"
            if turns
            else "the game is over before it begins: it is terminal, or somebody has no legal move"
        )
        print(f"{path}: warning: {why}")
    print(f"ok: {_engine(game.about)}")
    return 0


@app.command
def show(
    file: str,
    /,
    *,
    option: inputs.GameOptions = None,
    seed: inputs.Seed = 0,
    auto: float | None = None,
    turn: Annotated[int | None, inputs.whole(0, 10**6)] = None,
) -> None:
    """Tell all about a rulesheet, and draw its first position; or replay the record of a match.

    A record is shown step by step on a terminal, and all at once elsewhere.

    Parameters
    ----------
    file
        A rulesheet, or the name of one of ours; or a record (.json) that kibitz ggp manager has written.
    seed
        Of what the role random does before anybody has a choice.
    auto
        Of a record: show the next turn after so many seconds, without being asked.
    turn
        Of a record: show the position after so many turns, and nothing else.
    """
    if file.lower().endswith(".json"):
        replay.replay(Path(file), auto, turn)
        return
    if auto is not None or turn is not None:
        raise ValueError("--auto and --turn are for records of matches (.json)")
    game = _make(gdl.find(file), option)
    about = game.about
    facts = Table.grid(padding=(0, 2))
    facts.add_row("roles", ", ".join(about["roles"]))
    same_time = "moves that are made at the same time, or chance" if game.hidden else "nothing"
    facts.add_row("hidden", "all but percepts ('sees')" if about["hidden"] else same_time)
    facts.add_row("moves", f"{game.num_actions:,}: {_some(game)}" if "moves" in about else "numbered as they are met")
    facts.add_row("engine", _engine(about))
    console = screen.out()
    console.print(facts)
    print(game.deal(seed=seed))


def _make(path: Path, option: list[str] | None) -> Any:
    return kibitz.make("gdl", file=str(path), **inputs.read_options(option or []))


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


def _some(game: Game, most: int = 8) -> str:
    texts = [game.text(action) for action in range(min(game.num_actions, most))]
    return " ".join(texts) + (" ..." if game.num_actions > most else "")


def _engine(about: dict[str, Any]) -> str:
    """One line: who reasons about the rulesheet, why, and with what effort."""
    if about["engine"] == "prover":
        return f"prover, {about['why']}; {about['rules']:,} rules"
    return (
        f"propnet, {about['fluents']:,} fluents, {about['moves']:,} moves, {about['gates']:,} gates, "
        f"{about['edges']:,} edges, made in {about['seconds'] * 1000:.1f} ms"
    )
