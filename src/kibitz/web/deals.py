"""Finished deals: their records, every position again, sharing them, and the list of one's own.

Everything here and in `reviews` is about deals that are over: of one that is not, nothing is said but that. Where
nobody may watch a table, its deals are for those who sat there, until one of them shares it. A named deal is for people
who have played it, or who say that they look at it all the same, which is written down.
"""

from __future__ import annotations

import asyncio
import gzip
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Response

from kibitz._core import Game
from kibitz.record import Record
from kibitz.web import choices, named, wire
from kibitz.web.api import REFUSALS, Authorization, Me, TableId, TheHouse, person_of
from kibitz.web.catalogue import UnknownError
from kibitz.web.house import House
from kibitz.web.positions import position
from kibitz.web.records import Played, played
from kibitz.web.series import winners_of
from kibitz.web.store.base import Finished, PersonRow, Saved
from kibitz.web.wire import Code

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["finished deals"])
DealNumber = Annotated[int, Path(ge=0, lt=2**31)]
LISTED = 60  # own games


# ---- what is told


class Step(wire._Message):
    """The position after so many moves; `move` led to it. `choices` of the seat whose view it is, if it is to act."""

    to_act: int | None
    move: wire.Move | None
    by: str | None  # person, bot, clock
    position: dict[str, Any] | None
    text: str
    choices: list[wire.Choice]


class Replay(wire._Message):
    """A finished deal, step by step, from the view of `seat`, or with all cards open. `mine`: where the caller sat."""

    table: str
    deal: int
    game: str
    options: dict[str, Any]
    series: wire.Series | None
    seats: list[wire.SeatInfo]
    seat: int | None
    mine: int | None
    steps: list[Step]
    payoffs: list[float]
    winners: list[int]
    resigned: int | None
    open: bool  # whether everybody with the link may look at it
    named: wire.NamedDeal | None
    finished: int  # seconds since 1970


class Shared(wire._Message):
    """Everybody may look at it now."""

    table: str
    deal: int


class OwnGame(wire._Message):
    """A finished deal of a person."""

    table: str
    deal: int
    game: str
    players: int
    seat: int
    payoff: float
    won: bool
    drawn: bool
    mode: wire.Mode | wire.Practice
    named: wire.NamedDeal | None
    finished: int


class OwnGames(wire._Message):
    games: list[OwnGame]


# ---- who may see what


class Opened:
    """A finished deal that the caller may look at."""

    def __init__(self, saved: Saved, deal: int, found: Played, who: PersonRow | None) -> None:
        self.saved, self.deal, self.found, self.who = saved, deal, found, who

    @property
    def record(self) -> Record:
        return self.found.record

    @property
    def open(self) -> bool:
        return self.saved.table.watching or _shared(self.saved, self.deal)

    @property
    def mine(self) -> int | None:
        persons = [sitter.person for sitter in self.found.sitters]
        return persons.index(self.who.id) if self.who is not None and self.who.id in persons else None


async def opened(house: House, table: str, deal: int, authorization: str | None, look: bool = False) -> Opened:
    """UnknownError says, as a code, why not. `look`: at a named deal, too, that the caller has not played."""
    saved = await house.means.store.load(table)
    if saved is None:
        raise UnknownError(Code.NO_TABLE)
    hidden = saved.table.named is not None and deal == 0
    private = not saved.table.watching and not _shared(saved, deal)
    try:
        who = await person_of(house, authorization)
    except UnknownError:
        if hidden or private:
            raise
        who = None  # everybody may look
    sat = {entry.person for entry in saved.entries if entry.kind == "sit"}
    if private and who is not None and who.id not in sat:
        raise UnknownError(Code.NO_WATCHING)
    try:
        found = (await asyncio.to_thread(played, saved, house.means.catalogue)).get(deal)
    except ValueError:  # its rulesheet has gone or changed
        raise UnknownError(Code.CLOSED) from None
    if found is None:
        raise UnknownError(Code.NOT_NOW)
    if hidden and who is not None:
        await _play_first(house, saved, who.id, look)
    return Opened(saved, deal, found, who)


async def _play_first(house: House, saved: Saved, person: str, look: bool) -> None:
    """A named deal is played before it is looked at; who does not want to is not compared."""
    tables = await named.tables_of(house.means.store, saved.table.named or "")
    if named.has_played(tables, person):
        return
    if not look:
        raise UnknownError(Code.NOT_PLAYED)
    await house.note(saved.table.id, 0, "look", person)


def _shared(saved: Saved, deal: int) -> bool:
    return any(entry.kind == "share" and entry.deal == deal for entry in saved.entries)


def _named(saved: Saved, deal: int) -> wire.NamedDeal | None:
    row = saved.table
    return wire.NamedDeal(id=row.named, name=row.named_as or "") if row.named is not None and deal == 0 else None


Look = Annotated[bool, Query(description="at a named deal, too, that the caller has not played: it is written down")]
SeatQuery = Annotated[int | None, Query(ge=0, le=99)]


# ---- records and replays


@router.get("/tables/{table}/deals/{deal}")
async def one_deal(
    house: TheHouse, table: TableId, deal: DealNumber, authorization: Authorization = None, look: Look = False
) -> dict[str, Any]:
    """The record of a finished deal (docs/records.md), which `kibitz verify` checks."""
    return (await opened(house, table, deal, authorization, look)).record.to_json()


@router.get("/tables/{table}/deals/{deal}/replay", response_model=Replay)
async def replay(
    house: TheHouse,
    table: TableId,
    deal: DealNumber,
    seat: SeatQuery = None,
    authorization: Authorization = None,
    look: Look = False,
    accept_encoding: Annotated[str, Header()] = "",
) -> Response:
    """Every position of a finished deal: from the view of a seat, or with all cards open."""
    of = await opened(house, table, deal, authorization, look)
    if seat is not None and seat >= len(of.record.seats):
        raise UnknownError(Code.BAD_OPTIONS)
    await house.means.people.renew([sitter.person for sitter in of.found.sitters if sitter.person is not None])
    made = await asyncio.to_thread(_replay, house, of, seat)
    body = await asyncio.to_thread(lambda: made.model_dump_json().encode())
    if "gzip" not in accept_encoding:
        return Response(body, media_type="application/json")
    # Positions are alike: a tenth is left of them.
    packed = await asyncio.to_thread(gzip.compress, body, 5, mtime=0)
    return Response(packed, media_type="application/json", headers={"Content-Encoding": "gzip"})


def _replay(house: House, of: Opened, seat: int | None) -> Replay:
    record, row = of.record, of.saved.table
    game = house.means.catalogue.game(row.game, row.options)
    more = record.more["table"]
    payoffs = list(record.payoffs or more["payoffs"])
    finished = next(deal.finished for deal in of.saved.deals if deal.deal == of.deal)
    return Replay(
        table=row.id,
        deal=of.deal,
        game=row.game,
        options=row.options,
        series=None if row.series is None else wire.Series(to=row.series),
        seats=[_seat(house, game, of, number, payoffs) for number in range(game.players)],
        seat=seat,
        mine=of.mine,
        steps=_steps(game, record, seat, more["by"]),
        payoffs=payoffs,
        winners=winners_of(game, payoffs),
        resigned=more.get("resigned"),
        open=of.open,
        named=_named(of.saved, of.deal),
        finished=finished or 0,
    )


def _steps(game: Game, record: Record, seat: int | None, by: list[str]) -> list[Step]:
    states: list[Any] = list(record.states())
    found = []
    for number, state in enumerate(states):
        shown = state if seat is None else state.view(seat)
        mine = seat is not None and not state.over and state.to_act == seat
        last = state.history[-1] if number else None
        found.append(
            Step(
                to_act=None if state.over else state.to_act,
                move=None if last is None else wire.Move(seat=last[0], action=last[1], text=game.text(last[1])),
                by=by[number - 1] if number else None,
                position=position(shown),
                text=str(shown),
                choices=choices.choices(shown) if mine else [],
            )
        )
    return found


def _seat(house: House, game: Game, of: Opened, number: int, payoffs: list[float]) -> wire.SeatInfo:
    sitter = of.found.sitters[number]
    name, picture = house.means.people.name(sitter.person) if sitter.person else (sitter.name, None)
    return wire.SeatInfo(
        seat=number,
        kind="person" if sitter.person else "bot",
        name=name,
        picture=picture,
        person=sitter.person,
        level=sitter.level,
        points=payoffs[number],
        team=game.teams[number],
    )


# ---- sharing


@router.post("/tables/{table}/deals/{deal}/share")
async def share(house: TheHouse, who: Me, table: TableId, deal: DealNumber, authorization: Authorization) -> Shared:
    """Lets everybody with the link look at a finished deal of a table that nobody may watch."""
    of = await opened(house, table, deal, authorization)
    if not of.open:
        await house.note(table, deal, "share", who.id)
    return Shared(table=table, deal=deal)


# ---- own games


@router.get("/me/games")
async def own_games(house: TheHouse, who: Me) -> OwnGames:
    """The person's finished deals, the last first."""
    rows = (await house.means.store.finished(Finished(person=who.id)))[-LISTED:]
    seats = {table.id: await _seats(house, table.id, who.id) for table, _ in rows}
    found = []
    for table, deal in reversed(rows):
        place = seats[table.id].get(deal.deal)
        if place is None or deal.payoffs is None:
            continue
        seat = (place + deal.deal) % len(deal.payoffs)
        winners = winners_of(house.means.catalogue.game(table.game, table.options), deal.payoffs)
        found.append(
            OwnGame.model_validate(
                {
                    "table": table.id,
                    "deal": deal.deal,
                    "game": table.game,
                    "players": len(deal.payoffs),
                    "seat": seat,
                    "payoff": deal.payoffs[seat],
                    "won": seat in winners,
                    "drawn": len(winners) in (0, len(deal.payoffs)),
                    "mode": table.mode,
                    "named": _named(Saved(table, [], []), deal.deal),
                    "finished": deal.finished or 0,
                }
            )
        )
    return OwnGames(games=found)


async def _seats(house: House, table: str, person: str) -> dict[int, int]:
    """By deal, the place of a person at its end."""
    saved = await house.means.store.load(table)
    place: int | None = None
    found: dict[int, int] = {}
    for entry in saved.entries if saved is not None else ():
        if entry.kind == "sit" and entry.person == person:
            place = entry.place
        elif entry.kind in ("leave", "bot", "sit") and entry.place == place:
            place = None
        if place is not None and entry.kind in ("deal", "act", "auto", "clock", "resign", "sit"):
            found[entry.deal] = place
        elif place is None:
            found.pop(entry.deal, None)
    return found
