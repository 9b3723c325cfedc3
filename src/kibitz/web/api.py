"""The HTTP API. Requests and answers are in `wire`; what is refused gets a code."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query, Request

from kibitz.web import people, wire
from kibitz.web.catalogue import CLOCKS, UnknownError
from kibitz.web.house import House
from kibitz.web.leaderboard import agent_boards
from kibitz.web.ratings import can_rate
from kibitz.web.store.base import Finished, PersonRow
from kibitz.web.talk import PHRASES
from kibitz.web.wire import Code

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": wire.Problem} for status in (400, 401, 403, 404, 409, 413, 422, 429, 503)
}
router = APIRouter(prefix="/api", responses=REFUSALS)
STATUS = {
    Code.BAD_TOKEN: 401,
    Code.BANNED: 403,
    Code.NO_WATCHING: 403,
    Code.NO_THOUGHTS: 403,
    Code.NOT_PLAYED: 403,
    Code.NOT_SEATED: 403,
    Code.NOT_HOST: 403,
    Code.NOT_YOUR_TURN: 409,
    Code.OLD_TURN: 409,
    Code.TAKEN: 409,
    Code.HAS_SEEN: 409,
    Code.BUSY: 503,
    Code.NOT_NOW: 409,
    Code.NO_TABLE: 404,
    Code.NO_GAME: 404,
    Code.CLOSED: 404,
    Code.TOO_LARGE: 413,
    Code.TOO_FAST: 429,
    Code.FULL: 503,
    Code.STORAGE: 503,
}


def house_of(request: Request) -> House:
    house: House = request.app.state.house
    return house


TheHouse = Annotated[House, Depends(house_of)]


Authorization = Annotated[str | None, Header(max_length=400)]


async def person_of(house: TheHouse, authorization: Authorization = None) -> PersonRow:
    """Whoever shows a person's token."""
    kind, _, token = (authorization or "").partition(" ")
    bearer = house.means.tokens.read(token) if kind.lower() == "bearer" else None
    row = await house.means.people.find(bearer.person) if bearer is not None and bearer.person is not None else None
    if row is None:
        raise UnknownError(Code.BAD_TOKEN)
    if row.banned:
        raise UnknownError(Code.BANNED)
    return row


Me = Annotated[PersonRow, Depends(person_of)]
TableId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,40}$")]


@router.get("/games")
async def games(house: TheHouse) -> wire.Games:
    return wire.Games(
        games=house.means.catalogue.games(), clocks=list(CLOCKS), phrases=list(PHRASES), pictures=wire.PICTURES
    )


@router.get("/guides/{game}")
async def guide(
    game: Annotated[str, Path(max_length=80)], language: Annotated[str, Query(pattern="^(en|fr|zh)$")] = "en"
) -> wire.Guide:
    """The rules for people."""
    try:
        text = import_module("kibitz.guides").guide(game, language)
    except (ImportError, ValueError, OSError):
        raise UnknownError(Code.NO_GAME) from None
    return wire.Guide(game=game, language=language, text=str(text))


@router.post("/people")
async def new_person(house: TheHouse, wanted: wire.NewPerson) -> wire.Identity:
    name = people.clean(wanted.name)
    if not name:
        raise UnknownError(Code.BAD_OPTIONS)
    row = await house.means.people.add(house.means.chance.id(), name, wanted.picture)
    return wire.Identity(person=people.shown(row), token=house.means.tokens.person(row.id))


@router.get("/me")
async def me(who: Me) -> wire.Person:
    return people.shown(who)


@router.put("/me")
async def change_me(house: TheHouse, who: Me, wanted: wire.NewPerson) -> wire.Person:
    name = people.clean(wanted.name)
    if not name:
        raise UnknownError(Code.BAD_OPTIONS)
    row = replace(who, name=name, picture=wanted.picture)
    await house.means.people.save(row)
    return people.shown(row)


@router.delete("/me")
async def delete_me(house: TheHouse, who: Me) -> wire.Person:
    """Everything about the person; finished games stay under "somebody"."""
    await house.means.people.delete(who.id)
    house.dismiss(who.id)
    return wire.Person(id=who.id, name=people.NOBODY, picture=0)


@router.get("/me/export")
async def export_me(house: TheHouse, who: Me) -> dict[str, Any]:
    """All that is kept about the person."""
    finished = await house.means.store.finished(Finished(person=who.id))
    kept = {"id": who.id, "name": who.name, "picture": who.picture, "created": who.created, "seen": who.seen}
    return {
        "person": kept | {"recoverable": who.key is not None},
        "games": [
            {"table": table.id, "game": table.game, "deal": deal.deal, "payoffs": deal.payoffs, "at": deal.finished}
            for table, deal in finished
        ],
    }


@router.post("/me/phrase")
async def new_phrase(house: TheHouse, who: Me) -> wire.Phrase:
    """A recovery phrase, in the place of an earlier one."""
    phrase = people.new_phrase()
    await house.means.people.save(replace(who, key=people.phrase_key(phrase)))
    return wire.Phrase(phrase=phrase)


@router.post("/recover")
async def recover(house: TheHouse, said: wire.Phrase) -> wire.Identity:
    row = await house.means.people.by_phrase(said.phrase)
    if row is None or row.banned:
        raise UnknownError(Code.BAD_TOKEN)
    return wire.Identity(person=people.shown(row), token=house.means.tokens.person(row.id))


@router.get("/tables")
async def lobby(house: TheHouse) -> wire.Lobby:
    return wire.Lobby(tables=await house.lobby())


@router.post("/tables")
async def new_table(house: TheHouse, who: Me, wanted: wire.NewTable) -> wire.TableInfo:
    return (await house.create(who.id, wanted)).show.info()


@router.get("/ratings/{game}")
async def ratings(house: TheHouse, game: Annotated[str, Path(max_length=80)]) -> wire.Ratings:
    """Who is how good at a game, with the uncertainty: from games at rated tables, against fixed levels."""
    if not can_rate(game):
        raise UnknownError(Code.NO_GAME)
    return await house.ratings.board(game)


@router.get("/leaderboard")
async def leaderboard() -> wire.Leaderboard:
    """The agents of each game, by tournaments: figures that come with Kibitz."""
    return agent_boards()


@router.get("/tables/{table}")
async def one_table(house: TheHouse, table: TableId) -> wire.TableInfo:
    found = await house.table(table)
    if found is None:
        raise UnknownError(Code.NO_TABLE)
    return found.show.info()
