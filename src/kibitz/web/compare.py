"""Named deals: who has played one, with which result."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path

from kibitz.web import named, wire
from kibitz.web.api import REFUSALS, Authorization, TheHouse, person_of
from kibitz.web.catalogue import UnknownError
from kibitz.web.store.base import PersonRow
from kibitz.web.wire import Code

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["finished deals"])
COMPARED = 200  # tries of a named deal


class Result(wire._Message):
    """Of a person at a named deal. None where it is not over, or where the caller has not played it."""

    person: wire.Person
    table: str | None
    payoff: float | None
    over: bool
    first: bool  # only first tries are compared
    at: int


class Named(wire._Message):
    """A named deal and who has played it. Results are shown to those who have, or who have looked at it."""

    id: str
    name: str
    game: str
    options: dict[str, Any]
    players: int
    level: str | None
    played: bool
    begun: str | None  # the caller's own table, if it is not over
    results: list[Result]


@router.get("/named/{id}")
async def named_deal(
    house: TheHouse, id: Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,40}$")], authorization: Authorization = None
) -> Named:
    """Who has played a named deal, and, for those who have, with which result."""
    tables = await named.tables_of(house.means.store, id)
    if not tables:
        raise UnknownError(Code.NO_TABLE)
    who = await person_of(house, authorization) if authorization else None
    row, found = tables[0].table, named.tries(tables)
    may = who is not None and named.has_played(tables, who.id)
    begun = [one.table for one in found if who is not None and one.person == who.id and one.payoffs is None]
    persons = await house.means.people.renew(list({one.person for one in found}))
    return Named(
        id=id,
        name=row.named_as or "",
        game=row.game,
        options=row.options,
        players=house.means.catalogue.game(row.game, row.options).players,
        level=next((entry.level for entry in tables[0].entries if entry.kind == "bot"), None),
        played=may,
        begun=begun[0] if begun and not may else None,
        results=[_result(one, persons, may) for one in found[:COMPARED]],
    )


def _result(one: named.Try, persons: dict[str, PersonRow], may: bool) -> Result:
    row = persons.get(one.person)
    person = wire.Person(id=one.person, name=row.name if row else "", picture=row.picture if row else 0)
    over = one.payoffs is not None
    payoff = one.payoffs[0] if may and one.payoffs is not None else None
    return Result(
        person=person,
        table=one.table if may and over else None,
        payoff=payoff,
        over=over,
        first=one.first,
        at=one.began,
    )
