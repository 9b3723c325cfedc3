"""Problems for the page: those that come with the package, with their solutions. Nothing of a table is looked at."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Path

from kibitz import advice, problems
from kibitz._core import Game
from kibitz.advice.units import parts, unit_of
from kibitz.registry import parse_spec
from kibitz.web import wire
from kibitz.web.api import REFUSALS
from kibitz.web.catalogue import OFFERS, UnknownError
from kibitz.web.choices import choices
from kibitz.web.wire import Code

router = APIRouter(prefix="/api/problems", responses=REFUSALS)


class ProblemMove(wire._Message):
    """As in `Opinion`."""

    text: str
    value: float | None
    error: float | None
    worth: str
    win: float | None
    win_error: float | None
    loss: float
    loss_error: float | None
    cost: str


class PositionProblem(wire._Message):
    """A position as the seat to act sees it, and what is to be found: the first of `moves`, and no other. `found`: by
    level, the share of its answers that were right. `exact`: the second judgement was."""

    id: str
    position: dict[str, Any]
    seat: int
    players: int
    teams: list[int]
    text: str
    history: list[wire.Move]
    choices: list[wire.Choice]
    moves: list[ProblemMove]
    reason: str
    unit: wire.Unit
    difficulty: int
    found: dict[str, float]
    exact: bool


class GameProblems(wire._Message):
    game: str
    problems: list[PositionProblem]


class Spine(wire._Message):
    """What can be said of a problem before it is solved: `difficulty` is 1 to 3."""

    id: str
    difficulty: int


class Shelf(wire._Message):
    """The problems of a game, easy ones first."""

    game: str
    problems: list[Spine]


class Gallery(wire._Message):
    games: list[Shelf]


@router.get("")
async def gallery() -> Gallery:
    """Which problems there are."""
    known = [name for name in OFFERS if name in problems.names()]
    return Gallery(games=[_shelf(name) for name in known])


@router.get("/{game}")
async def of_game(game: Annotated[str, Path(max_length=80)]) -> GameProblems:
    """All problems of a game."""
    if game not in problems.names():
        raise UnknownError(Code.NO_GAME)
    return _shown(game)


def _shelf(game: str) -> Shelf:
    listed = _shown(game).problems
    return Shelf(game=game, problems=[Spine(id=one.id, difficulty=one.difficulty) for one in listed])


@cache
def _shown(game: str) -> GameProblems:
    return GameProblems(game=game, problems=[_problem(one) for one in problems.of(game).problems])


def _difference(game: Game) -> bool:
    """Whether the adviser, who judged, counts how many more points the own side gets."""
    return parse_spec(advice.choice(game).variant.adviser).options.get("goal") == "difference"


def _problem(problem: problems.Problem) -> PositionProblem:
    view = problem.view()
    game = view.game
    history = [{"seat": seat, "action": game.parse(text), "text": text} for seat, text in problem.history]
    return PositionProblem.model_validate(
        {
            "id": hashlib.sha256(json.dumps(problem.position, sort_keys=True).encode()).hexdigest()[:12],
            "position": dict(problem.position),
            "seat": view.seat,
            "players": game.players,
            "teams": list(game.teams),
            "text": str(view),
            "history": history,
            "choices": choices(view),
            "moves": [vars(move) for move in problem.moves],
            "reason": problem.reason,
            "unit": parts(unit_of(game, view, difference=_difference(game))),
            "difficulty": problem.difficulty,
            "found": dict(problem.found),
            "exact": problem.exact,
        }
    )
