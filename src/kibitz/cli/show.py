"""kibitz show: print or check a position."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

import kibitz
from kibitz import protocols
from kibitz._core import Game
from kibitz.cli.common import inputs

app = App(
    name="show",
    help_epilogue="""Examples:
    kibitz show position.json
    kibitz show --check position.json
    kibitz show uno --seed 7 --moves draw,keep --json > position.json
    kibitz show - < position.json
""",
)


@app.default
def show(
    what: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    check: inputs.Flag = False,
    seat: inputs.Seat = None,
    seed: inputs.Seed | None = None,
    moves: str | None = None,
    json_: Annotated[bool, Parameter(name="--json", show_default=False)] = False,
    players: inputs.Players = None,
    rules: inputs.Rules = None,
    option: inputs.GameOptions = None,
) -> None:
    """Print a position from a file, or deal one and print it.

    Parameters
    ----------
    what
        A file with a position (JSON), - for standard input, or a game to deal.
    check
        Only say whether the position is sound.
    seat
        Show what this seat may know, instead of everything.
    seed
        Of the deal (default 0).
    moves
        Actions to play after the deal, separated by commas.
    json_
        Print the position as JSON.
    players
        Number of players of the deal.
    """
    if what.startswith("--"):  # the leading hyphen is for standard input only
        raise ValueError(f"unknown option {what}; kibitz show --help lists those there are")
    if _is_file(what):
        dealing = {"--seed": seed, "--players": players, "--rules": rules, "--option": option}
        given = [name for name, value in dealing.items() if value is not None]
        if given:
            raise ValueError(f"{given[0]} is for dealing a game; {what} already holds a position")
        game, shown = inputs.read_position(what)
    else:
        game = inputs.make_game(what, players=players, rules=rules, option=option)
        shown = game.deal(seed=seed or 0)
    if moves is not None:
        _play(game, shown, moves)
    if seat is not None:
        shown = _seen_by(game, shown, seat)
    if check:
        print(f"ok: {game.name}, {game.players} players, {_whose_turn(shown.to_act)}")
    elif json_:
        print(json.dumps(game.position(shown), indent=2))
    else:
        print(shown)


def _is_file(what: str) -> bool:
    """Games have no dots or slashes in their names; everything that looks like a file is one."""
    return what == "-" or what.endswith(".json") or (what not in kibitz.games() and Path(what).exists())


def _play(game: Game, state: Any, moves: str) -> None:
    if not isinstance(state, protocols.State):
        raise ValueError("moves need a whole position; this one leaves cards unknown")
    for number, text in enumerate(filter(None, (move.strip() for move in moves.split(","))), start=1):
        action, legal = game.parse(text), state.legal()
        if action not in legal:
            allowed = ", ".join(map(game.text, legal)) or "nothing, the game is over"
            raise ValueError(f"move {number}, {text}, is not allowed then; allowed: {allowed}")
        state.apply(action)


def _seen_by(game: Game, shown: Any, seat: int) -> Any:
    if not 0 <= seat < game.players:
        raise ValueError(f"seat must be within 0..{game.players - 1}, not {seat}")
    if isinstance(shown, protocols.State):
        return shown.view(seat)
    if shown.seat != seat:
        raise ValueError(f"the position holds only what seat {shown.seat} may know")
    return shown


def _whose_turn(seat: int) -> str:
    return {kibitz.OVER: "over", kibitz.NATURE: "chance to act"}.get(seat, f"seat {seat} to act")
