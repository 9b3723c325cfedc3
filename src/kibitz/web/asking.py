"""For other programs: what is legal, what the adviser thinks, what a game was worth. Nothing of a table is looked at.

Positions, views or records in, thoughts out. A client names a level or the adviser, never a spec string: files and
budgets would be its to choose. Effort is bounded by name, the rate by address.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Request
from pydantic import Field, model_validator

from kibitz import positions
from kibitz._core import State, View
from kibitz.advice import judge
from kibitz.advice.columns import EFFORT
from kibitz.advice.thinking import Thinking
from kibitz.protocols import facts
from kibitz.record import Record
from kibitz.web import wire
from kibitz.web.api import REFUSALS, Me, TheHouse
from kibitz.web.catalogue import OFFERS, Catalogue, UnknownError
from kibitz.web.desk import Work
from kibitz.web.house import House
from kibitz.web.limits import Buckets
from kibitz.web.timing import Timing
from kibitz.web.wire import Code

T = TypeVar("T")
router = APIRouter(prefix="/api", responses=REFUSALS, tags=["for programs"])
ADVISER = "adviser"
Effort = Literal["quick", "usual", "deep"]
DEPTHS: dict[Effort, float] = {"quick": 0.25, "usual": 1.0, "deep": 8.0}  # times the agent's own budget
WORLDS: dict[Effort, int] = {"quick": EFFORT // 4, "usual": EFFORT, "deep": 4 * EFFORT}  # of a judged decision
COSTS: dict[Effort, float] = {"quick": 1.0, "usual": 2.0, "deep": 8.0}
RATE, BURST = 4.0, 60.0  # what an address may spend a second, and at once
MOST_MOVES = 2000  # of a record
TOLD = 500  # letters of a detail

UNO = {
    "game": "uno",
    "version": 1,
    "players": 2,
    "rules": "official",
    "seat": 0,
    "to_act": 0,
    "direction": 1,
    "phase": "play",
    "target": "r-5",
    "discards": ["r-5"],
    "hands": [["r-7", "g-5", "b-2"], {"count": 2}],
    "pile": {"count": 102},
}


def allowance(timing: Timing) -> Buckets:
    return Buckets(timing, RATE, BURST)


class Asked(wire._Message):
    """A position of a state or of a view (of a state, only what the seat to act may know is looked at); or a record of
    a game, after its first `moves`, or all of them."""

    position: dict[str, Any] | None = Field(default=None, examples=[UNO])
    record: dict[str, Any] | None = Field(default=None, examples=[None])
    moves: Annotated[int, Field(ge=0, le=MOST_MOVES)] | None = None

    @model_validator(mode="after")
    def _one(self) -> Asked:
        if (self.position is None) == (self.record is None):
            raise ValueError("give either position or record")
        return self


class AskThink(Asked):
    """`agent`: the game's adviser, or a level. `effort`: a quarter of its budget, the budget, or eight of them."""

    agent: wire.Level = ADVISER
    effort: Effort = "usual"


class AskReview(wire._Message):
    """`seats`: whose decisions; those of people if left out, or all if no person played."""

    record: dict[str, Any]
    seats: Annotated[list[wire.Seat], Field(max_length=10)] | None = None
    effort: Effort = "usual"


class AskPlayOn(Asked):
    """Goes on from there. `seat`: where the person sits; the seat to act, or whose view it is, if left out. `levels`:
    of the bots, by seat (the person's own is that of the bot which plays while the person is away), or one for all."""

    seat: wire.Seat | None = None
    levels: Annotated[list[wire.Level], Field(min_length=1, max_length=10)] | None = None


class Legal(wire._Message):
    """What the seat to act may do. `text` is its view in words."""

    game: str
    seat: int
    text: str
    choices: list[wire.Choice]


@router.post("/legal")
async def legal(house: TheHouse, request: Request, asked: Asked) -> Legal:
    """The legal actions of a position, with their texts."""
    spend(request, 0.5)
    view = await checked(lambda: _view(house.means.catalogue, asked))
    game = view.game
    choices = [wire.Choice(action=action, text=game.text(action)) for action in view.legal()]
    return Legal(game=game.name, seat=view.seat, text=str(view), choices=choices)


@router.post("/think")
async def think(house: TheHouse, request: Request, asked: AskThink) -> wire.Report:
    """What the adviser, or a level, thinks of the decision of the seat to act, from what that seat may know."""
    spend(request, COSTS[asked.effort])
    view = await checked(lambda: _view(house.means.catalogue, asked))
    spec = None if asked.agent == ADVISER else house.means.catalogue.spec(view.game.name, view.game, asked.agent)
    report = await worked(house, Thinking(view, spec, deepest=DEPTHS[asked.effort]))
    return wire.Report.model_validate(asdict(report))


@router.post("/review")
async def review(house: TheHouse, request: Request, asked: AskReview) -> dict[str, Any]:
    """A game that was played, every decision in two columns: over the worlds that the seat could imagine, and in the
    cards as they lay (docs/advice.md)."""
    spend(request, 5 * COSTS[asked.effort])
    reviewing = await checked(lambda: Reviewing(_record(asked.record), asked.seats, WORLDS[asked.effort]))
    halves = [Judging(reviewing) for _ in range(house.means.bots.threads)]
    try:
        await asyncio.gather(*(worked(house, half) for half in halves))
    finally:
        for half in halves:
            half.stop()
    return reviewing.review().to_json()


@router.post("/play-on")
async def play_on(house: TheHouse, who: Me, asked: AskPlayOn) -> wire.TableInfo:
    """A table of the person that begins with a position, against bots. Never rated, and listed nowhere. What a view
    leaves unknown is dealt at random; later deals are dealt as usual."""
    found = await checked(lambda: _asked(house.means.catalogue, asked))
    start, players = found.at, found.at.game.players
    if start.to_act < 0:
        raise UnknownError(Code.BAD_POSITION, "the game is over: there is nothing to play")
    seat = asked.seat if asked.seat is not None else start.seat if isinstance(start, View) else start.to_act
    levels = asked.levels or [house.means.catalogue.info(found.name).level]
    if not 0 <= seat < players or len(levels) not in (1, players):
        raise UnknownError(Code.BAD_OPTIONS, f"seats are 0..{players - 1}; levels are one, or one for each seat")
    levels = levels * players if len(levels) == 1 else levels
    seats = [wire.NewSeat(who="me" if at == seat else "bot", level=level) for at, level in enumerate(levels)]
    return (await house.play_on(who.id, found.name, start, seats)).show.info()


class Reviewing:
    """A review under way: what is to be judged, and what has been."""

    def __init__(self, record: Record, seats: list[int] | None, effort: int) -> None:
        game = record.make()
        people = [at for at, seat in enumerate(record.seats) if seat.person]
        self.seats = tuple(sorted(set(seats or people or range(game.players))))
        if self.seats[-1] >= game.players:
            raise ValueError(f"seats must be within 0..{game.players - 1}, not {self.seats[-1]}")
        self.record, self.effort = record, effort
        jobs, self._forced = judge.to_judge(record, self.seats)
        self.jobs, self.done, self.total = deque(jobs), list[judge.Judged](), len(jobs)

    def review(self) -> judge.Review:
        done = tuple(sorted(self.done, key=lambda judged: judged.move))
        return judge.Review(self.record, done, self.seats, self._forced, self.effort, 0)


class Judging:
    """Works on a review in pieces, a decision each; several can, for decisions do not depend on each other."""

    def __init__(self, reviewing: Reviewing) -> None:
        self._of = reviewing
        self.finished = False

    def piece(self) -> None:
        try:
            move, state, action = self._of.jobs.popleft()
        except IndexError:
            self.finished = True
            return
        record = self._of.record
        names, over = [seat.name for seat in record.seats], record.payoffs is not None
        self._of.done.append(
            judge.decision(record.make(), state, action, effort=self._of.effort, move=move, over=over, names=names)
        )

    def stop(self) -> None:
        self.finished = True


# ---- what is sent is checked


@dataclass(frozen=True)
class Given:
    """A state or a view, and what the table calls its game."""

    name: str
    at: State | View


def given(catalogue: Catalogue, data: dict[str, Any]) -> Given:
    """What a position describes. A rulesheet is one of the server's own, by its name."""
    name = data.get("game")
    if name == "gdl":
        name = f"gdl:{data.get('file')}"
        if name not in catalogue.names():
            raise UnknownError(Code.NO_GAME, "this server does not have that rulesheet")
        game = catalogue.game(name, {})
        found = game.from_position(data | {"file": facts(game).options["file"]})
    else:
        _offered(name)
        found = positions.read(data)[1]
    assert isinstance(found, State | View)
    return Given(str(name), found)


def _asked(catalogue: Catalogue, asked: Asked) -> Given:
    """What a position or a record describes."""
    if asked.position is not None:
        return given(catalogue, asked.position)
    record = _record(asked.record or {})
    return Given(record.game, _after(record, asked.moves))


def _view(catalogue: Catalogue, asked: Asked) -> View:
    """Of the seat to act."""
    at = _asked(catalogue, asked).at
    if at.to_act < 0:
        raise ValueError("the game is over: there is nothing to decide")
    if isinstance(at, State):
        return at.view(at.to_act)
    if at.seat != at.to_act:
        raise ValueError(f"seat {at.to_act} is to act, but the position holds only what seat {at.seat} may know")
    return at


def _after(record: Record, moves: int | None) -> State:
    states = list(record.states())
    if moves is not None and moves >= len(states):
        raise ValueError(f"the record has {len(states) - 1} moves, not {moves}")
    state = states[-1 if moves is None else moves]
    assert isinstance(state, State)
    return state


def _record(data: dict[str, Any]) -> Record:
    _offered(data.get("game"))
    record = Record.from_json(data)
    if len(record.actions) > MOST_MOVES:
        raise ValueError(f"a record may have {MOST_MOVES:,} moves here, not {len(record.actions):,}")
    record.check()
    return record


def _offered(name: object) -> None:
    """Games of the core by their plain names: a spec could name a file."""
    if not isinstance(name, str) or name not in OFFERS:
        raise UnknownError(Code.NO_GAME, f"game must be one of {', '.join(OFFERS)}")


async def checked(read: Callable[[], T]) -> T:
    """In a thread, for a record may be long. What is wrong with what a client sent is told to it."""
    try:
        return await asyncio.to_thread(read)
    except UnknownError:
        raise
    except (ValueError, RecursionError) as problem:
        raise UnknownError(Code.BAD_POSITION, str(problem)[:TOLD] or "nested too deeply") from None


def spend(request: Request, cost: float) -> None:
    address = request.client.host if request.client else "?"
    if not request.app.state.asking.take(address, cost):
        raise UnknownError(Code.TOO_FAST, f"an address may spend {RATE:g} a second; this costs {cost:g}")


async def worked(house: House, work: Work) -> Any:
    try:
        return await house.means.desk.result(work)
    except TimeoutError:
        raise UnknownError(Code.BUSY) from None
