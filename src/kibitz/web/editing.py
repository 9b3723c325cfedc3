"""The position editor's half on the server: whether a position can be, who may do what there, and what a move leads to.

The page has no rules: it sends what somebody has set up, and draws what comes back. Nothing of a table is looked at.
"""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import Field, StringConstraints, model_validator

from kibitz._core import Game, State, View
from kibitz.web import wire
from kibitz.web.api import REFUSALS, TheHouse
from kibitz.web.asking import Given, checked, given, spend
from kibitz.web.catalogue import Catalogue, UnknownError, Value
from kibitz.web.choices import choices
from kibitz.web.positions import position
from kibitz.web.wire import Code

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["for programs"])
IMAGINED = 200  # worlds in which the moves of another seat are looked for
TRIES = 4_000  # worlds until a move of another seat is possible in none
MINI_DECK = "333344445555666" + "6BR"


class NewGame(wire._Message):
    """A game of the table, to be dealt."""

    game: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    players: Annotated[int, Field(ge=1, le=10)] | None = None
    options: Annotated[dict[str, bool | int | str], Field(max_length=16, default_factory=dict)]


class AskPosition(wire._Message):
    """A position of a state or of a view, or a new deal, of which the seat to act sees its own cards. `play`: the text
    of a move that is made first; of another seat, one that is possible in some world."""

    position: dict[str, Any] | None = None
    new: NewGame | None = None
    play: Annotated[str, StringConstraints(max_length=200)] | None = None

    @model_validator(mode="after")
    def _one(self) -> AskPosition:
        if (self.position is None) == (self.new is None):
            raise ValueError("give either position or new")
        return self


class Fault(wire._Message):
    """What cannot be. `place`: the member of the position, with its index where it has several (`hands.0`), empty where
    it is the whole. `code` and `params` for a page, `detail` in words."""

    place: str
    code: str
    params: dict[str, str]
    detail: str


class Described(wire._Message):
    """A position that can be, or the fault. `position` is complete; `whole`: it leaves nothing unknown. `shown` is what
    `seat` sees of it. `choices`: of the seat to act, empty when the game is over; where its hand is unknown, what is
    possible in some worlds. `deck`: how many there are of each card, empty for boards."""

    game: str
    position: dict[str, Any] | None = None
    shown: dict[str, Any] | None = None
    whole: bool = False
    seat: int = 0
    to_act: int | None = None
    players: int = 2
    teams: list[int] = Field(default_factory=list)
    text: str = ""
    choices: list[wire.Choice] = Field(default_factory=list)
    move: wire.Move | None = None
    deck: dict[str, int] = Field(default_factory=dict)
    fault: Fault | None = None


@router.post("/position")
async def describe(house: TheHouse, request: Request, asked: AskPosition) -> Described:
    """Reads a position, or deals one; says what is impossible about it, or what can be done in it."""
    spend(request, 0.5)
    catalogue = house.means.catalogue
    try:
        return await checked(lambda: _described(catalogue, asked))
    except UnknownError as problem:
        if problem.code != Code.BAD_POSITION or asked.position is None:
            raise
        name = str(asked.position.get("game", ""))
        return Described(game=name, fault=fault(problem.detail or ""))


def _described(catalogue: Catalogue, asked: AskPosition) -> Described:
    if asked.new is not None:
        found = _dealt(catalogue, asked.new)
    else:
        assert asked.position is not None
        found = given(catalogue, asked.position)
    at, move = found.at, None
    if asked.play is not None:
        at, move = _played(at, asked.play)
    shown = at if isinstance(at, View) else at.view(max(0, at.to_act))
    game = at.game
    return Described(
        game=found.name,
        position=position(at),
        shown=position(shown),
        whole=isinstance(at, State),
        seat=shown.seat,
        to_act=at.to_act if at.to_act >= 0 else None,
        players=game.players,
        teams=list(game.teams),
        text=str(shown),
        choices=_choices(at, shown),
        move=move,
        deck=deck(game),
    )


def _dealt(catalogue: Catalogue, wanted: NewGame) -> Given:
    """What the first player sees of a new deal."""
    options: Mapping[str, Value] = catalogue.options(wanted.game, wanted.players, wanted.options, None)
    state = catalogue.game(wanted.game, options).deal(secrets.randbits(64))
    return Given(wanted.game, state.view(state.to_act))


def _choices(at: State | View, shown: View) -> list[wire.Choice]:
    if at.to_act < 0:
        return []
    if shown.seat == at.to_act:
        return choices(shown)
    game = at.game
    return [wire.Choice(action=action, text=game.text(action)) for action in possible(shown)]


def possible(view: View) -> list[int]:
    """What the seat to act, whose hand is unknown, can do in some of the worlds."""
    found: set[int] = set()
    for seed in range(IMAGINED):
        found.update(view.sample(seed).legal())
    return sorted(found)


def _played(at: State | View, text: str) -> tuple[State | View, wire.Move]:
    """What the same seat, or everybody, sees after a move. ValueError if nobody can have made it."""
    if at.to_act < 0:
        raise ValueError("the game is over: there is nothing to play")
    seat, game = at.to_act, at.game
    action = game.parse(text)
    world = at.copy() if isinstance(at, State) else _world(at, action, text)
    if action not in world.legal():
        raise ValueError(f"{text} cannot be played now by seat {seat}")
    world.apply(action)
    move = wire.Move(seat=seat, action=action, text=text)
    return (world if isinstance(at, State) else world.view(at.seat)), move


def _world(view: View, action: int, text: str) -> State:
    """One in which the action is legal."""
    for seed in range(TRIES):
        world = view.sample(seed)
        if action in world.legal() or view.seat == view.to_act:
            return world
    raise ValueError(f"{text} cannot be played now by seat {view.to_act}")


def deck(game: Game) -> dict[str, int]:
    """How many there are of each card."""
    if game.name == "mini_doudizhu":
        return dict(Counter(MINI_DECK))
    made = position(game.deal(0)) or {}
    if "hands" not in made:
        return {}
    turned = [made["turned"]] if "turned" in made else []  # in nobody's hand yet
    zones = [*made["hands"], turned, *(made.get(zone, []) for zone in ("pile", "talon", "discards"))]
    return dict(sorted(Counter(card for zone in zones for card in zone).items()))


# ---------------------------------------------------------------------------------------------- faults


@dataclass(frozen=True)
class _Fault:
    """How the core says it; groups of the pattern are parameters, and `where` makes the place of them."""

    code: str
    pattern: str
    where: Callable[[dict[str, str]], str] = lambda found: ""


def _zone(found: dict[str, str]) -> str:
    """ "the hand of seat 2" as "hands.2"."""
    seat = re.search(r"seat (\d+)", found.get("zone", ""))
    return f"hands.{seat[1]}" if seat else found.get("zone", "").split(" ")[0]


_FAULTS = (
    _Fault("too_many", r"too many (?P<card>\S+): the deck has (?P<n>\d+), one more is in (?P<zone>.+)", _zone),
    _Fault("twice", r"(?P<card>\S+) in (?P<zone>the hand of seat \d+) is elsewhere already", _zone),
    _Fault("no_cards", r"(?P<zone>seat \d+) has 0 cards", _zone),
    _Fault("no_pile", r"hands, discards and pile must be (?P<n>\d+) cards", lambda _: "hands"),
    _Fault("count", r"(?P<zone>the hand of seat \d+) must have (?P<n>\d+) cards, not (?P<have>\d+)", _zone),
    _Fault("talon", r"the landlord must have had the cards of the talon", lambda _: "talon"),
    _Fault("no_world", r"no world fits"),
    _Fault("stones", r"the board has (?P<x>\d+) x and (?P<o>\d+) o", lambda _: "board"),
    _Fault("hangs", r"a stone in column (?P<n>\d+) of the board hangs", lambda _: "board"),
    _Fault("target", r"target '(?P<card>[^']+)' needs its colour", lambda _: "target"),
    _Fault("illegal", r"(?P<move>.+) cannot be played now by seat \d+", lambda _: "moves"),
)


def fault(detail: str) -> Fault:
    """What the core's sentence says, in parts; `other` where only the sentence does."""
    for known in _FAULTS:
        if found := re.match(known.pattern, detail):
            params = {name: text for name, text in found.groupdict().items() if name != "zone"}
            return Fault(place=known.where(found.groupdict()), code=known.code, params=params, detail=detail)
    return Fault(place="", code="other", params={}, detail=detail)
