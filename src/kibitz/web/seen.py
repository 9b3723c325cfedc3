"""**The** filter: everything that leaves for a client is made here, for an audience.

A `Seen` can be made by this module only. It is made of views, of finished deals and of what everybody may know; no
function here takes a state. A connection refuses what was made for another audience.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, final

from kibitz._core import Game, View
from kibitz.advice.report import Report
from kibitz.web import choices, wire
from kibitz.web.positions import position
from kibitz.web.series import Result

if TYPE_CHECKING:
    from kibitz.web.table.deal import Opened

SPECTATOR = -1
_KEY = object()


@dataclass(frozen=True)
class Audience:
    """Who may see something: the owner of a seat in a deal, or SPECTATOR; table None: everybody everywhere."""

    table: str | None
    deal: int
    seat: int


EVERYBODY = Audience(None, 0, SPECTATOR)


@final
class Seen:
    """A message on its way out."""

    __slots__ = ("audience", "text")

    def __init__(self, key: object, audience: Audience, message: wire._Message) -> None:
        if key is not _KEY:
            raise TypeError("only kibitz.web.seen makes these")
        self.audience = audience
        self.text = message.model_dump_json()


@dataclass(frozen=True)
class Scene:
    """What everybody knows about the moment of a view."""

    n: int
    deal: int
    turn: int
    hash: str
    clock: wire.Clock | None


def view(audience: Audience, shown: View, scene: Scene, cause: wire.Cause, whole: bool) -> Seen:
    """The view of a seat, or the public one. `whole`: with the history."""
    if shown.seat != audience.seat:
        raise ValueError(f"a view of seat {shown.seat} is not for {audience.seat}")
    game: Game = shown.game
    history = [move(game, seat, action) for seat, action in shown.history] if whole else None
    mine = shown.seat != SPECTATOR and shown.to_act == shown.seat
    message = wire.View(
        n=scene.n,
        deal=scene.deal,
        turn=scene.turn,
        hash=scene.hash,
        seat=shown.seat,
        to_act=None if shown.over else shown.to_act,
        cause=cause,
        position=position(shown),
        text=str(shown),
        choices=choices.choices(shown) if mine else [],
        history=history,
        clock=scene.clock,
    )
    return Seen(_KEY, audience, message)


def move(game: Game, seat: int, action: int) -> wire.Move:
    return wire.Move(seat=seat, action=action, text=game.text(action))


def moved(shown: View, before: int, seat: int, by: str) -> wire.Cause:
    """What the audience of a view learns of the move that led to it; `before`: how many moves it knew of before."""
    new = shown.history[before:]
    known = move(shown.game, *new[-1]) if new else None
    return wire.Cause.model_validate({"kind": "move", "by": by, "seat": seat, "move": known})


def over(audience: Audience, opened: Opened, result: Result, n: int, deal: int, resigned: int | None) -> Seen:
    """A finished deal."""
    message = wire.Over(
        n=n,
        deal=deal,
        payoffs=result.payoffs,
        winners=result.winners,
        gained=result.gained,
        points=result.points,
        held=result.held,
        resigned=resigned,
        series_over=result.series_over,
        series_winners=result.series_winners,
        seed=opened.seed,
        salt=opened.salt,
        hash=opened.hash,
        commitment=opened.commitment,
        dealt=opened.dealt,
        position=opened.position,
    )
    return Seen(_KEY, audience, message)


def welcome(audience: Audience, you: wire.You, table: wire.TableInfo, phrases: Sequence[str]) -> Seen:
    return Seen(_KEY, audience, wire.Welcome(you=you, table=table, phrases=list(phrases)))


def people(info: wire.TableInfo, n: int) -> Seen:
    told = wire.People(
        n=n, status=info.status, deal=info.deal, thoughts=info.thoughts, seats=info.seats, watchers=info.watchers
    )
    return Seen(_KEY, EVERYBODY, told)


def thought(audience: Audience, report: Report, turn: int) -> Seen:
    """What the adviser thinks of a seat's view, for that seat."""
    if report.seat != audience.seat:
        raise ValueError(f"a thought of seat {report.seat} is not for {audience.seat}")
    told = wire.Report.model_validate(asdict(report))
    return Seen(_KEY, audience, wire.Thought(deal=audience.deal, turn=turn, report=told))


def said(message: wire.Said) -> Seen:
    return Seen(_KEY, EVERYBODY, message)


def ack(cid: str, n: int) -> Seen:
    return Seen(_KEY, EVERYBODY, wire.Ack(cid=cid, n=n))


def refused(cid: str | None, code: wire.Code) -> Seen:
    return Seen(_KEY, EVERYBODY, wire.Refused(cid=cid, code=code))


def pong() -> Seen:
    return Seen(_KEY, EVERYBODY, wire.Pong())
