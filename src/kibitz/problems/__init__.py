"""Problems: positions from self-play in which one move is clearly best beyond its error, and some level misses it.

A file of them (docs/formats.md) is made by `kibitz problems GAME --find N`; one for each game comes with the package.
A problem holds what the seat to act may know and nothing else, so that it can be shown to anybody.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from kibitz import positions, registry, shape
from kibitz._core import View
from kibitz.files import write_atomically
from kibitz.shape import Member, members

FORMAT = "kibitz problems"
VERSION = 1
HARDEST = 3
DATA = files("kibitz.problems") / "data"


@dataclass(frozen=True)
class Move:
    """A legal action and what it is worth to the seat: figures as in `kibitz.advice.report.Opinion`."""

    text: str
    value: float | None
    error: float | None  # standard error; 0 where the value is exact
    worth: str
    win: float | None
    win_error: float | None
    loss: float
    loss_error: float | None
    cost: str


@dataclass(frozen=True)
class Problem:
    """A position and its solution.

    `position` is that of the view of the seat to act; `history` what it has seen happen, as (seat, text). `moves`: the
    best one first, and only it is right. `found`: of each level, the share of its answers that were right."""

    position: Mapping[str, Any]
    history: tuple[tuple[int, str], ...]
    moves: tuple[Move, ...]
    reason: str
    difficulty: int  # how many levels miss it, 1 to 3
    found: Mapping[str, float]
    exact: bool  # the second judgement: solved, or enumerated; else by play-outs with another seed
    again: Mapping[str, float | None]  # the second judgement of the second best move: loss, error
    deal: str  # the seed that the position came from
    move: int  # and after how many moves

    @property
    def best(self) -> str:
        return self.moves[0].text

    def view(self) -> View:
        found = positions.read(dict(self.position))[1]
        if not isinstance(found, View) or found.seat != found.to_act:
            raise ValueError("the position of a problem is the view of the seat to act")
        return found


@dataclass(frozen=True)
class Problems:
    """A file of problems of one game. `made`: command, seed, and what was asked of the problems."""

    game: str
    made: Mapping[str, Any]
    problems: tuple[Problem, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        listed = [_plain(problem) for problem in self.problems]
        return {"format": FORMAT, "version": VERSION, "game": self.game, "made": dict(self.made), "problems": listed}

    def save(self, path: Path | str) -> None:
        """Whole or not at all; a problem in each line, so that changes can be read."""
        head = self.to_json()
        lines = ",\n".join(json.dumps(problem, ensure_ascii=False) for problem in head.pop("problems"))
        opening = json.dumps(head, ensure_ascii=False)[:-1]
        write_atomically(Path(path), f'{opening}, "problems": [\n{lines}\n]}}\n')

    @classmethod
    def from_json(cls, data: Any) -> Problems:
        """ValueError says what is wrong. Positions are read, and every move is a legal one."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ValueError(f'not a file of problems: "format" is not "{FORMAT}"')
        if data.get("version") != VERSION:
            raise ValueError(f"problems of version {data.get('version')!r}; this program reads version {VERSION}")
        known = members(data, "the file", _FILE)
        listed = [
            _read(problem, f"problem {at}", known["game"]) for at, problem in enumerate(known["problems"], start=1)
        ]
        return cls(known["game"], known["made"], tuple(listed))

    @classmethod
    def load(cls, path: Path | str) -> Problems:
        try:
            return cls.from_json(shape.load(Path(path).read_bytes()))
        except ValueError as problem:
            raise ValueError(f"{path}: {problem}") from None


def names() -> list[str]:
    """The games that problems come with."""
    return sorted(entry.name.removesuffix(".json") for entry in DATA.iterdir() if entry.name.endswith(".json"))


@cache
def of(game: str) -> Problems:
    """The problems of a game that come with the package. ValueError names the games that have some."""
    if game not in names():
        raise ValueError(f"there are no problems of {game!r}; there are some of {', '.join(names())}")
    return Problems.from_json(shape.load((DATA / f"{game}.json").read_bytes()))


# ---------------------------------------------------------------------------------------------- reading


def _plain(problem: Problem) -> dict[str, Any]:
    made = asdict(problem)
    return made | {"history": [list(one) for one in problem.history], "moves": list(made["moves"])}


def _read(data: Any, what: str, game: str) -> Problem:
    known = members(data, what, _PROBLEM)
    moves = tuple(Move(**members(move, f"a move of {what}", _MOVE)) for move in known["moves"])
    history = tuple((int(seat), str(text)) for seat, text in known["history"])
    problem = Problem(**known | {"moves": moves, "history": history})
    try:
        view = problem.view()
    except ValueError as wrong:
        raise ValueError(f"{what}: {wrong}") from None
    if view.game.name != game:
        raise ValueError(f"{what} is of {view.game.name}, not of {game}")
    legal = sorted(view.game.text(action) for action in view.legal())
    if sorted(move.text for move in moves) != legal:
        raise ValueError(f"the moves of {what} are not the legal ones: {', '.join(legal)}")
    if len(moves) < 2 or any(move.loss <= 0 for move in moves[1:]):
        raise ValueError(f"{what} has no move that is better than all others")
    return problem


def _step(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and type(value[0]) is int and isinstance(value[1], str)


_FIGURE = Member("a number or null", lambda value: value is None or shape.NUMBER.holds(value))
_FILE = {
    "format": shape.TEXT,
    "version": shape.COUNT,
    "game": Member("the name of a game", lambda value: isinstance(value, str) and registry.is_name(value)),
    "made": shape.OBJECT,
    "problems": shape.OBJECTS,
}
_PROBLEM = {
    "position": shape.OBJECT,
    "history": Member("a list of [seat, text]", lambda value: isinstance(value, list) and all(map(_step, value))),
    "moves": shape.OBJECTS,
    "reason": shape.TEXT,
    "difficulty": Member(f"1 to {HARDEST}", lambda value: type(value) is int and 1 <= value <= HARDEST),
    "found": shape.OBJECT,
    "exact": shape.FLAG,
    "again": shape.OBJECT,
    "deal": shape.SEED,
    "move": shape.COUNT,
}
_MOVE = {
    "text": shape.TEXT,
    "value": _FIGURE,
    "error": _FIGURE,
    "worth": shape.TEXT,
    "win": _FIGURE,
    "win_error": _FIGURE,
    "loss": shape.NUMBER,
    "loss_error": _FIGURE,
    "cost": shape.TEXT,
}
