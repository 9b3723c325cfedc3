"""Seats: sitting down, leaving, beginning, going on to the next deal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from kibitz.web import wire
from kibitz.web.catalogue import UnknownError
from kibitz.web.means import Client
from kibitz.web.seats import Place, may_take, people_at
from kibitz.web.table import acts
from kibitz.web.wire import Code

if TYPE_CHECKING:
    from kibitz.web.table.task import Table

Answer = Awaitable[int | Code]


async def grant(table: Table, client: Client, wish: wire.SeatWish) -> int | Code:
    if client.person is None:
        return Code.NOT_SEATED
    if table.situation.status == "closed":
        return Code.CLOSED
    return await WISHES[wish.want](table, client.person, wish)


def usual_level(table: Table) -> str:
    return table.means.catalogue.info(table.row.game).level


def _wished(table: Table, wish: wire.SeatWish) -> Place | None:
    if wish.seat is None or wish.seat >= table.game.players:
        return None
    return table.situation.at(wish.seat)


async def _take(table: Table, person: str, wish: wire.SeatWish) -> int | Code:
    at, place = table.situation, _wished(table, wish)
    if place is None:
        return Code.BAD_MESSAGE
    mine = at.of(person)
    if mine is place:  # back, from a bot that played meanwhile
        return await table.save([table.entry("back", place, cid=wish.cid)]) if place.away else at.n
    if at.row.mode == "rated" and at.status == "playing" and place.level is not None:
        return Code.NOT_NOW  # the bot's result would be a person's
    if at.row.named is not None:
        return Code.NOT_NOW  # everybody plays it alone, for the same cards to be compared
    why = may_take(at.places, place, person, at.status == "playing")
    if why is not None:
        return Code(why)
    level = place.level or usual_level(table)
    return await table.save([table.entry("sit", place, person=person, level=level, cid=wish.cid)])


async def _leave(table: Table, person: str, wish: wire.SeatWish) -> int | Code:
    place = table.situation.of(person)
    if place is None:
        return Code.NOT_SEATED
    waiting = table.situation.status == "waiting"
    level = None if waiting else place.level or usual_level(table)
    return await table.save([table.entry("leave", place, level=level, cid=wish.cid)])


async def _resign(table: Table, person: str, wish: wire.SeatWish) -> int | Code:
    place = table.situation.of(person)
    return Code.NOT_SEATED if place is None else await acts.resign(table, place, wish.cid)


async def _begin(table: Table, person: str, wish: wire.SeatWish) -> int | Code:
    """Bots on all open places; the deal follows by itself."""
    at = table.situation
    if at.status != "waiting":
        return Code.NOT_NOW
    if at.host != person:
        return Code.NOT_HOST
    level = usual_level(table)
    free = [place for place in at.places if place.open]
    entries = [replace(table.entry("bot", place, level=level), n=at.n + 1 + k) for k, place in enumerate(free)]
    return await table.save(entries) if entries else at.n


async def _next(table: Table, person: str, wish: wire.SeatWish) -> int | Code:
    place = table.situation.of(person)
    if place is None:
        return Code.NOT_SEATED
    if table.situation.status != "over":
        return Code.NOT_NOW
    return await table.save([table.entry("ready", place, cid=wish.cid)])


async def _agree(table: Table, person: str, wish: wire.SeatWish) -> int | Code:
    """To thoughts for everybody. Taken back, they end at once."""
    at, place = table.situation, table.situation.of(person)
    if place is None:
        return Code.NOT_SEATED
    if at.row.mode != "teaching":
        return Code.NO_THOUGHTS
    return await table.save([table.entry(wish.want, place, cid=wish.cid)])


async def _put(table: Table, person: str, wish: wire.SeatWish) -> int | Code:
    """A bot of a level, or nobody, on a place without a person."""
    at, place = table.situation, _wished(table, wish)
    if place is None or (wish.want == "put" and wish.level is None):
        return Code.BAD_MESSAGE
    if at.host != person:
        return Code.NOT_HOST
    if at.status == "playing" or (wish.want == "free" and at.status != "waiting"):
        return Code.NOT_NOW
    if place.person is not None:
        return Code.TAKEN
    level = wish.level if wish.want == "put" else None
    if level is not None:
        try:
            table.means.catalogue.spec(table.row.game, table.game, level, rated=at.row.mode == "rated")
        except UnknownError as unknown:
            return unknown.code
    return await table.save([table.entry("bot" if level else "free", place, level=level)])


WISHES: dict[str, Callable[[Table, str, wire.SeatWish], Answer]] = {
    "take": _take,
    "leave": _leave,
    "resign": _resign,
    "begin": _begin,
    "next": _next,
    "agree": _agree,
    "disagree": _agree,
    "put": _put,
    "free": _put,
}


def follows(table: Table) -> str | None:
    """What happens by itself now: a deal when all are seated, or ready for the next; the end when nobody is left."""
    at = table.situation
    people = people_at(at.places)
    if at.status == "closed":
        return None
    if not people and at.n and at.status != "waiting":
        return "close"
    if at.status == "waiting":
        return None if any(place.open for place in at.places) or not people else "deal"
    waited_for = [place for place in people if table.here(place) and not place.away]
    if at.status == "over" and waited_for and all(place.ready for place in waited_for):
        return "deal"
    return None
